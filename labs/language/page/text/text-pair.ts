// The dense and the pruned model's texts as one value, with what the page derives from it.

import { bytesOfPiece } from '../../decoders/piece-bytes.ts';
import type { FreeText, ReadToken, WritingResult } from '../service/types.ts';

/** A dense model's text, its reading by the pruned model, and the pruned model's own text, as far as written. */
export interface TextPair {
  /** the prompt in tokens */
  readonly prompt: readonly string[];
  /** text of the dense model after it, in tokens */
  readonly dense: readonly string[];
  /** the tokens of `dense` that the pruned model has read, with the bits lost */
  readonly readTokens: readonly ReadToken[];
  /** null until the pruned model has started its own text */
  readonly free: FreeText | null;
  /** null until both texts are complete */
  readonly outcome: WritingResult | null;
}

export const NO_TEXT: TextPair = { prompt: [], dense: [], readTokens: [], free: null, outcome: null };

/** Tokens of the text that the pruned model wrote by itself, without the prompt. */
export function freeTokens({ dense, free }: TextPair): readonly string[] {
  return free === null ? [] : [...dense.slice(0, free.firstDifference), ...free.tokens];
}

/** The text of tokens for display: a letter whose bytes are several tokens is whole again. */
export function textOf(tokens: readonly string[]): string {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return tokens.map((token) => decoder.decode(bytesOfPiece(token), { stream: true })).join('') + decoder.decode();
}

/** Index, counted after the prompt, of the token that contains a character of the whole text; -1 within the prompt. */
function tokenAtCharacter(prompt: readonly string[], tokens: readonly string[], offset: number): number {
  let end = prompt.join('').length;
  if (offset < end) return -1;
  for (const [i, token] of tokens.entries()) {
    end += token.length;
    if (offset < end) return i;
  }
  return tokens.length;
}

/** The tokens of the first error (tales/judge.ts) in the pruned model's own text; null: none, or in the prompt. */
export function brokenTokens(text: TextPair): { readonly from: number; readonly to: number } | null {
  const broken = text.outcome?.verdicts?.free.broken ?? null;
  if (broken === null) return null;
  const tokens = freeTokens(text);
  const from = tokenAtCharacter(text.prompt, tokens, broken.offset);
  const last = tokenAtCharacter(text.prompt, tokens, broken.offset + Math.max(1, broken.found.length) - 1);
  return from < 0 ? null : { from, to: Math.min(tokens.length, last + 1) };
}

/** Whether the dense text has the same first error, so that pruning is not the cause. */
export function isBrokenInBoth({ outcome }: TextPair): boolean {
  const free = outcome?.verdicts?.free.broken ?? null;
  const dense = outcome?.verdicts?.dense.broken ?? null;
  return free !== null && dense !== null && free.offset === dense.offset && free.found === dense.found;
}

/** Maximum number of tokens that an excerpt shows before the first difference. */
const MAX_TOKENS_BEFORE = 8;
/** Minimum numbers of tokens after the first difference and after the first error, if the text is long enough. */
const MIN_TOKENS_AFTER_DIFFERENCE = 12;
const MIN_TOKENS_AFTER_ERROR = 4;
/** Maximum number of tokens after the first difference, unless the first error comes later. */
const MAX_TOKENS_AFTER = 60;

const endsSentence = (token: string | undefined): boolean => /[.!?]"?$/.test(token ?? '');

/**
 * The tokens of an excerpt around the first difference: from the beginning of its sentence, or of a word some tokens
 * before, through the first error, to the end of a sentence.
 */
export function excerptRange(
  tokens: readonly string[],
  firstDifference: number,
  error: { readonly to: number } | null,
): { readonly from: number; readonly to: number } {
  let from = firstDifference;
  while (from > 0 && firstDifference - from < MAX_TOKENS_BEFORE && !endsSentence(tokens[from - 1])) from--;
  // Back to the beginning of a word.
  while (from > 0 && !/^\s/.test(tokens[from])) from--;
  const errorEnd = error ? error.to : firstDifference;
  let to = Math.min(tokens.length, Math.max(errorEnd, firstDifference + 1));
  while (to < tokens.length) {
    const [afterDifference, afterError] = [to - firstDifference, to - errorEnd];
    const isLongEnough = afterDifference >= MIN_TOKENS_AFTER_DIFFERENCE && afterError >= MIN_TOKENS_AFTER_ERROR;
    if (isLongEnough && endsSentence(tokens[to - 1])) break;
    if (afterDifference >= MAX_TOKENS_AFTER && afterError > 0) break;
    to++;
  }
  return { from, to };
}
