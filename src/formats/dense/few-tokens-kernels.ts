import eightColumnsShader from '../../../shaders/dense/tokens.wgsl';
import rowScale from '../../../shaders/common/row_scale.wgsl';
import fourColumnsShader from '../../../shaders/common/tokens.wgsl';
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
/**
 * Sums that a workgroup reduces at a time. In #four_rows these are all sums, for 4 rows and 8 tokens; #ahead has 8 × 8
 * sums, and reduces those of its upper four rows first, then those of its lower four rows.
 */
const SUMS_AT_ONCE = FEW_ROWS * FEW_TOKENS;

/** Bytes of workgroup memory for the sums of one cluster of lanes: f32. */
const CLUSTER_BYTES = 4 * SUMS_AT_ONCE;

/** By value type: the shader module that reads eight weights at a time, and the one that scales sums by their row. */
const EIGHT_WEIGHTS: Readonly<Record<DenseEncoded['valueType'], readonly ShaderModule[]>> = {
  f32: [values.variants.f32, rowScale.variants.none],
  f16: [values.variants.f16, rowScale.variants.none],
  i8: [values.variants.i8, rowScale.variants.at_4],
  i4: [values.variants.i4, rowScale.variants.none],
};

/**
 * The shader module that reads the eight elements of x that eight weights are multiplied with. Weights of 4 bits are
 * stored in another order: columns c to c + 3, then c + 16 to c + 19. The modules for any length read 0 past the last
 * column.
 */
function eightColumnsModule({ cols, valueType }: DenseEncoded): ShaderModule {
  const { variants } = eightColumnsShader;
  if (valueType === 'i4') return cols % Q4_GROUP === 0 ? variants.halves : variants.halves_ones;
  return cols % 8 === 0 ? variants.eights : variants.ones;
}

/**
 * Lanes of a cluster: neighbouring lanes that are in one subgroup on this device for certain, and reduce sums by shuffles.
 * Each cluster leaves its sums in workgroup memory, so clusters of more lanes need less memory.
 */
function clusterLanes({ subgroupMinSize }: DeviceFacts): number {
  return Math.max(1, Math.min(subgroupMinSize, SUMS_AT_ONCE));
}

/**
 * The pass and buffers of Y = X Wᵀ. `weightsFirst`: whether the shader binds the weights before x, as #four_rows does;
 * #ahead binds x first. `multiplyAdds`: the number of multiply-adds of the pass, including those for rows, tokens and
 * columns past the end.
 */
function fewTokensParts(
  e: DenseEncoded,
  tokens: number,
  pass: Omit<PassPlan, 'bindings'> & { readonly weightsFirst?: boolean; readonly multiplyAdds: number },
) {
  const storedBuffers = storedParts(buffers(e, tokens).arrays);
  const { weightsFirst = false, multiplyAdds, ...passWithoutBindings } = pass;
  const [weights, ...otherArrays] = storedBuffers.map(({ buffer }) => buffer.name);
  const bindings = ['params', ...(weightsFirst ? [weights, 'x'] : ['x', weights]), 'y', ...otherArrays];
  const params = { role: 'params', name: 'params', data: Uint32Array.of(tokens, e.cols, e.rows, e.stride) } as const;
  return {
    passes: [{ params, pass: { ...passWithoutBindings, bindings }, multiplyAdds }],
    buffers: [...storedBuffers, input('x', tokens * e.cols, 'f32'), output('y', 4 * tokens * e.rows)],
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
    return { lanes, memoryBytes: (CLUSTER_BYTES * lanes) / clusterLanes(device) };
  },
  partsOf(e, { tokens }, device) {
    const lanes = fewLanes(tokens);
    const { workgroups, tokensPerWorkgroup } = sharedTokens(tokens, FEW_TOKENS);
    return fewTokensParts(e, tokens, {
      files: shaderFiles(gemmFew.variants.four_rows, [...EIGHT_WEIGHTS[e.valueType], eightColumnsModule(e)]),
      constants: {
        TOKENS: tokensPerWorkgroup,
        LANES: lanes,
        CLUSTER: clusterLanes(device),
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

/** 1: neighbouring workgroups begin at different columns, so that they do not all read the same parts of memory. */
const STAGGER_CHOICE: Choice = { kind: 'one-of', name: 'apart', start: 0, values: [0, 1] };

/** Extra tokens that are computed and dropped: a workgroup can take longer for six tokens than for seven. */
const SPARE_CHOICE: Choice = { kind: 'one-of', name: 'spare tokens', start: 0, values: [0, 1] };

/** Divides tokens among as few workgroups as possible, with at most `max` tokens each; the last one may have fewer. */
function sharedTokens(
  tokens: number,
  max: number,
): { readonly workgroups: number; readonly tokensPerWorkgroup: number } {
  const workgroups = Math.max(1, Math.ceil(tokens / max));
  return { workgroups, tokensPerWorkgroup: Math.max(1, Math.ceil(tokens / workgroups)) };
}

/** Eight rows by eight tokens for a lane; the next weights are loaded before the current ones are multiplied. */
const gemmFewAheadKernel: KernelSpec<DenseEncoded> = multiPassKernel({
  id: 'dense/gemm_few_ahead',
  title: 'eight rows, eight tokens at a time, weights loaded ahead',
  operation: 'gemm',
  extraRoundings: 2,
  features: ['subgroups'],
  max: { tokens: MAX_READERS * AHEAD_TOKENS },
  needs: (_, device) => ({ lanes: AHEAD_LANES, memoryBytes: (CLUSTER_BYTES * AHEAD_LANES) / clusterLanes(device) }),
  choices: (_, device, { tokens }) => [
    laneChoice(AHEAD_LANES, device, CLUSTER_BYTES / clusterLanes(device)),
    STAGGER_CHOICE,
    ...(sharedTokens(tokens, AHEAD_TOKENS).tokensPerWorkgroup < AHEAD_TOKENS ? [SPARE_CHOICE] : []),
  ],
  partsOf(e, { tokens }, device, choices = {}) {
    const { lanes = AHEAD_LANES } = choices;
    const staggerColumns = choices[STAGGER_CHOICE.name] ?? STAGGER_CHOICE.start;
    const spareTokens = choices[SPARE_CHOICE.name] ?? SPARE_CHOICE.start;
    const shared = sharedTokens(tokens, AHEAD_TOKENS);
    const tokensPerWorkgroup = shared.tokensPerWorkgroup + spareTokens;
    return fewTokensParts(e, tokens, {
      files: shaderFiles(gemmFew.variants.ahead, [
        ...WEIGHT_MODULES[e.valueType],
        // `known` requires a multiple of four columns; `ones` supports any number.
        e.cols % 4 === 0 ? fourColumnsShader.variants.known : fourColumnsShader.variants.ones,
      ]),
      constants: {
        TOKENS: tokensPerWorkgroup,
        LANES: lanes,
        CLUSTER: clusterLanes(device),
        COLS: e.cols,
        STRIDE: e.stride,
        FULL_STEPS: Math.floor(e.cols / (4 * lanes)),
        APART: staggerColumns,
      },
      workgroups: [shared.workgroups, Math.max(1, Math.ceil(e.rows / AHEAD_ROWS)), 1],
      multiplyAdds: AHEAD_ROWS * Math.ceil(e.rows / AHEAD_ROWS) * tokensPerWorkgroup * shared.workgroups * e.cols,
    });
  },
});

/** Both kernels for few tokens. */
export const fewTokensKernels: readonly KernelSpec<DenseEncoded>[] = [gemmFewKernel, gemmFewAheadKernel];
