import { describe, expect, it } from 'vitest';
import { denseMatrix, toDense } from '../../core/matrix/index.ts';
import { f16Value } from '../../core/number/index.ts';
import { bestDeltaBits, effectiveDensity } from './card.ts';
import type { MackoParams } from './params.ts';
import { macko } from './index.ts';
import { storedDelta } from './encoding.ts';

function rowsAt(cols: number, columns: number[][]): ReturnType<typeof denseMatrix> {
  const cells = new Float32Array(columns.length * cols);
  let value = 0;
  columns.forEach((row, r) => row.forEach((c) => (cells[r * cols + c] = ++value)));
  return denseMatrix(columns.length, cols, cells);
}

const F16_4: MackoParams = { deltaBits: 4, valueType: 'f16' };

describe('macko encode', () => {
  it("gives the bytes of the paper's figure 3", () => {
    const m = rowsAt(13, [[1, 4, 11, 12]]);
    const e = macko.encode(m, { deltaBits: 2, valueType: 'f16' });
    expect(Array.from(e.values.subarray(0, 5), f16Value)).toEqual([1, 2, 0, 3, 4]);
    expect([0, 1, 2, 3, 4].map((i) => storedDelta(e, i))).toEqual([1, 2, 3, 2, 0]);
    expect(new Uint8Array(e.deltas.buffer)[0]).toBe(185);
    expect(e.indptr).toEqual(Uint32Array.of(0, 5));
  });

  it("gives the bytes of the authors' test", () => {
    const m = rowsAt(32, [[0, 1, 8, 12, 29], [0, 1, 14, 19], [21], [5], [4, 5, 7, 13, 23, 26, 28, 29, 31]]);
    const e = macko.encode(m, F16_4);
    expect(Array.from(e.indptr)).toEqual([0, 6, 10, 12, 13, 22]);
    expect(Array.from(new Uint8Array(e.deltas.buffer))).toEqual([0, 54, 15, 0, 76, 95, 69, 16, 149, 18, 16, 0]);
    expect(e.values.length).toBe(24);
    expect(e.nnz).toBe(20);
  });

  it('bridges a gap of 2^k without padding and one of 2^k + 1 with one entry, for every width', () => {
    for (const deltaBits of [1, 2, 4, 8] as const) {
      const reach = 2 ** deltaBits;
      const entries = (gap: number): number => {
        const e = macko.encode(rowsAt(2 * reach + 4, [[0, gap]]), { deltaBits, valueType: 'f32' });
        return e.indptr[1];
      };
      expect([reach, reach + 1, 2 * reach, 2 * reach + 1].map(entries)).toEqual([2, 3, 3, 4]);
    }
  });

  it('stores i8 values under one scale per row', () => {
    const m = denseMatrix(2, 3, Float32Array.of(1, -0.5, 127, 0, 0, 0.25));
    const e = macko.encode(m, { deltaBits: 4, valueType: 'i8' });
    expect(Array.from(e.values.subarray(0, 4))).toEqual([1, 0, 127, 127]);
    expect(Array.from(toDense(macko.decode(e)))).toEqual([1, 0, 127, 0, 0, Math.fround(127 * Math.fround(0.25 / 127))]);
  });
});

describe('macko effective density', () => {
  it('is 0.625, 0.376 and 0.153 at density 0.5, 0.3 and 0.1 for f16 and 4 bits', () => {
    const expected = [0.5, 0.3, 0.1].map((d) => effectiveDensity(d, F16_4).expected);
    expect(expected.map((v) => v.toFixed(3))).toEqual(['0.625', '0.376', '0.153']);
  });

  it('breaks even with dense at the densities in the docs', () => {
    for (const [deltaBits, d] of [
      [1, 16 / 17],
      [2, 16 / 18],
      [4, 0.8],
      [8, 16 / 24],
    ] as const) {
      expect(effectiveDensity(d, { deltaBits, valueType: 'f16' }).best).toBeCloseTo(1, 10);
    }
  });

  it('prefers 1 bit above 0.758, 2 above 0.438, 4 above 0.106 and 8 below', () => {
    const at = [0.77, 0.75, 0.45, 0.43, 0.11, 0.1].map((d) => bestDeltaBits(d, 'f16'));
    expect(at).toEqual([1, 2, 2, 4, 4, 8]);
  });
});
