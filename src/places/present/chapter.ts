import type { Trace } from '../../core/story/trace.ts';
import { chapterAt, chapterStart } from '../../state/index.ts';

/** A chapter of a story, for export. */
export interface ChapterSteps {
  readonly id: string;
  readonly title: string;
  /** its pictures, in order: step 0 of a story shows the state before anything has happened */
  readonly steps: readonly number[];
}

/** The chapter of a step; null if the story has none. */
export function chapterStepsOf({ chapters, steps }: Trace, step: number): ChapterSteps | null {
  const at = chapterAt(chapters, step);
  if (at < 0) return null;
  const first = chapterStart(chapters, at);
  const last = at + 1 < chapters.length ? chapterStart(chapters, at + 1) - 1 : steps.length;
  const { id, title } = chapters[at];
  return { id, title, steps: Array.from({ length: last - first + 1 }, (_, i) => first + i) };
}
