// The player of a story (the animation of one or two formats): by frames, at which it rests, or by single steps.

import { createStore, type StoreApi } from 'zustand/vanilla';
import { type DocumentStore, sameStory, withFrame, withStep } from './document.ts';
import {
  atStep,
  chapterAt,
  chapterStart,
  durationMs,
  firstOfChapter,
  frameAt,
  frameReference,
  isQuestion,
  isEnd,
  isRunning,
  type PlayerState,
  type Position,
  positionIn,
  restingPicture,
  STEP_MS,
  type Story,
  transitionMs,
} from './played-story.ts';

/** The speeds that the user can choose. */
export const SPEEDS: readonly number[] = [0.25, 0.5, 1, 2, 4];

/** A store that others can only read. */
type ReadonlyStore<T> = Pick<StoreApi<T>, 'getState' | 'getInitialState' | 'subscribe'>;

export type Player = ReturnType<typeof createPlayer>;

/** The nearest whole number between `min` and `max`. */
function within(value: number, min: number, max: number): number {
  return Math.round(Math.min(Math.max(value, min), max));
}

/** The state of the player that is not in the document. */
interface LocalState extends Omit<PlayerState, 'frame' | 'step'> {
  /** the position in a story other than the document's; null: the story is the document's, and so is the position */
  readonly detached: Position | null;
  /**
   * the current step of a transition to a frame; null at rest, and in a frame of the story's script, whose
   * pictures have their own times
   */
  readonly transitionStep: number | null;
}

const AT_REST = { transitionStep: null, moving: false, picture: 0 } as const;

/** A player without timers: `tick` advances its clock. It subscribes to the document (the state of the page). */
export function createPlayer(document: DocumentStore) {
  const localStore = createStore<LocalState>(() => ({
    stepCount: 0,
    chapters: [],
    frames: [],
    stops: [],
    ...AT_REST,
    playing: false,
    speed: 1,
    reducedMotion: false,
    skipsQuestions: false,
    detached: positionIn([], document.getState()),
  }));
  const set = localStore.setState;
  /** time of the last tick, and time spent in the current step, rest or movement at speed 1, ms */
  let lastMs: number | null = null;
  let spentMs = 0;
  /** first step of the current transition */
  let transitionStart = 0;
  let story: Story | null = null;
  /** the duration as computed last */
  let duration: { readonly skipsQuestions: boolean; readonly ms: number } | null = null;
  let restMsOf: NonNullable<Story['restMs']> = () => 0;
  let stepMs = STEP_MS;
  /** whether the player is changing the document's position; its listeners are called afterwards */
  let isSettingPosition = false;
  const listeners = new Set<() => void>();

  const position = (): Pick<PlayerState, 'frame' | 'step'> => {
    const { detached, frames, stepCount, transitionStep } = localStore.getState();
    const { frame, step } = detached ?? positionIn(frames, document.getState());
    if (frame === null) return { frame, step };
    // A story without frames goes through every step; before a story is loaded this is unknown.
    if (frames.length === 0) return { frame: stepCount === 0 ? frame : null, step: 0 };
    const current = within(frame, 1, frames.length);
    return { frame: current, step: Math.min(transitionStep ?? frames[current - 1].at, stepCount) };
  };
  const stateNow = (): PlayerState => {
    const { detached: _, transitionStep: __, ...stateWithoutPosition } = localStore.getState();
    return { ...stateWithoutPosition, ...position() };
  };
  let cachedState = { local: localStore.getState(), doc: document.getState(), state: stateNow() };
  const get = (): PlayerState => {
    const doc = document.getState();
    const local = localStore.getState();
    // The same object until something changes, as React requires of a store.
    const isMoved = cachedState.doc.frame !== doc.frame || cachedState.doc.step !== doc.step;
    if (cachedState.local !== local || (local.detached === null && isMoved)) {
      cachedState = { local, doc, state: stateNow() };
    }
    return cachedState.state;
  };
  const initialState = get();
  const store: ReadonlyStore<PlayerState> = {
    getState: get,
    getInitialState: () => initialState,
    subscribe(listener) {
      let lastState = get();
      const onStoreChange = (): void => {
        if (isSettingPosition) return;
        const before = lastState;
        lastState = get();
        if (lastState !== before) listener(lastState, before);
      };
      listeners.add(onStoreChange);
      const unsubscribes = [
        localStore.subscribe(onStoreChange),
        document.subscribe(onStoreChange),
        () => listeners.delete(onStoreChange),
      ];
      return () => unsubscribes.forEach((unsubscribe) => unsubscribe());
    },
  };

  document.subscribe((doc, before) => {
    const { detached: detachedNow, frames, stepCount, playing } = localStore.getState();
    if (detachedNow !== null || isSettingPosition) return;
    if (!sameStory(doc, before)) {
      const detached = positionIn(frames, before);
      set({ detached, playing: false, ...AT_REST, picture: restingPicture(frames, detached.frame) });
    } else if (doc.step !== before.step || doc.frame !== before.frame) {
      spentMs = 0;
      const newPosition = positionIn(frames, doc);
      set({
        ...AT_REST,
        picture: restingPicture(frames, newPosition.frame),
        playing: playing && !isEnd({ ...newPosition, frames, stepCount }),
      });
    }
  });

  /** Sets the position, in the document unless the story is detached, and other parts of the state, as one change. */
  const setPosition = (newPosition: Position, changes: Partial<LocalState>): void => {
    if (localStore.getState().detached !== null) return set({ ...changes, detached: newPosition });
    isSettingPosition = true;
    try {
      const { frames } = localStore.getState();
      set(changes);
      const doc = document.getState();
      document.setState(
        newPosition.frame === null
          ? withStep(doc, newPosition.step)
          : withFrame(doc, frameReference(frames, newPosition.frame)),
      );
    } finally {
      isSettingPosition = false;
    }
    for (const onStoreChange of listeners) onStoreChange();
  };

  const goToStep = (step: number, playing: boolean): void => {
    const { stepCount } = localStore.getState();
    if (stepCount === 0) return;
    spentMs = 0;
    const target = within(step, 0, stepCount);
    setPosition(atStep(target), { ...AT_REST, playing: playing && target < stepCount });
  };

  /** The stop after the current step, or before it; without stops, the next step in this direction. */
  const nextStop = (direction: 1 | -1): number => {
    const { step, stops } = get();
    const next = direction > 0 ? stops.find((stop) => stop > step) : stops.findLast((stop) => stop < step);
    return next ?? step + direction;
  };

  /** Goes to a frame at rest. */
  const goToFrame = (target: number, playing: boolean): void => {
    const { frames } = localStore.getState();
    if (frames.length === 0) return;
    const frame = within(target, 1, frames.length);
    spentMs = 0;
    const changes = { ...AT_REST, picture: restingPicture(frames, frame), playing: playing && frame < frames.length };
    setPosition({ frame, step: 0 }, changes);
  };

  /** The frame (from 1) itself, or the next in this direction that is no question if questions are left out. */
  const withoutQuestion = (frame: number, direction: 1 | -1): number => {
    const { frames, skipsQuestions } = localStore.getState();
    let target = frame;
    while (skipsQuestions && isQuestion(frames[target - 1])) target += direction;
    return target;
  };

  /** Goes to the next frame, with a movement if it has one. */
  const moveToNextFrame = (playing: boolean): void => {
    const { frame, step, frames, reducedMotion, playing: wasPlaying } = get();
    if (frame === null || frame >= frames.length) return;
    const target = withoutQuestion(frame + 1, 1);
    if (target > frames.length) return set({ playing: false });
    const { scriptFrame, at: restStep } = frames[target - 1];
    const isAtOnce = scriptFrame ? scriptFrame.moves.every((ms) => ms === 0) : restStep - step <= 1;
    if (reducedMotion || isAtOnce) return goToFrame(target, playing);
    spentMs = 0;
    transitionStart = step;
    lastMs = wasPlaying ? lastMs : null;
    setPosition(
      { frame: target, step: 0 },
      { picture: 0, transitionStep: scriptFrame ? null : step, moving: true, playing },
    );
  };

  /** Advances the current movement. */
  const move = (passedMs: number): void => {
    const { frame, frames, speed, picture, playing } = get();
    const { scriptFrame, at: restStep } = frames[(frame ?? 1) - 1];
    if (!scriptFrame) {
      spentMs += passedMs;
      const share = spentMs / transitionMs(restStep - transitionStart, speed);
      if (share < 1) return set({ transitionStep: transitionStart + Math.floor(share * (restStep - transitionStart)) });
      return goToFrame(frame ?? 1, playing);
    }
    spentMs += passedMs * speed;
    // A question stops at its first picture, before its answer.
    const lastPicture = scriptFrame.question && picture === 0 ? 0 : scriptFrame.moves.length - 1;
    let current = picture;
    while (current <= lastPicture && spentMs >= scriptFrame.moves[current]) spentMs -= scriptFrame.moves[current++];
    if (current <= lastPicture) {
      if (current !== picture) set({ picture: current });
      return;
    }
    spentMs = 0;
    set({ picture: lastPicture, moving: false, playing: playing && (frame ?? 1) < frames.length });
  };

  const loadAt = (newStory: Story, detached: Position | null): void => {
    const { stepCount, chapters, frames = [], stops = [] } = newStory;
    spentMs = 0;
    story = newStory;
    duration = null;
    stepMs = newStory.stepMs ?? STEP_MS;
    restMsOf = (frame) => newStory.restMs?.(frame) ?? STEP_MS;
    const { frame } = detached ?? positionIn(frames, document.getState());
    const atRest = { ...AT_REST, picture: restingPicture(frames, frame) };
    set({ stepCount, chapters, frames, stops, detached, playing: false, ...atRest });
  };

  const player = {
    /** its state; while the document's story is loaded, the position is the document's frame or step */
    store,
    /**
     * Loads the story of the document, paused, at the document's frame or step; outside the story, at its nearest end.
     * The document then refers to the frame by its name. If the document changes to another story, this story stays,
     * detached, at its position.
     */
    load(newStory: Story): void {
      const doc = document.getState();
      const { stepCount, frames = [] } = newStory;
      isSettingPosition = true;
      if (doc.frame === null) document.setState(withStep(doc, within(doc.step, 0, stepCount)));
      else if (frames.length > 0) {
        document.setState(withFrame(doc, frameReference(frames, positionIn(frames, doc).frame ?? 1)));
      }
      isSettingPosition = false;
      loadAt(newStory, null);
    },
    /** Loads a story that is not the document's, paused, with a separate position that the document never sees. */
    loadDetached(newStory: Story, { frame, step }: Position): void {
      loadAt(newStory, { frame, step: within(step, 0, newStory.stepCount) });
    },
    isOfDocument: (): boolean => localStore.getState().detached === null,
    /** Plays; at the end, from the start; without steps, does nothing. `isNew`: a new frame rests before the next. */
    play(isNew = false): void {
      const state = get();
      const { frame, step, moving, frames } = state;
      if (state.stepCount === 0) return;
      lastMs = null;
      if (frame === null) return goToStep(isEnd(state) ? 0 : step, true);
      if (moving) return set({ playing: true });
      if (isEnd(state)) return goToFrame(1, true);
      if (isQuestion(frames[frame - 1])) return moveToNextFrame(true);
      set({ playing: true });
      // A frame that has already been seen needs no rest: the next movement starts at once.
      spentMs = isNew ? 0 : Number.POSITIVE_INFINITY;
    },
    pause(): void {
      if (get().moving) goToRest(false);
      else set({ playing: false });
    },
    toggle(): void {
      if (get().playing) player.pause();
      else player.play();
    },
    /**
     * Goes one frame or stop forward and pauses; playing continues only if it was waiting at a question. A question shows
     * its answer first. A frame begins with its movement, unless reduced motion is set; a current movement ends at once.
     */
    next(): void {
      const { frame, moving, picture, playing, frames } = get();
      if (frame === null) return goToStep(nextStop(1), false);
      const hasQuestion = isQuestion(frames[frame - 1]);
      if (hasQuestion && picture === 0) return player.answer();
      if (moving) goToRest(playing && hasQuestion);
      moveToNextFrame(playing && hasQuestion);
    },
    /** Goes one frame or stop back, at rest, and pauses. */
    previous(): void {
      const { frame } = get();
      if (frame === null) goToStep(nextStop(-1), false);
      else goToFrame(withoutQuestion(frame - 1, -1), false);
    },
    /** Goes to a step, or the nearest end; by frames, to the last frame at or before it. Playing continues. */
    seek(step: number): void {
      const { frame, frames, playing } = get();
      if (frame === null) goToStep(step, playing);
      else goToFrame(frameAt(frames, step), playing);
    },
    /** Goes to a frame, from 1, at rest; outside the story, to its nearest end. Playing continues from there. */
    goTo(frame: number): void {
      if (get().frame !== null) goToFrame(frame, get().playing);
    },
    first(): void {
      const { frame, playing } = get();
      if (frame === null) goToStep(0, playing);
      else goToFrame(1, playing);
    },
    last(): void {
      const { frame, frames, stepCount } = get();
      if (frame === null) goToStep(stepCount, false);
      else goToFrame(frames.length, false);
    },
    /** While every step of a story with stops is shown, goes one step forward; else to the next chapter. */
    nextStepOrChapter(): void {
      const { frame, step, stops } = get();
      if (frame === null && stops.length > 0) goToStep(step + 1, false);
      else player.nextChapter();
    },
    /** While every step of a story with stops is shown, goes one step back; else to the start of this chapter. */
    previousStepOrChapter(): void {
      const { frame, step, stops } = get();
      if (frame === null && stops.length > 0) goToStep(step - 1, false);
      else player.previousChapter();
    },
    /** Goes to the start of the next chapter, or to the end of the story. */
    nextChapter(): void {
      const { frame, frames, chapters, step, stepCount, playing } = get();
      if (frame !== null) {
        const next = frames.findIndex(({ chapter }, i) => i >= frame && chapter !== frames[frame - 1].chapter);
        return goToFrame(next < 0 ? frames.length : next + 1, playing);
      }
      const next = chapterAt(chapters, step) + 1;
      goToStep(next < chapters.length ? chapterStart(chapters, next) : stepCount, playing);
    },
    /** Goes to the start of this chapter; if already there, of the previous one. */
    previousChapter(): void {
      const { frame, frames, chapters, step, playing } = get();
      if (frame !== null) {
        const start = firstOfChapter(frames, frame);
        return goToFrame(frame > start || start === 1 ? start : firstOfChapter(frames, start - 1), playing);
      }
      const current = chapterAt(chapters, step);
      if (current < 0) return goToStep(0, playing);
      const start = chapterStart(chapters, current);
      goToStep(step > start ? start : chapterStart(chapters, Math.max(0, current - 1)), playing);
    },
    /** Moves a question to its second picture, the one after the answer. */
    answer(): void {
      const { frame, frames, picture, reducedMotion } = get();
      const scriptFrame = frames[(frame ?? 0) - 1]?.scriptFrame;
      if (!scriptFrame?.question || picture > 0) return;
      spentMs = 0;
      lastMs = null;
      set({ picture: 1, moving: !reducedMotion && scriptFrame.moves[1] > 0 });
    },
    /** Throws RangeError outside 0.25 .. 4. */
    setSpeed(speed: number): void {
      const slowest = SPEEDS[0];
      const fastest = SPEEDS[SPEEDS.length - 1];
      if (!(speed >= slowest && speed <= fastest)) {
        throw new RangeError(`speed: found ${speed}, expected ${slowest} to ${fastest}`);
      }
      set({ speed });
    },
    /** Leaves questions out, or no longer; from a question it goes back to the frame before. Stays for later stories. */
    setSkipsQuestions(skipsQuestions: boolean): void {
      set({ skipsQuestions });
      const { frame, frames, playing } = get();
      if (skipsQuestions && frame !== null && isQuestion(frames[frame - 1])) {
        goToFrame(withoutQuestion(frame, -1), playing);
      }
    },
    /** How long the story plays at speed 1, ms; 0 without a story. The time to read its texts is computed once. */
    durationMs: (): number => {
      const { skipsQuestions } = localStore.getState();
      if (!duration || duration.skipsQuestions !== skipsQuestions) {
        duration = { skipsQuestions, ms: story ? durationMs(story, skipsQuestions) : 0 };
      }
      return duration.ms;
    },
    setReducedMotion(reducedMotion: boolean): void {
      set({ reducedMotion });
      if (reducedMotion && get().moving) goToRest(get().playing);
    },
    /** Shows every step, from the current one on; or frames, from the last one at or before that step. */
    setEveryStep(everyStep: boolean): void {
      const { frame, step, frames, playing } = get();
      if (everyStep === (frame === null) || frames.length === 0) return;
      if (everyStep) goToStep(step, playing);
      else goToFrame(frameAt(frames, step), playing);
    },
    /** The clock: call it in every animation frame while `isRunning`. After a gap it advances by at most one step. */
    tick(nowMs: number): void {
      const state = get();
      if (!isRunning(state)) {
        lastMs = null;
        return;
      }
      const passedMs = lastMs === null ? 0 : Math.max(0, nowMs - lastMs);
      lastMs = nowMs;
      if (state.moving) return move(passedMs);
      const { frame, speed } = state;
      const storyMs = passedMs * speed;
      spentMs += storyMs;
      if (frame !== null) {
        if (spentMs >= restMsOf(frame - 1)) moveToNextFrame(true);
        return;
      }
      if (spentMs < stepMs) return;
      const remainderMs = Math.min(spentMs - stepMs, stepMs - 1);
      goToStep(nextStop(1), true);
      spentMs = storyMs > stepMs ? 0 : remainderMs;
    },
  };

  /** Ends the movement at its target; after an answer, at the answer's picture. */
  function goToRest(playing: boolean): void {
    const { frame, picture, frames } = get();
    const isAnswered = isQuestion(frames[(frame ?? 1) - 1]) && picture > 0;
    goToFrame(frame ?? 1, playing);
    if (isAnswered) set({ picture: 1 });
  }
  return player;
}
