import gateInFull from '../../../shaders/common/gate_in_full.wgsl';
import hiddenShader from '../../../shaders/common/hidden.wgsl';
import packTwell from '../../../shaders/common/pack_twell.wgsl';
import type { EncodedMatrix } from '../encoded/encoded.ts';
import { splitWorkgroups, type SizedPass } from './kernel.ts';
import { fourStride, type Matmul, type Operand } from './matmul-plan.ts';
import { input, type Part } from './multi-pass-plan.ts';
import { shaderFiles } from './shader.ts';

/* GPU passes of the gated feed-forward block that several formats share; see src/core/operations/feed-forward.ts. */

type Shape = Pick<EncodedMatrix, 'rows' | 'cols'>;

/** A bf16 operand whose stored rows run along k, the dimension that is summed over. */
export function bf16Rows(buffer: string, stride: number): Operand & { readonly type: 'bf16' } {
  return { buffer, type: 'bf16', stored: 'rows', stride };
}

/** The GEMM ReLU(x Wg^T) into the buffer `output`, in dense bf16 with padded rows (`fourStride`); `width`: of x. */
export function gateMatmul({ rows, cols }: Shape, width: number, output = 'hidden'): Matmul {
  return {
    m: rows,
    n: cols,
    k: width,
    a: bf16Rows('x', width),
    b: bf16Rows('wg', width),
    output,
    outputStride: fourStride(cols),
    kernel: gateInFull,
  };
}

/** Bytes of the matrix that `gateMatmul` computes, in bf16 with padded rows. */
export const hiddenBytes = ({ rows, cols }: Shape): number => 2 * rows * fourStride(cols);

/** The input x of a block, with a row for each token. */
export const tokenInput = ({ rows }: Shape, width: number): Part => input('x', rows * width);
/** Weights of a block, with a row for each neuron. */
export const neuronInput = (name: string, { cols }: Shape, width: number): Part => input(name, cols * width);

/** The pass that packs the dense rows of `source` as TwELL tiles of `slots` slots into the buffer 'words'. */
export function packPass(
  { rows, cols }: Shape,
  { tileWidth, slots }: { readonly tileWidth: number; readonly slots: number },
  source: { readonly buffer: string; readonly type: 'bf16' | 'f32' },
  lanes: number,
): SizedPass {
  const tiles = Math.ceil(cols / tileWidth);
  return {
    params: { role: 'params', name: 'pack sizes', data: Uint32Array.of(rows, cols, tiles, slots, tileWidth) },
    pass: {
      files: shaderFiles(packTwell, [hiddenShader.variants[source.type]]),
      constants: { WORKGROUP_SIZE: lanes },
      bindings: ['pack sizes', source.buffer, 'words'],
      workgroups: splitWorkgroups(Math.ceil((rows * tiles) / lanes)),
    },
  };
}
