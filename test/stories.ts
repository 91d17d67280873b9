// Loads the stories of formats for tests.

import { type AnyStory, loadStory } from '../src/story/format-story.ts';
import type { AnyFormat } from '../src/core/format.ts';
import { FormatError } from '../src/core/errors.ts';
import type { Matrix } from '../src/core/matrix/index.ts';
import type { Trace } from '../src/story/trace.ts';
import { contractFormats } from './declared/formats.ts';
import { cases } from './scheduled.ts';

/** A format with its loaded story. */
export interface FormatWithStory {
  readonly format: AnyFormat;
  readonly story: AnyStory;
}

/** Loads the stories of all formats that the contract tests cover, in the order of the registry. */
export async function formatsWithStories(): Promise<readonly FormatWithStory[]> {
  return Promise.all(contractFormats.map(async (format) => ({ format, story: await loadStory(format) })));
}

/** Returns the formats that tests combine with a format: all, in `npm test` only itself and the next two, cyclically. */
export function partnersOf(first: FormatWithStory, formats: readonly FormatWithStory[]): readonly FormatWithStory[] {
  const from = formats.indexOf(first);
  return Array.from({ length: cases(3, formats.length) }, (_, i) => formats[(from + i) % formats.length]);
}

/** Returns the trace of a window; null if the format does not support the window and has no story of rejected ones. */
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
