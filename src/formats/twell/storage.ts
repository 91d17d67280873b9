import { VALUE_BITS } from '../../core/number/index.ts';
import { bitsOf, ledger, type LedgerEntry, type StorageLedger } from '../../core/encoded/ledger.ts';
import { counted } from '../../core/story/words.ts';
import type { TwellEncoded } from './layout.ts';

/** Bits of a column in a packed word. */
const PACKED_COLUMN_BITS = 16;

/** Bytes per array and class. Padding: the unused slots of tile rows. O(1). */
export function storage(e: TwellEncoded): StorageLedger {
  const denseBits = e.rows * e.cols * VALUE_BITS[e.valueType];
  return ledger(e.layout === 'packed' ? [wordsEntry(e)] : splitEntries(e), denseBits);
}

function paddingNote(empty: number): { note?: string } {
  return empty > 0 ? { note: `${counted(empty, 'slot')} of tile rows that are not full` } : {};
}

/** One array of all classes: counts, and in each used word a value and a column. */
function wordsEntry({ rows, tiles, nnz, words, valueType }: TwellEncoded): LedgerEntry {
  const tileRows = rows * tiles;
  const empty = words.length - tileRows - nnz;
  return {
    array: 'words',
    dtype: 'bf16 | u16 in u32',
    length: words.length,
    bytes: words.byteLength,
    bits: {
      values: nnz * VALUE_BITS[valueType],
      indices: nnz * PACKED_COLUMN_BITS,
      metadata: tileRows * 32,
      padding: empty * 32,
    },
    ...paddingNote(empty),
  };
}

function splitEntries({ nnz, values, indices, counts, valueType }: TwellEncoded): readonly LedgerEntry[] {
  const empty = values.length - nnz;
  const entry = (array: string, dtype: string, data: Uint16Array | Uint32Array): Omit<LedgerEntry, 'bits'> => ({
    array,
    dtype,
    length: data.length,
    bytes: data.byteLength,
  });
  return [
    {
      ...entry('values', valueType, values),
      bits: bitsOf('values', values.byteLength * 8, empty * VALUE_BITS[valueType]),
      ...paddingNote(empty),
    },
    {
      ...entry('indices', 'u32', indices),
      bits: bitsOf('indices', indices.byteLength * 8, empty * 32),
      ...paddingNote(empty),
    },
    { ...entry('counts', 'u32', counts), bits: bitsOf('metadata', counts.byteLength * 8) },
  ];
}
