// The stages of a chain (a decoder on the GPU) that normalise the residual stream: after the embedding, and after the
// outputs of a matrix are added.

import norm from '../../shaders/norm.wgsl';
import type { PassPlan } from '../../../../src/core/kernel/kernel.ts';
import { shaderFiles } from '../../../../src/core/kernel/shader.ts';
import type { DecoderConfig } from '../decoder.ts';
import { flag, lanesFor, reductionModule, type StageDevice } from './stage-device.ts';

/** A norm is one workgroup per token, and waits for memory: the more loads are in flight, the sooner it ends. */
const MAX_NORM_LANES = 1024;

/** The layout of an embedding: rows of f16, two in a word, or of f32. */
export interface TableShape {
  /** elements from one row to the next */
  readonly stride: number;
  readonly type: 'f16' | 'f32';
}

/** Consecutive rows of an embedding, which fit in one binding. */
export interface TableSlice {
  readonly first: number;
  readonly rows: number;
}

/** The slices into which an embedding is divided, so that each fits in one binding. */
export function tableSlices(rows: number, rowBytes: number, { limits }: StageDevice): readonly TableSlice[] {
  const maxBytes = Math.min(limits.maxBufferSize, limits.maxStorageBufferBindingSize);
  const maxRows = Math.max(1, Math.floor(maxBytes / (16 * Math.ceil(rowBytes / 16))));
  return Array.from({ length: Math.ceil(rows / maxRows) }, (_, i) => ({
    first: i * maxRows,
    rows: Math.min(maxRows, rows - i * maxRows),
  }));
}

/** Constants of shaders that read rows of the embedding. */
export function rowConstants(
  { hidden, normEps }: DecoderConfig,
  { stride, type }: TableShape,
  { first, rows }: TableSlice,
): PassPlan['constants'] {
  return {
    HIDDEN: hidden,
    EPS: normEps,
    STRIDE: stride,
    HALVES: flag(type === 'f16'),
    FIRST_ROW: first,
    ROWS: rows,
  };
}

/** Starts the residual streams of tokens whose rows of the embedding are in `slice`, and normalises all streams. */
export function beginPass(
  config: DecoderConfig,
  table: TableShape,
  slice: TableSlice,
  tokens: number,
  device: StageDevice,
): PassPlan {
  return {
    files: shaderFiles(norm.variants.embedding, [reductionModule(device)]),
    constants: {
      WORKGROUP_SIZE: lanesFor(device, config.hidden / 4, MAX_NORM_LANES),
      ...rowConstants(config, table, slice),
    },
    bindings: ['stream', 'normed', 'normWeights', 'state', 'ids', 'embedding'],
    workgroups: [tokens, 1, 1],
  };
}

/** Adds the outputs of a matrix to the streams, and normalises the streams. */
export function addPass(config: DecoderConfig, isBiased: boolean, tokens: number, device: StageDevice): PassPlan {
  return {
    files: shaderFiles(norm.variants.sum, [reductionModule(device)]),
    constants: {
      WORKGROUP_SIZE: lanesFor(device, config.hidden / 4, MAX_NORM_LANES),
      HIDDEN: config.hidden,
      EPS: config.normEps,
      BIASED: flag(isBiased),
    },
    bindings: ['stream', 'normed', 'normWeights', 'addends', 'biases'],
    workgroups: [tokens, 1, 1],
  };
}
