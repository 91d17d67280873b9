import { withVisibleSigns } from '../errors.ts';
import { QUOTED_LENGTH } from './bounds.ts';

/** An untrusted value as messages show it after 'found'. Of lists and objects only the kind: they may be cyclic. */
export function quotedValue(value: unknown): string {
  if (typeof value === 'string') return `'${clip(value)}'`;
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return String(value);
  if (value === undefined) return 'nothing';
  if (typeof value === 'bigint') return 'a BigInt';
  return Array.isArray(value) ? 'a list' : 'an object';
}

/** The beginning of an untrusted text, short enough to quote in a message. */
export function clip(text: string): string {
  return withVisibleSigns(text.length > QUOTED_LENGTH ? `${text.slice(0, QUOTED_LENGTH)}...` : text);
}
