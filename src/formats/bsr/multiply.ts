import { f16Table } from '../../core/number/index.ts';
import type { BsrEncoded } from './layout.ts';

/**
 * y = A x block by block; sums in f64, y in f32. Cells that are 0 are skipped, so that NaN and infinities in x reach
 * only rows with a non-zero in their column. O(rows + blocks * S²).
 */
export function multiply(e: BsrEncoded, x: Float32Array, y: Float32Array): void {
  const { rows, blockSize, indptr, data, scales } = e;
  const numbers = data instanceof Uint16Array ? f16Table() : null;
  const sums = new Float64Array(blockSize);
  for (let i = 0; i + 1 < indptr.length; i++) {
    sums.fill(0);
    for (let b = indptr[i]; b < indptr[i + 1]; b++) {
      if (numbers) addBlockF16(e, b, numbers, x, sums);
      else addBlock(e, b, x, sums);
    }
    const first = i * blockSize;
    const end = Math.min(rows, first + blockSize);
    for (let r = first; r < end; r++) y[r] = sums[r - first] * (scales.length > 0 ? scales[r] : 1);
  }
}

/** Adds the products of a block of f16 values to the sums of its rows; `numbers`: the f32 of all f16 bits. */
function addBlockF16(
  { blockSize, data, indices }: BsrEncoded,
  block: number,
  numbers: Float32Array,
  x: Float32Array,
  sums: Float64Array,
): void {
  const first = indices[block] * blockSize;
  let i = block * blockSize * blockSize;
  for (let r = 0; r < blockSize; r++) {
    let sum = 0;
    for (let c = 0; c < blockSize; c++) {
      const value = numbers[data[i++]];
      if (value !== 0) sum += value * x[first + c];
    }
    sums[r] += sum;
  }
}

/** Like `addBlockF16`, for values that are stored as numbers. */
function addBlock({ blockSize, data, indices }: BsrEncoded, block: number, x: Float32Array, sums: Float64Array): void {
  const first = indices[block] * blockSize;
  let i = block * blockSize * blockSize;
  for (let r = 0; r < blockSize; r++) {
    let sum = 0;
    for (let c = 0; c < blockSize; c++) {
      const value = data[i++];
      if (value !== 0) sum += value * x[first + c];
    }
    sums[r] += sum;
  }
}
