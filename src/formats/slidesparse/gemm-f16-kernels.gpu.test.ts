import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { finish } from '../../core/job.ts';
import { denseMatrix, toDense } from '../../core/matrix/index.ts';
import { f16Bits } from '../../core/number/index.ts';
import { gamma } from '../../core/oracle.ts';
import { Random } from '../../core/random.ts';
import { type GpuContext, openDevice, runKernel } from '../../gpu/index.ts';
import { decode } from './decode.ts';
import { encodeSteps } from './encode.ts';
import { type DenseF16, denseGemmF16Plan, slidGemmF16Plan } from './gemm-f16-kernels.ts';
import type { SlideSparseEncoded } from './layout.ts';
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
  return finish(encodeSteps(denseMatrix(rows, cols, toDense(pruned)), { halfGroup, valueType: 'f16' }));
}

function unslid(e: SlideSparseEncoded, cells: Float32Array): DenseF16 {
  const stride = Math.ceil(e.cols / 2) * 2;
  const data = new Uint16Array(e.rows * stride);
  cells.forEach((value, i) => {
    data[Math.floor(i / e.cols) * stride + (i % e.cols)] = f16Bits(value);
  });
  return { rows: e.rows, cols: e.cols, stride, data };
}

/** Checks every sum against f64, within the bound of a sum of `cols` products in f32. */
function agrees(y: Float32Array, x: Float32Array, cells: Float32Array, { rows, cols }: SlideSparseEncoded): void {
  expect(y).toHaveLength((x.length / cols) * rows);
  for (let i = 0; i < y.length; i++) {
    const [token, row] = [Math.floor(i / rows), i % rows];
    let sum = 0;
    let magnitude = 0;
    for (let c = 0; c < cols; c++) {
      const product = x[token * cols + c] * cells[row * cols + c];
      sum += product;
      magnitude += Math.abs(product);
    }
    const where = `token ${token}, row ${row}`;
    expect(Math.abs(y[i] - sum), where).toBeLessThanOrEqual(gamma(cols + 2) * magnitude);
  }
}

describe('Y = X W^T in f16', () => {
  test.for([
    { tokens: 1, rows: 1, cols: 3, halfGroups: HALF_GROUPS },
    { tokens: 5, rows: 70, cols: 61, halfGroups: HALF_GROUPS },
    { tokens: 67, rows: 33, cols: 200, halfGroups: [2, 4] as const },
  ])('with $tokens tokens and weights of $rows x $cols, dense and slid, agrees with f64', async (shape) => {
    const { tokens, rows, cols, halfGroups } = shape;
    const random = new Random(7);
    const x = Float32Array.from({ length: tokens * cols }, () => random.normal());
    for (const halfGroup of halfGroups) {
      const e = weights(rows, cols, halfGroup);
      const cells = toDense(decode(e));
      const run = (plan: ReturnType<typeof slidGemmF16Plan>): Promise<Float32Array> =>
        runKernel(context, 'slidesparse/gemm_f16', plan, { x });
      agrees(await run(denseGemmF16Plan(unslid(e, cells), tokens)), x, cells, e);
      agrees(await run(slidGemmF16Plan(e, tokens)), x, cells, e);
    }
  });

  test('keeps an infinity to the rows with a non-zero in its column', async () => {
    const m = denseMatrix(2, 4, Float32Array.of(0, 1, 0, 0, 2, 0, 0, 3));
    const e = finish(encodeSteps(m, { halfGroup: 2, valueType: 'f16' }));
    const x = Float32Array.of(Number.POSITIVE_INFINITY, 1, Number.NaN, 1);
    const y = await runKernel(context, 'slidesparse/gemm_f16', slidGemmF16Plan(e, 1), { x });
    expect(Array.from(y)).toEqual([1, Number.POSITIVE_INFINITY]);
  });
});

test('i8 weights are refused', () => {
  const e = { ...weights(1, 4, 2), valueType: 'i8' } as const;
  expect(() => slidGemmF16Plan(e, 1)).toThrow('values: found i8, expected f16');
});
