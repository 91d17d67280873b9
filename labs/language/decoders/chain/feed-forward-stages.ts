// The stages of a feed-forward block of a chain (a decoder on the GPU) besides its products: the activation, and the
// conversion of the block's input to bf16.

import act from '../../shaders/act.wgsl';
import pack from '../../shaders/pack.wgsl';
import { type PassPlan, splitWorkgroups } from '../../../../src/core/kernel/kernel.ts';
import { shaderFiles } from '../../../../src/core/kernel/shader.ts';
import type { DecoderConfig } from '../decoder.ts';
import {
  flag,
  lanesFor,
  lateScaling,
  MAX_LANES,
  type Pieces,
  reductionModule,
  type StageDevice,
  type StageShape,
} from './stage-device.ts';

/** The settings of the activation stage. */
export interface ActivationShape extends StageShape {
  readonly pieces: Pieces<'gate' | 'up'>;
}

/** Computes the hidden rows of a feed-forward block, `intermediate` columns each, from the outputs of gate and up. */
export function actPass(
  { config, pieces, isBiased, tokens, isUnscaled }: ActivationShape,
  device: StageDevice,
): PassPlan {
  const { activation, intermediate } = config;
  // With `isUnscaled` every workgroup reads the whole stream for its scale, so a few large workgroups read less than many
  // small ones.
  const lanes = lanesFor(device, isUnscaled ? 2 * MAX_LANES : MAX_LANES / 2, 2 * MAX_LANES);
  // The stream is binding 3, after the three of `bindings` below.
  const scale = lateScaling(config, isUnscaled ? 'at_3' : null);
  return {
    files: shaderFiles(act, [reductionModule(device), ...scale.modules]),
    constants: {
      ...scale.constants,
      WORKGROUP_SIZE: lanes,
      COLS: intermediate,
      UP_AT: pieces.up.at,
      GATE_STRIDE: pieces.gate.stride,
      UP_STRIDE: pieces.up.stride,
      RELU: flag(activation === 'relu'),
      BIASED: flag(isBiased),
    },
    bindings: ['projected', 'biases', 'hidden', ...scale.bindings],
    workgroups: [Math.ceil(intermediate / lanes), tokens, 1],
  };
}

const PACK_LANES = 64;

/**
 * Converts normalised numbers to bf16, which feed-forward kernels of formats read. The columns are a multiple of four.
 */
export function packPass({ hidden }: DecoderConfig, tokens: number): PassPlan {
  const fours = (tokens * hidden) / 4;
  return {
    files: shaderFiles(pack),
    constants: { WORKGROUP_SIZE: PACK_LANES, FOURS: fours },
    bindings: ['normed', 'x'],
    workgroups: splitWorkgroups(Math.ceil(fours / PACK_LANES)),
  };
}
