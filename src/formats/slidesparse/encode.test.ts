import { describe, expect, it } from 'vitest';
import { finish } from '../../core/job.ts';
import { denseMatrix, toDense } from '../../core/matrix/index.ts';
import { f16Value } from '../../core/number/index.ts';
import { encodeSteps } from './encode.ts';
import { encoding } from './encoding.ts';
import { nibbleAt, windowsPerRowOf } from './layout.ts';
import { HALF_GROUPS, type SlideSparseParams } from './params.ts';
import { assignWindows, indexMap } from './slide.ts';

const P68: SlideSparseParams = { halfGroup: 4, valueType: 'f16' };

describe('sliding windows', () => {
  it('map a 6:8 group to 0 1 2 3, 2 3 4 5, 4 5 6 7', () => {
    expect(indexMap(4)).toEqual([0, 1, 2, 3, 2, 3, 4, 5, 4, 5, 6, 7]);
    expect(indexMap(2)).toEqual([0, 1, 2, 3]);
  });

  it('take every placement of 2N - 2 non-zeros or fewer, for N from 2 to 8 (theorem 1)', () => {
    const windowOf = new Int8Array(16);
    let placements = 0;
    for (const halfGroup of HALF_GROUPS) {
      const group = 2 * halfGroup;
      for (let mask = 0; mask < 2 ** group; mask++) {
        const columns: number[] = [];
        for (let c = 0; c < group; c++) if ((mask >>> c) & 1) columns.push(c);
        if (columns.length > group - 2) continue;
        placements++;
        if (assignWindows(columns, columns.length, halfGroup, windowOf) !== columns.length)
          throw new Error(`${halfGroup}: ${columns.join()}`);
      }
    }
    // All but the full mask and those with one zero: the sum over N of 4^N - 1 - 2N.
    expect(placements).toBe(87299);
  });
});

describe('SlideSparse encode', () => {
  it('gives the example of the docs', () => {
    const e = finish(encodeSteps(denseMatrix(1, 8, Float32Array.of(1, 2, 3, 4, 5, 6, 0, 0)), P68));
    expect(Array.from(e.values.subarray(0, 6), f16Value)).toEqual([1, 2, 3, 4, 5, 6]);
    expect([0, 1, 2].map((w) => nibbleAt(e, 0, w))).toEqual([0b0100, 0b0100, 0b0100]);
    expect(e.windowsPerRow).toBe(8);
  });

  it.each(['f16', 'i8'] as const)('holds one column, all zeros and equal magnitudes in %s', (valueType) => {
    for (const halfGroup of HALF_GROUPS) {
      const p: SlideSparseParams = { halfGroup, valueType };
      for (const [cols, value] of [
        [1, 3],
        [1, 0],
        [17, 0],
        [17, -3],
      ] as const) {
        const cells = Float32Array.from({ length: cols }, (_, c) =>
          c % (2 * halfGroup) < 2 * halfGroup - 2 ? value : 0,
        );
        const m = denseMatrix(1, cols, cells);
        expect(encoding.admits(m, p)).toEqual({ ok: true, notes: [] });
        const e = finish(encodeSteps(m, p));
        expect(encoding.validate(e, 'full')).toEqual([]);
        expect(toDense(encoding.decode(e))).toEqual(cells.map((v) => v + 0));
      }
    }
  });

  it('expands a row by gamma and rounds it up to whole words', () => {
    expect(windowsPerRowOf(4096, P68)).toBe(1536);
    expect(windowsPerRowOf(1, P68)).toBe(8);
    expect(windowsPerRowOf(0, P68)).toBe(0);
  });
});
