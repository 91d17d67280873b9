import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Chapter } from '../core/story/trace.ts';
import { type DocumentStore, sameStory, withStep } from './document.ts';

/** How long a step stays at speed 1. */
export const STEP_MS = 900;
export const SPEEDS: readonly number[] = [0.25, 0.5, 1, 2, 4];

/** The story that plays: a trace, or anything with steps in chapters. */
export interface Story {
  readonly stepCount: number;
  readonly chapters: readonly Chapter[];
}

interface PlayerState extends Story {
  /** 0 (before anything happened) to stepCount; step k shows the story after its k-th step */
  readonly step: number;
  readonly playing: boolean;
  /** steps per STEP_MS, 0.25 to 4 */
  readonly speed: number;
  /** the person wants the same steps without movement; the clock does not look at it */
  readonly reducedMotion: boolean;
}

/** A store that others change. */
type ReadonlyStore<T> = Pick<StoreApi<T>, 'getState' | 'getInitialState' | 'subscribe'>;

export interface Player {
  /** `step` is that of the document while the document's story is loaded */
  readonly store: ReadonlyStore<PlayerState>;
  /**
   * The story that the document asks for, paused: its step is the document's, read there and written there. A step
   * outside it lands on its nearest end. Once the document asks for another story, this one goes on as one aside, from
   * the step that it is at, paused.
   */
  load(story: Story): void;
  /** A story that the document does not ask for, paused, at a step of its own that the document never sees. */
  loadAside(story: Story, step: number): void;
  /** Whether the story is the document's. */
  isOfDocument(): boolean;
  /** Plays on; from the end, from the start again. Nothing happens while there are no steps. */
  play(): void;
  pause(): void;
  toggle(): void;
  /** One step on or back; pauses. */
  next(): void;
  previous(): void;
  /** A step outside the story lands on its nearest end; playing goes on from there. */
  seek(step: number): void;
  first(): void;
  last(): void;
  /** The start of the next chapter, or the end of the story. */
  nextChapter(): void;
  /** The start of this chapter, or of the one before when already there. */
  previousChapter(): void;
  /** Throws RangeError outside 0.25 .. 4. */
  setSpeed(speed: number): void;
  setReducedMotion(reducedMotion: boolean): void;
  /**
   * The clock: call it with every animation frame while playing, `nowMs` from one clock. After a gap (hidden page) at
   * most one step is made up for.
   */
  tick(nowMs: number): void;
}

/** The step at which a chapter begins: that of its first change, and 0 for the first chapter. */
export function chapterStart(chapters: readonly Chapter[], chapter: number): number {
  return chapter === 0 ? 0 : chapters[chapter].firstStep + 1;
}

/** Index of the chapter that a step belongs to; -1 when there are none. */
export function chapterAt(chapters: readonly Chapter[], step: number): number {
  let found = chapters.length === 0 ? -1 : 0;
  for (let i = 1; i < chapters.length; i++) if (chapterStart(chapters, i) <= step) found = i;
  return found;
}

function withinStory(step: number, stepCount: number): number {
  return Math.round(Math.min(Math.max(step, 0), stepCount));
}

/** What the player keeps by itself. */
interface Own extends Omit<PlayerState, 'step'> {
  /** the step of a story that is not the document's; null while it is */
  readonly aside: number | null;
}

/** A player with its own clock and no timers: `tick` moves it. Costs a subscription to the document. */
export function createPlayer(document: DocumentStore): Player {
  const own = createStore<Own>(() => ({
    stepCount: 0,
    chapters: [],
    playing: false,
    speed: 1,
    reducedMotion: false,
    aside: 0,
  }));
  const set = own.setState;
  /** time of the last tick, and time spent in this step at speed 1 */
  let lastMs: number | null = null;
  let spentMs = 0;

  const stepOf = (): number => own.getState().aside ?? document.getState().step;
  let known = { from: own.getState(), state: { ...own.getState(), step: stepOf() } };
  const get = (): PlayerState => {
    const from = own.getState();
    const step = stepOf();
    // The same object as long as nothing has changed, as React asks of a store.
    if (known.from !== from || known.state.step !== step) known = { from, state: { ...from, step } };
    return known.state;
  };
  const first = get();
  const store: ReadonlyStore<PlayerState> = {
    getState: get,
    getInitialState: () => first,
    subscribe(listener) {
      let last = get();
      const hear = (): void => {
        const before = last;
        last = get();
        if (last !== before) listener(last, before);
      };
      const ends = [own.subscribe(hear), document.subscribe(hear)];
      return () => ends.forEach((end) => end());
    },
  };

  document.subscribe((doc, before) => {
    const { aside, stepCount } = own.getState();
    if (aside !== null) return;
    if (!sameStory(doc, before)) {
      set({ aside: before.step, playing: false });
    } else if (doc.step !== before.step) {
      spentMs = 0;
      if (doc.step >= stepCount) set({ playing: false });
    }
  });

  const go = (step: number, playing = get().playing): void => {
    const { aside, stepCount } = own.getState();
    spentMs = 0;
    const target = withinStory(step, stepCount);
    if (aside === null) document.setState(withStep(document.getState(), target));
    else set({ aside: target });
    const goesOn = playing && target < stepCount;
    if (goesOn !== own.getState().playing) set({ playing: goesOn });
  };

  const player: Player = {
    store,
    load({ stepCount, chapters }) {
      spentMs = 0;
      const doc = document.getState();
      document.setState(withStep(doc, withinStory(doc.step, stepCount)));
      set({ stepCount, chapters, aside: null, playing: false });
    },
    loadAside({ stepCount, chapters }, step) {
      spentMs = 0;
      set({ stepCount, chapters, aside: withinStory(step, stepCount), playing: false });
    },
    isOfDocument: () => own.getState().aside === null,
    play() {
      const { step, stepCount } = get();
      if (stepCount === 0) return;
      lastMs = null;
      go(step >= stepCount ? 0 : step, true);
    },
    pause() {
      set({ playing: false });
    },
    toggle() {
      if (get().playing) player.pause();
      else player.play();
    },
    next() {
      go(get().step + 1, false);
    },
    previous() {
      go(get().step - 1, false);
    },
    seek(step) {
      go(step);
    },
    first() {
      go(0);
    },
    last() {
      go(get().stepCount);
    },
    nextChapter() {
      const { chapters, step, stepCount } = get();
      const next = chapterAt(chapters, step) + 1;
      go(next < chapters.length ? chapterStart(chapters, next) : stepCount);
    },
    previousChapter() {
      const { chapters, step } = get();
      const current = chapterAt(chapters, step);
      if (current < 0) return go(0);
      const start = chapterStart(chapters, current);
      go(step > start ? start : chapterStart(chapters, Math.max(0, current - 1)));
    },
    setSpeed(speed) {
      const slowest = SPEEDS[0];
      const fastest = SPEEDS[SPEEDS.length - 1];
      if (!(speed >= slowest && speed <= fastest)) {
        throw new RangeError(`speed: found ${speed}, expected ${slowest} to ${fastest}`);
      }
      set({ speed });
    },
    setReducedMotion(reducedMotion) {
      set({ reducedMotion });
    },
    tick(nowMs) {
      const { playing, speed, step } = get();
      if (!playing) {
        lastMs = null;
        return;
      }
      const elapsed = lastMs === null ? 0 : Math.max(0, nowMs - lastMs) * speed;
      lastMs = nowMs;
      spentMs += elapsed;
      if (spentMs < STEP_MS) return;
      const rest = Math.min(spentMs - STEP_MS, STEP_MS - 1);
      go(step + 1, true);
      spentMs = elapsed > STEP_MS ? 0 : rest;
    },
  };
  return player;
}
