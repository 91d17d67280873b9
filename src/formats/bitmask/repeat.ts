import { repeated, repeatedEncoding, repeatedOffsets } from '../../core/encoded/repeat.ts';
import type { BitmaskEncoded } from './layout.ts';

/** See `SparseFormat.repeat`. Null if a row would begin past the largest u32. */
export function repeat(e: BitmaskEncoded, times: number): BitmaskEncoded | null {
  if (e.values.length * times >= 2 ** 32) return null;
  return repeatedEncoding(e, times, {
    values: repeated('values', e.values, times),
    mask: repeated('mask', e.mask, times),
    rowPtr: repeatedOffsets('rowPtr', e.rowPtr, times),
  });
}
