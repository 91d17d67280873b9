import { inWords } from '../../core/bounds/check.ts';

/** The `sparsescope` field of every message: the version of the protocol in docs/embedding.md. */
export const PROTOCOL = 1;

/** A request of the embedding page. */
export type Request =
  /** goes to a step, from 0 to the last; pauses */
  | { readonly type: 'go'; readonly step: number }
  /** goes to the beginning of a chapter, by its id */
  | { readonly type: 'go'; readonly chapter: string }
  | { readonly type: 'play' }
  | { readonly type: 'pause' };

/** Position in the story. */
export interface Position {
  readonly step: number;
  readonly steps: number;
  /** id of the chapter; '' if there is none */
  readonly chapter: string;
  readonly playing: boolean;
  /** the sentence of the step */
  readonly words: string;
}

/** A message to the embedding page. */
export type Report =
  /** another story has been loaded */
  | ({ readonly type: 'ready'; readonly format: string; readonly chapters: readonly ChapterReport[] } & Position)
  | ({ readonly type: 'step' } & Position)
  /** a request could not be fulfilled */
  | { readonly type: 'problem'; readonly message: string };

interface ChapterReport {
  readonly id: string;
  readonly title: string;
  /** its first step */
  readonly step: number;
}

const REQUEST_TYPES = ['go', 'play', 'pause'] as const;

/**
 * Parses a message from the embedding page: a request, a sentence if it is malformed, and null if it is not ours, such
 * as messages that browser extensions send to every page.
 */
export function readRequest(data: unknown): Request | string | null {
  if (typeof data !== 'object' || data === null || !('sparsescope' in data)) return null;
  if (data.sparsescope !== PROTOCOL) return `sparsescope: found ${inWords(data.sparsescope)}, expected ${PROTOCOL}.`;
  const type = 'type' in data ? data.type : undefined;
  if (type === 'play' || type === 'pause') return { type };
  if (type !== 'go') return `type: found ${inWords(type)}, expected one of ${REQUEST_TYPES.join(', ')}.`;
  if ('step' in data) {
    const { step } = data;
    if (typeof step === 'number' && Number.isInteger(step) && step >= 0) return { type, step };
    return `step: found ${inWords(step)}, expected a whole number from 0.`;
  }
  if ('chapter' in data && typeof data.chapter === 'string') return { type, chapter: data.chapter };
  return 'go: found neither a step nor a chapter, expected one of them.';
}
