import { repeated, repeatedEncoding } from '../../core/encoded/repeat.ts';
import type { SlideSparseEncoded } from './layout.ts';

/** See `SparseFormat.repeat`: every row is a whole number of words. */
export function repeat(e: SlideSparseEncoded, times: number): SlideSparseEncoded {
  return repeatedEncoding(e, times, {
    values: repeated('values', e.values, times),
    metadata: repeated('metadata', e.metadata, times),
    scales: repeated('scales', e.scales, times),
  });
}
