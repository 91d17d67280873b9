// The stages of attention of a chain (a decoder on the GPU): writing keys and values to the cache, attention over one or
// several spans of positions, and merging the results of several spans.

import append from '../../shaders/append.wgsl';
import attention from '../../shaders/attention.wgsl';
import attentionMany from '../../shaders/attention_many.wgsl';
import attentionTeams from '../../shaders/attention_teams.wgsl';
import merge from '../../shaders/merge.wgsl';
import type { PassPlan } from '../../../../src/core/kernel/kernel.ts';
import { shaderFiles } from '../../../../src/core/kernel/shader.ts';
import { nextPowerOfTwo } from '../../../../src/core/kernel/spmv-plan.ts';
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

/**
 * Positions of a span, which one workgroup of attention reads: longer contexts are split into spans and merged. One
 * token has only as many workgroups as heads, too few for a GPU, so its spans are shorter. Software adapters take
 * seconds to compile large workgroup memory.
 */
function spanLength({ isFallback }: StageDevice, tokens: number): number {
  if (isFallback) return 64;
  return tokens === 1 ? 128 : 512;
}

/** In attention of one token, a head is one workgroup, which waits for memory: more lanes have more loads in flight. */
const MAX_LANES_PER_HEAD = 512;
/** Bytes of workgroup memory in which heads of any common size fit with MAX_LANES_PER_HEAD lanes. */
const MEMORY_PER_HEAD = 32_768;
/** Columns of a key that each lane of a team multiplies, as in labs/language/shaders/attention_teams.wgsl. */
const COLUMNS_PER_LANE = 16;
/** Number of spans if teams compute them, for any length of a split sequence: see labs/language/shaders/merge.wgsl. */
const SPANS_OF_TEAMS = 4;

/** Consecutive positions whose heads are stored together in the cache, as in labs/language/shaders/heads.wgsl. */
export const CACHE_BLOCK = 64;

/** Positions in a cache for a context of `context` tokens, rounded up to whole blocks. */
export function cacheSpace(context: number): number {
  return CACHE_BLOCK * Math.ceil(context / CACHE_BLOCK);
}

/** Bytes of the keys of `positions` positions in a layer; values need the same number. */
export function cacheBytes(
  { kvHeads, headDim }: Pick<DecoderConfig, 'kvHeads' | 'headDim'>,
  positions: number,
): number {
  return kvHeads * Math.ceil(headDim / 4) * 16 * positions;
}

/** Constants of shaders that read q, k and v, and the cache. */
function headConstants(
  config: DecoderConfig,
  pieces: Pieces<'q' | 'k' | 'v'>,
  context: number,
  isBiased: boolean,
): PassPlan['constants'] {
  const { heads, kvHeads, headDim, rotary } = config;
  return {
    HEAD_DIM: headDim,
    FOURS: Math.ceil(headDim / 4),
    GROUP: heads / kvHeads,
    KV_HEADS: kvHeads,
    CONTEXT: context,
    NEIGHBOURS: flag(rotary.pairing === 'neighbours'),
    BIASED: flag(isBiased),
    KEYS_AT: pieces.k.at,
    VALUES_AT: pieces.v.at,
    QUERY_STRIDE: pieces.q.stride,
    KEY_STRIDE: pieces.k.stride,
    VALUE_STRIDE: pieces.v.stride,
    KEY_BIASES_AT: heads * headDim,
    VALUE_BIASES_AT: (heads + kvHeads) * headDim,
  };
}

/** Settings of the stages of attention, which bind rotary cosines and sines as `turns`, the output as `gathered`. */
export interface HeadShape extends StageShape {
  readonly pieces: Pieces<'q' | 'k' | 'v'>;
  readonly context: number;
}

/** Writes keys and values of several tokens to the cache. */
export function cachePass({ config, pieces, context, isBiased, tokens }: HeadShape, device: StageDevice): PassPlan {
  return {
    files: shaderFiles(append),
    constants: {
      ...headConstants(config, pieces, context, isBiased),
      WORKGROUP_SIZE: lanesFor(device, config.headDim / 4),
    },
    bindings: ['state', 'projected', 'biases', 'turns', 'keys', 'values'],
    workgroups: [config.kvHeads, tokens, 1],
  };
}

/** The number of spans into which `positions` positions are split for `tokens` tokens. */
export function spanCount(config: DecoderConfig, positions: number, device: StageDevice, tokens: number): number {
  const count = Math.max(1, Math.ceil(positions / spanLength(device, tokens)));
  return count > 1 && tokens === 1 && workgroupLanesOfTeams(config, device) !== null ? SPANS_OF_TEAMS : count;
}

/** Constants of attention: the positions of a span, and the number of spans of a full context. */
function spanConstants({ config, context, tokens }: HeadShape, device: StageDevice): PassPlan['constants'] {
  return {
    SPAN: Math.min(spanLength(device, tokens), nextPowerOfTwo(context)),
    SPANS: spanCount(config, context, device, tokens),
  };
}

/** Bytes of a `Four` in labs/language/shaders/heads.wgsl: four columns as written, and their four biases. */
const BYTES_OF_FOUR = 32;

/** The number of lanes of a team, which compute the product of a query and a key together. */
function lanesPerTeam(headDim: number): number {
  return nextPowerOfTwo(Math.ceil(headDim / COLUMNS_PER_LANE));
}

/**
 * Lanes of a workgroup of attention_teams.wgsl, as many as workgroup memory allows. Null if the device cannot run this
 * shader: it has no subgroups, its smallest subgroup has fewer lanes than a team, or memory suffices for fewer lanes
 * than its largest subgroup has.
 */
function workgroupLanesOfTeams({ headDim }: DecoderConfig, device: StageDevice): number | null {
  const { features, limits, subgroupMinSize, subgroupMaxSize } = device;
  if (!features.has('subgroups') || lanesPerTeam(headDim) > subgroupMinSize) return null;
  // Bytes of the arrays in workgroup memory, of the same names as in the shader.
  const fours = Math.ceil(headDim / 4);
  const bytes = (lanes: number): number => {
    const subgroups = lanes / subgroupMinSize;
    const exchanged = 4 * lanes;
    const own = 3 * fours * BYTES_OF_FOUR;
    const subgroupLargest = 4 * subgroups;
    const subgroupSums = 16 * fours * subgroups;
    const subgroupTotals = 4 * subgroups;
    return exchanged + own + subgroupLargest + subgroupSums + subgroupTotals;
  };
  let lanes = lanesFor(device, MAX_LANES_PER_HEAD, MAX_LANES_PER_HEAD);
  while (lanes >= subgroupMaxSize && bytes(lanes) > limits.maxComputeWorkgroupStorageSize) lanes /= 2;
  return lanes >= subgroupMaxSize ? lanes : null;
}

/**
 * Computes attention. `inSpans`: over several spans, whose results mergePass merges, instead of one span. `fillsCache`:
 * for a single token, also writes its key and value to the cache.
 */
export function attentionPass(
  shape: HeadShape,
  { fillsCache, inSpans }: { readonly fillsCache: boolean; readonly inSpans: boolean },
  device: StageDevice,
): PassPlan {
  const { config, pieces, context, isBiased, tokens } = shape;
  const scale = lateScaling(config, shape.isUnscaled ? 'at_7' : null);
  const common = {
    ...scale.constants,
    ...headConstants(config, pieces, context, isBiased),
    SCALE: 1 / Math.sqrt(config.headDim),
  };
  const bindings = ['state', 'projected', 'biases', 'turns', 'keys', 'values', 'gathered', ...scale.bindings];
  const spans = inSpans ? spanCount(config, context, device, tokens) : 1;
  const workgroups = [config.heads, tokens, spans] as const;
  const lanesOfTeams = fillsCache ? workgroupLanesOfTeams(config, device) : null;
  if (lanesOfTeams !== null) {
    return {
      files: shaderFiles(attentionTeams, [reductionModule(device), ...scale.modules]),
      constants: {
        ...common,
        WORKGROUP_SIZE: lanesOfTeams,
        PARTS: lanesPerTeam(config.headDim),
        SUBGROUPS: lanesOfTeams / device.subgroupMinSize,
        SPANS: spans,
      },
      bindings,
      workgroups,
    };
  }
  const fours = Math.ceil(config.headDim / 4);
  const hasSpace = device.limits.maxComputeWorkgroupStorageSize >= MEMORY_PER_HEAD;
  // With several spans there are enough workgroups, and lanes of smaller workgroups wait for each other less.
  const maxLanes = tokens === 1 && hasSpace && !inSpans ? MAX_LANES_PER_HEAD : MAX_LANES;
  const lanes = Math.max(lanesFor(device, maxLanes, maxLanes), nextPowerOfTwo(fours));
  return {
    files: shaderFiles(attention, [reductionModule(device), ...scale.modules]),
    constants: {
      ...common,
      WORKGROUP_SIZE: lanes,
      PARTS: tokens === 1 ? lanesPerKey(fours, lanes) : 1,
      HEADS: config.heads,
      APPENDS: flag(fillsCache),
      ...spanConstants(shape, device),
      IN_PARTS: flag(inSpans),
    },
    bindings,
    workgroups,
  };
}

/** Tokens of a workgroup of `manyAttentionPass`; GROUP_TOKENS in labs/language/shaders/attention_many.wgsl. */
const TOKENS_PER_WORKGROUP = 16;
/** Lanes of such a workgroup. More lanes would read more keys that no token of the workgroup attends to. */
const LANES_FOR_MANY_TOKENS = 128;

/**
 * Computes the attention of many tokens, for any length of the sequence, once their keys and values are in the cache.
 * Null if the device has too few lanes or too little memory for a workgroup.
 */
export function manyAttentionPass(shape: HeadShape, device: StageDevice): PassPlan | null {
  const { config, pieces, context, isBiased, tokens } = shape;
  const { maxComputeInvocationsPerWorkgroup, maxComputeWorkgroupStorageSize } = device.limits;
  const fours = Math.ceil(config.headDim / 4);
  const lanes = Math.max(lanesFor(device, LANES_FOR_MANY_TOKENS), nextPowerOfTwo(4 * fours));
  // Bytes of the arrays in workgroup memory, of the same names as in the shader.
  const queries = 4 * TOKENS_PER_WORKGROUP * 4 * fours;
  const weights = 4 * TOKENS_PER_WORKGROUP * lanes;
  const exchanged = 4 * lanes;
  const factors = 4 * TOKENS_PER_WORKGROUP;
  const bytes = queries + weights + exchanged + factors;
  if (lanes > maxComputeInvocationsPerWorkgroup || bytes > maxComputeWorkgroupStorageSize) return null;
  return {
    files: shaderFiles(attentionMany),
    constants: {
      ...headConstants(config, pieces, context, isBiased),
      WORKGROUP_SIZE: lanes,
      HEADS: config.heads,
      TOKENS: tokens,
      SCALE: 1 / Math.sqrt(config.headDim),
    },
    bindings: ['state', 'projected', 'biases', 'turns', 'keys', 'values', 'gathered'],
    workgroups: [config.heads, Math.ceil(tokens / TOKENS_PER_WORKGROUP), 1],
  };
}

/**
 * The number of lanes that share the columns of a key: 8, 4, 2 or 1, the largest that divides `fours`, the key's groups
 * of four columns.
 */
function lanesPerKey(fours: number, lanes: number): number {
  return [8, 4, 2].find((count) => fours % count === 0 && count <= lanes) ?? 1;
}

/**
 * Elements of the buffer for the results of all spans of `tokens` tokens: for each span of a head, the weighted sum of
 * values, the largest score, and the sum of weights.
 */
export function spanResultElements(
  config: DecoderConfig,
  context: number,
  tokens: number,
  device: StageDevice,
): number {
  return tokens * config.heads * spanCount(config, context, device, tokens) * (config.headDim + 2);
}

/** Merges the results of several spans of attention. */
export function mergePass(shape: HeadShape, device: StageDevice): PassPlan {
  const { config, tokens } = shape;
  const columns = nextPowerOfTwo(config.headDim);
  if (tokens === 1 && workgroupLanesOfTeams(config, device) !== null) {
    return {
      files: shaderFiles(merge.variants.four),
      constants: { WORKGROUP_SIZE: lanesFor(device, columns), HEAD_DIM: config.headDim },
      bindings: ['parts', 'gathered'],
      workgroups: [config.heads, 1, 1],
    };
  }
  // For one token, teams of lanes share the spans; for several, there are enough workgroups.
  const lanes = lanesFor(device, tokens === 1 ? MAX_LANES_PER_HEAD : columns, MAX_LANES_PER_HEAD);
  return {
    files: shaderFiles(merge.variants.many, [reductionModule(device)]),
    constants: {
      WORKGROUP_SIZE: lanes,
      HEAD_DIM: config.headDim,
      COLUMNS: Math.min(columns, lanes),
      HEADS: config.heads,
      ...spanConstants(shape, device),
    },
    bindings: ['state', 'parts', 'gathered'],
    workgroups: [config.heads, tokens, 1],
  };
}
