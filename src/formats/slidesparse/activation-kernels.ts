import workgroupIndex from '../../../shaders/common/workgroup_index.wgsl?raw';
import liftCode from '../../../shaders/slidesparse/lift.wgsl?raw';
import quantiseCode from '../../../shaders/slidesparse/quantise.wgsl?raw';
import quantisedRow from '../../../shaders/common/quantised_row.wgsl?raw';
import tokensFours from '../../../shaders/common/tokens_fours.wgsl?raw';
import tokensOnes from '../../../shaders/common/tokens_ones.wgsl?raw';
import { ADMITTED, type Admission } from '../../core/format.ts';
import {
  type DeviceFacts,
  foldWorkgroups,
  type KernelPlan,
  type PassPlan,
  type ShaderFile,
} from '../../core/kernel.ts';
import { windowsPerRowOf } from './layout.ts';
import { type HalfGroup, windowsPerGroup } from './params.ts';

/** Rows of activations: `tokens` x `cols` f32 values, the input 'x'. */
export interface Activations {
  readonly tokens: number;
  readonly cols: number;
}

const LANES = 256;

/** Words of a row in workgroup memory. */
function wordsOf(cols: number): number {
  return Math.max(1, Math.ceil(cols / 4));
}

/** Words that a lifted row takes: one per window, as many as a row of weights has. */
export function liftedWords(cols: number, halfGroup: HalfGroup): number {
  return windowsPerRowOf(cols, { halfGroup, valueType: 'i8' });
}

/** Whether the device holds a quantised row in workgroup memory, and runs its lanes. The reason names limit and need. */
export function activationsFit({ cols }: Activations, { limits }: DeviceFacts): Admission {
  const bytes = 4 * wordsOf(cols) + 4 * LANES;
  const { maxComputeWorkgroupStorageSize: most, maxComputeInvocationsPerWorkgroup: lanes } = limits;
  if (bytes > most) {
    return {
      ok: false,
      reason: `a workgroup needs ${bytes} bytes of memory for ${cols} columns, but this device has ${most}`,
      remedy: 'Choose a part of the activations.',
    };
  }
  if (LANES > lanes) {
    const reason = `a workgroup needs ${LANES} lanes, but this device runs at most ${lanes}`;
    return { ok: false, reason, remedy: null };
  }
  return ADMITTED;
}

/** Quantises every row: ceil(cols / 4) words of four bytes per row, then one scale per row as f32 bits. */
export function quantisePlan(a: Activations): KernelPlan {
  return planOf(a, quantising(a));
}

/** Quantises every row and lifts it: a word per window of the pattern, then one scale per row as f32 bits. */
export function liftPlan(a: Activations, halfGroup: HalfGroup): KernelPlan {
  return planOf(a, lifting(a, halfGroup));
}

/** What turns f32 activations into words, as the first pass of a larger plan. */
export interface ActivationPass {
  /** words of a row */
  readonly words: number;
  /** of all words and scales */
  readonly bytes: number;
  readonly params: Uint32Array;
  readonly pass: Omit<PassPlan, 'bindings'>;
}

/** Plain quantisation. */
export function quantising(a: Activations): ActivationPass {
  return passOf(a, Math.ceil(a.cols / 4), { path: 'slidesparse/quantise.wgsl', code: quantiseCode }, {});
}

/** Quantisation and lifting, fused. */
export function lifting(a: Activations, halfGroup: HalfGroup): ActivationPass {
  const file: ShaderFile = { path: 'slidesparse/lift.wgsl', code: liftCode };
  return passOf(a, liftedWords(a.cols, halfGroup), file, { WINDOWS_PER_GROUP: windowsPerGroup({ halfGroup }) });
}

function passOf(
  { tokens, cols }: Activations,
  words: number,
  main: ShaderFile,
  constants: Readonly<Record<string, number>>,
): ActivationPass {
  return {
    words,
    bytes: 4 * tokens * (words + 1),
    params: Uint32Array.of(tokens, cols, words),
    pass: {
      files: [
        { path: 'common/workgroup_index.wgsl', code: workgroupIndex },
        cols % 4 === 0
          ? { path: 'common/tokens_fours.wgsl', code: tokensFours }
          : { path: 'common/tokens_ones.wgsl', code: tokensOnes },
        { path: 'common/quantised_row.wgsl', code: quantisedRow },
        main,
      ],
      constants: { WORKGROUP_SIZE: LANES, WORDS: wordsOf(cols), ...constants },
      workgroups: foldWorkgroups(tokens),
    },
  };
}

function planOf({ tokens, cols }: Activations, { bytes, params, pass }: ActivationPass): KernelPlan {
  return {
    buffers: [
      { role: 'params', name: 'params', data: params },
      { role: 'input', name: 'x', type: 'f32' },
      { role: 'output', name: 'y', bytes },
    ],
    passes: [{ ...pass, bindings: ['params', 'x', 'y'] }],
    bytes: 4 * tokens * cols + bytes,
  };
}
