import workgroupIndex from '../../../shaders/common/workgroup_index.wgsl?raw';
import liftCode from '../../../shaders/slidesparse/lift.wgsl?raw';
import quantiseCode from '../../../shaders/slidesparse/quantise.wgsl?raw';
import quantisedRow from '../../../shaders/slidesparse/quantised_row.wgsl?raw';
import tokensFours from '../../../shaders/slidesparse/tokens_fours.wgsl?raw';
import tokensOnes from '../../../shaders/slidesparse/tokens_ones.wgsl?raw';
import { ADMITTED, type Admission } from '../../core/format.ts';
import { type DeviceFacts, foldWorkgroups, type KernelPlan, type ShaderFile } from '../../core/kernel.ts';
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
  return plan(a, Math.ceil(a.cols / 4), { path: 'slidesparse/quantise.wgsl', code: quantiseCode }, {});
}

/** Quantises every row and lifts it: a word per window of the pattern, then one scale per row as f32 bits. */
export function liftPlan(a: Activations, halfGroup: HalfGroup): KernelPlan {
  const file: ShaderFile = { path: 'slidesparse/lift.wgsl', code: liftCode };
  return plan(a, liftedWords(a.cols, halfGroup), file, { WINDOWS_PER_GROUP: windowsPerGroup({ halfGroup }) });
}

function plan(
  { tokens, cols }: Activations,
  words: number,
  main: ShaderFile,
  constants: Readonly<Record<string, number>>,
): KernelPlan {
  const outputBytes = 4 * tokens * (words + 1);
  return {
    buffers: [
      { role: 'params', name: 'params', data: Uint32Array.of(tokens, cols, words) },
      { role: 'input', name: 'x', type: 'f32' },
      { role: 'output', name: 'y', bytes: outputBytes },
    ],
    passes: [
      {
        files: [
          { path: 'common/workgroup_index.wgsl', code: workgroupIndex },
          cols % 4 === 0
            ? { path: 'slidesparse/tokens_fours.wgsl', code: tokensFours }
            : { path: 'slidesparse/tokens_ones.wgsl', code: tokensOnes },
          { path: 'slidesparse/quantised_row.wgsl', code: quantisedRow },
          main,
        ],
        constants: { WORKGROUP_SIZE: LANES, WORDS: wordsOf(cols), ...constants },
        bindings: ['params', 'x', 'y'],
        workgroups: foldWorkgroups(tokens),
      },
    ],
    bytes: 4 * tokens * cols + outputBytes,
  };
}
