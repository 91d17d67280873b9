import aBf16 from '../../../shaders/common/matmul_a_bf16.wgsl?raw';
import aColumns from '../../../shaders/common/matmul_a_columns.wgsl?raw';
import aF16 from '../../../shaders/common/matmul_a_f16.wgsl?raw';
import aF32 from '../../../shaders/common/matmul_a_f32.wgsl?raw';
import aRows from '../../../shaders/common/matmul_a_rows.wgsl?raw';
import bBf16 from '../../../shaders/common/matmul_b_bf16.wgsl?raw';
import bColumns from '../../../shaders/common/matmul_b_columns.wgsl?raw';
import bRows from '../../../shaders/common/matmul_b_rows.wgsl?raw';
import f32 from '../../../shaders/common/gemm_f32.wgsl?raw';
import sizes from '../../../shaders/common/matmul_sizes.wgsl?raw';
import { type GemmTile, tileFor, tileMultiplyAdds, tilePass } from './gemm-plan.ts';
import type { DeviceFacts, ShaderFile, SizedPass } from './kernel.ts';

/** How the values of an operand are stored. */
export type OperandType = 'bf16' | 'f16' | 'f32';

/** One factor of C = A B. */
export interface Operand {
  /** name of its buffer */
  readonly buffer: string;
  readonly type: OperandType;
  /** rows: a stored row for every row of A or column of B, the sums running along it; columns: one for every k */
  readonly stored: 'rows' | 'columns';
  /** elements from one stored row to the next, a multiple of 4 */
  readonly stride: number;
}

/** C = A B with sums in f32: m rows, n columns, k products of every sum. */
export interface Matmul {
  readonly m: number;
  readonly n: number;
  readonly k: number;
  readonly a: Operand;
  readonly b: Operand & { readonly type: 'bf16' };
  /** buffer that the kernel's finish_four writes to */
  readonly output: string;
  /** elements from one row of C to the next */
  readonly outputStride: number;
  /** buffers bound behind the output */
  readonly further?: readonly string[];
  /** further sizes of the shader, in the order of matmul_sizes */
  readonly sizes?: readonly number[];
  /** the kernel with its main, and what it takes besides the operands */
  readonly files: readonly ShaderFile[];
  /** default: the one that suits m and n on this device */
  readonly tile?: GemmTile;
}

const file = (path: string, code: string): ShaderFile => ({ path: `common/${path}.wgsl`, code });

const A_TYPES: Readonly<Record<OperandType, ShaderFile>> = {
  bf16: file('matmul_a_bf16', aBf16),
  f16: file('matmul_a_f16', aF16),
  f32: file('matmul_a_f32', aF32),
};
const A_STORED = { rows: file('matmul_a_rows', aRows), columns: file('matmul_a_columns', aColumns) } as const;
const B_BF16 = file('matmul_b_bf16', bBf16);
const B_STORED = { rows: file('matmul_b_rows', bRows), columns: file('matmul_b_columns', bColumns) } as const;

/** Fields of matmul_sizes. */
const SIZES = 9;

/** One matmul as a pass, with the buffer of its sizes, `sizesName`. Bindings: sizes, A, B, output, further ones. */
export function matmulPass(sizesName: string, mm: Matmul, device: DeviceFacts): SizedPass {
  const { m, n, k, a, b, output, outputStride, further = [], tile = tileFor(mm.m, mm.n, device) } = mm;
  const { files, constants, workgroups } = tilePass(tile, m, n);
  const fields = [m, n, k, a.stride, b.stride, outputStride, ...(mm.sizes ?? [])];
  return {
    params: { role: 'params', name: sizesName, data: Uint32Array.from({ length: SIZES }, (_, i) => fields[i] ?? 0) },
    pass: {
      files: [
        file('gemm_f32', f32),
        ...files,
        file('matmul_sizes', sizes),
        A_TYPES[a.type],
        A_STORED[a.stored],
        B_BF16,
        B_STORED[b.stored],
        ...mm.files,
      ],
      constants,
      bindings: [sizesName, a.buffer, b.buffer, output, ...further],
      workgroups,
    },
    multiplyAdds: tileMultiplyAdds(tile, m, n, k),
  };
}

/** `length` rounded up to whole groups of four values. */
export function fourStride(length: number): number {
  return Math.ceil(length / 4) * 4;
}
