import bf16Bits from '../../../shaders/common/bf16_bits.wgsl?raw';
import downCode from '../../../shaders/dense/down.wgsl?raw';
import forwardCode from '../../../shaders/dense/forward.wgsl?raw';
import gateCode from '../../../shaders/common/gate_in_full.wgsl?raw';
import hiddenF16 from '../../../shaders/dense/hidden_f16.wgsl?raw';
import hiddenF32 from '../../../shaders/dense/hidden_f32.wgsl?raw';
import upDownCode from '../../../shaders/dense/up_down.wgsl?raw';
import { fitsLimits } from '../../core/kernel/device-limits.ts';
import { tileFor, tileNeeds } from '../../core/kernel/gemm-plan.ts';
import type { BufferPlan, DeviceFacts, KernelPlan, KernelSpec, ShaderFile } from '../../core/kernel/kernel.ts';
import { fourStride, type Matmul, matmulPass, type Operand } from '../../core/kernel/matmul-plan.ts';
import { bf16Table } from '../../core/number/index.ts';
import type { Sizes } from '../../core/operations/operation.ts';
import type { DenseEncoded } from './layout.ts';

/**
 * The feed-forward block with h in full: what formats that keep only its non-zeros are compared with. h and h * u are
 * bf16 between the passes. Inputs as src/core/operations/feed-forward.ts defines them.
 */

const file = (path: string, code: string): ShaderFile => ({ path, code });
const BF16_BITS = file('common/bf16_bits.wgsl', bf16Bits);
/** How h is read where it is a factor of sums, by its type. */
export const HIDDEN = {
  f16: file('dense/hidden_f16.wgsl', hiddenF16),
  f32: file('dense/hidden_f32.wgsl', hiddenF32),
} as const;

/** Value types whose h a kernel reads. */
export const HIDDEN_TYPES = ['f16', 'f32'] as const;

/** Rows of bf16 values with the sums running along them. */
export function bf16Rows(buffer: string, stride: number): Operand & { readonly type: 'bf16' } {
  return { buffer, type: 'bf16', stored: 'rows', stride };
}

/** ReLU(x Wg^T), bf16 with rows of a whole number of fours, into the buffer `output`. */
function gateOf({ rows, cols }: DenseEncoded, width: number, output: string): Matmul {
  return {
    m: rows,
    n: cols,
    k: width,
    a: bf16Rows('x', width),
    b: bf16Rows('wg', width),
    output,
    outputStride: fourStride(cols),
    files: [BF16_BITS, file('common/gate_in_full.wgsl', gateCode)],
  };
}

/** What of h is multiplied with Wd. */
function downOf({ rows, cols }: DenseEncoded, width: number, a: Operand): Matmul {
  return {
    m: rows,
    n: width,
    k: cols,
    a,
    b: { buffer: 'wd', type: 'bf16', stored: 'columns', stride: width },
    output: 'y',
    outputStride: width,
    files: [file('dense/down.wgsl', downCode)],
  };
}

/** The stored h as an operand. Throws RangeError for values in i8. */
export function storedHidden({ valueType, stride }: DenseEncoded): Operand & { readonly type: 'f16' | 'f32' } {
  const type = HIDDEN_TYPES.find((t) => t === valueType);
  if (type === undefined) throw new RangeError(`values: found ${valueType}, expected ${HIDDEN_TYPES.join(' or ')}`);
  return { buffer: 'data', type, stored: 'rows', stride };
}

/** Bytes of an input of bf16 values. */
const halves = (count: number): number => 2 * count;

interface Steps {
  readonly matmuls: readonly Matmul[];
  readonly buffers: readonly BufferPlan[];
}

function planOf({ matmuls, buffers }: Steps, e: DenseEncoded, width: number, device: DeviceFacts): KernelPlan {
  const passes = matmuls.map((matmul, i) =>
    matmulPass(matmuls.length === 1 ? 'params' : `params ${i + 1}`, matmul, device),
  );
  const bytesOf = (buffer: BufferPlan): number => {
    if (buffer.role === 'sparse') return buffer.data.byteLength;
    if (buffer.role === 'input') return halves((buffer.name === 'x' ? e.rows : e.cols) * width);
    return buffer.role === 'output' ? buffer.bytes : 0;
  };
  return {
    buffers: [...passes.map(({ params }) => params), ...buffers],
    passes: passes.map(({ pass }) => pass),
    bytes: buffers.reduce((sum, buffer) => sum + bytesOf(buffer), 0),
    multiplyAdds: passes.reduce((sum, { multiplyAdds }) => sum + multiplyAdds, 0),
  };
}

const input = (name: string): BufferPlan => ({ role: 'input', name, type: 'bf16' });
const output = ({ rows }: DenseEncoded, width: number): BufferPlan => ({
  role: 'output',
  name: 'y',
  bytes: 4 * rows * width,
});
const scratch = (name: string, { rows, cols }: DenseEncoded): BufferPlan => ({
  role: 'scratch',
  name,
  bytes: halves(rows * fourStride(cols)),
});

function gate(e: DenseEncoded, { width }: Sizes): Steps {
  return {
    matmuls: [gateOf(e, width, 'h')],
    buffers: [input('x'), input('wg'), { role: 'output', name: 'h', bytes: halves(e.rows * fourStride(e.cols)) }],
  };
}

function upDown(e: DenseEncoded, { width }: Sizes): Steps {
  const hidden = storedHidden(e);
  const stride = fourStride(e.cols);
  return {
    matmuls: [
      {
        ...gateOf(e, width, 'products'),
        b: bf16Rows('wu', width),
        further: ['data'],
        sizes: [hidden.stride],
        files: [BF16_BITS, HIDDEN[hidden.type], file('dense/up_down.wgsl', upDownCode)],
      },
      downOf(e, width, bf16Rows('products', stride)),
    ],
    buffers: [
      input('x'),
      input('wu'),
      input('wd'),
      { role: 'sparse', name: 'data', data: e.data },
      scratch('products', e),
      output(e, width),
    ],
  };
}

function down(e: DenseEncoded, { width }: Sizes): Steps {
  return {
    matmuls: [downOf(e, width, storedHidden(e))],
    buffers: [input('wd'), { role: 'sparse', name: 'data', data: e.data }, output(e, width)],
  };
}

function forward(e: DenseEncoded, { width }: Sizes): Steps {
  return {
    matmuls: [
      gateOf(e, width, 'hidden'),
      {
        ...gateOf(e, width, 'hidden'),
        b: bf16Rows('wu', width),
        files: [BF16_BITS, file('dense/forward.wgsl', forwardCode)],
      },
      downOf(e, width, bf16Rows('hidden', fourStride(e.cols))),
    ],
    buffers: [input('x'), input('wg'), input('wu'), input('wd'), scratch('hidden', e), output(e, width)],
  };
}

/** h out of the rows of bf16 pairs that the gate wrote. */
function readHidden({ rows, cols }: DenseEncoded, words: Uint32Array<ArrayBuffer>): Float32Array {
  const table = bf16Table();
  const halvesOf = new Uint16Array(words.buffer);
  const stride = fourStride(cols);
  const h = new Float32Array(rows * cols);
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < cols; c++) h[r * cols + c] = table[halvesOf[r * stride + c]];
  }
  return h;
}

function blockKernel(kernel: {
  readonly id: string;
  readonly operation: string;
  readonly title: string;
  readonly roundings: number;
  readonly stepsOf: (e: DenseEncoded, sizes: Sizes) => Steps;
  readonly more?: Pick<KernelSpec<DenseEncoded>, 'only' | 'outputType' | 'read'>;
}): KernelSpec<DenseEncoded> {
  const { id, operation, title, roundings, stepsOf, more } = kernel;
  return {
    id,
    title,
    operation,
    roundings,
    features: [],
    ...more,
    fits(e, device, { width }) {
      const buffers: readonly (readonly [string, number])[] = [
        ['x', halves(e.rows * width)],
        ['the weights', halves(e.cols * width)],
        ['h', Math.max(e.data.byteLength, halves(e.rows * fourStride(e.cols)))],
        ['y', 4 * e.rows * width],
      ];
      const tallest = [tileFor(e.rows, e.cols, device), tileFor(e.rows, width, device)].map((tile) => tileNeeds(tile));
      const memoryBytes = Math.max(...tallest.map((needs) => needs.memoryBytes));
      return fitsLimits(buffers, { memoryBytes, lanes: Math.max(...tallest.map((needs) => needs.lanes)) }, device);
    },
    plan: (e, device, sizes) => planOf(stepsOf(e, sizes), e, sizes.width, device),
  };
}

export const blockKernels: readonly KernelSpec<DenseEncoded>[] = [
  blockKernel({
    id: 'dense/gate',
    operation: 'gate',
    title: 'GEMM with ReLU, stored in full as bf16',
    roundings: 1,
    stepsOf: gate,
    more: { outputType: 'bf16', read: readHidden },
  }),
  blockKernel({
    id: 'dense/up_down',
    operation: 'up-down',
    title: 'two GEMMs, all neurons',
    roundings: 2,
    stepsOf: upDown,
    more: { only: { valueType: HIDDEN_TYPES } },
  }),
  blockKernel({
    id: 'dense/down',
    operation: 'down',
    title: 'GEMM, all neurons',
    roundings: 1,
    stepsOf: down,
    more: { only: { valueType: HIDDEN_TYPES } },
  }),
  blockKernel({
    id: 'dense/forward',
    operation: 'forward',
    title: 'three GEMMs, all neurons',
    roundings: 2,
    stepsOf: forward,
  }),
];
