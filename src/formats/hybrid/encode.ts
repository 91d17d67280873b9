import { rowsPerYield } from '../../core/job.ts';
import { type Matrix, rowBuffer } from '../../core/matrix/index.ts';
import { bf16FromF32Bits } from '../../core/number/index.ts';
import { type HybridEncoded, NONE } from './layout.ts';
import { slotsOf, tailCapacityOf } from './params.ts';

/** Numbers that the encoder sets besides the arrays. */
type Sizes = Pick<HybridEncoded, 'slots' | 'tailCapacity' | 'tailUsed'>;

/** Fills the arrays like `encode` of encoding.ts, faster; false if the tail, for long rows, is full. O(rows * cols). */
export function* encodeRows(
  m: Matrix,
  e: Omit<HybridEncoded, 'checksums' | keyof Sizes>,
): Generator<number, Sizes | false, void> {
  const { rows, cols, values, indices, counts, tailMap, tailRows, tail } = e;
  const slots = slotsOf(cols, e);
  const tailCapacity = tailCapacityOf(rows, cols, e);
  tailMap.fill(NONE);
  tailRows.fill(NONE);
  const buffer = rowBuffer(cols);
  const { columns } = buffer;
  const bits = new Uint32Array(buffer.values.buffer);
  const pause = rowsPerYield(cols);
  let tailUsed = 0;
  for (let r = 0; r < rows; r++) {
    const n = m.readRow(r, buffer);
    counts[r] = n;
    if (n <= slots) {
      for (let i = 0; i < n; i++) {
        values[r * slots + i] = bf16FromF32Bits(bits[i]);
        indices[r * slots + i] = columns[i];
      }
    } else {
      if (tailUsed === tailCapacity) return false;
      tailMap[r] = tailUsed;
      tailRows[tailUsed] = r;
      for (let i = 0; i < n; i++) tail[tailUsed * cols + columns[i]] = bf16FromF32Bits(bits[i]);
      tailUsed++;
    }
    if (r % pause === pause - 1) yield r + 1;
  }
  return { slots, tailCapacity, tailUsed };
}
