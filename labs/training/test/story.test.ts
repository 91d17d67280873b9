import { expect, test } from 'vitest';
import { type FrameContext, MAX_WORDS, wordCount } from '../../../src/story/frames.ts';
import { numberText } from '../../../src/core/text/stated.ts';
import { RECORDED_RUNS } from '../page/recorded-runs.ts';
import { FRAMES, STORY } from '../page/story/frames.ts';
import { finalTestActivations } from '../page/story/recorded-activations.ts';
import recorded from '../page/story/recorded.json';
import { BATCH, DEAD_AFTER, SIZES, STEPS, STEPS_PER_POINT } from '../theory/run.ts';
import { scheduled } from '../../../test/scheduled.ts';
import { firedWithoutL1, STORY_IMAGE, storyOf } from './story-record.ts';

// The training story: its texts, pictures and recorded run (page/story) agree with each other and with the training.

const CONTEXTS: readonly FrameContext[] = (['wide', 'narrow'] as const).map((layout) => ({
  layout,
  wholeMatrix: null,
  recordedTimes: null,
}));
const framesWithoutQuestion = FRAMES.filter(({ question }) => question === undefined);
/** The test results of the recorded run with this L1 coefficient from start to end, and no other settings. */
const testOfRun = (l1: number) => {
  const run = RECORDED_RUNS.find(({ settings: { l1Changes, reinitialises, warmsUp } }) => {
    return l1Changes.length === 1 && l1Changes[0].l1 === l1 && !reinitialises && !warmsUp;
  });
  if (run === undefined) throw new RangeError(`recorded runs: found none with L1 ${l1}, expected one`);
  return run.test;
};
/** Number of neurons that fired; one digit for each neuron, 0 if it did not. */
const firedCount = (digits: string): number => digits.replaceAll('0', '').length;

test('the story is six frames and a question, each with one short sentence', () => {
  expect(framesWithoutQuestion).toHaveLength(6);
  expect(FRAMES).toHaveLength(7);
  for (const { id, question, narration } of FRAMES) {
    const text = narration(CONTEXTS[0]).text;
    expect(wordCount({ text }), id).toBeLessThanOrEqual(MAX_WORDS);
    expect(text, id).not.toMatch(/[{}]/);
    if (question) expect(question.options.length).toBeGreaterThan(question.answer);
  }
  expect(FRAMES.map(({ step }) => step)).toEqual(FRAMES.map(({ step }) => step).toSorted((a, b) => a - b));
  expect([framesWithoutQuestion.map(({ step }) => step), STORY.stepCount]).toEqual([[0, 1, 2, 3, 4, 5], 5]);
});

test('texts: each number of the story is a fact, and each fact is computed here again', () => {
  const block = SIZES.model * SIZES.hidden;
  const expected: Readonly<Record<string, number>> = {
    neurons: 1024,
    coefficient: 0.03,
    'mean with L1': testOfRun(0.03).mean,
    'mean without L1': testOfRun(0).mean,
    'right with L1': 100 * testOfRun(0.03).accuracy,
    'right without L1': 100 * testOfRun(0).accuracy,
    fired: firedCount(recorded.end.fired),
    work: (block + 2 * firedCount(recorded.end.fired) * SIZES.model) / (3 * block),
  };
  const texts = FRAMES.flatMap(({ narration, question }) => [
    narration(CONTEXTS[0]),
    ...(question ? [question.because] : []),
  ]);
  for (const { text, facts } of texts) {
    let rest = text;
    for (const fact of facts) {
      expect(fact.value, fact.name).toBe(expected[fact.name]);
      expect(rest).toContain(numberText(fact));
      rest = rest.replace(numberText(fact), '');
    }
    // The only other digits are an activation of 0 and the name L1.
    expect(rest.replace(/L1|\b0\b/g, ''), text).not.toMatch(/\d/);
  }
  expect(new Set(texts.flatMap(({ facts }) => facts.map(({ name }) => name)))).toEqual(new Set(Object.keys(expected)));
});

test('the pictures draw the recorded values, and their marks keep their names from picture to picture', () => {
  for (const context of CONTEXTS) {
    for (const frame of FRAMES) {
      for (const [picture] of frame.moves.entries()) {
        const { marks, width } = frame.draw(picture, context);
        const ids = marks.map(({ id }) => id);
        expect(new Set(ids).size, `${frame.id} ${picture}`).toBe(ids.length);
        for (const { id, x, w } of marks) expect(x + w, `${frame.id}: ${id}`).toBeLessThanOrEqual(width);
      }
    }
    const marksOf = (id: string) => {
      const frame = FRAMES.find((candidate) => candidate.id === id);
      return frame?.draw(frame.moves.length - 1, context).marks ?? [];
    };
    const { sums, firing } = recorded.track;
    const firingSteps = sums.filter((sum) => sum > 0).length;
    expect(marksOf('pull').filter(({ id }) => id.startsWith('pull '))).toHaveLength(firingSteps);
    expect(marksOf('pull').filter(({ id, tone }) => id.startsWith('bar ') && tone === 'values')).toHaveLength(
      firingSteps,
    );
    expect(marksOf('dead').filter(({ id }) => id.startsWith('bar '))).toHaveLength(
      firing.filter((count) => count > 0).length,
    );
    const filled = marksOf('remaining').filter(({ id, shape }) => id.startsWith('neuron ') && shape === 'box');
    expect(filled).toHaveLength(firedCount(recorded.free) + firedCount(recorded.end.fired));
  }
});

test('the question shows its answer only once it is answered', () => {
  const [questionFrame] = FRAMES.filter(({ question }) => question !== undefined);
  const [before, after] = [0, 1].map((picture) => questionFrame.draw(picture, CONTEXTS[0]).marks);
  expect(before.some(({ tone }) => tone === 'danger')).toBe(false);
  expect(after.some(({ tone }) => tone === 'danger')).toBe(true);
});

test('the neuron that dies fires last at the stated step, and never after it', () => {
  const { firing, lastFired, sums } = recorded.track;
  const firstSilent = sums.findIndex((sum) => sum <= 0);
  expect(firstSilent).toBeGreaterThan(0);
  expect(sums.slice(firstSilent).every((sum) => sum <= 0)).toBe(true);
  expect(firing.slice(Math.ceil(lastFired / STEPS_PER_POINT) + 1).every((count) => count === 0)).toBe(true);
  // It counts as dead at the end.
  expect(STEPS - lastFired).toBeGreaterThan(DEAD_AFTER / BATCH);
});

test('the batch that opens at the end has the recorded neurons of every image', () => {
  const { step, cells } = finalTestActivations();
  expect(step).toBe(STEPS);
  expect(cells).toHaveLength(BATCH * SIZES.hidden);
  const cellsOfImage = cells.subarray(STORY_IMAGE * SIZES.hidden, (STORY_IMAGE + 1) * SIZES.hidden);
  expect(Array.from(cellsOfImage, (value) => (value > 0 ? 9 : 0)).join('')).toBe(recorded.end.fired);
});

/** Trains for some steps and expects the numbers that the recorded story has up to there. */
const expectSameStart = async (steps: number): Promise<void> => {
  const { track, ...first } = await storyOf(steps);
  const { lastFired, neuron, sums, ups, firing } = track;
  expect(first).toEqual({ label: recorded.label, pixels: recorded.pixels, x: recorded.x, start: recorded.start });
  expect(neuron).toBe(recorded.track.neuron);
  expect([sums, ups]).toEqual([recorded.track.sums.slice(0, sums.length), recorded.track.ups.slice(0, ups.length)]);
  expect(firing).toEqual(recorded.track.firing.slice(0, firing.length));
  expect(lastFired).toBeLessThanOrEqual(recorded.track.lastFired);
};

test('the first 20 steps of a run reproduce the numbers of the story', async () => {
  await expectSameStart(20);
});

scheduled(
  'it trains two networks, for several seconds each',
  "'the first 20 steps of a run reproduce the numbers of the story', in the same file",
  'both runs of the story show what was recorded, to the end',
  async () => {
    expect({ ...(await storyOf(STEPS)), free: await firedWithoutL1() }).toEqual(recorded);
  },
);

test('the drawn loss equals the logarithm and the L1 sum drawn next to it', () => {
  const texts = FRAMES.flatMap((frame) => frame.draw(frame.moves.length - 1, CONTEXTS[0]).marks)
    .flatMap(({ text, runs }) => [text ?? '', ...(runs ?? []).map((run) => run.text)])
    .join('\n');
  const [, percent, loss] = /\u2212ln (\d+\.\d+)\u202f% = (\d+\.\d+)/.exec(texts) ?? [];
  expect([percent, loss]).toEqual(['2.5', '3.7']);
  expect((-Math.log(Number(percent) / 100)).toFixed(1)).toBe(loss);
  const [, l1, sum, price] = /(0\.03) \u00d7 (\d+\.\d+) = (\d+\.\d+)/.exec(texts) ?? [];
  expect((Number(l1) * Number(sum)).toFixed(2)).toBe(price);
  expect(texts.split('\n')).toContain((Number(loss) + Number(price)).toFixed(1));
});
