import backward from '../../../shaders/dense/backward.wgsl';
import product from '../../../shaders/dense/backward_product.wgsl';
import sampledProduct from '../../../shaders/dense/sampled_product.wgsl';
import update from '../../../shaders/dense/update.wgsl';
import { bf16Rows } from '../../core/kernel/gated-block-passes.ts';
import { splitWorkgroups, type KernelSpec } from '../../core/kernel/kernel.ts';
import { fourStride, type Matmul, type Operand } from '../../core/kernel/matmul-plan.ts';
import { input, multiPassKernel, output, type Part, scratch, storedPart } from '../../core/kernel/multi-pass-plan.ts';
import { shaderFiles, type ShaderModule } from '../../core/kernel/shader.ts';
import { WEIGHTS } from '../../core/operations/feed-forward.ts';
import type { Sizes } from '../../core/operations/operation.ts';
import { fromMillionths } from '../../core/operations/training.ts';
import { HIDDEN_READERS, HIDDEN_TYPES, matmulKernel, storedHidden } from './block-kernels.ts';
import type { DenseEncoded } from './layout.ts';

/*
 * Kernels of training with the gate activations hg stored dense, to compare with formats that store only non-zeros: the
 * backward pass of a gated feed-forward block; its product dy Wdᵀ alone, needed only where hg is not 0; the update of
 * the weights. Intermediate results are f32. Inputs and names such as hg: src/core/operations/training.ts.
 */

/** `h_stride` = 1 in shaders/dense/backward_product.wgsl: the product is added to the output, not written over it. */
const ADD_TO_OUTPUT = [1] as const;

/** A matrix in f32 between the passes, with a row for every token. */
function f32Rows(buffer: string, cols: number): Operand {
  return { buffer, type: 'f32', stored: 'rows', stride: fourStride(cols) };
}

/** The product dy Wdᵀ, from which `kernel` computes what it writes to `buffer`. */
function dhOf(e: DenseEncoded, width: number, buffer: string, kernel: ShaderModule): Matmul {
  const hidden = storedHidden(e);
  return {
    m: e.rows,
    n: e.cols,
    k: width,
    a: bf16Rows('dy', width),
    b: bf16Rows('wd', width),
    output: buffer,
    outputStride: fourStride(e.cols),
    trailing: ['data'],
    sizes: [hidden.stride],
    kernel,
    pieces: [HIDDEN_READERS[hidden.type]],
  };
}

/**
 * The matmuls of the backward pass in order: hu; dh, with h, dhu and dhg, which follow elementwise; two summands of dx;
 * the gradients of the three weights. With `isPrecomputed`, hu is from the forward pass, and is not timed.
 */
function backwardMatmuls(e: DenseEncoded, { width, l1 }: Sizes, isPrecomputed: boolean): readonly Matmul[] {
  const { rows, cols } = e;
  const outputStride = fourStride(cols);
  const up = { m: rows, n: cols, k: width, output: 'up', outputStride, kernel: product, isPrecomputed };
  const ofInput = { m: rows, n: width, k: cols, output: 'dx', outputStride: width, kernel: product };
  const weight = { m: cols, n: width, k: rows, outputStride: width, kernel: product };
  const columns = (buffer: string): Matmul['b'] => ({ buffer, type: 'bf16', stored: 'columns', stride: width });
  const transposed = (buffer: string): Operand => ({ ...f32Rows(buffer, cols), stored: 'columns' });
  return [
    { ...up, a: bf16Rows('x', width), b: bf16Rows('wu', width) },
    { ...dhOf(e, width, 'dhu', backward), trailing: ['data', 'dhg', 'up', 'h'], l1Weight: fromMillionths(l1) },
    { ...ofInput, a: f32Rows('dhu', cols), b: columns('wu') },
    { ...ofInput, a: f32Rows('dhg', cols), b: columns('wg'), sizes: ADD_TO_OUTPUT },
    { ...weight, a: transposed('dhg'), b: columns('x'), output: 'dwg' },
    { ...weight, a: transposed('dhu'), b: columns('x'), output: 'dwu' },
    { ...weight, a: transposed('h'), b: columns('dy'), output: 'dwd' },
  ];
}

/** The buffers of the backward pass without its sizes; outputs in the order of the operation. */
function backwardParts(e: DenseEncoded, width: number, isPrecomputed: boolean): readonly Part[] {
  const { rows, cols } = e;
  const hiddenF32Bytes = 4 * rows * fourStride(cols);
  return [
    input('x', rows * width),
    input('dy', rows * width),
    ...WEIGHTS.map((name) => input(name, cols * width)),
    storedPart('data', e.data),
    { ...scratch('up', hiddenF32Bytes), movedBytes: isPrecomputed ? hiddenF32Bytes : 0 },
    scratch('h', hiddenF32Bytes),
    scratch('dhu', hiddenF32Bytes),
    scratch('dhg', hiddenF32Bytes),
    output('dx', 4 * rows * width),
    ...WEIGHTS.map((name) => output(`d${name}`, 4 * cols * width)),
  ];
}

/** The buffers of the sampled product. */
function sampledParts(e: DenseEncoded, width: number): readonly Part[] {
  return [
    input('dy', e.rows * width),
    input('wd', e.cols * width),
    storedPart('data', e.data),
    output('products', 4 * e.rows * fourStride(e.cols)),
  ];
}

/** The output without the padding of its rows to multiples of four. */
function withoutPadding({ rows, cols }: DenseEncoded, words: Uint32Array<ArrayBuffer>): Float32Array {
  const padded = new Float32Array(words.buffer, words.byteOffset, words.length);
  const stride = fourStride(cols);
  const cells = new Float32Array(rows * cols);
  for (let r = 0; r < rows; r++) cells.set(padded.subarray(r * stride, r * stride + cols), r * cols);
  return cells;
}

const UPDATE_LANES = 128;

/** The WebGPU kernels of training. */
export const trainingKernels: readonly KernelSpec<DenseEncoded>[] = [
  ...[false, true].map((isPrecomputed) =>
    matmulKernel({
      id: isPrecomputed ? 'dense/backward_stored' : 'dense/backward',
      title: isPrecomputed ? 'six GEMMs, x Wu is there from the forward pass' : 'seven GEMMs, all neurons',
      operation: isPrecomputed ? 'backward-stored' : 'backward',
      extraRoundings: 3,
      only: { valueType: HIDDEN_TYPES },
      productsOf: (e, width, sizes) => ({
        matmuls: backwardMatmuls(e, sizes, isPrecomputed),
        buffers: backwardParts(e, width, isPrecomputed),
      }),
    }),
  ),
  multiPassKernel({
    id: 'dense/update',
    title: 'a lane for eight weights',
    operation: 'update',
    extraRoundings: 2,
    outputType: 'bf16',
    needs: () => ({ lanes: UPDATE_LANES, memoryBytes: 0 }),
    // A pass for each of the weights.
    partsOf({ cols }, { width, rate }) {
      const count = cols * width;
      const data = Uint32Array.of(count / 8, 0);
      new Float32Array(data.buffer)[1] = fromMillionths(rate);
      const pass = {
        files: shaderFiles(update),
        constants: { WORKGROUP_SIZE: UPDATE_LANES },
        workgroups: splitWorkgroups(Math.ceil(count / 8 / UPDATE_LANES)),
      };
      const params = { role: 'params', name: 'sizes', data } as const;
      const bindingsOfPasses = WEIGHTS.map((name) => ['sizes', name, `d${name}`, `${name} updated`]);
      return {
        passes: bindingsOfPasses.map((bindings) => ({ params, pass: { ...pass, bindings } })),
        buffers: bindingsOfPasses.flatMap(([, w, dw, updated]) => [
          input(w, count),
          input(dw, count, 'f32'),
          output(updated, 2 * count),
        ]),
      };
    },
    // Two bf16 in a word, each the upper half of an f32.
    read(_, words) {
      const bits = new Uint32Array(2 * words.length);
      for (let i = 0; i < words.length; i++) {
        bits[2 * i] = words[i] << 16;
        bits[2 * i + 1] = words[i] & 0xffff0000;
      }
      return new Float32Array(bits.buffer);
    },
  }),
  matmulKernel({
    id: 'dense/sampled_product',
    title: 'GEMM, all neurons, masked at the end',
    operation: 'sampled-product',
    extraRoundings: 1,
    read: withoutPadding,
    only: { valueType: HIDDEN_TYPES },
    productsOf: (e, width) => ({
      matmuls: [dhOf(e, width, 'products', sampledProduct)],
      buffers: sampledParts(e, width),
    }),
  }),
];
