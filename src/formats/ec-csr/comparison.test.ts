import { describe, expect, it } from 'vitest';
import { defaultParams } from '../../core/format.ts';
import { finish } from '../../core/job.ts';
import { statisticsSteps } from '../../core/statistics/matrix-statistics.ts';
import { buildMatrix, uniformRecipe } from '../../../test/arbitraries.ts';
import type { Matrix } from '../../core/matrix/index.ts';
import { generate } from '../../generate/generate.ts';
import { extractionEffect } from './facts.ts';
import { ecCsr } from './index.ts';
import { DELTA_BITS, type EcCsrParams, LANES, VECTOR_SIZES } from './params.ts';
import { scheduled } from '../../../test/scheduled.ts';

interface Sample {
  readonly shape: readonly [rows: number, cols: number];
  readonly density: number;
}

describe('candidates for the smallest encoding', () => {
  const includeTheSmallest = ({ shape, density }: Sample): void => {
    const m = buildMatrix(uniformRecipe(shape, density, 3));
    const p: EcCsrParams = defaultParams(ecCsr.params);
    const bytesWith = (params: EcCsrParams): number => ecCsr.storage(ecCsr.encode(m, params)).totalBytes;
    const every = LANES.flatMap((lanes) =>
      VECTOR_SIZES.flatMap((vectorSize) =>
        DELTA_BITS.map((deltaBits) => bytesWith({ ...p, lanes, vectorSize, deltaBits, maxGranularity: 1 })),
      ),
    );
    const s = finish(statisticsSteps(m, { groups: [], blocks: [] }));
    const candidates = ecCsr.comparison.candidates?.(s, p) ?? [];
    expect(candidates.length).toBeLessThanOrEqual(6);
    const min = candidates.reduce((smallest, candidate) => Math.min(smallest, bytesWith(candidate)), Infinity);
    expect(min).toBeLessThanOrEqual(every.reduce((a, b) => Math.min(a, b)));
  };

  it.each<Sample>([
    { shape: [64, 64], density: 0.3 },
    { shape: [32, 1024], density: 0.03 },
  ])('include the smallest of all without blocks: $shape at $density', includeTheSmallest);

  scheduled(
    'matrices of many non-zeros and of many columns are encoded 45 times',
    "'include the smallest of all without blocks' in the same file, on smaller matrices",
    'include the smallest of all without blocks: many non-zeros, and many columns',
    () => {
      includeTheSmallest({ shape: [64, 400], density: 0.5 });
      includeTheSmallest({ shape: [32, 32_768], density: 0.0002 });
    },
  );
});

it('the stated reads of x per non-zero are those of a product: fewer in blocks, fewest where rows share columns', () => {
  /** Reads of x per non-zero in one product, counted one by one; the encoding must state the same number. */
  const countReads = (m: Matrix, maxGranularity: EcCsrParams['maxGranularity']) => {
    const e = ecCsr.encode(m, { ...defaultParams(ecCsr.params), maxGranularity });
    let reads = 0;
    const x = new Proxy(new Float32Array(m.cols), {
      get(values, column) {
        reads++;
        return values[Number(column)];
      },
    });
    ecCsr.multiply(e, x, new Float32Array(m.rows));
    const digest = ecCsr.comparison.digest?.(e) ?? {};
    expect(digest.gathers).toBe(reads);
    expect(extractionEffect(e).gathers).toBe(reads / m.nnz);
    return reads / m.nnz;
  };
  const generated = (pattern: string): Matrix =>
    generate({ pattern, rows: 128, cols: 4096, density: 0.3, seed: 1, options: {} });
  const uniform = generated('uniform');
  // Section 4 of the paper keeps them low.
  expect(countReads(uniform, 8)).toBeCloseTo(0.73, 1);
  expect(countReads(generated('shared-columns'), 8)).toBeCloseTo(0.18, 1);
  // A single row reads x for each of its non-zeros, and for what fills its lanes.
  expect(countReads(uniform, 1)).toBeGreaterThanOrEqual(1);
});

describe('the padding that table 2 of the paper prints', () => {
  it('is a share of the non-zeros: if it were a share of the stored columns, an index would be smaller than a delta', () => {
    // 4-bit deltas at 90 % sparsity: 30.43 % of padding, and 41.3 % (f16) and 22.7 % (f32) less than CSR with 32-bit
    // indices. The index cost of a stored value cannot depend on how wide it is, and is at least half a byte.
    /** Bytes left for the index of a stored column, by the sizes in f16 and in f32; `stored`: columns per non-zero. */
    const indexBytes = (stored: number): readonly number[] => [
      (6 * (1 - 0.413)) / stored - 2,
      (8 * (1 - 0.227)) / stored - 4,
    ];
    const onNonZeros = indexBytes(1.3043);
    const ofStored = indexBytes(1 / (1 - 0.3043));
    expect(onNonZeros.map((bytes) => bytes.toFixed(1))).toEqual(['0.7', '0.7']);
    expect(ofStored.every((bytes) => bytes < 0.5)).toBe(true);
  });

  it('the padding that table 2 of the paper prints is shown next to the padding of this matrix, in the inspector and in the chart of gaps', () => {
    const m = buildMatrix(uniformRecipe([64, 4096], 0.1, 3));
    const e = ecCsr.encode(m, { ...defaultParams(ecCsr.params), deltaBits: 4, maxGranularity: 1 });
    const overhead = (100 * e.padding.gapValues) / e.nnz;
    // Of 15 columns in a row, all are 0 with a chance of 0.9^15: about a quarter more columns.
    expect(overhead).toBeGreaterThan(24);
    expect(overhead).toBeLessThan(27);
    const fact = ecCsr.facts?.(e).find(({ label }) => label === 'padding for delta gaps');
    expect(fact?.note).toBe(
      `Per non-zero ${overhead.toFixed(1)}\u202f%. Published with 30, 20 and 10\u202f% left: 6.35, 7.39 and 30.43\u202f%.`,
    );
    const s = finish(statisticsSteps(m, { groups: [], blocks: [] }));
    const note = ecCsr.comparison.notes?.(s).find(({ source }) => source === 'EC-SpMV, table 2')?.text;
    expect(note).toContain(`30.43\u202f%, here ${overhead.toFixed(0)}\u202f%; with 8 bits`);
    expect(note).toContain('per non-zero');
  });
});
