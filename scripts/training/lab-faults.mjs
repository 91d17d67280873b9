const SERVICE = 'src/labs/training/place/service';

/**
 * Planted faults of the lab that trains, in the form of `UNIT_FAULTS`.
 *
 * @type {readonly (readonly [id: string, file: string, find: string, put: string, what: string, test: string, title?: string])[]}
 */
export const faults = [
  [
    'l1-pulls-one-way',
    `${SERVICE}/gated-network.ts`,
    '(value > 0 ? coefficient : -coefficient)',
    'coefficient',
    'L1 pulls negative activations further from 0',
    'test/training/network.test.ts',
    'has the gradients that finite differences give',
  ],
  [
    'no-way-around-the-block',
    `${SERVICE}/gated-network.ts`,
    ' + memory[dxPart + i] + memory[dy + i];',
    ' + memory[dxPart + i];',
    'no gradient goes around the block',
    'test/training/network.test.ts',
    'has the gradients that finite differences give',
  ],
  [
    'adam-without-its-beginning',
    `${SERVICE}/layer.ts`,
    '(rate * Math.sqrt(1 - decay2)) / (1 - decay1)',
    'rate',
    'the first steps of Adam are not corrected',
    'test/training/network.test.ts',
    'the network that learns image by image',
  ],
  [
    'dead-after-half-as-many',
    `${SERVICE}/train.ts`,
    'const since = Math.max(0, step + 1 - DEAD_AFTER / BATCH);',
    'const since = Math.max(0, step + 1 - DEAD_AFTER / BATCH / 2);',
    'a neuron is dead after half as many images',
    'test/training/run.test.ts',
    'without L1, the first 50 steps',
  ],
  [
    'turned-later',
    'src/labs/training/place/use-run.ts',
    'turned(run.settings.turns, { step: point.step, l1 })',
    'turned(run.settings.turns, { step: point.step + 5, l1 })',
    'a link says that L1 was turned later than it was',
    'src/labs/training/place/use-run.test.ts',
    'a paused run waits at its point',
  ],
  [
    'answer-before-it-is-asked',
    'src/labs/training/place/lesson.ts',
    'return run.points.filter(({ step }) => step <= last);',
    'return run.points;',
    'the curves of a question show its answer',
    'test/training/lesson.test.ts',
    'until a question is answered',
  ],
  [
    'pulled-without-end',
    'src/labs/training/place/story/frames.ts',
    'const pulls = track.sums.slice(0, CLOSED);',
    'const pulls = track.sums;',
    'the story draws L1 as pulling at what does not fire',
    'test/training/story.test.ts',
    'what the pictures draw is what was recorded',
  ],
  [
    'means-exchanged',
    'src/labs/training/place/story/frames.ts',
    "fact('mean without L1', FREE.mean, 0)",
    "fact('mean without L1', PRICED.mean, 0)",
    'the story says the neurons of one run of the other',
    'test/training/story.test.ts',
    'the law for sentences',
  ],
  [
    'closed-in-silence',
    'src/labs/training/place/TrainingPage.tsx',
    'announce(asSentence(`activations: ${messageOf(error)}`))',
    'undefined',
    'activations that cannot be opened are not spoken of',
    'test/training/open-batch.test.ts',
    'says why activations cannot be opened',
  ],
];
