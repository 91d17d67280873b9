import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { finish } from '../../core/job.ts';
import { denseMatrix, toDense } from '../../core/matrix/index.ts';
import { Random } from '../../core/random.ts';
import { type GpuContext, openDevice, runKernel } from '../../gpu/index.ts';
import { encodeSteps } from './encode.ts';
import { type DenseI8, denseGemmPlan, slidGemmPlan } from './gemm-kernels.ts';
import { keptColumn, type SlideSparseEncoded } from './layout.ts';
import { quantise } from '../../core/quantise.ts';
import { HALF_GROUPS, type HalfGroup } from './params.ts';
import { pruneToPatternSteps } from '../../core/prune-pattern.ts';

let context: GpuContext;
beforeAll(async () => {
  context = await openDevice(navigator.gpu, 'test');
});
afterAll(() => context.destroy());

function weights(rows: number, cols: number, halfGroup: HalfGroup): SlideSparseEncoded {
  const random = new Random(rows + cols);
  const cells = Float32Array.from({ length: rows * cols }, () => random.normal());
  const pruned = finish(pruneToPatternSteps(denseMatrix(rows, cols, cells), 2 * halfGroup - 2, 2 * halfGroup));
  return finish(encodeSteps(denseMatrix(rows, cols, toDense(pruned)), { halfGroup, valueType: 'i8' }));
}

/** The integers that slid weights stand for, as a dense matrix. */
function unslid(e: SlideSparseEncoded): DenseI8 {
  const stride = Math.ceil(e.cols / 4) * 4;
  const data = new Int8Array(e.rows * stride);
  for (let r = 0; r < e.rows; r++) {
    for (let w = 0; w < e.windowsPerRow; w++) {
      for (const k of [0, 1]) {
        const value = e.values[(r * e.windowsPerRow + w) * 2 + k];
        if (value !== 0) data[r * stride + keptColumn(e, r, w, k)] = value;
      }
    }
  }
  return { rows: e.rows, cols: e.cols, stride, data, scales: e.scales };
}

/** Integer sums, then the two scales in the order of the kernel, each product rounded to f32. */
function expected(w: DenseI8, x: Float32Array, tokens: number): Float32Array {
  const y = new Float32Array(tokens * w.rows);
  for (let t = 0; t < tokens; t++) {
    const q = quantise(x.subarray(t * w.cols, (t + 1) * w.cols));
    for (let r = 0; r < w.rows; r++) {
      let sum = 0;
      for (let c = 0; c < w.cols; c++) sum += q.values[c] * w.data[r * w.stride + c];
      y[t * w.rows + r] = Math.fround(Math.fround(Math.fround(sum) * q.scale) * w.scales[r]);
    }
  }
  return y;
}

describe('Y = X W^T in i8', () => {
  test.for([
    { tokens: 1, rows: 1, cols: 3, halfGroups: HALF_GROUPS },
    { tokens: 5, rows: 70, cols: 61, halfGroups: HALF_GROUPS },
    { tokens: 67, rows: 33, cols: 200, halfGroups: [2, 4] as const },
  ])('with $tokens tokens and weights of $rows x $cols, dense and slid, is that of the CPU', async (shape) => {
    const { tokens, rows, cols, halfGroups } = shape;
    const random = new Random(7);
    const x = Float32Array.from({ length: tokens * cols }, () => random.normal());
    for (const halfGroup of halfGroups) {
      const e = weights(rows, cols, halfGroup);
      const w = unslid(e);
      const y = expected(w, x, tokens);
      expect(await runKernel(context, 'slidesparse/gemm_i8', denseGemmPlan(w, tokens), { x }), 'dense').toEqual(y);
      expect(await runKernel(context, 'slidesparse/gemm_i8', slidGemmPlan(e, tokens), { x }), 'slid').toEqual(y);
    }
  });

  test('keeps integers exact that no single byte shows', async () => {
    // 2000 products of 127 x 127 are 32 258 000, beyond the 24 bits of an f32 and far below those of an i32.
    const cols = 2000;
    const w: DenseI8 = { rows: 1, cols, stride: cols, data: new Int8Array(cols).fill(127), scales: Float32Array.of(1) };
    const y = await runKernel(context, 'slidesparse/gemm_i8', denseGemmPlan(w, 1), {
      x: new Float32Array(cols).fill(127),
    });
    expect(Array.from(y)).toEqual([32_258_000]);
  });
});

test('f16 weights are refused', () => {
  const e = { ...weights(1, 4, 2), valueType: 'f16' } as const;
  expect(() => slidGemmPlan(e, 1)).toThrow('values: found f16, expected i8');
});
