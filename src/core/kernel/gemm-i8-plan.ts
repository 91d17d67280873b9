import type { WorkgroupNeeds } from './device-limits.ts';
import type { Support } from '../encoded/admission.ts';
import type { EncodedMatrix } from '../encoded/encoded.ts';
import { type GemmTile, storePiece, tileKernel, tileMultiplyAdds, tileNeeds, tilePass } from './gemm-plan.ts';
import type { DeviceFacts, KernelPlan, KernelSpec, PassPlan } from './kernel.ts';
import { input, output, partsFit, partsPlan, scratch, type StoredArrays, storedParts } from './multi-pass-plan.ts';
import { type Activations, quantisedBytes, quantiseFits, quantiseParams } from './quantise-plan.ts';
import { shaderFiles, type ShaderModule } from './shader.ts';

// Plans of kernels for Y = Q(X) W^T in i8: a first pass quantises the activations, a second multiplies tiles with dot
// products of four bytes. Kernels with subgroup matrices (gemm-i8-subgroup-plan.ts) share passes and buffers.

export const BYTES_PER_WORD = 4;

/** Bytes of four words, which lanes read at a time. */
export const GROUP_BYTES = 4 * BYTES_PER_WORD;

/**
 * Y = Q(X) W^T for f32 activations X, the input 'x', and weights W in i8: X is quantised in a first pass, to as many
 * words per token (a multiple of 4) as a row of weights has. Y: tokens x rows, f32.
 */
export interface GemmI8Buffers {
  readonly activations: Activations;
  readonly rows: number;
  /** from one row of weights to the next, in what their array stores: words, or windows of SlideSparse */
  readonly stride: number;
  /** arrays of the weights: the first is bound before y, the others after it */
  readonly arrays: StoredArrays;
}

/** Whether the device can quantise the activations, bind all buffers, and run workgroups with these needs. */
export function gemmI8BuffersFit(b: GemmI8Buffers, device: DeviceFacts, needs: WorkgroupNeeds): Support {
  const quantise = quantiseFits(b.activations, device);
  return quantise.ok ? partsFit([...storedParts(b.arrays), output('y', outputBytes(b))], needs, device) : quantise;
}

function outputBytes({ activations, rows }: GemmI8Buffers): number {
  return BYTES_PER_WORD * activations.tokens * rows;
}

/**
 * The plan in two passes: `quantise`, then `kernel`, which multiplies tiles. `pieces`: the shader modules that the kernel
 * includes in addition to the modules of the tile and the output. Its bindings: params, activations, first array, y, other
 * arrays.
 */
export function gemmI8Plan(
  b: GemmI8Buffers,
  quantise: Omit<PassPlan, 'bindings'>,
  kernel: ShaderModule,
  pieces: readonly ShaderModule[],
  tile: GemmTile,
): KernelPlan {
  const { tokens, words } = b.activations;
  const files = shaderFiles(kernel, [...tile.pieces, storePiece(b.rows), ...pieces]);
  return {
    ...quantisedProduct(b, quantise, { files, ...tilePass(tile, tokens, b.rows) }),
    multiplyAdds: BYTES_PER_WORD * tileMultiplyAdds(tile, tokens, b.rows, words),
  };
}

/** The plan of the two passes, with their buffers. */
export function quantisedProduct(
  b: GemmI8Buffers,
  quantise: Omit<PassPlan, 'bindings'>,
  product: Omit<PassPlan, 'bindings'>,
): KernelPlan {
  const { tokens, cols } = b.activations;
  const [weights, ...otherArrays] = b.arrays;
  // The pass that quantises reads only the first three sizes.
  const data = Uint32Array.from([...quantiseParams(b.activations), b.rows, b.stride]);
  return partsPlan(
    [{ role: 'params', name: 'params', data }],
    [
      input('x', tokens * cols, 'f32'),
      // The product reads whole groups, including the scales.
      scratch('activations', Math.ceil(quantisedBytes(b.activations) / GROUP_BYTES) * GROUP_BYTES),
      ...storedParts(b.arrays),
      output('y', outputBytes(b)),
    ],
    [
      { ...quantise, bindings: ['params', 'x', 'activations'] },
      { ...product, bindings: ['params', 'activations', weights.name, 'y', ...otherArrays.map(({ name }) => name)] },
    ],
  );
}

/**
 * What both kinds of kernels have in common. The four `extraRoundings`: weights as decoded for the check, a sum of integers
 * to f32, and its products with two scales.
 */
export const GEMM_I8 = { operation: 'gemm-i8', extraRoundings: 4, only: { valueType: ['i8'] } } as const;

/** A kernel of either kind: its id and title, and the buffers of a matrix. */
export interface I8Kernel<E> {
  readonly id: string;
  readonly title: string;
  buffers(e: E, tokens: number): GemmI8Buffers;
}

/** Y = Q(X) W^T in tiles, with dot products of four bytes. */
export function gemmI8Kernel<E extends EncodedMatrix>({
  buffers,
  ...spec
}: I8Kernel<E> & {
  plan(e: E, device: DeviceFacts, tokens: number, tile: GemmTile): KernelPlan;
}): KernelSpec<E> {
  return tileKernel({
    ...spec,
    ...GEMM_I8,
    arithmetic: 'i8',
    fits: (e, device, tokens, tile) => gemmI8BuffersFit(buffers(e, tokens), device, tileNeeds(tile)),
  });
}
