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
    const allBytes = LANES.flatMap((lanes) =>
      VECTOR_SIZES.flatMap((vectorSize) =>
        DELTA_BITS.map((deltaBits) => bytesWith({ ...p, lanes, vectorSize, deltaBits, maxGranularity: 1 })),
      ),
    );
    const statistics = finish(statisticsSteps(m, { groups: [], blocks: [] }));
    const candidates = ecCsr.comparison.candidates?.(statistics, p) ?? [];
    expect(candidates.length).toBeLessThanOrEqual(6);
    const min = candidates.reduce((smallest, candidate) => Math.min(smallest, bytesWith(candidate)), Infinity);
    expect(min).toBeLessThanOrEqual(allBytes.reduce((a, b) => Math.min(a, b)));
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
    // Published for 4-bit deltas at 90 % sparsity: 30.43 % of padding, and 41.3 % (f16) and 22.7 % (f32) fewer bytes than
    // CSR with 32-bit indices.
    const padding = 0.3043;
    const savings = [
      { valueBytes: 2, saved: 0.413 },
      { valueBytes: 4, saved: 0.227 },
    ];
    /**
     * Bytes of the index of a stored column, in f16 and in f32: bytes of a non-zero in CSR × the share that remains, which
     * is its bytes in EC-CSR; divided by the columns stored for it; minus the bytes of a value.
     */
    const indexBytes = (storedPerNonZero: number): readonly number[] =>
      savings.map(({ valueBytes, saved }) => ((valueBytes + 4) * (1 - saved)) / storedPerNonZero - valueBytes);
    // padding / non-zeros = 0.3043: a non-zero stores 1 + 0.3043 columns. The index takes the same bytes in f16 and f32.
    expect(indexBytes(1 + padding).map((bytes) => bytes.toFixed(1))).toEqual(['0.7', '0.7']);
    // padding / stored columns = 0.3043: a non-zero stores 1 / (1 - 0.3043) columns. Less remains than a delta of half a byte.
    const deltaBytes = 4 / 8;
    expect(indexBytes(1 / (1 - padding)).every((bytes) => bytes < deltaBytes)).toBe(true);
  });

  it('the padding that table 2 of the paper prints is shown next to the padding of this matrix, in the inspector and in the chart of gaps', () => {
    const m = buildMatrix(uniformRecipe([64, 4096], 0.1, 3));
    const e = ecCsr.encode(m, { ...defaultParams(ecCsr.params), deltaBits: 4, maxGranularity: 1 });
    const overhead = (100 * e.padding.gapValues) / e.nnz;
    // A delta of 4 bits reaches at most 15 columns, so each run of 15 zeros after a stored column adds a padding column. At
    // density 0.1 all 15 are zeros with probability q = 0.9^15 = 0.206, and q + q^2 + ... = q / (1 - q) = 0.26.
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
