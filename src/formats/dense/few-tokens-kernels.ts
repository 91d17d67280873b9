import eightsShader from '../../../shaders/dense/tokens.wgsl';
import rowScale from '../../../shaders/common/row_scale.wgsl';
import tokensShader from '../../../shaders/common/tokens.wgsl';
import values from '../../../shaders/common/values.wgsl';
import gemmFew from '../../../shaders/dense/gemm_few.wgsl';
import type { Choice } from '../../core/kernel/choices.ts';
import { laneChoice } from '../../core/kernel/device-limits.ts';
import type { DeviceFacts, KernelSpec, PassPlan } from '../../core/kernel/kernel.ts';
import { input, multiPassKernel, output, storedParts } from '../../core/kernel/multi-pass-plan.ts';
import { shaderFiles, type ShaderModule } from '../../core/kernel/shader.ts';
import { Q4_GROUP } from '../../core/number/index.ts';
import { buffers, WEIGHT_MODULES } from './gemm-operands.ts';
import type { DenseEncoded } from './layout.ts';

// Kernels for Y = X Wᵀ with so few tokens that the time to read the weights dominates.

/** Rows of the weights, and maximum number of tokens, of a workgroup of shaders/dense/gemm_few.wgsl#four_rows. */
const FEW_ROWS = 4;
const FEW_TOKENS = 8;
/** More lanes for one or two tokens, so that more loads of weights are in flight. */
const fewLanes = (tokens: number): number => (tokens <= 2 ? 128 : 64);
/** Sums that a workgroup reduces at a time: all 4 × 8 of them in #four_rows, half of 8 × 8 in #ahead. */
const FEW_SUMS = FEW_ROWS * FEW_TOKENS;

/** Shader modules that read eight weights at a time, and those that scale their sums. */
const EIGHTS: Readonly<Record<DenseEncoded['valueType'], readonly ShaderModule[]>> = {
  f32: [values.variants.f32, rowScale.variants.none],
  f16: [values.variants.f16, rowScale.variants.none],
  i8: [values.variants.i8, rowScale.variants.at_4],
  i4: [values.variants.i4, rowScale.variants.none],
};

/** The shader module that reads the eight elements of x that eight weights are multiplied with. */
function eightsOfTokens({ cols, valueType }: DenseEncoded): ShaderModule {
  // halves: columns c to c + 3 and c + 16 to c + 19, the order of 4-bit cells; ones: any length, with 0 past the end
  const { halves, halves_ones: halvesOnes, eights, ones } = eightsShader.variants;
  if (valueType === 'i4') return cols % Q4_GROUP === 0 ? halves : halvesOnes;
  return cols % 8 === 0 ? eights : ones;
}

/**
 * Lanes of a cluster: neighbouring lanes that are in one subgroup on this device for certain, and reduce sums by shuffles.
 * Each cluster leaves its sums in workgroup memory, so clusters of more lanes need less memory.
 */
function clusterOf({ subgroupMinSize }: DeviceFacts): number {
  return Math.max(1, Math.min(subgroupMinSize, FEW_SUMS));
}

/**
 * The pass and buffers of Y = X Wᵀ. `weightsFirst`: whether the shader binds the weights before x, as #four_rows does;
 * #ahead binds x first. `multiplyAdds`: how many the pass computes, with those of rows, tokens and columns past the end.
 */
function fewTokensParts(
  e: DenseEncoded,
  tokens: number,
  pass: Omit<PassPlan, 'bindings'> & { readonly weightsFirst?: boolean; readonly multiplyAdds: number },
) {
  const stored = storedParts(buffers(e, tokens).arrays);
  const { weightsFirst = false, multiplyAdds, ...rest } = pass;
  const [weights, ...trailing] = stored.map(({ buffer }) => buffer.name);
  const bindings = ['params', ...(weightsFirst ? [weights, 'x'] : ['x', weights]), 'y', ...trailing];
  const params = { role: 'params', name: 'params', data: Uint32Array.of(tokens, e.cols, e.rows, e.stride) } as const;
  return {
    passes: [{ params, pass: { ...rest, bindings }, multiplyAdds }],
    buffers: [...stored, input('x', tokens * e.cols, 'f32'), output('y', 4 * tokens * e.rows)],
  };
}

const gemmFewKernel: KernelSpec<DenseEncoded> = multiPassKernel({
  id: 'dense/gemm_few',
  title: 'four rows, eight tokens at a time',
  operation: 'gemm',
  extraRoundings: 2,
  features: ['subgroups'],
  needs(_, device, { tokens }) {
    const lanes = fewLanes(tokens);
    return { lanes, memoryBytes: (4 * FEW_SUMS * lanes) / clusterOf(device) };
  },
  partsOf(e, { tokens }, device) {
    const lanes = fewLanes(tokens);
    const { workgroups, each } = sharedTokens(tokens, FEW_TOKENS);
    return fewTokensParts(e, tokens, {
      files: shaderFiles(gemmFew.variants.four_rows, [...EIGHTS[e.valueType], eightsOfTokens(e)]),
      constants: {
        TOKENS: each,
        LANES: lanes,
        CLUSTER: clusterOf(device),
        STEPS: Math.ceil(e.stride / 8 / lanes),
      },
      weightsFirst: true,
      workgroups: [Math.max(1, Math.ceil(e.rows / FEW_ROWS)), workgroups, 1],
      multiplyAdds: FEW_ROWS * Math.ceil(e.rows / FEW_ROWS) * tokens * e.stride,
    });
  },
});

/** Rows of the weights, and maximum number of tokens, of a lane of shaders/dense/gemm_few.wgsl#ahead. */
const AHEAD_ROWS = 8;
const AHEAD_TOKENS = 8;
/** Lanes of a workgroup, unless tuned. */
const AHEAD_LANES = 128;

/** Maximum number of workgroups that read the same weights: with more, kernels that read them once should be faster. */
const MAX_READERS = 4;

/** Extra tokens that are computed and dropped: a workgroup can take longer for six tokens than for seven. */
const SPARE_CHOICE: Choice = { kind: 'one-of', name: 'spare tokens', start: 0, values: [0, 1] };

/** How many workgroups share the tokens, and how many each computes (`each`), the last one possibly fewer. */
function sharedTokens(tokens: number, max: number): { readonly workgroups: number; readonly each: number } {
  const workgroups = Math.max(1, Math.ceil(tokens / max));
  return { workgroups, each: Math.max(1, Math.ceil(tokens / workgroups)) };
}

/** Eight rows by eight tokens for a lane; the next weights are loaded before the current ones are multiplied. */
const gemmFewAheadKernel: KernelSpec<DenseEncoded> = multiPassKernel({
  id: 'dense/gemm_few_ahead',
  title: 'eight rows, eight tokens at a time, weights loaded ahead',
  operation: 'gemm',
  extraRoundings: 2,
  features: ['subgroups'],
  max: { tokens: MAX_READERS * AHEAD_TOKENS },
  needs: (_, device) => ({ lanes: AHEAD_LANES, memoryBytes: (4 * FEW_SUMS * AHEAD_LANES) / clusterOf(device) }),
  choices: (_, device, { tokens }) => [
    laneChoice(AHEAD_LANES, device, (4 * FEW_SUMS) / clusterOf(device)),
    // 1: neighbouring workgroups begin at different columns, so that they do not all want the same parts of memory
    { kind: 'one-of', name: 'apart', start: 0, values: [0, 1] },
    ...(sharedTokens(tokens, AHEAD_TOKENS).each < AHEAD_TOKENS ? [SPARE_CHOICE] : []),
  ],
  partsOf(e, { tokens }, device, { lanes = AHEAD_LANES, apart = 0, [SPARE_CHOICE.name]: spare = 0 } = {}) {
    const { workgroups, each: needed } = sharedTokens(tokens, AHEAD_TOKENS);
    const each = needed + spare;
    return fewTokensParts(e, tokens, {
      files: shaderFiles(gemmFew.variants.ahead, [
        ...WEIGHT_MODULES[e.valueType],
        e.cols % 4 === 0 ? tokensShader.variants.known : tokensShader.variants.ones, // known: COLS is a constant
      ]),
      constants: {
        TOKENS: each,
        LANES: lanes,
        CLUSTER: clusterOf(device),
        COLS: e.cols,
        STRIDE: e.stride,
        FULL_STEPS: Math.floor(e.cols / (4 * lanes)),
        APART: apart,
      },
      workgroups: [workgroups, Math.max(1, Math.ceil(e.rows / AHEAD_ROWS)), 1],
      multiplyAdds: AHEAD_ROWS * Math.ceil(e.rows / AHEAD_ROWS) * each * workgroups * e.cols,
    });
  },
});

/** Both kernels for few tokens. */
export const fewTokensKernels: readonly KernelSpec<DenseEncoded>[] = [gemmFewKernel, gemmFewAheadKernel];
