import type { TimelineFrame } from '../core/story/timeline.ts';
import type { Chapter } from '../core/story/trace.ts';
import type { AppDocument } from './document.ts';

/** How long a step stays at speed 1. */
export const STEP_MS = 900;
/** How long a step on the way to a frame stays at speed 1, and the longest way as a whole at speeds up to 1. */
const SWEPT_STEP_MS = STEP_MS / 3;
const LONGEST_SWEEP_MS = 2000;

/** The story that plays: a trace, a timeline, or anything with steps in chapters. */
export interface Story {
  readonly stepCount: number;
  readonly chapters: readonly Chapter[];
  /** where the player rests unless it goes by every step; default: none, and every step is one */
  readonly frames?: readonly TimelineFrame[];
  /** how long a frame, by its index, rests at speed 1; there where there are frames */
  restMs?(frame: number): number;
  /** how long a step stays at speed 1; default `STEP_MS` */
  readonly stepMs?: number;
}

/** Where a story is: at a frame, from 1 with questions among them, or, where that is null, at a step. */
export type Position = Pick<AppDocument, 'frame' | 'step'>;

/** At a step of a story that goes by every step. */
export function atStep(step: number): Position {
  return { frame: null, step };
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

/** Whether a frame is a question, at which playing waits. */
export function isQuestion(frame: TimelineFrame | undefined): boolean {
  return frame?.directed?.question !== undefined;
}

/** How many frames there are, as the page and the address count them: without questions. */
export function countedFrames(frames: readonly TimelineFrame[]): number {
  return frames.reduce((count, frame) => count + (isQuestion(frame) ? 0 : 1), 0);
}

/** What a frame, from 1, is counted as; a question as the frame before it. */
export function numberOfFrame(frames: readonly TimelineFrame[], frame: number): number {
  return Math.max(1, countedFrames(frames.slice(0, frame)));
}

/** The frame, from 1, that is counted as this; the nearest end, if none is. */
export function frameOfNumber(frames: readonly TimelineFrame[], number: number): number {
  let left = number;
  const found = frames.findIndex((frame) => !isQuestion(frame) && --left <= 0);
  return found < 0 ? frames.length : found + 1;
}

/** Where a document is in a story, whose frames it counts without questions, and `past` questions further. */
export function positionIn(
  frames: readonly TimelineFrame[],
  { frame: number, step }: Position,
  past: number,
): Position {
  // Before there is a story nobody knows its questions.
  if (number === null || frames.length === 0) return { frame: number, step };
  let frame = frameOfNumber(frames, number);
  for (let left = past; left > 0 && isQuestion(frames[frame]); left--) frame++;
  return { frame, step };
}

/** The first frame, from 1, of the chapter of one. */
export function firstOfChapter(frames: readonly TimelineFrame[], frame: number): number {
  let start = frame;
  while (start > 1 && frames[start - 2]?.chapter === frames[frame - 1]?.chapter) start--;
  return start;
}

/** The picture of a frame, from 1, at rest: of a question the one before its answer. */
export function restingPicture(frames: readonly TimelineFrame[], frame: number | null): number {
  const directed = frame === null ? null : frames[frame - 1]?.directed;
  return !directed || directed.question ? 0 : directed.moves.length - 1;
}

/** The last frame at or before a step, from 1; questions are passed over. */
export function frameAt(frames: readonly TimelineFrame[], step: number): number {
  return Math.max(1, 1 + frames.findLastIndex((frame) => frame.at <= step && !isQuestion(frame)));
}

/** What a player shows, and how. */
export interface PlayerState extends Pick<Story, 'stepCount' | 'chapters'> {
  readonly frames: readonly TimelineFrame[];
  /** the frame that is shown or on its way, from 1; null where the player goes by every step */
  readonly frame: number | null;
  /** what is shown: 0 (before anything happened) to stepCount; step k shows the story after its k-th step */
  readonly step: number;
  /** of a directed frame: which of its pictures is shown or on its way */
  readonly picture: number;
  readonly playing: boolean;
  /** on the way to the rest of the frame, whether playing or not */
  readonly moving: boolean;
  /** of all times, 0.25 to 4 */
  readonly speed: number;
  /** the person wants the same frames without movement; the clock does not look at it */
  readonly reducedMotion: boolean;
}

/** Whether a story is over. */
export function isEnd(at: Pick<PlayerState, 'frame' | 'step' | 'frames' | 'stepCount'>): boolean {
  return at.frame === null ? at.step >= at.stepCount : at.frame >= at.frames.length;
}

/** Whether the clock is needed: something moves, or time passes until it does. */
export function isRunning({ moving, playing, frame, frames }: PlayerState): boolean {
  return moving || (playing && !(frame !== null && isQuestion(frames[frame - 1])));
}

/** How long the way between two frames is swept, in milliseconds: at most 2 s, and less at higher speeds. */
export function sweepMs(steps: number, speed: number): number {
  return Math.min((steps * SWEPT_STEP_MS) / speed, LONGEST_SWEEP_MS / Math.max(1, speed));
}
