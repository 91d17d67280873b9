import { repeated, repeatedEncoding, repeatedOffsets } from '../../core/encoded/repeat.ts';
import type { CsrEncoded } from './layout.ts';

/** See `SparseFormat.repeat`. Null if a row would begin past the largest u32. */
export function repeat(e: CsrEncoded, times: number): CsrEncoded | null {
  if (e.data.length * times >= 2 ** 32) return null;
  return repeatedEncoding(e, times, {
    data: repeated('data', e.data, times),
    indices: repeated('indices', e.indices, times),
    indptr: repeatedOffsets('indptr', e.indptr, times),
  });
}
