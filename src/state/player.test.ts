import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CATALOG } from '../../test/fake-engine.ts';
import type { Frame } from '../story/frames.ts';
import { createDocumentStore, defaultDocument, withFormat, withFrame, withStep, withView } from './document.ts';
import { chapterAt, chapterStart, frameIndexOf, isRunning, QUESTION_MS, STEP_MS, type Story } from './played-story.ts';
import { createPlayer, type Player } from './player.ts';

/** Chapters of 3, 1 and 6 steps, without frames. */
const STEPS: Story = {
  stepCount: 10,
  chapters: [
    { id: 'scan', title: 'Scan', firstStep: 0, stepCount: 3 },
    { id: 'pack', title: 'Pack', firstStep: 3, stepCount: 1 },
    { id: 'multiply', title: 'Multiply', firstStep: 4, stepCount: 6 },
  ],
};

/** A story without a script, so its frames have only steps: 0, 1, 2, 42, 43 and 50, in chapters of 2, 41 and 7 steps. */
const SWEPT: Story = {
  stepCount: 50,
  chapters: [
    { id: 'scan', title: 'Scan', firstStep: 0, stepCount: 2 },
    { id: 'pack', title: 'Pack', firstStep: 2, stepCount: 41 },
    { id: 'multiply', title: 'Multiply', firstStep: 43, stepCount: 7 },
  ],
  frames: [0, 1, 2, 42, 43, 50].map((at, i) => ({
    at,
    chapter: ['Scan', 'Scan', 'Scan', 'Pack', 'Pack', 'Multiply'][i],
    scriptFrame: null,
  })),
  restMs: (frame) => 1000 + 100 * frame,
};

const DRAWING = { width: 1, height: 1, marks: [] };

function frame(id: string, step: number, more: Partial<Frame> = {}): Frame {
  const stated = { text: id, facts: [] };
  return { id, chapter: id[0], step, narration: () => stated, moves: [0], draw: () => DRAWING, ...more };
}

const because = { text: 'so', facts: [] };

/** A scripted story of two chapters: a still frame, a frame of three movements, a question, and a last frame. */
const DIRECTED: Story = {
  ...SWEPT,
  frames: [
    frame('a1', 0),
    frame('a2', 10, { moves: [600, 0, 400] }),
    frame('b1', 10, { moves: [100, 200], question: { options: ['1', '2'], answer: 0, because } }),
    frame('b2', 50, { moves: [300] }),
  ].map((scriptFrame) => ({ at: scriptFrame.step, chapter: scriptFrame.chapter, scriptFrame })),
};

/** A story with movements of several seconds, which frequent presses cut short. */
const LONG: Story = {
  stepCount: 14,
  chapters: DIRECTED.chapters,
  frames: Array.from({ length: 14 }, (_, i) => frame(`f${i}`, i, { moves: [2000, 800, 1000] })).map((scriptFrame) => ({
    at: scriptFrame.step,
    chapter: scriptFrame.chapter,
    scriptFrame,
  })),
};

const [first, second, questionFrame] = DIRECTED.frames ?? [];
const STORIES: Readonly<Record<string, Story>> = {
  STEPS,
  SWEPT,
  DIRECTED,
  LONG,
  FOUR: { stepCount: 4, chapters: [] },
  GROUPED: { ...SWEPT, stops: [0, 10, 43, 50] },
  EMPTY: { stepCount: 0, chapters: [] },
  'AN END THAT ASKS': { ...DIRECTED, frames: [first, second, questionFrame] },
  'A SHORT ONE': { ...DIRECTED, frames: [first, questionFrame] },
};

/**
 * Runs a script on a player and returns a line for each command: frame, step and picture, then the document. A script is
 * a list of commands separated by '; ':
 *
 *   SWEPT, 3             first: loads the story SWEPT at frame 3, or at step 3 if the story has no frames
 *   +100                 animation frames 16 ms apart, until at least 100 ms have passed
 *   gap 50000            one animation frame, 50000 ms after the last one, as after a pause of the browser
 *   load FOUR            player.load of another story, as after a change of matrix or format
 *   aside step 2         player.loadDetached of the story FOUR at step 2: the document does not follow the player
 *   aside frame 2        player.loadDetached of the story DIRECTED at frame 2
 *   document step 7      sets the document's step, as a link or another part of the app does; also `document frame 3`,
 *                        `document format csr`, `document view compare` and `document on this` (the device)
 *   every step           player.setEveryStep(true): each step is shown; `by frames`: only frames
 *   reduced motion       player.setReducedMotion(true)
 *   play as new          player.play(true)
 *   seek 7, goTo 3, speed 4, next, play, answer ...   the method of the player with this name (`speed`: setSpeed)
 */
function played(script: string): string {
  const [begin, ...commands] = script.split('; ');
  const [name, start] = begin.split(', ');
  const startStep = Number(start);
  const story = STORIES[name];
  const fresh = defaultDocument(CATALOG);
  const document = createDocumentStore(story.frames ? withFrame(fresh, startStep) : withStep(fresh, startStep));
  const player = createPlayer(document);
  player.load(story);
  let ms = 0;
  let reports = 0;
  const shownSteps = new Set<number>();
  player.store.subscribe(({ step }, before) => {
    if (step !== before.step) reports++;
    shownSteps.add(step);
  });
  const tick = (by: number): void => player.tick((ms += by));
  const say = (command: string): string => {
    const { frame, step, picture, moving, playing } = player.store.getState();
    const flags = [...(moving ? ['moving'] : []), ...(playing ? ['playing'] : [])];
    const waits = playing && !isRunning(player.store.getState()) ? ['waiting'] : [];
    const doc = document.getState();
    const detachedNote = player.isOfDocument() ? '' : ', aside';
    const position = [
      frame === null ? `step ${step}` : `frame ${frame}, step ${step}, picture ${picture}`,
      ...flags,
      ...waits,
    ];
    const through = shownSteps.size > 1 ? ` through ${shownSteps.size} steps, heard ${reports} times` : '';
    reports = 0;
    shownSteps.clear();
    return `  ${command}: ${position.join(', ')}${through}; the document: ${doc.frame ?? `step ${doc.step}`}${detachedNote}\n`;
  };
  const actions: Readonly<Record<string, (to: string) => void>> = {
    'document step': (to) => document.setState(withStep(document.getState(), Number(to))),
    'document frame': (to) => document.setState(withFrame(document.getState(), Number(to))),
    'document format': (to) => document.setState(withFormat(document.getState(), to)),
    'document view': (to) => document.setState(withView(document.getState(), to)),
    'document on': (to) => document.setState({ ...document.getState(), deviceChoice: to }),
    load: (to) => player.load(STORIES[to]),
    'aside step': (to) => player.loadDetached(STORIES.FOUR, { frame: null, step: Number(to) }),
    'aside frame': (to) => player.loadDetached(DIRECTED, { frame: Number(to), step: 0 }),
    seek: (to) => player.seek(Number(to)),
    goTo: (to) => player.goTo(Number(to)),
    speed: (to) => player.setSpeed(Number(to)),
    gap: (by) => tick(Number(by)),
  };
  const run = (command: string): string => {
    const action = Object.keys(actions).find((start) => command.startsWith(`${start} `));
    if (command.startsWith('+')) for (let passed = 0; passed < Number(command); passed += 16) tick(16);
    else if (command === 'every step') player.setEveryStep(true);
    else if (command === 'by frames') player.setEveryStep(false);
    else if (command === 'reduced motion') player.setReducedMotion(true);
    else if (command === 'play as new') player.play(true);
    else if (action !== undefined) actions[action](command.slice(action.length + 1));
    else player[command as 'next']();
    return say(command);
  };
  return [`${begin}\n`, say('at first'), ...commands.map(run)].join('');
}

const times = (count: number, commands: string): string => Array.from({ length: count }, () => commands).join('; ');

const SCRIPTS: readonly string[] = [
  // A step at a time, up to both ends, and by chapters.
  'STEPS, 9; play; next; next; first; previous',
  `STEPS, 0; ${times(3, 'nextChapter')}; ${times(4, 'previousChapter')}`,
  ...[0.25, 1, 4].map((speed) => `STEPS, 0; speed ${speed}; play; gap 0; ${times(2, `+${1000 / speed}`)}`),
  // Time during a pause does not count, and a late animation frame advances by one step only.
  'STEPS, 0; play; gap 0; +400; pause; gap 50000; play; gap 50000',
  'STEPS, 0; play; gap 0; gap 60000; gap 16',
  'STEPS, 9; play; gap 0; +1000; toggle; toggle',
  'STEPS, 0; play; seek 7; seek 99',
  'STEPS, 0; reduced motion; play; +5000',
  'EMPTY, 0; play; next; nextChapter; previousChapter',
  'STEPS, 8; play; load FOUR',
  // The step is the document's, which may change.
  'STEPS, 3; next; document step 7; document view compare; first',
  'STEPS, 0; play; gap 0; +400; document step 5; +300; document step 10',
  'STEPS, 4; play; document format csr; next; load STEPS',
  'STEPS, 4; aside step 4; first; next; document step 6; load STEPS',
  // By frames: going forward animates all steps in between; going back is immediate.
  'EMPTY, 0; document frame 9; next; first; every step; load SWEPT',
  `SWEPT, 1; next; next; next; +2100; previous; ${times(3, 'previous')}`,
  'SWEPT, 1; play; +50',
  'SWEPT, 1; play as new; +50; +20000',
  ...[0.25, 1, 4].map((speed) => `SWEPT, 3; speed ${speed}; next; +500; +1500; +200`),
  // A press during a movement goes to the next frame; a press back returns to the beginning of the movement.
  'SWEPT, 3; next; +100; next; goTo 3; next; +100; previous',
  'DIRECTED, 1; next; +100; next; goTo 1; next; +100; previous',
  ...[640, 704].map((ms) => `DIRECTED, 1; next; +${ms}; next`),
  ...[1200, 1440].map((ms) => `SWEPT, 3; next; +${ms}; next`),
  `LONG, 1; ${times(12, 'next; +900')}; +4000; next; +900; next`,
  // Pictures of a directed frame one after the other, faster at a higher speed.
  'DIRECTED, 1; speed 2; next; gap 0; gap 299; gap 2; gap 198; gap 2',
  'DIRECTED, 1; next; reduced motion; first; next',
  'SWEPT, 3; reduced motion; next',
  'SWEPT, 1; play; +1000; +100; +100; +1200; +2200; +1400; +1400; +2200; play; +900',
  'SWEPT, 3; play; gap 0; gap 60000; gap 16',
  'SWEPT, 3; next; +300; document frame 5; +3000; goTo 3; play; +300; pause',
  `SWEPT, 1; ${times(3, 'nextChapter')}; ${times(3, 'previousChapter')}; goTo 5; previousChapter`,
  // A question waits while the story plays; the document does not count it.
  'DIRECTED, 2; play; +500; +60000; answer; +60000; answer; next; +400; previous; next',
  'DIRECTED, 3; previous; answer; next; next',
  'DIRECTED, 3; previous; document on this; load DIRECTED; document frame 1; document frame 2; last',
  'DIRECTED, 3; load AN END THAT ASKS; next; document format csr; load A SHORT ONE',
  'DIRECTED, 2; every step; seek 49; by frames; seek 50',
  'SWEPT, 4; document format csr; next; aside frame 2',
];

it('each command moves the player, its picture and the document to the frame or step of the snapshot', async () => {
  await expect(SCRIPTS.map(played).join('\n')).toMatchFileSnapshot('words/played.txt');
});

it('six calls of next without a pause go six frames further; at a question one of them shows the answer', () => {
  const presses = (story: Story): readonly unknown[] => {
    const player = loaded(story);
    return [1, 2, 3, 4, 5, 6].map(() => {
      player.next();
      const { frame, picture } = player.store.getState();
      return picture > 0 ? `${frame} answered` : frame;
    });
  };
  expect(presses(LONG)).toEqual([2, 3, 4, 5, 6, 7]);
  expect(presses(SWEPT)).toEqual([2, 3, 4, 5, 6, 6]);
  expect(presses(DIRECTED)).toEqual([2, 3, '3 answered', 4, 4, 4]);
});

it('a document names a frame of a script; an older number, which does not count questions, shows the same frame', () => {
  const positionFrom = (reference: number | string): readonly unknown[] => {
    const document = createDocumentStore(withFrame(defaultDocument(CATALOG), reference));
    const player = createPlayer(document);
    player.load(DIRECTED);
    return [player.store.getState().frame, document.getState().frame];
  };
  expect([1, 2, 3, 'a2', 'b1', 'b2', 'other'].map(positionFrom)).toEqual([
    [1, 1],
    [2, 'a2'],
    [4, 'b2'],
    [2, 'a2'],
    [3, 'b1'],
    [4, 'b2'],
    [1, 1],
  ]);
});

it('a link to a frame that was replaced shows the new frame, whether it names the frame or has an older number', () => {
  const frames = ['a', 'b', 'c'].map((id, i) => {
    const scriptFrame = { ...frame(id, i), ...(id === 'b' && { formerIds: ['b first', 'b then'] }) };
    return { at: i, chapter: '', scriptFrame };
  });
  expect(['b', 'b-first', 'b-then', 1, 2, 3, 4, 5, 6].map((reference) => frameIndexOf(frames, reference))).toEqual([
    2,
    2,
    2,
    1,
    2,
    2,
    2,
    3,
    null,
  ]);
});

it('while the player shows every step, it goes from stop to stop, or a single step if requested, from any step', () => {
  const stepsAfter = (script: string): readonly string[] =>
    [...played(script).matchAll(/^ {2}[^:]*: step (\d+)/gm)].map(([, at]) => at);
  const forward =
    'next; next; previous; nextStepOrChapter; next; nextStepOrChapter; previousStepOrChapter; previous; last; previous';
  expect(stepsAfter(`GROUPED, 1; every step; ${forward}`)).toEqual([
    '0',
    '10',
    '43',
    '10',
    '11',
    '43',
    '44',
    '43',
    '10',
    '50',
    '43',
  ]);
  expect(stepsAfter('GROUPED, 1; document step 17; next; document step 17; previous').slice(-4)).toEqual([
    '17',
    '43',
    '17',
    '10',
  ]);
  expect(stepsAfter('GROUPED, 1; every step; play; gap 0; +1000; +1000; +1000').at(-1)).toBe('50');
});

it('a chapter begins at its first change, the first chapter at step 0, and contains the steps of its changes', () => {
  expect(STEPS.chapters.map((_, i) => chapterStart(STEPS.chapters, i))).toEqual([0, 4, 5]);
  const chapters = Array.from({ length: 11 }, (_, step) => chapterAt(STEPS.chapters, step));
  expect([chapters, chapterAt([], 0)]).toEqual([[0, 0, 0, 0, 1, 2, 2, 2, 2, 2, 2], -1]);
});

/** A player of a story whose document is at its start. */
function loaded(story: Story): Player {
  const start = defaultDocument(CATALOG);
  const player = createPlayer(createDocumentStore(story.frames ? withFrame(start, 1) : withStep(start, 0)));
  player.load(story);
  return player;
}

it.each([0, 0.2, 4.5, Number.NaN])('rejects the speed %d', (speed) => {
  expect(() => loaded(STEPS).setSpeed(speed)).toThrow(`speed: found ${speed}, expected 0.25 to 4`);
});

it('the player is at a whole step of the story after any command', () => {
  const commands = fc.array(
    fc.oneof(
      fc
        .constantFrom('play', 'pause', 'toggle', 'next', 'previous', 'first', 'last', 'nextChapter', 'previousChapter')
        .map((name) => (player: Player) => player[name as 'play']()),
      fc.double({ noNaN: true }).map((step) => (player: Player) => player.seek(step)),
      fc.double({ min: 0, max: 1e6, noNaN: true }).map((ms) => (player: Player) => player.tick(ms)),
    ),
  );
  fc.assert(
    fc.property(commands, (list) => {
      const player = loaded(STEPS);
      for (const command of list) {
        command(player);
        expect(Number.isInteger(player.store.getState().step)).toBe(true);
        expect(player.store.getState().step).toBeGreaterThanOrEqual(0);
        expect(player.store.getState().step).toBeLessThanOrEqual(10);
        expect(player.store.getState().playing && player.store.getState().step === 10).toBe(false);
      }
    }),
  );
});

it('questions can be left out, in both directions, and from where one is shown', () => {
  const player = loaded(DIRECTED);
  const frameNow = (): number | null => player.store.getState().frame;
  player.setReducedMotion(true);
  const ms = player.durationMs();
  player.goTo(3); // the question
  player.setSkipsQuestions(true);
  expect(frameNow()).toBe(2);
  player.next();
  expect(frameNow()).toBe(4);
  player.previous();
  expect(frameNow()).toBe(2);
  // Two times for the question and its answer.
  expect(ms - player.durationMs()).toBe(2 * QUESTION_MS);
  player.setSkipsQuestions(false);
  player.next();
  expect(frameNow()).toBe(3);
});

it('a story that ends with a question stops before it if questions are left out', () => {
  const player = loaded({ ...DIRECTED, frames: [first, second] });
  player.setSkipsQuestions(true);
  player.goTo(2);
  player.play();
  player.tick(0);
  player.tick(60_000);
  player.next();
  expect(player.store.getState()).toMatchObject({ frame: 2, playing: false });
});

it('the duration of a story is that of its movements and rests, or of its steps', () => {
  expect(loaded(STEPS).durationMs()).toBe(10 * STEP_MS);
  // Rests of 1000 to 1500 ms, and transitions of 0, 1, 1, 40, 1 and 7 steps, the longest cut at 2 s.
  const moves = 3 * (STEP_MS / 3) + 2000 + Math.min(2000, (7 * STEP_MS) / 3);
  expect(loaded(SWEPT).durationMs()).toBe(7500 + moves);
});

it('the player stays within the frames, pictures and steps of the story, for any commands and any timing', () => {
  const action = fc.oneof(
    fc.constantFrom(
      'next',
      'previous',
      'play',
      'pause',
      'toggle',
      'answer',
      'nextChapter',
      'previousChapter',
      'last' as const,
    ),
    fc.integer({ min: 1, max: 3000 }),
    fc.boolean(),
  );
  fc.assert(
    fc.property(fc.constantFrom(SWEPT, DIRECTED), fc.array(action, { maxLength: 40 }), (story, actions) => {
      const player = loaded(story);
      let ms = 0;
      for (const act of actions) {
        if (typeof act === 'number') player.tick((ms += act));
        else if (typeof act === 'boolean') player.setEveryStep(act);
        else player[act]();
        const { step, frame: frameIndex, frames, picture, moving, playing } = player.store.getState();
        expect([
          step >= 0 && step <= 50,
          frameIndex === null || (frameIndex >= 1 && frameIndex <= frames.length),
        ]).toEqual([true, true]);
        const pictures = frameIndex === null ? 1 : (frames[frameIndex - 1].scriptFrame?.moves.length ?? 1);
        expect(picture >= 0 && picture < pictures).toBe(true);
        if (playing && !moving) expect(frameIndex === null ? step < 50 : frameIndex < frames.length).toBe(true);
      }
    }),
  );
});
