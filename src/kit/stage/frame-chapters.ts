import type { TimelineFrame } from '../../core/story/timeline.ts';
import { countedFrames, isQuestion, numberOfFrame } from '../../state/played-story.ts';

/** A frame of a story with its number. Frames that ask a question have no number. */
interface CountedFrame {
  /** its position among all frames, from 1 */
  readonly frame: number;
  /** its position among the numbered frames, from 1 */
  readonly number: number;
}

/** Consecutive frames under one title. */
export interface FrameChapter {
  readonly title: string;
  readonly frames: readonly CountedFrame[];
}

/** The numbered frames, by chapters. */
export function frameChapters(frames: readonly TimelineFrame[]): readonly FrameChapter[] {
  const chapters: { readonly title: string; readonly frames: CountedFrame[] }[] = [];
  let number = 0;
  frames.forEach((frame, i) => {
    if (isQuestion(frame)) return;
    number++;
    const last = chapters.at(-1);
    if (last?.title === frame.chapter) last.frames.push({ frame: i + 1, number });
    else chapters.push({ title: frame.chapter, frames: [{ frame: i + 1, number }] });
  });
  return chapters;
}

/** The number of a frame, and how many frames have a number; null for a question. */
export function frameNumber(
  frames: readonly TimelineFrame[],
  frame: number,
): { readonly number: number; readonly count: number } | null {
  if (isQuestion(frames[frame - 1])) return null;
  return { number: numberOfFrame(frames, frame), count: countedFrames(frames) };
}
