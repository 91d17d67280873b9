// For tests on a GPU: a toy format with one kernel, random matrices, and the test device.

import type { BenchCase, BenchFormat } from '../src/core/bench/cases.ts';
import type { EncodedMatrix } from '../src/core/format.ts';
import { splitWorkgroups, type KernelPlan, type KernelSpec } from '../src/core/kernel/kernel.ts';
import { denseMatrix, type Matrix, toDense } from '../src/core/matrix/index.ts';
import { Random } from '../src/core/number/random.ts';
import { type GpuContext, openDevice, type OpenOptions } from '../src/gpu/device.ts';

/** A dense matrix in f32 for the engine's tests: not a format of the application. */
export interface ToyEncoded extends EncodedMatrix {
  readonly data: Float32Array;
}

/** Encodes a matrix in the toy format. */
export function toyEncode(m: Matrix): ToyEncoded {
  return { rows: m.rows, cols: m.cols, nnz: m.nnz, checksums: {}, data: toDense(m) };
}

/** The toy kernel, y = A x with one lane per row. Tests replace lines of it to break it on purpose. */
export const TOY_WGSL = `// toy/spmv: y = A x, one lane per row.
struct Params { rows: u32, cols: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> data: array<f32>;
@group(0) @binding(2) var<storage, read> x: array<f32>;
@group(0) @binding(3) var<storage, read_write> y: array<f32>;
override LANES: u32 = 64;
@compute @workgroup_size(LANES)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let row = id.x;
  if (row >= params.rows) { return; }
  var sum = 0.0;
  for (var c = 0u; c < params.cols; c++) {
    let a = data[row * params.cols + c];
    if (a != 0.0) { sum += a * x[c]; }
  }
  y[row] = sum;
}
`;

/** Returns the plan of the toy kernel, or of another text `code`. */
export function toyPlan(e: ToyEncoded, code = TOY_WGSL): KernelPlan {
  return {
    buffers: [
      { role: 'params', name: 'params', data: Uint32Array.of(e.rows, e.cols) },
      { role: 'sparse', name: 'data', data: e.data },
      { role: 'input', name: 'x', type: 'f32' },
      { role: 'output', name: 'y', bytes: e.rows * 4 },
    ],
    passes: [
      {
        files: [{ path: 'toy/spmv.wgsl', code }],
        constants: { LANES: 64 },
        bindings: ['params', 'data', 'x', 'y'],
        workgroups: splitWorkgroups(Math.ceil(e.rows / 64)),
      },
    ],
    bytes: e.data.byteLength + e.cols * 4 + e.rows * 4,
  };
}

/** The toy kernel as a spec; with `code`, a broken one. */
export function toyKernel(code = TOY_WGSL, id = 'toy/spmv'): KernelSpec<ToyEncoded> {
  return {
    id,
    title: 'one lane per row',
    operation: 'spmv',
    extraRoundings: 1,
    features: [],
    fits: () => ({ ok: true, notes: [] }),
    plan: (e) => toyPlan(e, code),
  };
}

/** A seeded matrix with about `density` non-zeros, values between -1 and 1. */
export function randomMatrix(rows: number, cols: number, density: number, seed: number): Matrix {
  const random = new Random(seed);
  const data = Float32Array.from({ length: rows * cols }, () =>
    random.uniform() < density ? Math.fround(random.uniform() * 2 - 1) : 0,
  );
  return denseMatrix(rows, cols, data);
}

/** Opens a new device of the test browser. */
export function openTestDevice(options: OpenOptions = {}): Promise<GpuContext> {
  return openDevice(navigator.gpu, 'test', options);
}

let shared: Promise<GpuContext> | null = null;

/**
 * Returns one device for the tests of several files, which run in one page, so that compiled pipelines are cached between
 * files. It stays open until the page is closed.
 */
export function sharedTestDevice(): Promise<GpuContext> {
  shared ??= openTestDevice();
  return shared;
}

/** Returns the toy format with these kernels, as a benchmark needs it. */
export function toyFormat(id: string, kernels: readonly KernelSpec<ToyEncoded>[]): BenchFormat {
  return {
    id,
    title: id,
    effort: 1,
    kernels,
    // oxlint-disable-next-line require-yield -- done in one step
    *encodeSteps(m) {
      return toyEncode(m);
    },
    decode: (e: ToyEncoded) => denseMatrix(e.rows, e.cols, e.data),
    multiply: (e: ToyEncoded, x: Float32Array, y: Float32Array) => {
      for (let r = 0; r < e.rows; r++) {
        let sum = 0;
        for (let c = 0; c < e.cols; c++) {
          const a = e.data[r * e.cols + c];
          if (a !== 0) sum += a * x[c];
        }
        y[r] = sum;
      }
    },
  };
}

/** Returns the benchmark case of all kernels of a toy format on one matrix. */
export function toyCase(format: BenchFormat, matrix: Matrix): BenchCase {
  return {
    format,
    params: { valueType: 'f32' },
    kernels: 'all',
    encode: () => Promise.resolve({ encoded: toyEncode(matrix), encodeMs: 1 }),
  };
}
