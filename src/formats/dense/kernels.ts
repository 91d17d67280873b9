import spmv from '../../../shaders/dense/spmv.wgsl';
import values from '../../../shaders/common/values.wgsl';
import rowPair from '../../../shaders/dense/row_pair.wgsl';
import rowQuad from '../../../shaders/dense/row_quad.wgsl';
import rowQuadI4 from '../../../shaders/dense/row_quad_i4.wgsl';
import { type DeviceFacts, foldWorkgroups, type KernelSpec, type ShaderKernel } from '../../core/kernel/kernel.ts';
import { shaderFiles, type ShaderModule } from '../../core/kernel/shader.ts';
import { nextPowerOfTwo, rowKernel, type SpmvBuffers } from '../../core/kernel/spmv-plan.ts';
import { Q4_GROUP } from '../../core/number/index.ts';
import { bf16Rows } from '../../core/kernel/gated-block-passes.ts';
import { blockKernels, HIDDEN, HIDDEN_TYPES, matmulKernel, storedHidden } from './block-kernels.ts';
import { digitsKernels } from './digits-kernels.ts';
import { gemmKernels } from './gemm-kernels.ts';
import { type DenseEncoded, hasScales } from './layout.ts';
import backward from '../../../shaders/dense/backward.wgsl';
import product from '../../../shaders/dense/backward_product.wgsl';
import sampledProduct from '../../../shaders/dense/sampled_product.wgsl';
import update from '../../../shaders/dense/update.wgsl';
import { fourStride, type Matmul, type Operand } from '../../core/kernel/matmul-plan.ts';
import { input, multiPassKernel, output, type Part, scratch, storedPart } from '../../core/kernel/multi-pass-plan.ts';
import type { Sizes } from '../../core/operations/operation.ts';
import { WEIGHTS } from '../../core/operations/feed-forward.ts';
import { fromMillionths } from '../../core/operations/training.ts';

/**
 * The backward pass of a gated feed-forward block with hg in full, and the product in it that is wanted where h is not 0:
 * what formats that keep only the non-zeros are compared with. Everything between the passes is in f32. Inputs as
 * src/core/operations/training.ts defines them.
 */

/** Tells the product to add to what is there. */
const ADDED = [1] as const;

/** Gradients between the passes, with a row for every token. */
function gradients(buffer: string, cols: number): Operand {
  return { buffer, type: 'f32', stored: 'rows', stride: fourStride(cols) };
}

/** dy Wd^T with h at hand, into `buffer` as `kernel` does. */
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
    pieces: [HIDDEN[hidden.type]],
  };
}

/**
 * The matmuls of the backward pass in their order: hu; dh and what follows neuron by neuron; dx, twice; the weights. If the
 * forward pass has left hu, a pass that is not timed stands in for it.
 */
function backwardMatmuls(e: DenseEncoded, { width, l1 }: Sizes, isPrecomputed: boolean): readonly Matmul[] {
  const { rows, cols } = e;
  const outputStride = fourStride(cols);
  const up = { m: rows, n: cols, k: width, output: 'up', outputStride, kernel: product, isPrecomputed };
  const ofInput = { m: rows, n: width, k: cols, output: 'dx', outputStride: width, kernel: product };
  const weight = { m: cols, n: width, k: rows, outputStride: width, kernel: product };
  const columns = (buffer: string): Matmul['b'] => ({ buffer, type: 'bf16', stored: 'columns', stride: width });
  const transposed = (buffer: string): Operand => ({ ...gradients(buffer, cols), stored: 'columns' });
  return [
    { ...up, a: bf16Rows('x', width), b: bf16Rows('wu', width) },
    { ...dhOf(e, width, 'dhu', backward), trailing: ['data', 'dhg', 'up', 'h'], l1Weight: fromMillionths(l1) },
    { ...ofInput, a: gradients('dhu', cols), b: columns('wu') },
    { ...ofInput, a: gradients('dhg', cols), b: columns('wg'), sizes: ADDED },
    { ...weight, a: transposed('dhg'), b: columns('x'), output: 'dwg' },
    { ...weight, a: transposed('dhu'), b: columns('x'), output: 'dwu' },
    { ...weight, a: transposed('h'), b: columns('dy'), output: 'dwd' },
  ];
}

/** The buffers of the backward pass besides those of sizes. Outputs in the order of the operation. */
function backwardParts(e: DenseEncoded, width: number, isPrecomputed: boolean): readonly Part[] {
  const { rows, cols } = e;
  const between = 4 * rows * fourStride(cols);
  return [
    input('x', rows * width),
    input('dy', rows * width),
    ...WEIGHTS.map((name) => input(name, cols * width)),
    storedPart('data', e.data),
    { ...scratch('up', between), movedBytes: isPrecomputed ? between : 0 },
    scratch('h', between),
    scratch('dhu', between),
    scratch('dhg', between),
    output('dx', 4 * rows * width),
    ...WEIGHTS.map((name) => output(`d${name}`, 4 * cols * width)),
  ];
}

function sampledParts(e: DenseEncoded, width: number): readonly Part[] {
  return [
    input('dy', e.rows * width),
    input('wd', e.cols * width),
    storedPart('data', e.data),
    output('products', 4 * e.rows * fourStride(e.cols)),
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

const UPDATE_LANES = 128;

export const trainingKernels: readonly KernelSpec<DenseEncoded>[] = [
  ...[false, true].map((isPrecomputed) =>
    matmulKernel({
      id: isPrecomputed ? 'dense/backward_stored' : 'dense/backward',
      title: isPrecomputed ? 'six GEMMs, x Wu is there from the forward pass' : 'seven GEMMs, all neurons',
      operation: isPrecomputed ? 'backward-stored' : 'backward',
      roundings: 3,
      only: { valueType: HIDDEN_TYPES },
      stepsOf: (e, width, sizes) => ({
        matmuls: backwardMatmuls(e, sizes, isPrecomputed),
        buffers: backwardParts(e, width, isPrecomputed),
      }),
    }),
  ),
  multiPassKernel({
    id: 'dense/update',
    title: 'a lane for eight weights',
    operation: 'update',
    roundings: 2,
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
        workgroups: foldWorkgroups(Math.ceil(count / 8 / UPDATE_LANES)),
      };
      const params = { role: 'params', name: 'sizes', data } as const;
      const bindings = WEIGHTS.map((name) => ['sizes', name, `d${name}`, `${name} updated`]);
      return {
        steps: bindings.map((bound) => ({ params, pass: { ...pass, bindings: bound } })),
        buffers: bindings.flatMap(([, w, dw, to]) => [input(w, count), input(dw, count, 'f32'), output(to, 2 * count)]),
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
    roundings: 1,
    read: withoutPadding,
    only: { valueType: HIDDEN_TYPES },
    stepsOf: (e, width) => ({
      matmuls: [dhOf(e, width, 'products', sampledProduct)],
      buffers: sampledParts(e, width),
    }),
  }),
];

/** Columns that a lane reads at a time. */
const GROUP = 8;
const MIN_LANES = 64;
const MAX_LANES = 256;
/** Fewer in i4, where a lane has twice as many columns. */
const MAX_LANES_I4 = 128;

/**
 * How rows of a value type are read. The narrower the values, the more rows share what is read of x, so that x never
 * takes more of the way to memory than they do.
 */
const ROWS: Readonly<
  Record<DenseEncoded['valueType'], { readonly perWorkgroup: number; readonly pieces: readonly ShaderModule[] }>
> = {
  f32: { perWorkgroup: 2, pieces: [rowPair, values.variants.f32] },
  f16: { perWorkgroup: 2, pieces: [rowPair, values.variants.f16] },
  i8: { perWorkgroup: 4, pieces: [rowQuad] },
  i4: { perWorkgroup: 4, pieces: [rowQuadI4] },
};

function buffers(e: DenseEncoded): SpmvBuffers {
  return {
    rows: e.rows,
    cols: e.cols,
    params: [e.rows, e.cols, e.stride],
    arrays: [{ name: 'data', data: e.data }],
    xType: 'f32',
    ...(hasScales(e) ? { trailing: [{ name: 'scales', data: e.scales }] } : {}),
  };
}

/** Columns per lane and step: 8, or in i4 half a group, whose 16 columns lie apart. */
function columnsOfLane({ valueType }: DenseEncoded): number {
  return valueType === 'i4' ? Q4_GROUP / 2 : GROUP;
}

/** Parts of a row, each what a lane reads in a step, that have all their columns. */
function wholeParts(e: DenseEncoded): number {
  return e.valueType === 'i4' ? 2 * Math.floor(e.cols / Q4_GROUP) : Math.floor(e.cols / GROUP);
}

/** As many lanes as a row has groups for two steps, so that two loads per row are under way. */
function lanesFor(e: DenseEncoded, { limits }: DeviceFacts): number {
  const wanted = nextPowerOfTwo(e.cols / columnsOfLane(e) / 2);
  const max = e.valueType === 'i4' ? MAX_LANES_I4 : MAX_LANES;
  return Math.max(MIN_LANES, Math.min(max, wanted, limits.maxComputeInvocationsPerWorkgroup));
}

function fewRowsKernel(kernel: ShaderKernel): KernelSpec<DenseEncoded> {
  return rowKernel({
    ...kernel,
    roundings: 2,
    storesZeros: true,
    lanes: lanesFor,
    memoryBytesPerLane: (e) => ROWS[e.valueType].perWorkgroup * 4,
    rowsPerWorkgroup: (_device, _lanes, e) => ROWS[e.valueType].perWorkgroup,
    buffers,
    pieces: (e) => ROWS[e.valueType].pieces,
    constants: (e, lanes) => ({ FULL_STEPS: Math.floor(wholeParts(e) / lanes) }),
  });
}

export const kernels: readonly KernelSpec<DenseEncoded>[] = [
  fewRowsKernel({
    id: 'dense/spmv_subgroup',
    title: 'a few rows per workgroup, summed by subgroups',
    features: ['subgroups'],
    shader: spmv.variants.subgroup,
  }),
  fewRowsKernel({
    id: 'dense/spmv_workgroup',
    title: 'a few rows per workgroup, without subgroups',
    features: [],
    shader: spmv.variants.workgroup,
  }),
  ...digitsKernels,
  ...gemmKernels,
  ...blockKernels,
  ...trainingKernels,
];
