import gatedBackward from '../../../shaders/common/gated_backward.wgsl?raw';
import backwardCode from '../../../shaders/dense/backward.wgsl?raw';
import productCode from '../../../shaders/dense/backward_product.wgsl?raw';
import sampledProduct from '../../../shaders/dense/sampled_product.wgsl?raw';
import { fitsLimits } from '../../core/kernel/device-limits.ts';
import { tileFor, tileNeeds } from '../../core/kernel/gemm-plan.ts';
import type { BufferPlan, KernelSpec, ShaderFile } from '../../core/kernel/kernel.ts';
import { fourStride, type Matmul, matmulPass, type Operand } from '../../core/kernel/matmul-plan.ts';
import { bf16Rows, HIDDEN, HIDDEN_TYPES, storedHidden } from './block-kernels.ts';
import type { DenseEncoded } from './layout.ts';

/**
 * The backward pass of a gated feed-forward block with hg in full, and the product in it that is wanted where h is not 0:
 * what formats that keep only the non-zeros are compared with. Everything between the passes is in f32. Inputs as
 * src/core/operations/training.ts defines them.
 */

const PRODUCT: readonly ShaderFile[] = [{ path: 'dense/backward_product.wgsl', code: productCode }];
const BACKWARD: readonly ShaderFile[] = [
  { path: 'common/gated_backward.wgsl', code: gatedBackward },
  { path: 'dense/backward.wgsl', code: backwardCode },
];
const SAMPLED: readonly ShaderFile[] = [{ path: 'dense/sampled_product.wgsl', code: sampledProduct }];
/** Tells the product to add to what is there. */
const ADDED = [1] as const;

/** Gradients between the passes, with a row for every token. */
function gradients(buffer: string, cols: number): Operand {
  return { buffer, type: 'f32', stored: 'rows', stride: fourStride(cols) };
}

/** dy Wd^T with h at hand, into `output` as the kernel in `files` does. */
function dhOf(e: DenseEncoded, width: number, output: string, files: readonly ShaderFile[]): Matmul {
  const hidden = storedHidden(e);
  return {
    m: e.rows,
    n: e.cols,
    k: width,
    a: bf16Rows('dy', width),
    b: bf16Rows('wd', width),
    output,
    outputStride: fourStride(e.cols),
    further: ['data'],
    sizes: [hidden.stride],
    files: [HIDDEN[hidden.type], ...files],
  };
}

/** The matmuls of the backward pass in their order: hu; dh and what follows neuron by neuron; dx, twice; the weights. */
function backwardMatmuls(e: DenseEncoded, width: number): readonly Matmul[] {
  const { rows, cols } = e;
  const up = { m: rows, n: cols, k: width, outputStride: fourStride(cols) };
  const input = { m: rows, n: width, k: cols, output: 'dx', outputStride: width, files: PRODUCT };
  const weight = { m: cols, n: width, k: rows, outputStride: width, files: PRODUCT };
  const columns = (buffer: string): Matmul['b'] => ({ buffer, type: 'bf16', stored: 'columns', stride: width });
  const transposed = (buffer: string): Operand => ({ ...gradients(buffer, cols), stored: 'columns' });
  return [
    { ...up, a: bf16Rows('x', width), b: bf16Rows('wu', width), output: 'up', files: PRODUCT },
    { ...dhOf(e, width, 'dhu', BACKWARD), further: ['data', 'dhg', 'up'] },
    { ...input, a: gradients('dhu', cols), b: columns('wu') },
    { ...input, a: gradients('dhg', cols), b: columns('wg'), sizes: ADDED },
    { ...weight, a: transposed('dhg'), b: columns('x'), output: 'dwg' },
    { ...weight, a: transposed('dhu'), b: columns('x'), output: 'dwu' },
    { ...weight, a: transposed('up'), b: columns('dy'), output: 'dwd' },
  ];
}

/** A buffer and its bytes. */
type Part = readonly [BufferPlan, bytes: number];

const input = (name: string, bytes: number): Part => [{ role: 'input', name, type: 'bf16' }, bytes];
const kept = (role: 'output' | 'scratch', name: string, bytes: number): Part => [{ role, name, bytes }, bytes];
const stored = ({ data }: DenseEncoded): Part => [{ role: 'sparse', name: 'data', data }, data.byteLength];

/** The buffers of the backward pass besides those of sizes. Outputs in the order of the operation. */
function backwardParts(e: DenseEncoded, width: number): readonly Part[] {
  const { rows, cols } = e;
  const between = 4 * rows * fourStride(cols);
  return [
    input('x', 2 * rows * width),
    input('dy', 2 * rows * width),
    input('wg', 2 * cols * width),
    input('wu', 2 * cols * width),
    input('wd', 2 * cols * width),
    stored(e),
    kept('scratch', 'up', between),
    kept('scratch', 'dhu', between),
    kept('scratch', 'dhg', between),
    kept('output', 'dx', 4 * rows * width),
    kept('output', 'dwg', 4 * cols * width),
    kept('output', 'dwu', 4 * cols * width),
    kept('output', 'dwd', 4 * cols * width),
  ];
}

function sampledParts(e: DenseEncoded, width: number): readonly Part[] {
  return [
    input('dy', 2 * e.rows * width),
    input('wd', 2 * e.cols * width),
    stored(e),
    kept('output', 'products', 4 * e.rows * fourStride(e.cols)),
  ];
}

/** The cells out of rows that end on a whole number of fours. */
function withoutPadding({ rows, cols }: DenseEncoded, words: Uint32Array<ArrayBuffer>): Float32Array {
  const padded = new Float32Array(words.buffer, words.byteOffset, words.length);
  const stride = fourStride(cols);
  const cells = new Float32Array(rows * cols);
  for (let r = 0; r < rows; r++) cells.set(padded.subarray(r * stride, r * stride + cols), r * cols);
  return cells;
}

function trainingKernel(
  kernel: Pick<KernelSpec<DenseEncoded>, 'id' | 'title' | 'operation' | 'roundings' | 'read'> & {
    readonly matmulsOf: (e: DenseEncoded, width: number) => readonly Matmul[];
    readonly partsOf: (e: DenseEncoded, width: number) => readonly Part[];
  },
): KernelSpec<DenseEncoded> {
  const { matmulsOf, partsOf, ...rest } = kernel;
  return {
    ...rest,
    features: [],
    only: { valueType: HIDDEN_TYPES },
    fits(e, device, { width }) {
      const needs = matmulsOf(e, width).map(({ m, n }) => tileNeeds(tileFor(m, n, device)));
      return fitsLimits(
        partsOf(e, width).map(([{ name }, bytes]) => [name, bytes] as const),
        {
          lanes: Math.max(...needs.map(({ lanes }) => lanes)),
          memoryBytes: Math.max(...needs.map(({ memoryBytes }) => memoryBytes)),
        },
        device,
      );
    },
    plan(e, device, { width }) {
      const matmuls = matmulsOf(e, width);
      const steps = matmuls.map((matmul, i) =>
        matmulPass(matmuls.length === 1 ? 'sizes' : `sizes ${i + 1}`, matmul, device),
      );
      const parts = partsOf(e, width);
      return {
        buffers: [...steps.map(({ params }) => params), ...parts.map(([buffer]) => buffer)],
        passes: steps.map(({ pass }) => pass),
        bytes: parts.reduce((sum, [{ role }, bytes]) => sum + (role === 'scratch' ? 0 : bytes), 0),
        multiplyAdds: steps.reduce((sum, { multiplyAdds }) => sum + multiplyAdds, 0),
      };
    },
  };
}

export const trainingKernels: readonly KernelSpec<DenseEncoded>[] = [
  trainingKernel({
    id: 'dense/backward',
    title: 'seven GEMMs, all neurons',
    operation: 'backward',
    roundings: 3,
    matmulsOf: backwardMatmuls,
    partsOf: backwardParts,
  }),
  trainingKernel({
    id: 'dense/sampled_product',
    title: 'GEMM, all neurons, masked at the end',
    operation: 'sampled-product',
    roundings: 1,
    read: withoutPadding,
    matmulsOf: (e, width) => [dhOf(e, width, 'products', SAMPLED)],
    partsOf: sampledParts,
  }),
];
