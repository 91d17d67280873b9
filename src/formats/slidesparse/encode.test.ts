import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { finish } from '../../core/job.ts';
import { denseMatrix, toDense } from '../../core/matrix/index.ts';
import { f16Value, roundToF16 } from '../../core/number/index.ts';
import { spmv } from '../../core/oracle.ts';
import { Random } from '../../core/number/random.ts';
import { encodeSteps } from './encode.ts';
import { encoding } from './encoding.ts';
import { nibbleAt, type SlideSparseEncoded, windowsPerRowOf } from './layout.ts';
import { multiply } from './multiply.ts';
import { HALF_GROUPS, type SlideSparseParams } from './params.ts';
import { pruneToPatternSteps } from '../../core/matrix/prune-pattern.ts';
import { assignWindows, indexMap } from './slide.ts';
import { cases } from '../../../test/scheduled.ts';

const P68: SlideSparseParams = { halfGroup: 4, valueType: 'f16' };

function randomPruned(rows: number, cols: number, seed: number, p: SlideSparseParams): ReturnType<typeof denseMatrix> {
  const random = new Random(seed);
  const share = random.uniform();
  const cells = Float32Array.from({ length: rows * cols }, () =>
    random.uniform() < share ? roundToF16(random.normal()) : 0,
  );
  const pruned = finish(pruneToPatternSteps(denseMatrix(rows, cols, cells), 2 * p.halfGroup - 2, 2 * p.halfGroup));
  return denseMatrix(rows, cols, toDense(pruned));
}

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

  it('holds any matrix of its pattern, bit for bit', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 5 }),
        fc.integer({ min: 1, max: 70 }),
        fc.nat(),
        fc.constantFrom(...HALF_GROUPS),
        (rows, cols, seed, halfGroup) => {
          const p: SlideSparseParams = { halfGroup, valueType: 'f16' };
          const m = randomPruned(rows, cols, seed, p);
          expect(encoding.admits(m, p).ok).toBe(true);
          const e = finish(encodeSteps(m, p));
          expect(encoding.validate(e, 'full')).toEqual([]);
          expect(toDense(encoding.decode(e))).toEqual(m.data);
          const { totalBits, totalBytes } = encoding.storage(e);
          expect(totalBits.values + totalBits.indices + totalBits.metadata + totalBits.padding).toBe(totalBytes * 8);
          const x = Float32Array.from({ length: cols }, (_, c) => c - 3);
          const y = new Float32Array(rows);
          multiply(e, x, y);
          const expected = spmv(m, x);
          for (let r = 0; r < rows; r++)
            expect(Math.abs(y[r] - expected[r])).toBeLessThan(1e-5 * (1 + Math.abs(expected[r])));
        },
      ),
      { numRuns: cases(200, 600) },
    );
  });

  it('notices every changed metadata bit', () => {
    const e: SlideSparseEncoded = finish(encodeSteps(randomPruned(3, 32, 4, P68), P68));
    for (let bit = 0; bit < e.metadata.length * 32; bit++) {
      const metadata = e.metadata.slice();
      metadata[bit >>> 5] ^= 1 << (bit & 31);
      expect(encoding.validate({ ...e, metadata }, 'full'), `bit ${bit}`).not.toEqual([]);
    }
  });

  it('refuses a group with one non-zero too many, with its position, and offers to prune', () => {
    const cells = new Float32Array(32).fill(1, 24, 31);
    const m = denseMatrix(2, 16, cells);
    expect(encoding.admits(m, P68)).toEqual({
      ok: false,
      reason: 'row 1 has 7 non-zeros in columns 8 to 15, more than the 6 that 6:8 allows',
      remedy: 'Prune to 6:8.',
      prune: { kept: 6, group: 8 },
    });
    expect(() => finish(encodeSteps(m, P68))).toThrow(
      'row 1 has 7 non-zeros in columns 8 to 15, more than the 6 that 6:8 allows',
    );
  });

  it('counts the columns that a short last group lacks as zeros, and names those that it has', () => {
    const m = denseMatrix(1, 15, new Float32Array(15).fill(1, 8));
    const reason = 'row 0 has 7 non-zeros in columns 8 to 14, more than the 6 that 6:8 allows';
    expect(encoding.admits(m, P68)).toMatchObject({ ok: false, reason });
    expect(() => finish(encodeSteps(m, P68))).toThrow(reason);
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

  it('keeps NaN and infinities in f16, and refuses them in i8 with their position', () => {
    const m = denseMatrix(2, 4, Float32Array.of(1, 0, 0, 2, Number.NaN, -Infinity, 0, 0));
    const p: SlideSparseParams = { halfGroup: 2, valueType: 'f16' };
    expect(Array.from(toDense(encoding.decode(finish(encodeSteps(m, p)))))).toEqual([
      1,
      0,
      0,
      2,
      Number.NaN,
      -Infinity,
      0,
      0,
    ]);
    const reason = 'values: found NaN at row 1, column 0, expected finite values for i8';
    expect(encoding.admits(m, { ...p, valueType: 'i8' })).toMatchObject({ ok: false, reason });
    expect(() => finish(encodeSteps(m, { ...p, valueType: 'i8' }))).toThrow(reason);
  });

  it('notes what f16 cannot hold, and keeps the slots of values that become 0', () => {
    const m = denseMatrix(1, 4, Float32Array.of(70000, 0, 1e-9, 0));
    const p: SlideSparseParams = { halfGroup: 2, valueType: 'f16' };
    expect(encoding.admits(m, p)).toEqual({
      ok: true,
      notes: [
        '1 value is beyond 65504, the largest f16, and stored as infinite; the first is at row 0, column 0 (70000).',
        '1 value is too small for f16 and stored as 0; the first is at row 0, column 2 (1e-9).',
      ],
    });
    const e = finish(encodeSteps(m, p));
    expect(nibbleAt(e, 0, 0)).toBe(0b1000);
    expect(Array.from(toDense(encoding.decode(e)))).toEqual([Infinity, 0, 0, 0]);
  });

  it('expands a row by gamma and rounds it up to whole words', () => {
    expect(windowsPerRowOf(4096, P68)).toBe(1536);
    expect(windowsPerRowOf(1, P68)).toBe(8);
    expect(windowsPerRowOf(0, P68)).toBe(0);
  });
});

describe('pruning to Z:L', () => {
  it('removes the smallest magnitudes, of equal ones the lowest column', () => {
    const m = denseMatrix(1, 8, Float32Array.of(3, -1, 1, 2, 5, 5, 5, 5));
    expect(Array.from(toDense(finish(pruneToPatternSteps(m, 2, 4))))).toEqual([3, 0, 0, 2, 0, 0, 5, 5]);
  });

  it('counts the missing columns of a short group as zeros', () => {
    const m = denseMatrix(1, 6, Float32Array.of(1, 2, 3, 4, 5, 6));
    expect(Array.from(toDense(finish(pruneToPatternSteps(m, 2, 4))))).toEqual([0, 0, 3, 4, 5, 6]);
  });

  it('keeps NaN before everything else', () => {
    const m = denseMatrix(1, 4, Float32Array.of(Number.NaN, 9, 8, Number.NaN));
    expect(Array.from(toDense(finish(pruneToPatternSteps(m, 2, 4))))).toEqual([Number.NaN, 0, 0, Number.NaN]);
  });
});
