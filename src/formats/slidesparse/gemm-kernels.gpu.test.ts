import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  activationsOfEveryMagnitude,
  integerProduct,
  type IntegerWeights,
  quantisedWords,
} from '../../../test/activations.ts';
import { cases, scheduled } from '../../../test/scheduled.ts';
import { type GemmTile, TILES } from '../../core/kernel/gemm-plan.ts';
import { finish } from '../../core/job.ts';
import type { KernelSpec } from '../../core/kernel/kernel.ts';
import { denseMatrix, toDense } from '../../core/matrix/index.ts';
import { expectedOf } from '../../core/operations/operation.ts';
import { quantise } from '../../core/number/quantise.ts';
import { GEMM } from '../../core/operations/index.ts';
import { pruneToPatternSteps } from '../../core/matrix/prune-pattern.ts';
import { Random } from '../../core/number/random.ts';
import { describeFailure, verifyOutputs } from '../../core/operations/verify.ts';
import { type GpuContext, openDevice, runKernelWords } from '../../gpu/index.ts';
import { runKernel } from '../../../test/run-kernel.ts';
import { encodeSteps } from './encode.ts';
import { encoding } from './encoding.ts';
import { gemmKernels, slidGemmI8Plan, slidGemmPlan } from './gemm-kernels.ts';
import { keptColumn, type SlideSparseEncoded } from './layout.ts';
import { HALF_GROUPS, type HalfGroup } from './params.ts';

let context: GpuContext;
beforeAll(async () => {
  context = await openDevice(navigator.gpu, 'test');
});
afterAll(() => context.destroy());

function weights(rows: number, cols: number, halfGroup: HalfGroup, valueType: 'f16' | 'i8'): SlideSparseEncoded {
  const random = new Random(rows + cols);
  const cells = Float32Array.from({ length: rows * cols }, () => random.normal());
  const pruned = finish(pruneToPatternSteps(denseMatrix(rows, cols, cells), 2 * halfGroup - 2, 2 * halfGroup));
  return finish(encodeSteps(denseMatrix(rows, cols, toDense(pruned)), { halfGroup, valueType }));
}

/** The integers that slid weights represent. */
function integers(e: SlideSparseEncoded): IntegerWeights {
  const cells = new Int8Array(e.rows * e.cols);
  for (let r = 0; r < e.rows; r++) {
    for (let w = 0; w < e.windowsPerRow; w++) {
      for (const k of [0, 1]) {
        const value = e.values[(r * e.windowsPerRow + w) * 2 + k];
        if (value !== 0) cells[r * e.cols + keptColumn(e, r, w, k)] = value;
      }
    }
  }
  return { rows: e.rows, cols: e.cols, cells, scales: e.scales };
}

/** The widest pattern; all of them in `npm run test:all`, since kernels are compiled for each. The contract tries every one. */
const SOME_HALF_GROUPS = HALF_GROUPS.slice(-cases(1, HALF_GROUPS.length));

function kernel(id: string): KernelSpec<SlideSparseEncoded> {
  const found = gemmKernels.find((k) => k.id === id);
  if (!found) throw new Error(`kernel: found '${id}', expected one of ${gemmKernels.map((k) => k.id).join(', ')}`);
  return found;
}

describe('Y = X W^T', () => {
  test('with the tiny tile agrees with f64', () => checkTile(TILES.tiny));
  scheduled(
    'a software GPU compiles the large tile for three seconds',
    'the tiny tile here, and src/formats/contract/kernels.gpu.test.ts, which runs slidesparse/gemm with the tile of its plan',
    'with the large tile agrees with f64',
    () => checkTile({ ...TILES.large, k: 4 }),
  );

  async function checkTile(tile: GemmTile): Promise<void> {
    const sizes = { tokens: tile.m + 9 };
    for (const halfGroup of SOME_HALF_GROUPS) {
      const e = weights(tile.n + 12, 61, halfGroup, 'f16');
      const inputs = GEMM.inputs(encoding.decode(e), sizes, 3);
      const y = await runKernel(context, 'slidesparse/gemm', slidGemmPlan(e, sizes.tokens, tile), inputs);
      const verified = verifyOutputs(y, expectedOf(GEMM, encoding.decode(e), inputs, sizes, { extraRoundings: 2 }));
      expect(verified.ok, `${halfGroup}: ${describeFailure(verified)}`).toBe(true);
    }
  }

  const KEEPS_INFINITY = 'keeps an infinity to the rows with a non-zero in its column';
  test(`with the tiny tile ${KEEPS_INFINITY}`, () => checkInfinity(TILES.tiny));
  scheduled(
    'a software GPU compiles the flat tile once more',
    'the tiny tile here, and what is not finite in src/formats/contract/kernels.gpu.test.ts',
    `with the flat tile ${KEEPS_INFINITY}`,
    () => checkInfinity({ ...TILES.flat, k: 4 }),
  );

  async function checkInfinity(tile: GemmTile): Promise<void> {
    const m = denseMatrix(2, 4, Float32Array.of(0, 1, 0, 0, 2, 0, 0, 3));
    const e = finish(encodeSteps(m, { halfGroup: 2, valueType: 'f16' }));
    const x = Float32Array.of(Number.POSITIVE_INFINITY, 1, Number.NaN, 1);
    const y = await runKernel(context, 'slidesparse/gemm', slidGemmPlan(e, 1, tile), { x });
    expect(Array.from(y)).toEqual([1, Number.POSITIVE_INFINITY]);
  }
});

describe('Y = Q(X) W^T', () => {
  test.for([
    { tokens: 1, rows: 1, cols: 3, tile: { ...TILES.flat, k: 4 } },
    { tokens: 133, rows: 140, cols: 61, tile: { ...TILES.large, k: 4 } },
    { tokens: 6, rows: 11, cols: 1030, tile: TILES.tiny },
  ])('with $tokens tokens and weights of $rows x $cols equals the result of the CPU, bit by bit', async (shape) => {
    const { tokens, rows, cols, tile } = shape;
    const x = activationsOfEveryMagnitude(tokens, cols);
    for (const halfGroup of SOME_HALF_GROUPS) {
      const e = weights(rows, cols, halfGroup, 'i8');
      const plan = slidGemmI8Plan(e, context.facts, tokens, tile);
      expect(await runKernel(context, 'slidesparse/gemm_i8', plan, { x })).toEqual(integerProduct(integers(e), x));
    }
  });
});

/** A quantised row, lifted: word j contains the four values that window j reads, the lowest byte first; 0 past the last column. */
function lift(values: Int8Array, halfGroup: HalfGroup, words: number): Uint32Array {
  const lifted = new Uint32Array(words);
  for (let j = 0; j < words; j++) {
    const start = Math.floor(j / (halfGroup - 1)) * 2 * halfGroup + (j % (halfGroup - 1)) * 2;
    for (let i = 0; i < 4 && start + i < values.length; i++) lifted[j] |= (values[start + i] & 0xff) << (8 * i);
  }
  return lifted;
}

describe('lifted activations', () => {
  test.for([
    { tokens: 9, cols: 1 },
    { tokens: 20, cols: 31 },
    { tokens: 17, cols: 64 },
    { tokens: 8, cols: 1100 },
  ])('lifted activations of $tokens x $cols have the words of the CPU', async ({ tokens, cols }) => {
    const x = activationsOfEveryMagnitude(tokens, cols);
    for (const halfGroup of SOME_HALF_GROUPS) {
      const e = weights(1, cols, halfGroup, 'i8');
      const plan = kernel('slidesparse/lift').plan(e, context.facts, { tokens });
      const expected = quantisedWords(x, cols, e.windowsPerRow, (q) => lift(q, halfGroup, e.windowsPerRow));
      expect(await runKernelWords(context, 'slidesparse/lift', plan, { x })).toEqual(expected);
    }
  });

  test.for(['slidesparse/lift', 'slidesparse/lift_apart'])(
    'by %s have a scale each, also without columns',
    async (id) => {
      const e = weights(5, 0, 5, 'i8');
      const plan = kernel(id).plan(e, context.facts, { tokens: 300 });
      const words = await runKernelWords(context, id, plan, { x: new Float32Array(0) });
      expect(new Float32Array(words.buffer)).toEqual(new Float32Array(300).fill(quantise(new Float32Array(0)).scale));
    },
  );

  test('lifted activations are read back as integers, and as NaN where copies of one value disagree', () => {
    const e = weights(1, 8, 4, 'i8');
    // Windows of columns 0 to 3, 2 to 5 and 4 to 7; columns 2 to 5 occur twice.
    const words = new Uint32Array(e.windowsPerRow + 1);
    new Int8Array(words.buffer).set([1, 2, 3, 4, 3, 5, 5, 6, 5, 6, 7, -8]);
    new Float32Array(words.buffer).fill(0.5, e.windowsPerRow);
    const outputs = kernel('slidesparse/lift').read?.(e, words, { tokens: 1 });
    expect(Array.from(outputs ?? [])).toEqual([1, 2, 3, Number.NaN, 5, 6, 7, -8, 0.5]);
  });

  test('wider than workgroup memory are rejected with limit and need', () => {
    const limit = context.facts.limits.maxComputeWorkgroupStorageSize;
    const rejection = kernel('slidesparse/lift').fits(weights(1, limit, 4, 'i8'), context.facts, { tokens: 1 });
    expect(rejection.ok ? '' : rejection.reason).toMatch(
      new RegExp(
        `^a workgroup needs \\d+ bytes of memory for ${limit} columns, but this device has ${limit} \\(maxComputeWorkgroupStorageSize\\)$`,
      ),
    );
  });
});
