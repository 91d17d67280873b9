import groupScales from '../../../shaders/common/group_scales.wgsl';
import rowScale from '../../../shaders/common/row_scale.wgsl';
import weights from '../../../shaders/common/weights.wgsl';
import values from '../../../shaders/common/values.wgsl';
import deltas from '../../../shaders/macko/deltas.wgsl';
import { splitWorkgroups, type KernelSpec } from '../../core/kernel/kernel.ts';
import {
  storePiece,
  tileChoices,
  tileForTokens,
  tileMultiplyAdds,
  tileNeeds,
  tilePass,
  tokensPiece,
} from '../../core/kernel/gemm-plan.ts';
import {
  input,
  multiPassKernel,
  output,
  scratch,
  storedArrays,
  storedParts,
  storedScales,
} from '../../core/kernel/multi-pass-plan.ts';
import { shaderFiles } from '../../core/kernel/shader.ts';
import type { MackoEncoded } from './layout.ts';
import gemmExpanded from '../../../shaders/macko/gemm_expanded.wgsl';

// The kernel of MACKO for many tokens, which expands the matrix to dense.

/** Lanes of a workgroup that writes a row of the dense matrix, and columns that it writes at a time. */
const EXPAND_LANES = 64;
const EXPAND_WINDOW = 1024;

/** Y = X Aᵀ for many tokens: the device expands the matrix to dense, and multiplies it in tiles. */
export const expandedKernel: KernelSpec<MackoEncoded> = multiPassKernel({
  id: 'macko/gemm_expanded',
  title: 'written out with its zeros, then tiles',
  operation: 'gemm',
  extraRoundings: 3,
  needs: (e, device, { tokens }) => {
    const { lanes, memoryBytes } = tileNeeds(tileForTokens(tokens, e.rows, device));
    // As in the header of the shader's variant `expand`.
    const expandBytes = 8 * EXPAND_LANES + 4 * EXPAND_WINDOW + 4;
    return { lanes: Math.max(lanes, EXPAND_LANES), memoryBytes: Math.max(memoryBytes, expandBytes) };
  },
  choices: (e, device, { tokens }) => tileChoices([tileForTokens(tokens, e.rows, device)]),
  partsOf(e, { tokens }, device, chosen) {
    const tile = tileForTokens(tokens, e.rows, device, chosen);
    const stride = 4 * Math.ceil(e.cols / 4);
    // Values with a scale take more bits than f16 has.
    const type = e.valueType === 'f16' ? 'f16' : 'f32';
    const params = { role: 'params', name: 'params', data: Uint32Array.of(tokens, e.cols, e.rows, stride) } as const;
    const scales = storedScales(e);
    return {
      passes: [
        {
          params,
          pass: {
            files: shaderFiles(gemmExpanded.variants.expand, [
              ...(e.valueType === 'i4'
                ? [values.variants.i4_entries, groupScales.variants.at_5]
                : [values.variants[e.valueType]]),
              rowScale.variants[e.valueType === 'i8' ? 'at_5' : 'none'],
              deltas.variants[e.deltaBits],
            ]),
            constants: { WORKGROUP_SIZE: EXPAND_LANES, WINDOW: EXPAND_WINDOW, HALVES: type === 'f16' ? 1 : 0 },
            bindings: ['params', 'values', 'deltas', 'indptr', 'cells', ...scales.map(({ name }) => name)],
            workgroups: splitWorkgroups(e.rows),
          },
        },
        {
          params,
          multiplyAdds: tileMultiplyAdds(tile, tokens, e.rows, e.cols),
          pass: {
            files: shaderFiles(gemmExpanded.variants.product, [
              ...tile.pieces,
              tokensPiece(e.cols),
              storePiece(e.rows),
              weights.variants[type],
            ]),
            ...tilePass(tile, tokens, e.rows),
            bindings: ['params', 'x', 'cells', 'y'],
          },
        },
      ],
      buffers: [
        input('x', tokens * e.cols, 'f32'),
        ...storedParts([...storedArrays(e, ['values', 'deltas', 'indptr']), ...scales]),
        scratch('cells', (type === 'f16' ? 2 : 4) * e.rows * stride),
        output('y', 4 * tokens * e.rows),
      ],
    };
  },
});
