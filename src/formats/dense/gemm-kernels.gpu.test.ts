import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { activationsOfEveryMagnitude, integerProduct, quantisedWords } from '../../../test/activations.ts';
import { scheduled } from '../../../test/scheduled.ts';
import { type GemmTile, TILES } from '../../core/kernel/gemm-plan.ts';
import { finish } from '../../core/job.ts';
import type { KernelSpec } from '../../core/kernel/kernel.ts';
import { denseMatrix } from '../../core/matrix/index.ts';
import { expectedOf } from '../../core/operations/operation.ts';
import { GEMM } from '../../core/operations/index.ts';
import { Random } from '../../core/number/random.ts';
import { describeFailure, verifyOutputs } from '../../core/operations/verify.ts';
import { type GpuContext, openDevice, runKernelWords } from '../../gpu/index.ts';
import { runKernel } from '../../../test/run-kernel.ts';
import { decode } from './decode.ts';
import { encodeSteps } from './encode.ts';
import { denseGemmI8Plan, denseGemmPlan, gemmKernels } from './gemm-kernels.ts';
import type { DenseEncoded } from './layout.ts';

let context: GpuContext;
beforeAll(async () => {
  context = await openDevice(navigator.gpu, 'test');
});
afterAll(() => context.destroy());

function weights(rows: number, cols: number, valueType: DenseEncoded['valueType']): DenseEncoded {
  const random = new Random(rows + cols);
  const cells = Float32Array.from({ length: rows * cols }, () => random.normal());
  return finish(encodeSteps(denseMatrix(rows, cols, cells), { valueType }));
}

function kernel(id: string): KernelSpec<DenseEncoded> {
  const spec = gemmKernels.find((k) => k.id === id);
  if (!spec) throw new Error(`kernel: found '${id}', expected one of ${gemmKernels.map((k) => k.id).join(', ')}`);
  return spec;
}

/**
 * Every tile on sizes that it does not divide. `half` and `flat` keep the k that a GPU uses, so that a lane stages a second
 * block; the others have a small k, since a software GPU compiles them faster. `tiny` is small as it is.
 */
const TILES_TO_TRY: readonly (readonly [string, GemmTile])[] = [
  ['large', { ...TILES.large, k: 4 }],
  ['half', TILES.half],
  ['wide', { ...TILES.wide, k: 4 }],
  ['small', { ...TILES.small, k: 4 }],
  ['flat', TILES.flat],
  ['tiny', TILES.tiny],
];

/** Tiles that a software GPU compiles for seconds. */
const SLOW_TO_COMPILE = ['half', 'wide', 'flat'];

describe('Y = X W^T agrees with f64', () => {
  const isSlow = ([name]: readonly [string, GemmTile]): boolean => SLOW_TO_COMPILE.includes(name);
  test.for(TILES_TO_TRY.filter((one) => !isSlow(one)))('with the %s tile', ([, tile]) => checkTile(tile));
  for (const [name, tile] of TILES_TO_TRY.filter(isSlow)) {
    scheduled(
      'a software GPU compiles three seconds for a tile of the size used on a GPU',
      'src/formats/contract/kernels.gpu.test.ts, which runs dense/gemm with the tile that its plan chooses, and the other tiles here',
      `with the ${name} tile`,
      () => checkTile(tile),
    );
  }

  async function checkTile(tile: GemmTile): Promise<void> {
    const e = weights(tile.n + 37, 2 * tile.k + 5, 'f32');
    const sizes = { tokens: tile.m + 9 };
    const inputs = GEMM.inputs(decode(e), sizes, 3);
    const y = await runKernel(context, 'dense/gemm', denseGemmPlan(e, sizes.tokens, tile), inputs);
    const verified = verifyOutputs(y, expectedOf(GEMM, decode(e), inputs, sizes, { extraRoundings: 2 }));
    expect(verified.ok, describeFailure(verified)).toBe(true);
  }
});

describe('Y = Q(X) W^T', () => {
  test.for([
    { tokens: 1, rows: 1, cols: 3, tile: { ...TILES.flat, k: 4 } },
    { tokens: 67, rows: 33, cols: 200, tile: { ...TILES.small, k: 8 } },
    { tokens: 5, rows: 9, cols: 1030, tile: TILES.tiny },
  ])('with $tokens tokens and weights of $rows x $cols equals the result of the CPU, bit by bit', checkIntegers);

  scheduled(
    'a software GPU compiles the large tile for three seconds',
    'the other tiles here, and src/formats/contract/kernels.gpu.test.ts, which runs dense/gemm_i8',
    'with 133 tokens and weights of 140 x 61 equals the result of the CPU, bit by bit',
    () => checkIntegers({ tokens: 133, rows: 140, cols: 61, tile: { ...TILES.large, k: 4 } }),
  );

  async function checkIntegers(shape: {
    readonly tokens: number;
    readonly rows: number;
    readonly cols: number;
    readonly tile: GemmTile;
  }): Promise<void> {
    const { tokens, rows, cols, tile } = shape;
    const e = weights(rows, cols, 'i8');
    const x = activationsOfEveryMagnitude(tokens, cols);
    const cells = Int8Array.from(
      { length: rows * cols },
      (_, i) => e.data[Math.floor(i / cols) * e.stride + (i % cols)],
    );
    const y = await runKernel(context, 'dense/gemm_i8', denseGemmI8Plan(e, context.facts, tokens, tile), { x });
    expect(y).toEqual(integerProduct({ rows, cols, cells, scales: Float32Array.from(e.scales) }, x));
  }

  test('sums integers exactly, also beyond the 24 bits of an f32', async () => {
    // 2000 products of 127 × 127 are 32 258 000, beyond the 24 bits of an f32 and far below the range of an i32.
    const cols = 2000;
    const e = finish(encodeSteps(denseMatrix(1, cols, new Float32Array(cols).fill(127)), { valueType: 'i8' }));
    expect(e.scales[0]).toBe(1);
    const plan = kernel('dense/gemm_i8').plan(e, context.facts, { tokens: 1 });
    const y = await runKernel(context, 'dense/gemm_i8', plan, { x: new Float32Array(cols).fill(127) });
    expect(Array.from(y)).toEqual([32_258_000]);
  });
});

describe('Q(X)', () => {
  test.for([
    { tokens: 9, cols: 1 },
    { tokens: 20, cols: 31 },
    { tokens: 17, cols: 64 },
    { tokens: 8, cols: 1100 },
  ])('Q of $tokens x $cols has the integers and scales of the CPU', async ({ tokens, cols }) => {
    const e = weights(1, cols, 'i8');
    const x = activationsOfEveryMagnitude(tokens, cols);
    const plan = kernel('dense/quantise').plan(e, context.facts, { tokens });
    const words = Math.ceil(cols / 4);
    const packed = (values: Int8Array): Uint32Array => {
      const row = new Uint32Array(words);
      new Int8Array(row.buffer).set(values);
      return row;
    };
    expect(await runKernelWords(context, 'dense/quantise', plan, { x })).toEqual(
      quantisedWords(x, cols, words, packed),
    );
  });

  test.for(['dense/quantise', 'dense/gemm_i8'])(
    '%s rejects rows wider than workgroup memory, with limit and need',
    (id) => {
      const limit = context.facts.limits.maxComputeWorkgroupStorageSize;
      const rejection = kernel(id).fits(weights(1, limit, 'i8'), context.facts, { tokens: 1 });
      expect(rejection.ok ? '' : rejection.reason).toMatch(
        new RegExp(
          `^a workgroup needs \\d+ bytes of memory for ${limit} columns, but this device has ${limit} \\(maxComputeWorkgroupStorageSize\\)$`,
        ),
      );
    },
  );
});
