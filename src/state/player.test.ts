import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CATALOG } from '../../test/fake-engine.ts';
import type { Frame } from '../core/story/frames.ts';
import {
  createDocumentStore,
  defaultDocument,
  type DocumentStore,
  withFormat,
  withFrame,
  withStep,
  withView,
} from './document.ts';
import { atStep, chapterAt, chapterStart, isRunning, STEP_MS, type Story } from './played-story.ts';
import { createPlayer, type Player } from './player.ts';

/** Chapters of 3, 1 and 6 steps. */
const STORY: Story = {
  stepCount: 10,
  chapters: [
    { id: 'scan', title: 'Scan', firstStep: 0, stepCount: 3 },
    { id: 'pack', title: 'Pack', firstStep: 3, stepCount: 1 },
    { id: 'multiply', title: 'Multiply', firstStep: 4, stepCount: 6 },
  ],
};

const documentAt = (step: number): DocumentStore => createDocumentStore(withStep(defaultDocument(CATALOG), step));

function loaded(step = 0, document = documentAt(step)): Player {
  const player = createPlayer(document);
  player.load(STORY);
  return player;
}

const stepOf = (player: Player): number => player.store.getState().step;
const isPlaying = (player: Player): boolean => player.store.getState().playing;

describe('chapters', () => {
  it('begin at their first change, the first one before anything happened', () => {
    expect(STORY.chapters.map((_, i) => chapterStart(STORY.chapters, i))).toEqual([0, 4, 5]);
  });

  it('hold the steps that they change', () => {
    const held = Array.from({ length: 11 }, (_, step) => chapterAt(STORY.chapters, step));
    expect(held).toEqual([0, 0, 0, 0, 1, 2, 2, 2, 2, 2, 2]);
  });

  it('are none in an empty story', () => {
    expect(chapterAt([], 0)).toBe(-1);
  });
});

describe('player', () => {
  it('moves by a step at a time, pauses, and stops at both ends', () => {
    const player = loaded(9);
    player.play();
    player.next();
    player.next();
    expect([stepOf(player), isPlaying(player)]).toEqual([10, false]);
    player.first();
    player.previous();
    expect(stepOf(player)).toBe(0);
  });

  it('jumps between chapters', () => {
    const player = loaded();
    const visited = [0, 1, 2].map(() => {
      player.nextChapter();
      return stepOf(player);
    });
    expect(visited).toEqual([4, 5, 10]);
    player.previousChapter();
    expect(stepOf(player)).toBe(5);
    player.previousChapter();
    expect(stepOf(player)).toBe(4);
    player.previousChapter();
    player.previousChapter();
    expect(stepOf(player)).toBe(0);
  });

  it('advances by one step per STEP_MS at speed 1, and in proportion to the speed', () => {
    for (const speed of [0.25, 1, 4]) {
      const player = loaded();
      player.setSpeed(speed);
      player.play();
      for (let ms = 0; ms <= (STEP_MS / speed) * 5.5; ms += 16) player.tick(ms);
      expect(stepOf(player), `speed ${speed}`).toBe(5);
    }
  });

  it('does not advance while paused, and does not count the pause', () => {
    const player = loaded();
    player.play();
    player.tick(0);
    player.tick(STEP_MS - 1);
    player.pause();
    player.tick(50 * STEP_MS);
    player.play();
    player.tick(100 * STEP_MS);
    expect(stepOf(player)).toBe(0);
  });

  it('makes up for at most one step after a gap', () => {
    const player = loaded();
    player.play();
    player.tick(0);
    player.tick(60_000);
    player.tick(60_016);
    expect(stepOf(player)).toBe(1);
  });

  it('stops at the end, and plays from the start when started there', () => {
    const player = loaded(9);
    player.play();
    player.tick(0);
    player.tick(STEP_MS);
    expect([stepOf(player), isPlaying(player)]).toEqual([10, false]);
    player.toggle();
    expect([stepOf(player), isPlaying(player)]).toEqual([0, true]);
    player.toggle();
    expect(isPlaying(player)).toBe(false);
  });

  it('goes on playing after a seek, except to the end', () => {
    const player = loaded();
    player.play();
    player.seek(7);
    expect(isPlaying(player)).toBe(true);
    player.seek(99);
    expect([stepOf(player), isPlaying(player)]).toEqual([10, false]);
  });

  it('takes the same steps with reduced motion', () => {
    const steps = [false, true].map((reducedMotion) => {
      const player = loaded();
      player.setReducedMotion(reducedMotion);
      player.play();
      return Array.from({ length: 400 }, (_, frame) => {
        player.tick(frame * 16);
        return stepOf(player);
      });
    });
    expect(steps[0]).toEqual(steps[1]);
    expect(Math.max(...steps[0])).toBeGreaterThan(3);
  });

  it('does not play an empty story', () => {
    const player = createPlayer(documentAt(0));
    player.play();
    player.next();
    player.nextChapter();
    player.previousChapter();
    expect([stepOf(player), isPlaying(player)]).toEqual([0, false]);
  });

  it.each([0, 0.2, 4.5, Number.NaN])('refuses the speed %d', (speed) => {
    expect(() => loaded().setSpeed(speed)).toThrow(`speed: found ${speed}, expected 0.25 to 4`);
  });

  it('pauses and keeps the step within another story', () => {
    const player = loaded(8);
    player.play();
    player.load({ stepCount: 4, chapters: [] });
    expect([stepOf(player), isPlaying(player)]).toEqual([4, false]);
  });

  it('is at a whole step of the story whatever is done', () => {
    const commands = fc.array(
      fc.oneof(
        fc
          .constantFrom(
            'play',
            'pause',
            'toggle',
            'next',
            'previous',
            'first',
            'last',
            'nextChapter',
            'previousChapter',
          )
          .map((name) => (player: Player) => player[name as 'play']()),
        fc.double({ noNaN: true }).map((step) => (player: Player) => player.seek(step)),
        fc.double({ min: 0, max: 1e6, noNaN: true }).map((ms) => (player: Player) => player.tick(ms)),
      ),
    );
    fc.assert(
      fc.property(commands, (list) => {
        const player = loaded();
        for (const command of list) {
          command(player);
          expect(Number.isInteger(stepOf(player))).toBe(true);
          expect(stepOf(player)).toBeGreaterThanOrEqual(0);
          expect(stepOf(player)).toBeLessThanOrEqual(10);
          expect(isPlaying(player) && stepOf(player) === 10).toBe(false);
        }
      }),
    );
  });
});

describe('the step', () => {
  it("is the document's, read there and written there", () => {
    const document = documentAt(3);
    const player = loaded(3, document);
    expect(stepOf(player)).toBe(3);
    player.next();
    expect(document.getState().step).toBe(4);
    document.setState(withStep(document.getState(), 7));
    expect(stepOf(player)).toBe(7);
  });

  it('is reported once, with what it was before, wherever it was changed', () => {
    const document = documentAt(0);
    const player = loaded(0, document);
    const heard: [number, number][] = [];
    const end = player.store.subscribe(({ step }, before) => heard.push([before.step, step]));
    player.next();
    document.setState(withStep(document.getState(), 7));
    document.setState(withView(document.getState(), 'compare'));
    end();
    player.first();
    expect(heard).toEqual([
      [0, 1],
      [1, 7],
    ]);
  });

  it('begins its time anew when the document goes elsewhere, and playing ends at the end', () => {
    const document = documentAt(0);
    const player = loaded(0, document);
    player.play();
    player.tick(0);
    player.tick(STEP_MS - 1);
    document.setState(withStep(document.getState(), 5));
    player.tick(STEP_MS + 1);
    expect([stepOf(player), isPlaying(player)]).toEqual([5, true]);
    document.setState(withStep(document.getState(), 10));
    expect(isPlaying(player)).toBe(false);
  });

  it('stays with a story that the document no longer asks for, until the one that it asks for is there', () => {
    const document = documentAt(4);
    const player = loaded(4, document);
    player.play();
    const heard: number[] = [];
    player.store.subscribe(({ step }) => heard.push(step));
    document.setState(withFormat(document.getState(), 'csr'));
    expect([stepOf(player), isPlaying(player), document.getState().step]).toEqual([4, false, 0]);
    player.next();
    expect([stepOf(player), document.getState().step]).toEqual([5, 0]);
    player.load(STORY);
    expect([stepOf(player), document.getState().step]).toEqual([0, 0]);
    expect([...new Set(heard)]).toEqual([4, 5, 0]);
  });

  it('of a story aside never reaches the document', () => {
    const document = documentAt(4);
    const player = loaded(4, document);
    player.loadAside({ stepCount: 3, chapters: [] }, atStep(4));
    expect([stepOf(player), player.isOfDocument()]).toEqual([3, false]);
    player.first();
    player.next();
    expect([stepOf(player), document.getState().step]).toEqual([1, 4]);
    document.setState(withStep(document.getState(), 6));
    expect(stepOf(player)).toBe(1);
    player.load(STORY);
    expect(stepOf(player)).toBe(6);
  });
});

/** Frames that nobody directed: at 0, 1, 2, 42, 43 and 50, in chapters of 2, 40 and 8 steps. */
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
    directed: null,
  })),
  restMs: (frame) => 1000 + 100 * frame,
};

const DRAWING = { width: 1, height: 1, marks: [] };

function frame(id: string, step: number, more: Partial<Frame> = {}): Frame {
  const stated = { text: id, facts: [] };
  return { id, chapter: id[0], step, sentence: () => stated, moves: [0], draw: () => DRAWING, ...more };
}

const because = { text: 'so', facts: [] };

/** Two chapters: a still frame, one of three movements, a question, and the last one. */
const DIRECTED: Story = {
  ...SWEPT,
  frames: [
    frame('a1', 0),
    frame('a2', 10, { moves: [600, 0, 400] }),
    frame('b1', 10, { moves: [100, 200], question: { options: ['1', '2'], answer: 0, because } }),
    frame('b2', 50, { moves: [300] }),
  ].map((directed) => ({ at: directed.step, chapter: directed.chapter, directed })),
};

const atFrame = (frame: number): DocumentStore => createDocumentStore(withFrame(defaultDocument(CATALOG), frame));

function byFrames(story: Story, at = 1, document = atFrame(at)): Player {
  const player = createPlayer(document);
  player.load(story);
  return player;
}

/** Where a player is: frame, step, picture, whether something moves and whether it plays. */
function now(player: Player): readonly unknown[] {
  const { frame: at, step, picture, moving, playing } = player.store.getState();
  return [at, step, picture, ...(moving ? ['moving'] : []), ...(playing ? ['playing'] : [])];
}

/** Lets animation frames of 16 ms pass; returns the steps that were shown. */
function pass(player: Player, ms: number): readonly number[] {
  const shown = new Set<number>();
  const end = player.store.subscribe(({ step }) => shown.add(step));
  for (let at = 0; at <= ms; at += 16) player.tick(1000 + at);
  end();
  return [...shown];
}

describe('a player that goes by frames', () => {
  it('goes by every step where a story has none', () => {
    const player = byFrames(STORY);
    expect(now(player)).toEqual([null, 0, 0]);
    player.next();
    expect(stepOf(player)).toBe(1);
  });

  it('keeps the frame of the document until there is a story, and puts it on the nearest end', () => {
    const player = byFrames({ stepCount: 0, chapters: [] }, 9);
    expect(now(player)).toEqual([9, 0, 0]);
    player.next();
    player.first();
    player.setEveryStep(true);
    expect(now(player)).toEqual([9, 0, 0]);
    player.load(SWEPT);
    expect(now(player)).toEqual([6, 50, 0]);
  });

  it('moves to the next frame, sweeping a way of several steps, and back at once', () => {
    const document = atFrame(1);
    const player = byFrames(SWEPT, 1, document);
    player.next();
    player.next();
    expect(now(player)).toEqual([3, 2, 0]);
    player.next();
    expect(now(player)).toEqual([4, 2, 0, 'moving']);
    expect(document.getState()).toMatchObject({ frame: 4, step: 0 });
    const shown = pass(player, 2100);
    expect(shown.length).toBeGreaterThan(30);
    expect([...shown]).toEqual(shown.toSorted((x, y) => x - y));
    expect(now(player)).toEqual([4, 42, 0]);
    player.previous();
    expect(now(player)).toEqual([3, 2, 0]);
    for (let i = 0; i < 5; i++) player.previous();
    expect(now(player)).toEqual([1, 0, 0]);
  });

  it('moves at once from a frame that was looked at, and rests first at one that nobody has seen', () => {
    const seen = byFrames(SWEPT, 1);
    seen.play();
    pass(seen, 50);
    expect(seen.store.getState().frame).toBe(2);
    const fresh = byFrames(SWEPT, 1);
    fresh.play(true);
    pass(fresh, 50);
    expect(fresh.store.getState()).toMatchObject({ frame: 1, playing: true });
    pass(fresh, 20_000);
    expect(fresh.store.getState().frame).toBeGreaterThan(1);
  });

  it('sweeps for at most 2 seconds at any speed, and faster at higher ones', () => {
    const times = [0.25, 1, 4].map((speed) => {
      const player = byFrames(SWEPT, 3);
      player.setSpeed(speed);
      player.next();
      let ms = 0;
      for (; player.store.getState().moving; ms += 10) player.tick(ms);
      expect(stepOf(player)).toBe(42);
      return ms;
    });
    expect(times[0]).toBeLessThan(2100);
    expect(times[1]).toBeLessThan(2100);
    expect(times[2]).toBeLessThan(600);
  });

  it('ends what moves with the next press, and is back where it began with one back', () => {
    for (const story of [SWEPT, DIRECTED]) {
      const player = byFrames(story, 1);
      const moves = story === SWEPT ? 3 : 1;
      player.goTo(moves);
      player.next();
      pass(player, 100);
      expect(player.store.getState().moving).toBe(true);
      player.next();
      expect(player.store.getState()).toMatchObject({ frame: moves + 1, moving: false });
      player.goTo(moves);
      player.next();
      pass(player, 100);
      player.previous();
      expect(player.store.getState()).toMatchObject({ frame: moves, moving: false });
    }
  });

  it('ends what moves with a press, and goes on as well in its last third', () => {
    for (const [ms, at] of [
      [640, [2, 10, 2]],
      [688, [3, 10, 0, 'moving']],
    ] as const) {
      const player = byFrames(DIRECTED);
      player.next();
      pass(player, ms);
      player.next();
      expect(now(player)).toEqual(at);
    }
    for (const [ms, frame] of [
      [1200, 4],
      [1440, 5],
    ]) {
      const player = byFrames(SWEPT, 3);
      player.next();
      pass(player, ms);
      player.next();
      expect(player.store.getState()).toMatchObject({ frame, moving: false });
    }
  });

  it('has one frame for each press of a clicker in a hurry, until a movement comes to its rest', () => {
    const frames = Array.from({ length: 14 }, (_, i) => frame(`f${i}`, i, { moves: [2000, 800, 1000] }));
    const long: Story = {
      stepCount: 14,
      chapters: DIRECTED.chapters,
      frames: frames.map((directed) => ({ at: directed.step, chapter: directed.chapter, directed })),
    };
    const player = byFrames(long);
    const reached = Array.from({ length: 12 }, () => {
      player.next();
      pass(player, 900);
      return player.store.getState().frame;
    });
    expect(reached).toEqual([2, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    pass(player, 4000);
    player.next();
    pass(player, 900);
    player.next();
    expect(now(player)).toEqual([13, 12, 2]);
  });

  it('shows the pictures of a directed frame one after the other, in proportion to the speed', () => {
    const player = byFrames(DIRECTED);
    player.setSpeed(2);
    player.next();
    expect(now(player)).toEqual([2, 10, 0, 'moving']);
    player.tick(0);
    player.tick(299);
    expect(now(player)).toEqual([2, 10, 0, 'moving']);
    player.tick(301);
    expect(now(player)).toEqual([2, 10, 2, 'moving']);
    player.tick(499);
    expect(now(player)).toEqual([2, 10, 2, 'moving']);
    player.tick(501);
    expect(now(player)).toEqual([2, 10, 2]);
  });

  it('shows only the last picture with reduced motion, and ends a movement that is under way', () => {
    const player = byFrames(DIRECTED);
    player.next();
    player.setReducedMotion(true);
    expect(now(player)).toEqual([2, 10, 2]);
    player.first();
    player.next();
    expect(now(player)).toEqual([2, 10, 2]);
    const swept = byFrames(SWEPT, 3);
    swept.setReducedMotion(true);
    swept.next();
    expect(now(swept)).toEqual([4, 42, 0]);
  });

  it('plays at once from where it is, rests at every frame for as long as that takes, and ends at the last', () => {
    const player = byFrames(SWEPT);
    player.play();
    expect(pass(player, 1000)).toEqual([1]);
    expect(pass(player, 100)).toEqual([]);
    expect(pass(player, 100)).toEqual([2]);
    pass(player, 1200 + 2200);
    expect(now(player)).toEqual([4, 42, 0, 'playing']);
    pass(player, 1300 + 100);
    pass(player, 1400 + 2200);
    expect(now(player)).toEqual([6, 50, 0]);
    player.play();
    expect([pass(player, 900), ...now(player)]).toEqual([[], 1, 0, 0, 'playing']);
  });

  it('waits at a question while it plays, moves on to its answer, and passes it by', () => {
    const player = byFrames(DIRECTED, 2);
    player.play();
    pass(player, 500);
    expect(now(player)).toEqual([3, 10, 0, 'playing']);
    expect(isRunning(player.store.getState())).toBe(false);
    pass(player, 60_000);
    expect(now(player)).toEqual([3, 10, 0, 'playing']);
    player.answer();
    expect(now(player)).toEqual([3, 10, 1, 'moving', 'playing']);
    pass(player, 60_000);
    expect(now(player)).toEqual([3, 10, 1, 'playing']);
    player.answer();
    expect(now(player)).toEqual([3, 10, 1, 'playing']);
    player.next();
    expect(now(player)).toEqual([4, 50, 0, 'moving', 'playing']);
    pass(player, 400);
    expect(now(player)).toEqual([4, 50, 0]);
    player.previous();
    expect(now(player)).toEqual([3, 10, 0]);
    player.next();
    expect(now(player)).toEqual([4, 50, 0, 'moving']);
  });

  it('has frames as the page counts them in the document, and no place for a question', () => {
    const document = atFrame(3);
    const player = byFrames(DIRECTED, 3, document);
    expect(now(player)).toEqual([4, 50, 0]);
    player.previous();
    expect([now(player), document.getState().frame]).toEqual([[3, 10, 0], 2]);
    // What else a document says does not lead away from a question.
    document.setState({ ...document.getState(), on: 'this' });
    player.load(DIRECTED);
    expect(now(player)).toEqual([3, 10, 0]);
    document.setState(withFrame(document.getState(), 1));
    document.setState(withFrame(document.getState(), 2));
    expect(now(player)).toEqual([2, 10, 2]);
    player.last();
    expect(document.getState().frame).toBe(3);
    const [first, second, asked] = DIRECTED.frames ?? [];
    player.load({ ...DIRECTED, frames: [first, second, asked] });
    expect([now(player), document.getState().frame]).toEqual([[2, 10, 2], 2]);
    player.next();
    document.setState(withFormat(document.getState(), 'csr'));
    expect(now(player)).toEqual([3, 10, 0]);
    player.load({ ...DIRECTED, frames: [first, asked] });
    expect([now(player), document.getState().frame]).toEqual([[1, 0, 0], 1]);
  });

  it('ends the movement to an answer at the answer', () => {
    const player = byFrames(DIRECTED, 3);
    player.previous();
    player.answer();
    player.next();
    expect(now(player)).toEqual([3, 10, 1]);
    player.next();
    expect(now(player)).toEqual([4, 50, 0, 'moving']);
  });

  it('makes up for at most one movement after a gap', () => {
    const player = byFrames(SWEPT, 3);
    player.play();
    player.tick(0);
    player.tick(60_000);
    player.tick(60_016);
    expect(now(player)).toEqual([4, 42, 0, 'playing']);
  });

  it('is at rest where the document goes elsewhere, and when it pauses', () => {
    const document = atFrame(3);
    const player = byFrames(SWEPT, 3, document);
    player.next();
    pass(player, 300);
    document.setState(withFrame(document.getState(), 5));
    pass(player, 3000);
    expect(now(player)).toEqual([5, 43, 0]);
    player.goTo(3);
    player.play();
    pass(player, 300);
    player.pause();
    expect(now(player)).toEqual([4, 42, 0]);
  });

  it('jumps between chapters', () => {
    const player = byFrames(SWEPT);
    const visited = [0, 1, 2].map(() => {
      player.nextChapter();
      return player.store.getState().frame;
    });
    expect(visited).toEqual([4, 6, 6]);
    const back = [0, 1, 2].map(() => {
      player.previousChapter();
      return player.store.getState().frame;
    });
    expect(back).toEqual([4, 1, 1]);
    player.goTo(5);
    player.previousChapter();
    expect(player.store.getState().frame).toBe(4);
  });

  it('goes on by every step from what is shown, and back to the last frame at or before it', () => {
    const document = atFrame(2);
    const player = byFrames(DIRECTED, 2, document);
    player.setEveryStep(true);
    expect(document.getState()).toMatchObject({ frame: null, step: 10 });
    player.seek(49);
    player.setEveryStep(false);
    // The question has no picture of its own among the steps.
    expect(now(player)).toEqual([2, 10, 2]);
    player.seek(50);
    expect(now(player)).toEqual([4, 50, 0]);
  });

  it('of a story aside stays where it is, and never reaches the document', () => {
    const document = atFrame(4);
    const player = byFrames(SWEPT, 4, document);
    document.setState(withFormat(document.getState(), 'csr'));
    expect([...now(player), document.getState().frame]).toEqual([4, 42, 0, 1]);
    player.next();
    expect([player.store.getState().frame, document.getState().frame]).toEqual([5, 1]);
    player.loadAside(DIRECTED, { frame: 2, step: 0 });
    expect(now(player)).toEqual([2, 10, 2]);
  });

  it('never leaves the story, whatever is pressed and however time passes', () => {
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
        const player = byFrames(story);
        let ms = 0;
        for (const act of actions) {
          if (typeof act === 'number') player.tick((ms += act));
          else if (typeof act === 'boolean') player.setEveryStep(act);
          else player[act]();
          const { step, frame: at, frames, picture, moving, playing } = player.store.getState();
          expect(step >= 0 && step <= 50).toBe(true);
          expect(at === null || (at >= 1 && at <= frames.length)).toBe(true);
          const pictures = at === null ? 1 : (frames[at - 1].directed?.moves.length ?? 1);
          expect(picture >= 0 && picture < pictures).toBe(true);
          if (playing && !moving) expect(at === null ? step < 50 : at < frames.length).toBe(true);
        }
      }),
    );
  });
});
