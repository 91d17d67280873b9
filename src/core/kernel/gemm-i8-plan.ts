import { fitsLimits } from './device-limits.ts';
import type { Admission } from '../encoded/admission.ts';
import type { NamedArray } from '../encoded/encoded.ts';
import { type GemmTile, storePiece, tileMultiplyAdds, tileNeeds, tilePass } from './gemm-plan.ts';
import type { DeviceFacts, KernelPlan, PassPlan } from './kernel.ts';
import { type Activations, quantisedBytes, quantiseFits, quantiseParams } from './quantise-plan.ts';
import { shaderFiles, type ShaderModule } from './shader.ts';

const BYTES_PER_WORD = 4;

/**
 * Y = Q(X) W^T for f32 activations X, the input 'x', and weights W in i8: X is quantised in a first pass, to as many
 * words for each token (a multiple of 4) as a row of weights has. Y: tokens x rows, f32.
 */
export interface GemmI8Buffers {
  readonly activations: Activations;
  readonly rows: number;
  /** words, or windows, from one row of weights to the next */
  readonly stride: number;
  /** arrays of the weights: the first is bound in front of y, the others behind it */
  readonly arrays: readonly { readonly name: string; readonly data: NamedArray }[];
}

/** Whether the device can quantise the activations, bind every buffer, and run the tile. */
export function gemmI8Fits(b: GemmI8Buffers, device: DeviceFacts, tile: GemmTile): Admission {
  const first = quantiseFits(b.activations, device);
  if (!first.ok) return first;
  const bytes: readonly (readonly [string, number])[] = [
    ...b.arrays.map(({ name, data }) => [name, data.byteLength] as const),
    ['y', 4 * b.activations.tokens * b.rows],
  ];
  return fitsLimits(bytes, tileNeeds(tile), device);
}

/**
 * The plan in two passes: `first` quantises, then `kernel` multiplies tiles. `pieces`: its choices besides tile and output.
 * Bindings of the second: params, activations, the first array, y, the other arrays.
 */
export function gemmI8Plan(
  b: GemmI8Buffers,
  first: Omit<PassPlan, 'bindings'>,
  kernel: ShaderModule,
  pieces: readonly ShaderModule[],
  tile: GemmTile,
): KernelPlan {
  const { tokens, cols, words } = b.activations;
  const [weights, ...trailing] = b.arrays;
  const pass = tilePass(tile, tokens, b.rows);
  const outputBytes = 4 * tokens * b.rows;
  return {
    buffers: [
      // The first pass reads the first three alone.
      {
        role: 'params',
        name: 'params',
        data: Uint32Array.from([...quantiseParams(b.activations), b.rows, b.stride]),
      },
      { role: 'input', name: 'x', type: 'f32' },
      // Read four words at a time, the scales too.
      { role: 'scratch', name: 'activations', bytes: Math.ceil(quantisedBytes(b.activations) / 16) * 16 },
      ...b.arrays.map(({ name, data }) => ({ role: 'sparse', name, data }) as const),
      { role: 'output', name: 'y', bytes: outputBytes },
    ],
    passes: [
      { ...first, bindings: ['params', 'x', 'activations'] },
      {
        files: shaderFiles(kernel, [...tile.pieces, storePiece(b.rows), ...pieces]),
        constants: pass.constants,
        bindings: ['params', 'activations', weights.name, 'y', ...trailing.map(({ name }) => name)],
        workgroups: pass.workgroups,
      },
    ],
    bytes: 4 * tokens * cols + b.arrays.reduce((sum, { data }) => sum + data.byteLength, 0) + outputBytes,
    multiplyAdds: BYTES_PER_WORD * tileMultiplyAdds(tile, tokens, b.rows, words),
  };
}
