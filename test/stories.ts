import { type AnyStory, loadStory } from '../src/story/format-story.ts';
import type { AnyFormat } from '../src/core/format.ts';
import { FormatError } from '../src/core/errors.ts';
import type { Matrix } from '../src/core/matrix/index.ts';
import type { Trace } from '../src/story/trace.ts';
import { contractFormats } from './declared/formats.ts';
import { cases } from './scheduled.ts';

export interface FormatWithStory {
  readonly format: AnyFormat;
  readonly story: AnyStory;
}

/** Every format that keeps the contract with its story, loaded, in the order of the registry. */
export async function formatsWithStories(): Promise<readonly FormatWithStory[]> {
  return Promise.all(contractFormats.map(async (format) => ({ format, story: await loadStory(format) })));
}

/** The formats that a format is joined with: in `npm test` itself and the next two, after the last the first. */
export function partnersOf(one: FormatWithStory, all: readonly FormatWithStory[]): readonly FormatWithStory[] {
  const from = all.indexOf(one);
  return Array.from({ length: cases(3, all.length) }, (_, i) => all[(from + i) % all.length]);
}

/** The trace of a window; null if it has none: it is rejected, and cannot be changed so that it fits. */
export function traceOf(story: AnyStory, m: Matrix, params: object): Trace | null {
  const isSupported = story.admits(m, params).ok;
  if (!isSupported && !story.tracesRejected?.(m, params)) return null;
  try {
    return story.trace(m, params);
  } catch (error) {
    if (!isSupported && error instanceof FormatError) return null;
    throw error;
  }
}
