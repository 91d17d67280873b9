import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Matrix, toDense } from '../core/matrix/index.ts';
import { roundToF16 } from '../core/number/index.ts';
import { Random } from '../core/number/random.ts';
import { formatById, formats } from '../formats/registry.ts';
import { generate } from '../generate/generate.ts';
import type { GpuContext } from '../gpu/index.ts';
import { openTestDevice } from '../../test/gpu.ts';
import { scheduled } from '../../test/scheduled.ts';
import { macko } from './codecs/macko.ts';
import type { Stored } from './encode.ts';
import { fromDense, referenceProduct } from './matrices.ts';
import { encode, kernelOf, run } from './on-demand.ts';
import type { KernelDescription } from './run.ts';

let device: GpuContext | null = null;
const testDevice = (): GpuContext => {
  if (device === null) throw new Error('found no device');
  return device;
};
beforeAll(async () => {
  device = await openTestDevice();
});
afterAll(() => device?.destroy());

it('run accepts any numbers, and reads them when it is called', async () => {
  const a = fromDense(2, 4, [1, 0, 2, 3, 0, -1.5, 0, 4]);
  const x = [0.1, -2, 3.25, 1e-3];
  const expected = [...referenceProduct(a, x)].map(Math.fround);
  const storedMatrix = encode(a, macko, { valueType: 'f32' });
  for (const input of [x, Float64Array.from(x), Float32Array.from(x)]) {
    const reused = input.slice();
    const pendingProduct = run(testDevice(), storedMatrix, reused);
    reused.fill(Number.NaN);
    const y = await pendingProduct;
    for (const [i, value] of expected.entries()) expect(y[i]).toBeCloseTo(value, 5);
  }
});

// Two non-zeros in each eight columns, which every format can store.
const a = generate({ pattern: 'n-of-m', rows: 24, cols: 64, density: 0.25, seed: 1 });

const encodings = new Map<string, Stored>();
/** The matrix stored in a format. All tests get the same object, so that `run` tries its kernels only once. */
function storedIn(id: string): Stored {
  const storedMatrix = encodings.get(id) ?? (encode(a, formatById(id)) as Stored);
  encodings.set(id, storedMatrix);
  return storedMatrix;
}

/** Rows of X with values that f16 represents exactly. */
function rowsOf(tokens: number, width: number): Float32Array {
  const random = new Random(tokens);
  return Float32Array.from({ length: tokens * width }, () => Math.round(random.uniform() * 64 - 32) / 16);
}

/** Y = X Aᵀ of the matrix as stored, in f64. */
function products(m: Matrix, x: Float32Array, tokens: number): readonly number[] {
  return Array.from({ length: tokens }, (_, t) => [
    ...referenceProduct(m, x.subarray(t * m.cols, (t + 1) * m.cols)),
  ]).flat();
}

function expectNear(y: Float32Array, expected: readonly number[]): void {
  expect(y).toHaveLength(expected.length);
  for (const [i, value] of expected.entries())
    expect(Math.abs(y[i] - value)).toBeLessThan(1e-3 * (1 + Math.abs(value)));
}

describe('run with tokens', () => {
  // MACKO has a kernel for several tokens, ELL has none.
  it.each(['macko', 'ell'])('of %s returns a row of outputs for each token', async (id) => {
    const format = formats.find((candidate) => candidate.id === id);
    if (!format) throw new Error(`found no format ${id}`);
    const storedMatrix: Stored = encode(a, format);
    const x = rowsOf(3, 64);
    expectNear(await run(testDevice(), storedMatrix, x, { tokens: 3 }), products(storedMatrix.decode(), x, 3));
    // The same kernels compute another X. One token gives the same as a vector.
    const negatedX = x.map((value) => -value);
    expectNear(
      await run(testDevice(), storedMatrix, negatedX, { tokens: 3 }),
      products(storedMatrix.decode(), negatedX, 3),
    );
    const firstToken = x.subarray(0, 64);
    expect(await run(testDevice(), storedMatrix, firstToken, { tokens: 1 })).toEqual(
      await run(testDevice(), storedMatrix, firstToken),
    );
  });

  it('multiplies more tokens than it puts on the device at once', async () => {
    const small = fromDense(2, 4, [1, 0, 2, 3, 0, -1.5, 0, 4]);
    const storedMatrix: Stored = encode(small, formatById('ell'));
    const x = rowsOf(70, 4);
    expectNear(await run(testDevice(), storedMatrix, x, { tokens: 70 }), products(small, x, 70));
  });
});

it('run with transposed multiplies by the transposed matrix', async () => {
  const storedMatrix = storedIn('macko');
  const x = rowsOf(2, 24);
  const cells = toDense(storedMatrix.decode());
  const expected = Array.from({ length: 2 * 64 }, (_, i) => {
    const [t, c] = [Math.floor(i / 64), i % 64];
    return Array.from({ length: 24 }, (__, r) => cells[r * 64 + c] * x[t * 24 + r]).reduce(
      (sum, term) => sum + term,
      0,
    );
  });
  expectNear(await run(testDevice(), storedMatrix, x, { tokens: 2, transposed: true }), expected);
});

/** Runs a described kernel with WebGPU, without functions of the package. */
async function runWithoutPackage(
  gpu: GPUDevice,
  kernel: KernelDescription,
  x: Float32Array<ArrayBuffer>,
): Promise<Float32Array> {
  const { STORAGE, UNIFORM, COPY_DST, COPY_SRC, MAP_READ } = GPUBufferUsage;
  const buffers = new Map<string, GPUBuffer>();
  for (const { name, role, usage, size, data } of kernel.buffers) {
    const buffer = gpu.createBuffer({
      size,
      usage: (usage === 'uniform' ? UNIFORM : STORAGE) | COPY_DST | COPY_SRC,
    });
    const content = role === 'input' ? kernel.input(x) : data;
    if (content) gpu.queue.writeBuffer(buffer, 0, content);
    buffers.set(name, buffer);
  }
  const bufferOf = (name: string): GPUBuffer => {
    const buffer = buffers.get(name);
    if (!buffer) throw new Error(`found no buffer ${name}`);
    return buffer;
  };
  const encoder = gpu.createCommandEncoder();
  for (const { wgsl, constants, bindings, workgroups } of kernel.passes) {
    const pipeline = gpu.createComputePipeline({
      layout: 'auto',
      compute: { module: gpu.createShaderModule({ code: wgsl }), entryPoint: 'main', constants },
    });
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    const entries = bindings.map(({ binding, buffer }) => ({ binding, resource: { buffer: bufferOf(buffer) } }));
    pass.setBindGroup(0, gpu.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }));
    pass.dispatchWorkgroups(...workgroups);
    pass.end();
  }
  const output = kernel.buffers.find(({ role }) => role === 'output');
  if (!output) throw new Error('found no output');
  const staging = gpu.createBuffer({ size: output.size, usage: MAP_READ | COPY_DST });
  encoder.copyBufferToBuffer(bufferOf(output.name), 0, staging, 0, output.size);
  gpu.queue.submit([encoder.finish()]);
  await staging.mapAsync(GPUMapMode.READ);
  const words = new Uint32Array(staging.getMappedRange().slice(0, output.bytes));
  for (const buffer of [staging, ...buffers.values()]) buffer.destroy();
  return kernel.read(words);
}

describe('a kernel with x in f16', () => {
  const macko16 = formatById('macko');
  const format = { ...macko16, kernels: macko16.kernels.filter(({ id }) => id === 'macko/spmv_subgroup_x16') };
  const small = fromDense(2, 4, [1, 0, 2, 3, 0, -1.5, 0, 4]);
  const storedMatrix = encode(small, format) as Stored;

  it('rounds x to f16, and rejects values that would become infinite', async () => {
    const x = [0.1, -2, 3.25, 1e-3];
    const rounded = Float32Array.from(x, roundToF16);
    expectNear(await run(testDevice(), storedMatrix, x), [...referenceProduct(small, rounded)]);
    await expect(run(testDevice(), storedMatrix, [1, 70_000, 1, 1])).rejects.toThrow(
      'x[1]: found 70000, expected below 65520 in magnitude, for macko/spmv_subgroup_x16 with x in f16',
    );
    expect([...(await run(testDevice(), storedMatrix, [Number.POSITIVE_INFINITY, 1, 1, 1]))]).toEqual([
      Number.POSITIVE_INFINITY,
      2.5,
    ]);
  });

  it('is described with x in pairs of f16', async () => {
    const kernel = await kernelOf(testDevice(), storedMatrix);
    expect(kernel.buffers.find(({ role }) => role === 'input')).toMatchObject({ bytes: 8, size: 16, type: 'f16' });
    expect(kernel.input([1, 2, 0.5, 0])).toEqual(Uint32Array.of(0x4000_3c00, 0x3800));
    expect(() => kernel.input([1, 2])).toThrow('x: found 2 values, expected one per column, 4');
    const x = Float32Array.of(0.1, -2, 3.25, 1e-3);
    expect(await runWithoutPackage(testDevice().device, kernel, x)).toEqual(await run(testDevice(), storedMatrix, x));
  });
});

describe('kernelOf', () => {
  /** Expects the described kernel to compute the same as `run`, for each number of tokens. */
  async function expectSameAsRun(id: string, tokenCounts: readonly number[]): Promise<void> {
    const storedMatrix = storedIn(id);
    for (const tokens of tokenCounts) {
      const kernel = await kernelOf(testDevice(), storedMatrix, { tokens });
      expect(kernel).toMatchObject({ rows: 24, cols: 64, operation: kernel.tokens === 1 ? 'spmv' : 'gemm' });
      expect(kernel.id.startsWith(`${id}/`)).toBe(true);
      expect(kernel.buffers.filter(({ role }) => role === 'input').map(({ type }) => type)).toEqual(['f32']);
      const x = Float32Array.from(rowsOf(kernel.tokens, 64));
      const y = await runWithoutPackage(testDevice().device, kernel, x);
      expect(y).toEqual(await run(testDevice(), storedMatrix, x, { tokens: kernel.tokens }));
      expectNear(y, products(storedMatrix.decode(), x, kernel.tokens));
    }
  }

  it('describes a kernel of macko that computes the same as run without the package', () =>
    expectSameAsRun('macko', [3]));

  for (const { id } of formats) {
    scheduled(
      'each format compiles all of its kernels, a second of a core',
      'MACKO, whose kernels are described by the same code',
      `describes a kernel of ${id} that computes the same as run without the package`,
      () => expectSameAsRun(id, [1, 3, 40]),
    );
  }

  it('binds every buffer that it lists by the name in the WGSL', async () => {
    const kernel = await kernelOf(testDevice(), storedIn('macko'));
    for (const { wgsl, bindings } of kernel.passes) {
      for (const { binding, variable } of bindings) {
        expect(wgsl).toMatch(new RegExp(`@binding\\(${binding}\\) var<[^>]*> ${variable}:`));
      }
    }
    const boundBuffers = new Set(kernel.passes.flatMap(({ bindings }) => bindings.map(({ buffer }) => buffer)));
    expect([...boundBuffers].toSorted()).toEqual(kernel.buffers.map(({ name }) => name).toSorted());
  });
});
