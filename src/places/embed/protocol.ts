import { inWords } from '../../core/bounds/check.ts';

/** The first number of every message: the version of what docs/embedding.md describes. */
export const PROTOCOL = 1;

/** What the page around asks for. */
export type Request =
  /** a step, from 0 to the last; nothing is played then */
  | { readonly type: 'go'; readonly step: number }
  /** the beginning of a chapter, by its id */
  | { readonly type: 'go'; readonly chapter: string }
  | { readonly type: 'play' }
  | { readonly type: 'pause' };

/** Where the story stands. */
export interface Position {
  readonly step: number;
  readonly steps: number;
  /** id of the chapter; '' where there is none */
  readonly chapter: string;
  readonly playing: boolean;
  /** the sentence of the step */
  readonly words: string;
}

/** What the page around is told. */
export type Report =
  /** another story can be gone through, from now on */
  | ({ readonly type: 'ready'; readonly format: string; readonly chapters: readonly ChapterReport[] } & Position)
  | ({ readonly type: 'step' } & Position)
  /** a request could not be met */
  | { readonly type: 'problem'; readonly message: string };

interface ChapterReport {
  readonly id: string;
  readonly title: string;
  /** its first step */
  readonly step: number;
}

const REQUEST_TYPES = ['go', 'play', 'pause'] as const;

/**
 * A message from the page around: a request, a sentence where it is a wrong one, and null where it is none of ours, such
 * as those that browser extensions send to every page.
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
