import { describe, expect, it } from 'vitest';
import { denseMatrix } from '../../core/matrix/index.ts';
import { f16Value } from '../../core/number/index.ts';
import { bestDeltaBits } from '../../../test/best-delta-bits.ts';
import type { MackoParams } from './params.ts';
import { macko } from './index.ts';
import { storedDelta } from './layout.ts';

/** A matrix whose rows have non-zeros in these columns, with the values 1, 2, 3 and so on. */
function rowsAt(cols: number, columns: number[][]): ReturnType<typeof denseMatrix> {
  const cells = new Float32Array(columns.length * cols);
  let value = 0;
  columns.forEach((row, r) => row.forEach((c) => (cells[r * cols + c] = ++value)));
  return denseMatrix(columns.length, cols, cells);
}

const F16_4: MackoParams = { deltaBits: 4, valueType: 'f16' };

describe('macko encode', () => {
  it("returns the bytes of the paper's figure 3", () => {
    const m = rowsAt(13, [[1, 4, 11, 12]]);
    const e = macko.encode(m, { deltaBits: 2, valueType: 'f16' });
    expect(Array.from(e.values.subarray(0, 5), f16Value)).toEqual([1, 2, 0, 3, 4]);
    expect([0, 1, 2, 3, 4].map((i) => storedDelta(e, i))).toEqual([1, 2, 3, 2, 0]);
    expect(new Uint8Array(e.deltas.buffer)[0]).toBe(185);
    expect(e.indptr).toEqual(Uint32Array.of(0, 5));
  });

  it("returns the bytes of the authors' test", () => {
    const m = rowsAt(32, [[0, 1, 8, 12, 29], [0, 1, 14, 19], [21], [5], [4, 5, 7, 13, 23, 26, 28, 29, 31]]);
    const e = macko.encode(m, F16_4);
    expect(Array.from(e.indptr)).toEqual([0, 6, 10, 12, 13, 22]);
    expect(Array.from(new Uint8Array(e.deltas.buffer))).toEqual([0, 54, 15, 0, 76, 95, 69, 16, 149, 18, 16, 0]);
    expect(e.values.length).toBe(24);
    expect(e.nnz).toBe(20);
  });
});

it('the smallest MACKO encoding has deltas of 1 bit above density 0.758, 2 above 0.438, 4 above 0.106, 8 below', () => {
  const bits = [0.77, 0.75, 0.45, 0.43, 0.11, 0.1].map((d) => bestDeltaBits(d, 'f16'));
  expect(bits).toEqual([1, 2, 2, 4, 4, 8]);
});
