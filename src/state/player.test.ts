import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CATALOG } from '../../test/fake-engine.ts';
import type { Stop } from '../core/story/timeline.ts';
import {
  createDocumentStore,
  defaultDocument,
  type DocumentStore,
  withFormat,
  withStep,
  withView,
} from './document.ts';
import {
  chapterAt,
  chapterStart,
  createPlayer,
  type Player,
  playingMs,
  LONGEST_PLAY_MS,
  REST_MS,
  STEP_MS,
  stopsReached,
  type Story,
} from './player.ts';

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

  it('is heard of once, with what it was before, wherever it was changed', () => {
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
    player.loadAside({ stepCount: 3, chapters: [] }, 4);
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

/** Chapters of 2, 40 and 8 steps; stops at 1, 2, 42, 43 and 50. */
const WITH_STOPS: Story = {
  stepCount: 50,
  chapters: [
    { id: 'scan', title: 'Scan', firstStep: 0, stepCount: 2 },
    { id: 'pack', title: 'Pack', firstStep: 2, stepCount: 41 },
    { id: 'multiply', title: 'Multiply', firstStep: 43, stepCount: 7 },
  ],
  stops: [
    [0, 1, 0],
    [1, 2, 0],
    [2, 42, 1],
    [42, 43, 1],
    [43, 50, 2],
  ].map(([from, at, chapter]) => ({ from, at, chapter, name: `stop ${at}`, kind: 'step', alone: null })),
};

function byStops(step = 0): Player {
  const player = createPlayer(documentAt(step));
  player.load(WITH_STOPS);
  player.setEveryStep(false);
  return player;
}

/** Lets frames of 16 ms pass; returns the steps that were shown. */
function frames(player: Player, ms: number): readonly number[] {
  const shown = new Set<number>();
  const end = player.store.subscribe(({ step }) => shown.add(step));
  for (let at = 0; at <= ms; at += 16) player.tick(1000 + at);
  end();
  return [...shown];
}

describe('a player that goes by stops', () => {
  it('goes by every step until it is told otherwise, and where a story has no stops', () => {
    const player = byStops(1);
    player.setEveryStep(true);
    player.next();
    player.next();
    expect(stepOf(player)).toBe(3);
    const plain = loaded();
    plain.setEveryStep(false);
    plain.next();
    expect(stepOf(plain)).toBe(1);
  });

  it('moves to the next stop, sweeping a way of several steps, and back at once', () => {
    const player = byStops();
    player.next();
    player.next();
    expect([stepOf(player), player.store.getState().sweepingTo]).toEqual([2, null]);
    player.next();
    expect([stepOf(player), player.store.getState().sweepingTo]).toEqual([2, 42]);
    const shown = frames(player, 2100);
    expect(shown.length).toBeGreaterThan(30);
    expect([...shown]).toEqual(shown.toSorted((x, y) => x - y));
    expect([stepOf(player), player.store.getState().sweepingTo, isPlaying(player)]).toEqual([42, null, false]);
    player.previous();
    expect(stepOf(player)).toBe(2);
    player.previous();
    player.previous();
    player.previous();
    expect(stepOf(player)).toBe(0);
  });

  it('sweeps for at most 2 seconds at any speed, and faster at higher ones', () => {
    const times = [0.25, 1, 4].map((speed) => {
      const player = byStops(2);
      player.setSpeed(speed);
      player.next();
      let ms = 0;
      for (; player.store.getState().sweepingTo !== null; ms += 10) player.tick(ms);
      expect(stepOf(player)).toBe(42);
      return ms;
    });
    expect(times[0]).toBeLessThan(2100);
    expect(times[1]).toBeLessThan(2100);
    expect(times[2]).toBeLessThan(600);
  });

  it('ends a sweep at its stop with the next press, and where it began with one back', () => {
    const player = byStops(2);
    player.next();
    frames(player, 500);
    expect(stepOf(player)).toBeGreaterThan(2);
    player.next();
    expect([stepOf(player), player.store.getState().sweepingTo]).toEqual([42, null]);
    player.seek(2);
    player.next();
    frames(player, 500);
    player.previous();
    expect([stepOf(player), player.store.getState().sweepingTo]).toEqual([2, null]);
  });

  it('jumps with reduced motion', () => {
    const player = byStops(2);
    player.setReducedMotion(true);
    player.next();
    expect([stepOf(player), player.store.getState().sweepingTo]).toEqual([42, null]);
    player.first();
    player.play();
    frames(player, 100);
    expect(stepOf(player)).toBe(1);
  });

  it('plays at once from where it is, and rests at every stop', () => {
    const player = byStops();
    player.play();
    expect(frames(player, REST_MS - 100)).toEqual([1]);
    expect(frames(player, 200)).toEqual([2]);
    frames(player, REST_MS + 2200);
    expect(stepOf(player)).toBe(42);
    for (let i = 0; i < 3; i++) frames(player, REST_MS + 2200);
    expect([stepOf(player), isPlaying(player)]).toEqual([50, false]);
    player.play();
    expect([frames(player, REST_MS - 100), stepOf(player)]).toEqual([[], 0]);
  });

  it('ends within a minute however many stops there are, by what it says and by the clock', () => {
    const stops = Array.from({ length: 40 }, (_, i): Stop => ({
      at: 10 * (i + 1),
      from: 10 * i,
      name: '',
      kind: 'step',
      alone: null,
      chapter: 0,
    }));
    const player = createPlayer(documentAt(0));
    player.load({ stepCount: 400, chapters: WITH_STOPS.chapters.slice(0, 1), stops });
    player.setEveryStep(false);
    expect(playingMs({ stops, step: 0, speed: 1 })).toBeCloseTo(LONGEST_PLAY_MS, 6);
    expect(playingMs({ stops, step: 0, speed: 2 })).toBeLessThan(LONGEST_PLAY_MS / 1.9);
    player.play();
    // A frame belongs to each rest and each sweep that it ends.
    frames(player, LONGEST_PLAY_MS + 80 * 16);
    expect([stepOf(player), isPlaying(player)]).toEqual([400, false]);
  });

  it('makes up for at most one sweep after a gap', () => {
    const player = byStops(2);
    player.play();
    player.tick(0);
    player.tick(60_000);
    player.tick(60_016);
    expect([stepOf(player), isPlaying(player)]).toEqual([42, true]);
  });

  it('ends a sweep where the document goes elsewhere, and when it pauses', () => {
    const document = documentAt(2);
    const player = createPlayer(document);
    player.load(WITH_STOPS);
    player.setEveryStep(false);
    player.next();
    document.setState(withStep(document.getState(), 7));
    frames(player, 3000);
    expect(stepOf(player)).toBe(7);
    player.next();
    frames(player, 300);
    player.pause();
    const paused = stepOf(player);
    frames(player, 3000);
    expect([stepOf(player), paused > 7 && paused < 42]).toEqual([paused, true]);
  });

  it('jumps to the first stops of chapters', () => {
    const player = byStops();
    const visited = [0, 1, 2].map(() => {
      player.nextChapter();
      return stepOf(player);
    });
    expect(visited).toEqual([42, 50, 50]);
    player.previousChapter();
    expect(stepOf(player)).toBe(42);
    player.previousChapter();
    expect(stepOf(player)).toBe(0);
  });

  it('counts the stops that it has reached, and what is left of the time', () => {
    const stops = WITH_STOPS.stops ?? [];
    expect([0, 1, 41, 42, 50].map((step) => stopsReached(stops, step))).toEqual([0, 1, 2, 3, 5]);
    expect(playingMs({ stops, step: 50, speed: 1 })).toBe(0);
    expect(playingMs({ stops, step: 42, speed: 1 })).toBe(2 * REST_MS + 2000);
    expect(playingMs({ stops, step: 42, speed: 2 })).toBe(REST_MS + 1000);
  });

  it('never leaves the story, whatever is pressed and however time passes', () => {
    const action = fc.oneof(
      fc.constantFrom('next', 'previous', 'play', 'pause', 'toggle', 'nextChapter', 'previousChapter', 'last' as const),
      fc.integer({ min: 1, max: 3000 }),
      fc.boolean(),
    );
    fc.assert(
      fc.property(fc.array(action, { maxLength: 40 }), (actions) => {
        const player = byStops();
        let now = 0;
        for (const act of actions) {
          if (typeof act === 'number') player.tick((now += act));
          else if (typeof act === 'boolean') player.setEveryStep(act);
          else player[act]();
          const { step, sweepingTo } = player.store.getState();
          expect(step >= 0 && step <= 50).toBe(true);
          if (sweepingTo !== null) expect(step < sweepingTo && sweepingTo <= 50).toBe(true);
        }
      }),
    );
  });
});
