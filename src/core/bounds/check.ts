import { SparseScopeError, withVisibleSigns } from '../errors.ts';
import { countText } from '../story/words.ts';
import { QUOTED_LENGTH } from './bounds.ts';

/** The problem with a count, to follow a colon: 'found 41 questions, expected at most 40'; null within the bound. */
export function excess(found: number, max: number, what: string): string | null {
  return found <= max ? null : `found ${countText(found)} ${what}, expected at most ${countText(max)}`;
}

/** Throws an error of `kind` if more than `max` are found. `where`: the file or the link, and the position in it. */
export function checkBound(
  where: string,
  found: number,
  max: number,
  what: string,
  kind: new (message: string) => Error = SparseScopeError,
): void {
  const fault = excess(found, max, what);
  if (fault !== null) throw new kind(`${where}: ${fault}`);
}

/** An untrusted value, to follow 'found'. Lists and objects are only named: they may be cyclic or endless. */
export function quotedValue(value: unknown): string {
  if (typeof value === 'string') return `'${clip(value)}'`;
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return String(value);
  if (value === undefined) return 'nothing';
  if (typeof value === 'bigint') return 'a BigInt';
  return Array.isArray(value) ? 'a list' : 'an object';
}

/** The beginning of an untrusted text, safe to quote in a sentence. */
export function clip(text: string): string {
  return withVisibleSigns(text.length > QUOTED_LENGTH ? `${text.slice(0, QUOTED_LENGTH)}...` : text);
}
