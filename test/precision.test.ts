import { describe, expect, it } from 'vitest';
import type { KernelSpec } from '../src/core/kernel/kernel.ts';
import type { EncodedMatrix } from '../src/core/format.ts';
import { denseMatrix } from '../src/core/matrix/index.ts';
import { finish } from '../src/core/job.ts';
import { roundToBf16 } from '../src/core/number/index.ts';
import { GATE, SPMV } from '../src/core/operations/index.ts';
import { formats } from '../src/formats/registry.ts';
import { pinnedOf, PRECISION, ROUNDED_BETWEEN_PASSES, shareOfLongSums } from './precision.ts';

const kernels: readonly KernelSpec<EncodedMatrix>[] = formats.flatMap(
  (format) => format.kernels as readonly KernelSpec<EncodedMatrix>[],
);

describe('the pinned precision', () => {
  it('PRECISION covers exactly the existing kernels, with the roundings of their bounds', () => {
    const roundings = kernels.map((kernel) => [kernel.id, pinnedOf(kernel)?.roundings] as const);
    expect(new Map(roundings)).toEqual(new Map(kernels.map((kernel) => [kernel.id, kernel.extraRoundings])));
    expect(kernels.map(({ id }) => id)).toEqual(expect.arrayContaining(Object.keys(PRECISION)));
  });

  it('the pinned precision is at most 10 % of the bound, except for kernels that round to bf16 between their passes', () => {
    const more = Object.entries(PRECISION).filter(([, { max }]) => max > 10);
    expect(more.map(([id]) => id).toSorted()).toEqual(ROUNDED_BETWEEN_PASSES.toSorted());
  });
});

describe('the share of the bound', () => {
  const ones = (rows: number, cols: number) => denseMatrix(rows, cols, new Float32Array(rows * cols).fill(1));

  it('shareOfLongSums returns the largest share among long sums', () => {
    const x = new Float32Array(50).fill(1);
    const expected = finish(SPMV.expectedSteps(ones(3, 50), { x }, {}));
    const found = Float32Array.of(50, 50 + 2 ** -15, 50 - 2 ** -16);
    expect(shareOfLongSums(found, expected, { extraRoundings: 1 })).toBeCloseTo(2 ** -15 / (51 * 50 * 2 ** -24), 5);
  });

  it('shareOfLongSums ignores short sums and sums that may overflow', () => {
    const short = finish(SPMV.expectedSteps(ones(1, 30), { x: new Float32Array(30).fill(1) }, {}));
    expect(shareOfLongSums(Float32Array.of(31), short, { extraRoundings: 1 })).toBe(0);
    const large = finish(SPMV.expectedSteps(ones(1, 50), { x: new Float32Array(50).fill(3e38) }, {}));
    expect(shareOfLongSums(Float32Array.of(Number.POSITIVE_INFINITY), large, { extraRoundings: 1 })).toBe(0);
  });

  it('shareOfLongSums subtracts the rounding of bf16 outputs', () => {
    const width = 56;
    const x = new Float32Array(width).fill(1);
    const wg = Float32Array.from(x, (_, i) => (i === 0 ? 1.171875 : 1));
    const expected = finish(GATE.expectedSteps(ones(1, 1), { x, wg }, { width }));
    const precision = { extraRoundings: 1, outputType: 'bf16' } as const;
    expect(shareOfLongSums(Float32Array.of(roundToBf16(56.171875)), expected, precision)).toBe(0);
    const next = Float32Array.of(roundToBf16(56.171875) + 2 ** -2);
    expect(shareOfLongSums(next, expected, precision)).toBeGreaterThan(1);
  });
});
