import { repeated, repeatedEncoding, repeatedOffsets } from '../../core/encoded/repeat.ts';
import { entryCount, GROUP, type MackoEncoded } from './layout.ts';

/**
 * See `SparseFormat.repeat`. Null if the last row ends within a word of deltas or within a group of values, which
 * following rows would share, or if a row would begin past the largest u32.
 */
export function repeat(e: MackoEncoded, times: number): MackoEncoded | null {
  const entries = entryCount(e);
  if ((entries * e.deltaBits) % 32 !== 0 || entries % GROUP !== 0 || entries * times >= 2 ** 32) return null;
  return repeatedEncoding(e, times, {
    values: repeated('values', e.values, times),
    deltas: repeated('deltas', e.deltas, times),
    indptr: repeatedOffsets('indptr', e.indptr, times),
    scales: repeated('scales', e.scales, times),
  });
}
