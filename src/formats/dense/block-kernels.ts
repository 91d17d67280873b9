import hidden from '../../../shaders/dense/hidden.wgsl';
import downShader from '../../../shaders/dense/down.wgsl';
import forwardShader from '../../../shaders/dense/forward.wgsl';
import upDownShader from '../../../shaders/dense/up_down.wgsl';
import { bf16Rows, gateMatmul, hiddenBytes, neuronInput, tokenInput } from '../../core/kernel/gated-block-passes.ts';
import type { KernelSpec } from '../../core/kernel/kernel.ts';
import { WEIGHTS } from '../../core/operations/feed-forward.ts';
import type { Sizes } from '../../core/operations/operation.ts';
import {
  fourStride,
  type Matmul,
  matmulChoices,
  matmulNeeds,
  matmulPasses,
  type Operand,
} from '../../core/kernel/matmul-plan.ts';
import {
  multiPassKernel,
  type MultiPassKernel,
  output,
  type Part,
  scratch,
  storedPart,
} from '../../core/kernel/multi-pass-plan.ts';
import { bf16Table } from '../../core/number/index.ts';
import type { DenseEncoded } from './layout.ts';

/*
 * Kernels of the gated feed-forward block y = (h * u) Wd, h = ReLU(x Wgᵀ), u = x Wuᵀ, with h stored dense, to compare
 * with formats that store its non-zeros (inputs: src/core/operations/feed-forward.ts). h and h * u are bf16 in between.
 */

/** Shader modules that read four values of a stored h, by the type of the values. */
export const HIDDEN_READERS = { f16: hidden.variants.f16, f32: hidden.variants.f32 } as const;

/** The types of a stored h that these kernels read. */
export const HIDDEN_TYPES = ['f16', 'f32'] as const;

/** y: the product of `a`, which is h or h * u, with Wd. */
function downOf({ rows, cols }: DenseEncoded, width: number, a: Operand): Matmul {
  return {
    m: rows,
    n: width,
    k: cols,
    a,
    b: { buffer: 'wd', type: 'bf16', stored: 'columns', stride: width },
    output: 'y',
    outputStride: width,
    kernel: downShader,
  };
}

/** The stored h as an operand. Throws RangeError for values in i8. */
export function storedHidden({ valueType, stride }: DenseEncoded): Operand & { readonly type: 'f16' | 'f32' } {
  const type = HIDDEN_TYPES.find((t) => t === valueType);
  if (type === undefined) throw new RangeError(`values: found ${valueType}, expected ${HIDDEN_TYPES.join(' or ')}`);
  return { buffer: 'data', type, stored: 'rows', stride };
}

const blockOutput = ({ rows }: DenseEncoded, width: number): Part => output('y', 4 * rows * width);

/** The matrix products of a kernel in order, and its buffers. */
interface Products {
  readonly matmuls: readonly Matmul[];
  readonly buffers: readonly Part[];
}

/** h = ReLU(x Wgᵀ). */
function gate(e: DenseEncoded, width: number): Products {
  return {
    matmuls: [gateMatmul(e, width, 'h')],
    buffers: [tokenInput(e, width), neuronInput('wg', e, width), output('h', hiddenBytes(e))],
  };
}

/** y = (h * x Wuᵀ) Wd for a stored h. */
function upDown(e: DenseEncoded, width: number): Products {
  const hidden = storedHidden(e);
  return {
    matmuls: [
      {
        ...gateMatmul(e, width, 'products'),
        b: bf16Rows('wu', width),
        trailing: ['data'],
        sizes: [hidden.stride],
        kernel: upDownShader,
        pieces: [HIDDEN_READERS[hidden.type]],
      },
      downOf(e, width, bf16Rows('products', fourStride(e.cols))),
    ],
    buffers: [
      tokenInput(e, width),
      neuronInput('wu', e, width),
      neuronInput('wd', e, width),
      storedPart('data', e.data),
      scratch('products', hiddenBytes(e)),
      blockOutput(e, width),
    ],
  };
}

/** y = h Wd for a stored h. */
function down(e: DenseEncoded, width: number): Products {
  return {
    matmuls: [downOf(e, width, storedHidden(e))],
    buffers: [neuronInput('wd', e, width), storedPart('data', e.data), blockOutput(e, width)],
  };
}

/** The whole block. With `isStoring`, h in bf16 and u in f32 are stored for the backward pass. */
function forward(e: DenseEncoded, width: number, isStoring: boolean): Products {
  const scratchOf = (name: string, bytes: number) => ({ ...scratch(name, bytes), movedBytes: isStoring ? bytes : 0 });
  return {
    matmuls: [
      gateMatmul(e, width),
      {
        ...gateMatmul(e, width, 'products'),
        b: bf16Rows('wu', width),
        trailing: ['hidden', 'up'],
        sizes: isStoring ? [1] : [],
        kernel: forwardShader,
      },
      downOf(e, width, bf16Rows('products', fourStride(e.cols))),
    ],
    buffers: [
      tokenInput(e, width),
      ...WEIGHTS.map((name) => neuronInput(name, e, width)),
      scratchOf('hidden', hiddenBytes(e)),
      scratchOf('up', isStoring ? 2 * hiddenBytes(e) : 16),
      scratch('products', hiddenBytes(e)),
      blockOutput(e, width),
    ],
  };
}

/** h as tokens × neurons in f32, from bf16 rows that are padded to multiples of four. */
function readHidden({ rows, cols }: DenseEncoded, words: Uint32Array<ArrayBuffer>): Float32Array {
  const table = bf16Table();
  const halves = new Uint16Array(words.buffer);
  const stride = fourStride(cols);
  const h = new Float32Array(rows * cols);
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < cols; c++) h[r * cols + c] = table[halves[r * stride + c]];
  }
  return h;
}

/** A kernel whose passes are all matmuls. */
export function matmulKernel(
  kernel: Omit<MultiPassKernel<DenseEncoded>, 'needs' | 'rejection' | 'choices' | 'partsOf'> & {
    readonly productsOf: (e: DenseEncoded, width: number, sizes: Sizes) => Products;
  },
): KernelSpec<DenseEncoded> {
  const { productsOf, ...spec } = kernel;
  return multiPassKernel({
    ...spec,
    needs: (e, device, sizes) => matmulNeeds(productsOf(e, sizes.width, sizes).matmuls, device),
    choices: (e, device, sizes) => matmulChoices(productsOf(e, sizes.width, sizes).matmuls, device),
    partsOf(e, sizes, device, chosen) {
      const { matmuls, buffers } = productsOf(e, sizes.width, sizes);
      return { passes: matmulPasses(matmuls, device, chosen), buffers };
    },
  });
}

/** The WebGPU kernels of the feed-forward block. */
export const blockKernels: readonly KernelSpec<DenseEncoded>[] = [
  matmulKernel({
    id: 'dense/gate',
    operation: 'gate',
    title: 'GEMM with ReLU, stored in full as bf16',
    extraRoundings: 1,
    productsOf: gate,
    outputType: 'bf16',
    read: readHidden,
  }),
  matmulKernel({
    id: 'dense/up_down',
    operation: 'up-down',
    title: 'two GEMMs, all neurons',
    extraRoundings: 2,
    productsOf: upDown,
    only: { valueType: HIDDEN_TYPES },
  }),
  matmulKernel({
    id: 'dense/down',
    operation: 'down',
    title: 'GEMM, all neurons',
    extraRoundings: 1,
    productsOf: down,
    only: { valueType: HIDDEN_TYPES },
  }),
  ...[false, true].map((isStoring) =>
    matmulKernel({
      id: isStoring ? 'dense/forward_storing' : 'dense/forward',
      operation: isStoring ? 'forward-storing' : 'forward',
      title: isStoring ? 'three GEMMs, x Wu is stored as well' : 'three GEMMs, all neurons',
      extraRoundings: 2,
      productsOf: (e, width) => forward(e, width, isStoring),
    }),
  ),
];
