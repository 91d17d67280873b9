import type { TimelineFrame } from '../story/timeline.ts';
import type { Chapter } from '../story/trace.ts';
import type { AppDocument, FrameReference } from './document.ts';

// A story (the animation of one or two formats) as a player plays it: its steps, its chapters, the frames at which the
// player rests, and positions.

/** How long a step is shown at speed 1, ms. */
export const STEP_MS = 900;
/** How long a step of a transition to a frame is shown at speed 1, and the longest transition at speeds up to 1, ms. */
const TRANSITION_STEP_MS = STEP_MS / 3;
const LONGEST_TRANSITION_MS = 2000;

/** A story to play: a trace, a timeline, or anything with steps in chapters. */
export interface Story {
  readonly stepCount: number;
  readonly chapters: readonly Chapter[];
  /** where the player rests, unless it shows every step; default: none, so that it shows every step */
  readonly frames?: readonly TimelineFrame[];
  /** where the player rests while it shows every step: ascending, from 0 to `stepCount`; default: after each step */
  readonly stops?: readonly number[];
  /** how long a frame, by its index, rests at speed 1; present if there are frames */
  restMs?(frame: number): number;
  /** how long a step is shown at speed 1; default `STEP_MS` */
  readonly stepMs?: number;
}

/** A frame of a story, from 1, or a step if `frame` is null. */
export interface Position extends Pick<AppDocument, 'step'> {
  readonly frame: number | null;
}

/** The position at a step while the player shows every step. */
export function atStep(step: number): Position {
  return { frame: null, step };
}

/** The step at which a chapter begins to be shown: after its first change, or 0 for the first chapter. */
export function chapterStart(chapters: readonly Chapter[], chapter: number): number {
  return chapter === 0 ? 0 : chapters[chapter].firstStep + 1;
}

/** Index of the chapter of a step, which is at least 0; -1 if there are no chapters. */
export function chapterAt(chapters: readonly Chapter[], step: number): number {
  return chapters.findLastIndex((_, chapter) => chapterStart(chapters, chapter) <= step);
}

/** Whether a frame is a question, at which the player waits. */
export function isQuestion(frame: TimelineFrame | undefined): boolean {
  return frame?.scriptFrame?.question !== undefined;
}

/** The number of frames without questions, as embedding pages and old addresses count them. */
export function countedFrames(frames: readonly TimelineFrame[]): number {
  return frames.reduce((count, frame) => count + (isQuestion(frame) ? 0 : 1), 0);
}

/** A frame's number, questions not counted, from its index (from 1); a question has the number of the frame before. */
export function numberOfFrame(frames: readonly TimelineFrame[], frameIndex: number): number {
  return Math.max(1, countedFrames(frames.slice(0, frameIndex)));
}

/** The index (from 1, with questions) of the frame with this number; if there is none, the index of the nearest end. */
export function frameOfNumber(frames: readonly TimelineFrame[], frameNumber: number): number {
  let remaining = frameNumber;
  const index = frames.findIndex((frame) => !isQuestion(frame) && --remaining <= 0);
  return index < 0 ? frames.length : index + 1;
}

const nameOfId = (id: string): string => id.replaceAll(/[^a-zA-Z0-9]+/g, '-').replaceAll(/^-|-$/g, '');

/** The name of a frame of a script in addresses: its id, with '-' between the words. */
export function frameName({ scriptFrame }: TimelineFrame): string | null {
  return scriptFrame && nameOfId(scriptFrame.id);
}

const formerIds = ({ scriptFrame }: TimelineFrame): readonly string[] => scriptFrame?.formerIds ?? [];

/** A frame, by its index from 1, as a document names it: by its name; the first and frames without a name by number. */
export function frameReference(frames: readonly TimelineFrame[], frameIndex: number): FrameReference {
  const frame = frames.at(frameIndex - 1);
  const name = frameIndex > 1 && frame ? frameName(frame) : null;
  return name ?? numberOfFrame(frames, frameIndex);
}

/** The index, from 0, of the frame with a number of an older link, which also counted the frames that were replaced. */
function indexOfOldNumber(frames: readonly TimelineFrame[], number: number): number {
  let remaining = number;
  return frames.findIndex((frame) => {
    if (isQuestion(frame)) return false;
    remaining -= 1 + formerIds(frame).length;
    return remaining <= 0;
  });
}

/** The index (from 1, with questions) of a document's frame; null if the story has no such frame. */
export function frameIndexOf(frames: readonly TimelineFrame[], reference: FrameReference): number | null {
  const index =
    typeof reference === 'string'
      ? frames.findIndex((frame) => [frameName(frame), ...formerIds(frame).map(nameOfId)].includes(reference))
      : indexOfOldNumber(frames, reference);
  return index < 0 ? null : index + 1;
}

/** A document's position in a story; a frame that the story lacks is replaced by the nearest end, or by the start. */
export function positionIn(
  frames: readonly TimelineFrame[],
  { frame, step }: Pick<AppDocument, 'frame' | 'step'>,
): Position {
  if (frame === null) return { frame, step };
  // Before a story is loaded the names of its frames are unknown.
  if (frames.length === 0) return { frame: typeof frame === 'number' ? frame : 1, step };
  return { frame: frameIndexOf(frames, frame) ?? (typeof frame === 'number' ? frames.length : 1), step };
}

/** The first frame, from 1, of a frame's chapter. */
export function firstOfChapter(frames: readonly TimelineFrame[], frame: number): number {
  let start = frame;
  while (start > 1 && frames[start - 2]?.chapter === frames[frame - 1]?.chapter) start--;
  return start;
}

/** The picture, from 0, at which a frame (from 1) rests: the last; for a question, the picture before its answer. */
export function restingPicture(frames: readonly TimelineFrame[], frame: number | null): number {
  const scripted = frame === null ? null : frames[frame - 1]?.scriptFrame;
  return !scripted || scripted.question ? 0 : scripted.moves.length - 1;
}

/** The last frame at or before a step, from 1, without questions. */
export function frameAt(frames: readonly TimelineFrame[], step: number): number {
  return Math.max(1, 1 + frames.findLastIndex((frame) => frame.at <= step && !isQuestion(frame)));
}

/** How long a question, and then its answer, counts in the duration of a story and is shown in a film, ms. */
export const QUESTION_MS = 8000;

/** How long a story plays at speed 1, ms: its movements, and the time to read each frame; its steps without frames. */
export function durationMs(story: Story, skipsQuestions: boolean): number {
  const { frames = [], stepCount, stepMs = STEP_MS } = story;
  if (frames.length === 0) return stepCount * stepMs;
  return frames.reduce((sum, frame, i) => {
    const { scriptFrame, at } = frame;
    if (isQuestion(frame)) return skipsQuestions ? sum : sum + 2 * QUESTION_MS;
    const moves = scriptFrame
      ? scriptFrame.moves.reduce((a, b) => a + b, 0)
      : transitionMs(at - (frames[i - 1]?.at ?? at), 1);
    return sum + moves + (story.restMs?.(i) ?? STEP_MS);
  }, 0);
}

/** What a player shows, and how. */
export interface PlayerState extends Pick<Story, 'stepCount' | 'chapters'> {
  readonly frames: readonly TimelineFrame[];
  /** where it rests while it goes through every step; empty: after each step */
  readonly stops: readonly number[];
  /** index from 1, with questions, of the current frame or the one moved to; null while going through every step */
  readonly frame: number | null;
  /** the current step: from 0 (before anything happened) to stepCount; step k shows the story after its k-th step */
  readonly step: number;
  /** for a frame of a script, which has several pictures: index of the picture shown, or of the transition's target */
  readonly picture: number;
  readonly playing: boolean;
  /** moving to the frame's last picture, whether playing or not */
  readonly moving: boolean;
  /** factor on all times, 0.25 to 4 */
  readonly speed: number;
  /** whether the user prefers the same frames without movement; the clock is the same */
  readonly reducedMotion: boolean;
  /** going forward or back by frames leaves questions out */
  readonly skipsQuestions: boolean;
}

/** Whether a position is the end of the story. */
export function isEnd(state: Pick<PlayerState, 'frame' | 'step' | 'frames' | 'stepCount'>): boolean {
  return state.frame === null ? state.step >= state.stepCount : state.frame >= state.frames.length;
}

/** Whether the clock is needed: during a movement, or while playing, but not at a question. */
export function isRunning({ moving, playing, frame, frames }: PlayerState): boolean {
  return moving || (playing && !(frame !== null && isQuestion(frames[frame - 1])));
}

/** Duration of the transition between two frames, in milliseconds: at most 2 s, and less at higher speeds. */
export function transitionMs(steps: number, speed: number): number {
  return Math.min((steps * TRANSITION_STEP_MS) / speed, LONGEST_TRANSITION_MS / Math.max(1, speed));
}
