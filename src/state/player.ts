import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Stop } from '../core/story/timeline.ts';
import type { Chapter } from '../core/story/trace.ts';
import { type DocumentStore, sameStory, withStep } from './document.ts';

/** How long a step stays at speed 1. */
export const STEP_MS = 900;
/**
 * How long playing rests at a stop, at speed 1: its sentence has about a dozen words, and aloud three are read in a
 * second. One time for all stops keeps the pace steady, and needs no scene.
 */
export const REST_MS = 4 * STEP_MS;
export const SPEEDS: readonly number[] = [0.25, 0.5, 1, 2, 4];
/** How long a step on the way to a stop stays at speed 1, and the longest way as a whole at speeds up to 1. */
const SWEPT_STEP_MS = STEP_MS / 3;
const LONGEST_SWEEP_MS = 2000;
/** How long any story plays by its stops, at speed 1: with many of them, rests and sweeps are shorter in proportion. */
export const LONGEST_PLAY_MS = 60_000;

/** The story that plays: a trace, a timeline, or anything with steps in chapters. */
export interface Story {
  readonly stepCount: number;
  readonly chapters: readonly Chapter[];
  /** where the player rests unless it goes by every step; default: none, and every step is one */
  readonly stops?: readonly Stop[];
}

interface PlayerState extends Required<Story> {
  /** 0 (before anything happened) to stepCount; step k shows the story after its k-th step */
  readonly step: number;
  /** every step is a rest; else those of `stops` */
  readonly everyStep: boolean;
  readonly playing: boolean;
  /** on the way to a stop further than one step, whether playing or not: the stop's step */
  readonly sweepingTo: number | null;
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
  /**
   * One step on or back, or one stop; pauses. The way to the next stop is swept, unless there is less motion to be; in
   * the middle of a sweep it ends at its stop, and back where it began.
   */
  next(): void;
  previous(): void;
  /** A step outside the story lands on its nearest end; playing goes on from there. */
  seek(step: number): void;
  first(): void;
  last(): void;
  /** The start of the next chapter, or its first stop; or the end of the story. */
  nextChapter(): void;
  /** The start of this chapter, or its first stop; or of the one before when already there. */
  previousChapter(): void;
  /** Throws RangeError outside 0.25 .. 4. */
  setSpeed(speed: number): void;
  setReducedMotion(reducedMotion: boolean): void;
  /** Whether to go by every step, or by the stops of the story. */
  setEveryStep(everyStep: boolean): void;
  /**
   * The clock: call it with every animation frame while playing or sweeping, `nowMs` from one clock. After a gap (hidden
   * page) at most one step, or one sweep, is made up for.
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

/** How many stops have been reached at a step. */
export function stopsReached(stops: readonly Stop[], step: number): number {
  const next = stops.findIndex(({ at }) => at > step);
  return next < 0 ? stops.length : next;
}

/** How long the way between two stops is swept, in milliseconds: at most 2 s, and less at higher speeds. */
function sweepMs(steps: number, speed: number): number {
  return Math.min((steps * SWEPT_STEP_MS) / speed, LONGEST_SWEEP_MS / Math.max(1, speed));
}

/** How long playing takes by these stops, in milliseconds, were they the only ones. */
function unhurriedMs(stops: readonly Stop[], speed: number): number {
  let ms = 0;
  for (const { from, at } of stops) ms += REST_MS / speed + (at - from > 1 ? sweepMs(at - from, speed) : 0);
  return ms;
}

/** By how much the rests and sweeps of a story are shorter, so that it ends in time: a factor of at most 1. */
function hurryOf(stops: readonly Stop[]): number {
  return Math.min(1, LONGEST_PLAY_MS / Math.max(1, unhurriedMs(stops, 1)));
}

/** How long playing takes from a step to the end, in milliseconds, by stops. */
export function playingMs({ stops, step, speed }: Pick<PlayerState, 'stops' | 'step' | 'speed'>): number {
  return hurryOf(stops) * unhurriedMs(stops.slice(stopsReached(stops, step)), speed);
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
    stops: [],
    everyStep: true,
    playing: false,
    sweepingTo: null,
    speed: 1,
    reducedMotion: false,
    aside: 0,
  }));
  const set = own.setState;
  /** time of the last tick; time spent in this step or rest at speed 1, or in this sweep */
  let lastMs: number | null = null;
  let spentMs = 0;
  /** where the sweep began */
  let sweptFrom = 0;
  /** of the story's stops */
  let hurry = 1;
  /** the player itself is changing the document's step */
  let isMoving = false;

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
      set({ aside: before.step, playing: false, sweepingTo: null });
    } else if (doc.step !== before.step) {
      if (!isMoving) {
        spentMs = 0;
        set({ sweepingTo: null });
      }
      if (doc.step >= stepCount) set({ playing: false });
    }
  });

  const go = (step: number, playing = get().playing, sweepingTo: number | null = null): void => {
    const { aside, stepCount } = own.getState();
    const target = withinStory(step, stepCount);
    if (sweepingTo === null) spentMs = 0;
    if (aside === null) {
      isMoving = true;
      try {
        document.setState(withStep(document.getState(), target));
      } finally {
        isMoving = false;
      }
    } else set({ aside: target });
    const goesOn = playing && target < stepCount;
    const now = own.getState();
    if (goesOn !== now.playing || sweepingTo !== now.sweepingTo) set({ playing: goesOn, sweepingTo });
  };

  /** The stops to go by; null where every step is one. */
  const stopsOf = ({ stops, everyStep }: PlayerState): readonly Stop[] | null =>
    everyStep || stops.length === 0 ? null : stops;

  /** Goes to the next stop, or sweeps the way there. */
  const goToNext = (playing: boolean): void => {
    const { step, stepCount, reducedMotion, ...state } = get();
    const stops = stopsOf({ step, stepCount, reducedMotion, ...state });
    const at = stops ? (stops[stopsReached(stops, step)]?.at ?? stepCount) : step + 1;
    if (stops === null || reducedMotion || at - step <= 1) return go(at, playing);
    sweptFrom = step;
    spentMs = 0;
    lastMs = state.playing ? lastMs : null;
    set({ playing, sweepingTo: at });
  };

  /** Moves a sweep on by `elapsed` milliseconds. */
  const sweep = (to: number, elapsed: number): void => {
    const { playing, speed } = get();
    spentMs += elapsed;
    const share = spentMs / (hurry * sweepMs(to - sweptFrom, speed));
    if (share >= 1) go(to, playing);
    else go(sweptFrom + Math.floor(share * (to - sweptFrom)), playing, to);
  };

  const loadAt = ({ stepCount, chapters, stops = [] }: Story, aside: number | null): void => {
    spentMs = 0;
    hurry = hurryOf(stops);
    set({ stepCount, chapters, stops, aside, playing: false, sweepingTo: null });
  };

  const player: Player = {
    store,
    load(story) {
      const doc = document.getState();
      document.setState(withStep(doc, withinStory(doc.step, story.stepCount)));
      loadAt(story, null);
    },
    loadAside(story, step) {
      loadAt(story, withinStory(step, story.stepCount));
    },
    isOfDocument: () => own.getState().aside === null,
    play() {
      const state = get();
      const { step, stepCount } = state;
      if (stepCount === 0) return;
      lastMs = null;
      go(step >= stepCount ? 0 : step, true);
      // A stop that has been looked at needs no rest: what follows moves at once.
      if (step < stepCount && stopsOf(state)) spentMs = hurry * REST_MS;
    },
    pause() {
      set({ playing: false, sweepingTo: null });
    },
    toggle() {
      if (get().playing) player.pause();
      else player.play();
    },
    next() {
      const { sweepingTo } = get();
      if (sweepingTo === null) goToNext(false);
      else go(sweepingTo, false);
    },
    previous() {
      const state = get();
      const { step, sweepingTo } = state;
      const stops = stopsOf(state);
      if (sweepingTo !== null) go(sweptFrom, false);
      else go(stops ? (stops[stopsReached(stops, step - 1) - 1]?.at ?? 0) : step - 1, false);
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
      const { chapters, step, stepCount, ...state } = get();
      const next = chapterAt(chapters, step) + 1;
      const start = startOf(chapters, next, stopsOf({ chapters, step, stepCount, ...state }));
      go(next < chapters.length ? start : stepCount);
    },
    previousChapter() {
      const { chapters, step, ...state } = get();
      const current = chapterAt(chapters, step);
      if (current < 0) return go(0);
      const stops = stopsOf({ chapters, step, ...state });
      const start = startOf(chapters, current, stops);
      go(step > start ? start : startOf(chapters, Math.max(0, current - 1), stops));
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
    setEveryStep(everyStep) {
      if (everyStep === own.getState().everyStep) return;
      spentMs = 0;
      set({ everyStep, sweepingTo: null });
    },
    tick(nowMs) {
      const state = get();
      const { playing, sweepingTo, speed, step } = state;
      if (!playing && sweepingTo === null) {
        lastMs = null;
        return;
      }
      const passed = lastMs === null ? 0 : Math.max(0, nowMs - lastMs);
      lastMs = nowMs;
      if (sweepingTo !== null) return sweep(sweepingTo, passed);
      const elapsed = passed * speed;
      const restMs = stopsOf(state) ? hurry * REST_MS : STEP_MS;
      spentMs += elapsed;
      if (spentMs < restMs) return;
      const rest = Math.min(spentMs - restMs, restMs - 1);
      if (stopsOf(state)) return goToNext(true);
      go(step + 1, true);
      spentMs = elapsed > restMs ? 0 : rest;
    },
  };
  return player;
}

/** The step at which a chapter begins, or the first stop that it has. */
function startOf(chapters: readonly Chapter[], chapter: number, stops: readonly Stop[] | null): number {
  const first = chapter === 0 ? undefined : stops?.find((stop) => stop.chapter === chapter);
  return first?.at ?? (chapter < chapters.length ? chapterStart(chapters, chapter) : 0);
}
