import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runKernel } from '../../../test/run-kernel.ts';
import { finish } from '../../core/job.ts';
import { type Matrix, denseMatrix } from '../../core/matrix/index.ts';
import { roundToF16 } from '../../core/number/index.ts';
import { Random } from '../../core/number/random.ts';
import { SPMV, SPMV_ZEROS } from '../../core/operations/index.ts';
import { expectedOf } from '../../core/operations/operation.ts';
import { describeFailure, verifyOutputs } from '../../core/operations/verify.ts';
import { type GpuContext, openDevice } from '../../gpu/index.ts';
import { columnsKernel } from './columns-kernel.ts';
import { decode } from './decode.ts';
import { encodeSteps } from './encode.ts';

let context: GpuContext;
beforeAll(async () => {
  context = await openDevice(navigator.gpu, 'test');
});
afterAll(() => context.destroy());

const cellsOf = (rows: number, cols: number): Float32Array => {
  const random = new Random(7);
  return Float32Array.from({ length: rows * cols }, () => roundToF16(random.uniform() * 2 - 1));
};

const product = async (m: Matrix, x: Float32Array, chosen: Record<string, number>): Promise<Float32Array> => {
  const e = finish(encodeSteps(m, { valueType: 'f16' }));
  return runKernel(context, columnsKernel.id, columnsKernel.plan(e, context.facts, { zeros: 0 }, chosen), { x });
};

/** Matrices around the kernel's tiles of 64 rows and, with 64 lanes, chunks of 512 columns. */
const SHAPES = [
  [1, 1],
  [3, 1030], // more than two chunks; fewer rows than a tile
  [70, 9], // two tiles, the second not full
  [129, 1301], // three of each
] as const;

describe.for(SHAPES)('%i × %i', ([rows, cols]) => {
  const m = denseMatrix(rows, cols, cellsOf(rows, cols));

  test.for([0, 30, 50, 70, 100])('zeros in 100 values of x: %i, in 1 and in 8 parts', async (zeros) => {
    const inputs = SPMV_ZEROS.inputs(m, { zeros }, 11);
    const rounded = decode(finish(encodeSteps(m, { valueType: 'f16' })));
    const expected = expectedOf(SPMV_ZEROS, rounded, inputs, { zeros }, columnsKernel);
    for (const parts of [1, 8]) {
      const verified = verifyOutputs(await product(m, inputs.x, { lanes: 64, parts }), expected);
      if (!verified.ok) expect.fail(`${parts} parts: ${describeFailure(verified)}`);
    }
  });
});

describe('infinity and NaN', () => {
  const [rows, cols] = [70, 600];

  test('in a column whose x is 0 or -0 do not reach y: the column is not read', async () => {
    const cells = cellsOf(rows, cols);
    const { x } = SPMV.inputs(denseMatrix(rows, cols, cells), {}, 3);
    x[5] = 0;
    x[599] = -0;
    const clean = await product(denseMatrix(rows, cols, cells), x, { lanes: 64, parts: 2 });
    const special = cells.slice();
    for (let r = 0; r < rows; r++) {
      special[r * cols + 5] = r % 2 === 0 ? Number.POSITIVE_INFINITY : Number.NaN;
      special[r * cols + 599] = Number.NEGATIVE_INFINITY;
    }
    expect(await product(denseMatrix(rows, cols, special), x, { lanes: 64, parts: 2 })).toEqual(clean);
  });

  test('in the last listed column reach y once, as infinity: it is read again, but not multiplied', async () => {
    const cells = cellsOf(rows, cols);
    cells[7] = Number.POSITIVE_INFINITY;
    const x = new Float32Array(cols);
    x[3] = 1;
    x[7] = 0.5;
    const y = await product(denseMatrix(rows, cols, cells), x, { lanes: 64, parts: 1 });
    expect(y[0]).toBe(Number.POSITIVE_INFINITY);
    expect(y[1]).toBeCloseTo(cells[cols + 3] + 0.5 * cells[cols + 7], 6);
  });

  test('in x reach every row: they are not 0', async () => {
    const x = new Float32Array(cols);
    x[300] = Number.NaN;
    const y = await product(denseMatrix(rows, cols, cellsOf(rows, cols)), x, { lanes: 64, parts: 4 });
    expect([...y].every((sum) => Number.isNaN(sum))).toBe(true);
  });
});
