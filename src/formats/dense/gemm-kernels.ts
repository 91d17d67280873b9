import quantise from '../../../shaders/common/quantise.wgsl';
import weights from '../../../shaders/common/weights.wgsl';
import gemm from '../../../shaders/dense/gemm.wgsl';
import gemmI8 from '../../../shaders/dense/gemm_i8.wgsl';
import gemmI8Matrix from '../../../shaders/dense/gemm_i8_subgroup_matrix.wgsl';
import gemmSplit from '../../../shaders/dense/gemm_split.wgsl';
import sumParts from '../../../shaders/dense/sum_parts.wgsl';
import { type GemmI8Buffers, gemmI8Kernel, gemmI8Plan } from '../../core/kernel/gemm-i8-plan.ts';
import { gemmI8SubgroupKernel } from '../../core/kernel/gemm-i8-subgroup-plan.ts';
import {
  gemmKernel,
  gemmPlan,
  type GemmTile,
  tileMultiplyAdds,
  tileNeeds,
  tileOn,
  tilePass,
  TILES,
  tokensPiece,
} from '../../core/kernel/gemm-plan.ts';
import { input, multiPassKernel, output, scratch, storedParts } from '../../core/kernel/multi-pass-plan.ts';
import { type DeviceFacts, splitWorkgroups, type KernelPlan, type KernelSpec } from '../../core/kernel/kernel.ts';
import { shaderFiles } from '../../core/kernel/shader.ts';
import {
  type Activations,
  quantiseFits,
  quantisePass,
  quantisePlan,
  readQuantised,
} from '../../core/kernel/quantise-plan.ts';
import { fewTokensKernels } from './few-tokens-kernels.ts';
import { buffers, WEIGHT_MODULES } from './gemm-operands.ts';
import type { DenseEncoded } from './layout.ts';

const BYTES_PER_WORD = 4;

/** Buffers of a product in i8. Rows of activations are as long as rows of weights, to be read four words at a time. */
function buffersI8(e: DenseEncoded, tokens: number): GemmI8Buffers {
  const words = e.stride / BYTES_PER_WORD;
  return {
    activations: { tokens, cols: e.cols, words },
    rows: e.rows,
    stride: words,
    arrays: buffers(e, tokens).arrays,
  };
}

/** Sizes of quantised activations without the padding of `buffersI8`. */
function activationsOf({ cols }: DenseEncoded, tokens: number): Activations {
  return { tokens, cols, words: Math.ceil(cols / BYTES_PER_WORD) };
}

/** The plan of 'dense/gemm' with any tile. */
export function denseGemmPlan(e: DenseEncoded, tokens: number, tile: GemmTile): KernelPlan {
  return gemmPlan(buffers(e, tokens), gemm, WEIGHT_MODULES[e.valueType], tile);
}

/** The plan of 'dense/gemm_i8' with any tile. */
export function denseGemmI8Plan(e: DenseEncoded, device: DeviceFacts, tokens: number, tile: GemmTile): KernelPlan {
  const b = buffersI8(e, tokens);
  return gemmI8Plan(b, quantisePass(b.activations, device, quantise), gemmI8, [weights.variants.words], tile);
}

/** Workgroups of 'dense/gemm_split': about four for each processor of a large device. */
const SPLIT_WORKGROUPS = 512;
/** Lanes of a workgroup of shaders/dense/sum_parts.wgsl. */
const SUM_LANES = 64;

/** How dense/gemm_split divides the columns: `parts` of `cols` columns, for workgroups that each compute a `tile`. */
function splitOf(e: DenseEncoded, tokens: number, device: DeviceFacts) {
  const tile = tileOn(device, tokens <= TILES.flat.m ? TILES.flat : TILES.half);
  const tiles = Math.max(1, Math.ceil(tokens / tile.m) * Math.ceil(e.rows / tile.n));
  const steps = Math.max(1, Math.ceil(e.cols / tile.k));
  const stepsOfPart = Math.min(steps, Math.max(4, Math.ceil((steps * tiles) / SPLIT_WORKGROUPS)));
  return { tile, cols: stepsOfPart * tile.k, parts: Math.ceil(steps / stepsOfPart) };
}

/** Split-k GEMM: each workgroup multiplies a part of the columns, and a second pass adds up the parts. */
const gemmSplitKernel: KernelSpec<DenseEncoded> = multiPassKernel({
  id: 'dense/gemm_split',
  title: 'tiles, k shared out among workgroups',
  operation: 'gemm',
  extraRoundings: 3,
  needs: (e, device, { tokens }) => tileNeeds(splitOf(e, tokens, device).tile),
  partsOf(e, { tokens }, device) {
    const { tile, cols, parts } = splitOf(e, tokens, device);
    const { arrays } = buffers(e, tokens);
    const [data, ...trailing] = arrays.map(({ name }) => name);
    const pass = tilePass(tile, tokens, e.rows);
    const fours = Math.ceil(e.rows / 4);
    const sizes = Uint32Array.of(tokens, e.cols, e.rows, e.stride);
    const params = { role: 'params', name: 'params', data: sizes } as const;
    return {
      passes: [
        {
          params,
          multiplyAdds: tileMultiplyAdds(tile, tokens, e.rows, e.cols),
          pass: {
            files: shaderFiles(gemmSplit, [...tile.pieces, tokensPiece(e.cols), ...WEIGHT_MODULES[e.valueType]]),
            constants: { ...pass.constants, PART_COLS: cols },
            bindings: ['params', 'x', data, 'parts', ...trailing],
            workgroups: [pass.workgroups[0], pass.workgroups[1], parts],
          },
        },
        {
          params,
          pass: {
            files: shaderFiles(sumParts),
            constants: { PARTS: parts },
            bindings: ['params', 'parts', 'y'],
            workgroups: splitWorkgroups(Math.ceil((tokens * fours) / SUM_LANES)),
          },
        },
      ],
      buffers: [
        input('x', tokens * e.cols, 'f32'),
        ...storedParts(arrays),
        scratch('parts', 16 * parts * tokens * fours),
        output('y', 4 * tokens * e.rows),
      ],
    };
  },
});

/** The WebGPU kernels of Y = X Wᵀ with dense weights, and the kernel that quantises activations. */
export const gemmKernels: readonly KernelSpec<DenseEncoded>[] = [
  gemmKernel({ id: 'dense/gemm', title: 'tiles, sums in f32', buffers, plan: denseGemmPlan }),
  ...fewTokensKernels,
  gemmSplitKernel,
  gemmI8Kernel({ id: 'dense/gemm_i8', title: 'tiles, exact integer sums', buffers: buffersI8, plan: denseGemmI8Plan }),
  gemmI8SubgroupKernel({
    id: 'dense/gemm_i8_subgroup_matrix',
    title: 'matrix units, exact integer sums',
    buffers: buffersI8,
    shader: gemmI8Matrix,
    quantise: (e, tokens, device, chosen) =>
      quantisePass(buffersI8(e, tokens).activations, device, quantise, {}, chosen),
  }),
  {
    id: 'dense/quantise',
    title: 'four bytes to a word',
    operation: 'quantise',
    extraRoundings: 0,
    features: [],
    only: { valueType: ['i8'] },
    fits: (e, device, { tokens }) => quantiseFits(activationsOf(e, tokens), device),
    plan(e, device, { tokens }) {
      const a = activationsOf(e, tokens);
      return quantisePlan(a, quantisePass(a, device, quantise));
    },
    read: (e, words, { tokens }) => readQuantised(activationsOf(e, tokens), words, (word) => BYTES_PER_WORD * word),
  },
];
