// Texts about tokens and kernels on the tab Text.

import type { FormatUse, ReadToken } from '../service/types.ts';

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

/** The formats behind the pruned model's tokens per second; null if unknown, or if matrices are dense by choice. */
export function multipliedText(multiplied: FormatUse | null, format: string, matrices: number): string | null {
  if (multiplied === null) return null;
  const { inFormat, rejection } = multiplied;
  if (inFormat === matrices) return `Tokens/s: in ${format}.`;
  if (rejection === null) return null;
  const which = inFormat === 0 ? 'Tokens/s: dense' : `${matrices - inFormat} of ${matrices} matrices are dense`;
  return `${which}. ${format}: ${rejection}.`;
}
