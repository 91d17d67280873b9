import { bitsOf, ledger, type LedgerEntry, type StorageLedger } from '../../core/encoded/ledger.ts';
import { VALUE_BITS } from '../../core/number/index.ts';
import { blocksAlong, type BsrEncoded } from './layout.ts';
import { fact, type Stated, stated } from '../../core/story/stated.ts';

/** Bytes per array and class. Padding: the cells of stored blocks that are 0. O(1). */
export function storage({ rows, cols, nnz, valueType, data, indices, indptr, scales }: BsrEncoded): StorageLedger {
  const valueBits = VALUE_BITS[valueType];
  const zeros = data.length - nnz;
  const entries: LedgerEntry[] = [
    {
      array: 'data',
      dtype: valueType,
      length: data.length,
      bytes: data.byteLength,
      bits: bitsOf('values', data.byteLength * 8, zeros * valueBits),
      ...(zeros > 0 ? { note: 'zeros inside stored blocks' } : {}),
    },
    {
      array: 'indices',
      dtype: 'u32',
      length: indices.length,
      bytes: indices.byteLength,
      bits: bitsOf('indices', indices.byteLength * 8),
    },
    {
      array: 'indptr',
      dtype: 'u32',
      length: indptr.length,
      bytes: indptr.byteLength,
      bits: bitsOf('metadata', indptr.byteLength * 8),
    },
  ];
  if (valueType === 'i8') {
    entries.push({
      array: 'scales',
      dtype: 'f32',
      length: scales.length,
      bytes: scales.byteLength,
      bits: bitsOf('metadata', scales.byteLength * 8),
    });
  }
  return ledger(entries, rows * cols * valueBits);
}

/** What decides the bytes: the blocks that are stored, and how full they are. O(1). */
export function sizeReason({ rows, cols, nnz, indices, blockSize }: BsrEncoded): Stated {
  const all = fact('blocks', blocksAlong(rows, blockSize) * blocksAlong(cols, blockSize), 'count', ['block', 'blocks']);
  const stored = indices.length;
  if (stored === 0) return stated`none of ${all} holds anything`;
  return stated`${fact('stored blocks', stored)} of ${all} ${stored === 1 ? 'holds' : 'hold'} something, on average ${fact('non-zeros per block', nnz / stored, 1)} of ${fact('cells of a block', blockSize ** 2)} cells`;
}
