import operandA from '../../../shaders/common/matmul_a.wgsl';
import operandB from '../../../shaders/common/matmul_b.wgsl';
import { largestNeeds, type WorkgroupNeeds } from './device-limits.ts';
import type { Choice, Chosen } from './choices.ts';
import { type GemmTile, tileChoices, tileFor, tileMultiplyAdds, tileNeeds, tilePass } from './gemm-plan.ts';
import type { DeviceFacts, SizedPass } from './kernel.ts';
import { shaderFiles, type ShaderModule } from './shader.ts';

/** One factor of C = A B. */
export interface Operand {
  /** name of its buffer */
  readonly buffer: string;
  readonly type: 'bf16' | 'f16' | 'f32';
  /** rows: each stored row is a row of A or a column of B; columns: each stored row is a column of A or a row of B */
  readonly stored: 'rows' | 'columns';
  /** elements from one stored row to the next, a multiple of 4 */
  readonly stride: number;
}

/**
 * C = A B with sums in f32: m rows, n columns, k products per sum. Unlike in gemm-plan.ts, either factor may be
 * stored by rows or columns, and each kernel may transform its sums before it stores them.
 */
export interface Matmul {
  readonly m: number;
  readonly n: number;
  readonly k: number;
  readonly a: Operand;
  readonly b: Operand & { readonly type: 'bf16' };
  /** buffer that finish_four, a function of the kernel's shader, writes to */
  readonly output: string;
  /** elements from one row of C to the next */
  readonly outputStride: number;
  /** buffers bound after the output */
  readonly trailing?: readonly string[];
  /** further sizes, after the six that every matmul has, in the order of shaders/common/matmul.wgsl */
  readonly sizes?: readonly number[];
  /** weight of the L1 penalty on the hidden activations h, whose gradient a kernel of the backward pass adds */
  readonly l1Weight?: number;
  /** C is the result of an earlier kernel: the pass runs before the others and is not timed */
  readonly isPrecomputed?: boolean;
  readonly kernel: ShaderModule;
  /** shader modules other than those for operands and tile */
  readonly pieces?: readonly ShaderModule[];
  /** default: `tileFor` m and n on the device */
  readonly tile?: GemmTile;
}

/** Fields of the uniform of shaders/common/matmul.wgsl: integers, the last an f32, the L1 weight. */
const SIZE_FIELDS = 10;

/** One matmul as a pass, and the buffer `sizesName` of its sizes. Bindings: sizes, A, B, output, trailing buffers. */
export function matmulPass(sizesName: string, mm: Matmul, device: DeviceFacts, chosen?: Chosen): SizedPass {
  const { m, n, k, a, b, output, outputStride, trailing = [], tile = tileFor(mm.m, mm.n, device, chosen) } = mm;
  const read = [operandA.variants[`${a.stored}_${a.type}`], operandB.variants[b.stored]];
  const pieces = [...tile.pieces, ...read, ...(mm.pieces ?? [])];
  const fields = [m, n, k, a.stride, b.stride, outputStride, ...(mm.sizes ?? [])];
  const data = Uint32Array.from({ length: SIZE_FIELDS }, (_, i) => fields[i] ?? 0);
  new Float32Array(data.buffer)[SIZE_FIELDS - 1] = mm.l1Weight ?? 0;
  return {
    params: { role: 'params', name: sizesName, data },
    pass: {
      ...(mm.isPrecomputed && { isPrecomputed: true }),
      files: shaderFiles(mm.kernel, pieces),
      ...tilePass(tile, m, n),
      bindings: [sizesName, a.buffer, b.buffer, output, ...trailing],
    },
    multiplyAdds: mm.isPrecomputed ? 0 : tileMultiplyAdds(tile, m, n, k),
  };
}

/** Several matmuls as the passes of one kernel, with buffers of sizes called 'sizes', or 'sizes 1' and so on. */
export function matmulPasses(matmuls: readonly Matmul[], device: DeviceFacts, chosen?: Chosen): readonly SizedPass[] {
  return matmuls.map((mm, i) => matmulPass(matmuls.length === 1 ? 'sizes' : `sizes ${i + 1}`, mm, device, chosen));
}

/** The choices of a timing trial (choices.ts): one tile for all of these matmuls. */
export function matmulChoices(matmuls: readonly Matmul[], device: DeviceFacts): readonly Choice[] {
  return tileChoices(matmuls.filter(({ tile }) => !tile).map(({ m, n }) => tileFor(m, n, device)));
}

/** Memory and lanes that these matmuls need per workgroup. */
export function matmulNeeds(matmuls: readonly Matmul[], device: DeviceFacts): WorkgroupNeeds {
  return largestNeeds(matmuls.map(({ m, n, tile = tileFor(m, n, device) }) => tileNeeds(tile)));
}

/** `length` rounded up to a multiple of 4: the stride of rows that are read four values at a time. */
export function fourStride(length: number): number {
  return Math.ceil(length / 4) * 4;
}
