// What the stages of a chain (a decoder on the GPU) share: their settings, the workgroup size for a device, sums over a
// workgroup, the late scaling of products (after they are computed, not before), and where the products of stacked matrices are.

import lateScale from '../../shaders/late_scale.wgsl';
import reductions from '../../shaders/reductions.wgsl';
import type { DeviceFacts, PassPlan } from '../../../../src/core/kernel/kernel.ts';
import type { ShaderModule } from '../../../../src/core/kernel/shader.ts';
import { nextPowerOfTwo } from '../../../../src/core/kernel/spmv-plan.ts';
import type { DecoderConfig } from '../decoder.ts';

/** Facts about the device that decide how the stages of a chain are dispatched. */
export type StageDevice = Pick<
  DeviceFacts,
  'features' | 'limits' | 'isFallback' | 'subgroupMinSize' | 'subgroupMaxSize'
>;

/** Settings of a stage that reads the products of stacked matrices. */
export interface StageShape {
  readonly config: DecoderConfig;
  readonly isBiased: boolean;
  readonly tokens: number;
  /** whether the matrices read an unnormalised stream (only for one token), so that the stage has to scale */
  readonly isUnscaled: boolean;
}

/** Maximum lanes of most workgroups: most stages have too little work to gain from more. */
export const MAX_LANES = 256;
const MAX_LANES_IN_SOFTWARE = 32;

/**
 * The shader module, constants and binding with which a stage scales a product of an unnormalised stream. `variant`:
 * the number of the stream's binding, which is the last one; null if the stream was normalised. The stream's columns
 * are a multiple of four.
 */
export function lateScaling(
  { hidden, normEps }: DecoderConfig,
  variant: 'at_3' | 'at_7' | null,
): Pick<PassPlan, 'constants' | 'bindings'> & { readonly modules: readonly ShaderModule[] } {
  if (variant === null) return { modules: [lateScale.variants.none], constants: {}, bindings: [] };
  return { modules: [lateScale.variants[variant]], constants: { HIDDEN: hidden, EPS: normEps }, bindings: ['stream'] };
}

/** Where the outputs of one matrix are in the product of stacked matrices, in elements. */
export interface Piece {
  readonly at: number;
  /** from one token to the next */
  readonly stride: number;
}

/** The pieces of several matrices by name: q, k and v, or gate and up. */
export type Pieces<Name extends string> = Readonly<Record<Name, Piece>>;

/** Lanes of a workgroup for `work` numbers: a power of two. */
export function lanesFor({ limits, isFallback }: StageDevice, work: number, maxLanes = MAX_LANES): number {
  const limit = isFallback ? MAX_LANES_IN_SOFTWARE : maxLanes;
  const max = 2 ** Math.floor(Math.log2(Math.min(limit, limits.maxComputeInvocationsPerWorkgroup)));
  return Math.min(max, Math.max(32, nextPowerOfTwo(work)));
}

/** The shader module that sums over a workgroup. */
export function reductionModule({ features }: StageDevice): ShaderModule {
  return features.has('subgroups') ? reductions.variants.subgroup : reductions.variants.workgroup;
}

/** A constant that tells a shader whether something is so. */
export const flag = (isSet: boolean): number => (isSet ? 1 : 0);
