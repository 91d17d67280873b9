import type { FreeText, ReadToken, FormatUse, WritingResult } from '../service/types.ts';

/** A dense model's text, its reading by the pruned model, and the pruned model's own text, as far as written. */
export interface TextPair {
  /** the prompt in tokens */
  readonly prompt: readonly string[];
  /** text of the dense model after it, in tokens */
  readonly dense: readonly string[];
  /** the tokens of `dense` that the pruned model has read, with the bits lost */
  readonly read: readonly ReadToken[];
  /** null until the pruned model has started its own text */
  readonly free: FreeText | null;
  /** null until both texts are complete */
  readonly written: WritingResult | null;
}

export const NO_TEXT: TextPair = { prompt: [], dense: [], read: [], free: null, written: null };

/** A token that lost more bits than this is costly. */
const COSTLY_BITS = 1;

/** The index of the token that lost most bits; -1 if there is none. */
export function costliest(read: readonly ReadToken[]): number {
  let max = -1;
  for (const [i, { lost }] of read.entries()) if (max < 0 || lost > read[max].lost) max = i;
  return max;
}

/** Bits that the pruned model lost in the whole text. */
export function lostBits(read: readonly ReadToken[]): number {
  return read.reduce((sum, { lost }) => sum + lost, 0);
}

/** The next costly token in direction `by`; `from` itself if there is none. */
export function nextCostly(read: readonly ReadToken[], from: number, by: 1 | -1): number {
  for (let i = from + by; i >= 0 && i < read.length; i += by) if (read[i].lost > COSTLY_BITS) return i;
  return from;
}

/** Tokens of the text that the pruned model wrote by itself, without the prompt. */
export function freeTokens({ dense, free }: TextPair): readonly string[] {
  return free === null ? [] : [...dense.slice(0, free.fork), ...free.tokens];
}

/** Index, counted after the prompt, of the token that contains a character of the whole text; -1 within the prompt. */
function tokenAtCharacter(prompt: readonly string[], tokens: readonly string[], offset: number): number {
  let at = prompt.join('').length;
  if (offset < at) return -1;
  for (const [i, token] of tokens.entries()) {
    at += token.length;
    if (offset < at) return i;
  }
  return tokens.length;
}

/** The tokens of the first error (tales/judge.ts) in the pruned model's own text; null: none, or in the prompt. */
export function brokenTokens(text: TextPair): { readonly from: number; readonly to: number } | null {
  const broken = text.written?.verdicts?.free.broken ?? null;
  if (broken === null) return null;
  const tokens = freeTokens(text);
  const from = tokenAtCharacter(text.prompt, tokens, broken.offset);
  const last = tokenAtCharacter(text.prompt, tokens, broken.offset + Math.max(1, broken.found.length) - 1);
  return from < 0 ? null : { from, to: Math.min(tokens.length, last + 1) };
}

/** Whether the dense text has the same first error, so that pruning is not the cause. */
export function isBrokenInBoth({ written }: TextPair): boolean {
  const free = written?.verdicts?.free.broken ?? null;
  const dense = written?.verdicts?.dense.broken ?? null;
  return free !== null && dense !== null && free.offset === dense.offset && free.found === dense.found;
}

/** A token for screen readers. */
export function tokenText({ text, lost, prunedToken }: ReadToken): string {
  const spoken = (piece: string): string => piece.trim() || (/[\n\r]/.test(piece) ? 'new line' : 'space');
  const bits = Math.abs(lost) < 0.05 ? '' : `, ${Math.abs(lost).toFixed(1)} bits ${lost < 0 ? 'gained' : 'lost'}`;
  return `${spoken(text)}${bits}${prunedToken === null ? '' : `, would write ${spoken(prunedToken)}`}`;
}

/** The last words before a token that fit into a heading: 'Luis found'. */
export function wordsBefore(tokens: readonly string[]): string {
  const end = tokens.join('').slice(-16);
  // Starts neither in the middle of a word, nor in the previous sentence.
  const fromWord = tokens.join('').length > end.length ? end.replace(/^\S+\s/, '') : end;
  return fromWord.replace(/^.*[.!?]"?\s+(?=\S)/, '').trimStart();
}

/** Steps of the tint behind tokens: from how many lost bits. */
export const TINTS = [0.5, 1, 2, 4, 8] as const;

/** The step for lost bits: 0 for no tint, then 1 to the number of steps. */
export function tintOf(lost: number): number {
  return TINTS.filter((min) => lost >= min).length;
}

/** The opacity of each step, 0 first. */
export const TINT_OPACITY = [0, 0.09, 0.16, 0.26, 0.4, 0.57] as const;

/** The CSS of a step. */
export function tintStyle(tint: number): { readonly background: string } {
  return { background: `color-mix(in oklab, var(--tint) ${100 * TINT_OPACITY[tint]}%, transparent)` };
}

/** The formats behind the pruned model's tokens per second; null if unknown, or if matrices are dense by choice. */
export function multipliedText(multiplied: FormatUse | null, format: string, matrices: number): string | null {
  if (multiplied === null) return null;
  const { inFormat, refusal } = multiplied;
  if (inFormat === matrices) return `Tokens/s: in ${format}.`;
  if (refusal === null) return null;
  const which = inFormat === 0 ? 'Tokens/s: dense' : `${matrices - inFormat} of ${matrices} matrices are dense`;
  return `${which}. ${format}: ${refusal}.`;
}
