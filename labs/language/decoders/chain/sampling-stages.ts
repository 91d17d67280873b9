// The stage of a chain (a decoder on the GPU) that samples the next token from the logits.

import sampleShader from '../../shaders/choose.wgsl';
import sampleAndStartShader from '../../shaders/draw.wgsl';
import type { PassPlan } from '../../../../src/core/kernel/kernel.ts';
import { shaderFiles } from '../../../../src/core/kernel/shader.ts';
import type { DecoderConfig } from '../decoder.ts';
import { rowConstants, type TableShape } from './norm-stages.ts';
import { flag, lanesFor, reductionModule, type StageDevice } from './stage-device.ts';

/**
 * Maximum number of logits from which one workgroup samples a token, in one dispatch; it equals MAX_LOGITS_AT_ONCE in
 * labs/language/theory/token-dispatches.ts.
 */
const MAX_LOGITS_AT_ONCE = 4096;
/** Logits of each workgroup in a larger vocabulary: several workgroups load them in parallel. */
const LOGITS_PER_WORKGROUP = 1024;

/**
 * The state of a sequence on the device (labs/language/shaders/choose.wgsl): which word contains the position of the
 * newest token, the length of the prompt, and the seed of the samples.
 */
export const STATE = { position: 0, promptLength: 1, seed: 2 } as const;
/** Words of the state: those of `STATE`, and a fourth, which no shader reads and which fills 16 bytes. */
export const STATE_WORDS = 4;

/** The number of workgroups that share the logits when a token is sampled. */
export function samplingWorkgroups(vocabulary: number): number {
  return vocabulary <= MAX_LOGITS_AT_ONCE ? 1 : Math.ceil(vocabulary / LOGITS_PER_WORKGROUP);
}

/** Settings with which the stage that samples a token also starts the stream of this token. */
export interface NextStart {
  /** the whole embedding, whose row of the sampled token starts its stream */
  readonly table: TableShape;
  /** whether the logits are those of an unnormalised stream, and are still to be divided by its root mean square */
  readonly isUnscaled: boolean;
}

/** Samples the next token from logits: in two dispatches, or in one, which also starts the stream of that token. */
export function samplingPasses(
  config: DecoderConfig,
  context: number,
  nextStart: NextStart | null,
  device: StageDevice,
): readonly PassPlan[] {
  const { vocabulary, hidden } = config;
  const constants = (candidates: number): PassPlan['constants'] => ({
    WORKGROUP_SIZE: lanesFor(device, candidates),
    COUNT: candidates,
    CONTEXT: context,
  });
  if (nextStart) {
    const sampleAndStart = {
      files: shaderFiles(sampleAndStartShader, [reductionModule(device)]),
      constants: {
        ...constants(vocabulary),
        ...rowConstants(config, nextStart.table, { first: 0, rows: vocabulary }),
        WORKGROUP_SIZE: lanesFor(device, Math.max(vocabulary, hidden)),
        UNSCALED: flag(nextStart.isUnscaled),
      },
      bindings: ['state', 'ids', 'logits', 'noise', 'stream', 'normed', 'normWeights', 'embedding'],
      workgroups: [1, 1, 1] as const,
    };
    return [sampleAndStart];
  }
  const workgroups = samplingWorkgroups(vocabulary);
  const bestOfEachWorkgroup: PassPlan = {
    files: shaderFiles(sampleShader.variants.parts),
    constants: constants(vocabulary),
    bindings: ['state', 'ids', 'logits', 'noise', 'bests'],
    workgroups: [workgroups, 1, 1],
  };
  const bestOfAll: PassPlan = {
    files: shaderFiles(sampleShader.variants.parts_last),
    constants: constants(workgroups),
    bindings: ['state', 'ids', 'bests'],
    workgroups: [1, 1, 1],
  };
  return [bestOfEachWorkgroup, bestOfAll];
}
