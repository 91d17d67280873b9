// The stages of a token besides matrix products, as dispatches on the GPU: attention, norms, activation, sampling.

import act from '../../shaders/act.wgsl';
import append from '../../shaders/append.wgsl';
import attention from '../../shaders/attention.wgsl';
import attentionMany from '../../shaders/attention_many.wgsl';
import attentionTeams from '../../shaders/attention_teams.wgsl';
import choose from '../../shaders/choose.wgsl';
import draw from '../../shaders/draw.wgsl';
import lateScale from '../../shaders/late_scale.wgsl';
import merge from '../../shaders/merge.wgsl';
import norm from '../../shaders/norm.wgsl';
import pack from '../../shaders/pack.wgsl';
import reductions from '../../shaders/reductions.wgsl';
import { type DeviceFacts, splitWorkgroups, type PassPlan } from '../../../../src/core/kernel/kernel.ts';
import { shaderFiles, type ShaderModule } from '../../../../src/core/kernel/shader.ts';
import { nextPowerOfTwo } from '../../../../src/core/kernel/spmv-plan.ts';
import type { DecoderConfig } from '../decoder.ts';

/**
 * Facts about the device that decide how the stages of a chain are dispatched: attention, norms, activation and
 * sampling.
 */
export type StageDevice = Pick<
  DeviceFacts,
  'features' | 'limits' | 'isFallback' | 'subgroupMinSize' | 'subgroupMaxSize'
>;

/**
 * Positions of a span, which one workgroup of attention reads: longer contexts are split into spans and merged. One
 * token has only as many workgroups as heads, too few for a GPU, so its spans are shorter. Software adapters take
 * seconds to compile large workgroup memory.
 */
function spanLength({ isFallback }: StageDevice, tokens: number): number {
  if (isFallback) return 64;
  return tokens === 1 ? 128 : 512;
}

/** Maximum lanes of most workgroups: most stages have too little work to gain from more. */
const MAX_LANES = 256;
/** A norm is one workgroup per token, and waits for memory: the more loads are in flight, the sooner it ends. */
const MAX_NORM_LANES = 1024;
/** In attention of one token, a head is one workgroup, which waits for memory as well. */
const MAX_LANES_OF_A_HEAD = 512;
/** Bytes of workgroup memory in which heads of any common size fit with MAX_LANES_OF_A_HEAD lanes. */
const MEMORY_OF_A_HEAD = 32_768;
const MAX_LANES_IN_SOFTWARE = 32;
/** Columns of each lane of a team (lanes that share a position): see labs/language/shaders/attention_teams.wgsl. */
const COLUMNS_OF_A_LANE = 16;
/** Number of spans if teams compute them, for any length of a split sequence: see labs/language/shaders/merge.wgsl. */
const SPANS_OF_TEAMS = 4;

/** Candidates from which one workgroup chooses a token: see labs/language/theory/token-dispatches.ts. */
const CHOSEN_AT_ONCE = 4096;
/** Candidates of each workgroup if one dispatch cannot choose: the more workgroups, the sooner their loads end. */
const CHOSEN_FROM = 1024;

/**
 * The state of a sequence on the device (labs/language/shaders/choose.wgsl): which word contains the position, the
 * length of the prompt (`given`) and the seed; `words`: their number.
 */
export const STATE = { position: 0, given: 1, seed: 2, words: 4 } as const;

/**
 * The shader modules with which a stage scales a product of an unnormalised stream. `variant`: the binding of this
 * stream, 3 or 7, the last; null if the stream was normalised. The stream's columns are a multiple of four.
 */
function lateScaling(
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
function lanesFor({ limits, isFallback }: StageDevice, work: number, maxLanes = MAX_LANES): number {
  const limit = isFallback ? MAX_LANES_IN_SOFTWARE : maxLanes;
  const max = 2 ** Math.floor(Math.log2(Math.min(limit, limits.maxComputeInvocationsPerWorkgroup)));
  return Math.min(max, Math.max(32, nextPowerOfTwo(work)));
}

/** The shader module that sums over a workgroup. */
function reductionModule({ features }: StageDevice): ShaderModule {
  return features.has('subgroups') ? reductions.variants.subgroup : reductions.variants.workgroup;
}

/** A constant that tells a shader whether something is so. */
const flag = (isSet: boolean): number => (isSet ? 1 : 0);

/** The layout of an embedding: rows of f16, two in a word, or of f32. */
export interface TableShape {
  /** elements from one row to the next */
  readonly stride: number;
  readonly type: 'f16' | 'f32';
}

/** Consecutive rows of an embedding. */
export interface TablePart {
  readonly first: number;
  readonly rows: number;
}

/** The parts into which an embedding is divided, so that each fits in one binding. */
export function tableParts(rows: number, rowBytes: number, { limits }: StageDevice): readonly TablePart[] {
  const bytes = Math.min(limits.maxBufferSize, limits.maxStorageBufferBindingSize);
  const max = Math.max(1, Math.floor(bytes / (16 * Math.ceil(rowBytes / 16))));
  return Array.from({ length: Math.ceil(rows / max) }, (_, i) => ({
    first: i * max,
    rows: Math.min(max, rows - i * max),
  }));
}

/** Constants of shaders that read rows of the embedding. */
function rowConstants(
  { hidden, normEps }: DecoderConfig,
  { stride, type }: TableShape,
  { first, rows }: TablePart,
): PassPlan['constants'] {
  const row = { STRIDE: stride, HALVES: flag(type === 'f16'), FIRST_ROW: first, ROWS: rows };
  return { HIDDEN: hidden, EPS: normEps, ...row };
}

/** Starts the residual streams of tokens whose rows of the embedding are in this part, and normalises all streams. */
export function beginPass(
  config: DecoderConfig,
  table: TableShape,
  part: TablePart,
  tokens: number,
  device: StageDevice,
): PassPlan {
  return {
    files: shaderFiles(norm.variants.embedding, [reductionModule(device)]),
    constants: {
      WORKGROUP_SIZE: lanesFor(device, config.hidden / 4, MAX_NORM_LANES),
      ...rowConstants(config, table, part),
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

/** Consecutive positions whose heads are stored together in the cache, as in labs/language/shaders/heads.wgsl. */
export const CACHE_BLOCK = 64;

/** Positions in a cache for a context of `context` tokens: whole blocks. */
export function cacheSpace(context: number): number {
  return CACHE_BLOCK * Math.ceil(context / CACHE_BLOCK);
}

/** Bytes of the keys of `positions` positions in a layer; their values take as many. */
export function cacheBytes({ kvHeads, headDim }: DecoderConfig, positions: number): number {
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
export interface HeadShape {
  readonly config: DecoderConfig;
  readonly pieces: Pieces<'q' | 'k' | 'v'>;
  readonly context: number;
  readonly isBiased: boolean;
  readonly tokens: number;
  /** whether the matrices read an unnormalised stream (only for one token), so that the stage has to scale */
  readonly isUnscaled: boolean;
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

/** The number of spans into which `positions` are split for `tokens` tokens. */
export function spansOf(config: DecoderConfig, positions: number, device: StageDevice, tokens: number): number {
  const count = Math.max(1, Math.ceil(positions / spanLength(device, tokens)));
  return count > 1 && tokens === 1 && lanesOfTeams(config, device) !== null ? SPANS_OF_TEAMS : count;
}

/** Constants of attention: the positions that one workgroup reads, and how many workgroups share a context. */
function spanConstants({ config, context, tokens }: HeadShape, device: StageDevice): PassPlan['constants'] {
  return {
    SPAN: Math.min(spanLength(device, tokens), nextPowerOfTwo(context)),
    SPANS: spansOf(config, context, device, tokens),
  };
}

/** The number of lanes that compute the product of a query and a key together. */
function lanesOfTeam(headDim: number): number {
  return nextPowerOfTwo(Math.ceil(headDim / COLUMNS_OF_A_LANE));
}

/**
 * Lanes of a workgroup of teams, as many as memory allows; null if that is less than a subgroup, or a subgroup less
 * than a team.
 */
function lanesOfTeams({ headDim }: DecoderConfig, device: StageDevice): number | null {
  const { features, limits, subgroupMinSize, subgroupMaxSize } = device;
  if (!features.has('subgroups') || lanesOfTeam(headDim) > subgroupMinSize) return null;
  const fours = Math.ceil(headDim / 4);
  const bytes = (lanes: number): number => 4 * lanes + 96 * fours + ((16 * fours + 8) * lanes) / subgroupMinSize;
  let lanes = lanesFor(device, MAX_LANES_OF_A_HEAD, MAX_LANES_OF_A_HEAD);
  while (lanes >= subgroupMaxSize && bytes(lanes) > limits.maxComputeWorkgroupStorageSize) lanes /= 2;
  return lanes >= subgroupMaxSize ? lanes : null;
}

/**
 * Computes attention. `inParts`: over several spans, which mergePass merges, instead of one. `fillsCache`: for a single
 * token, also writes its key and value to the cache.
 */
export function attentionPass(
  shape: HeadShape,
  { fillsCache, inParts }: { readonly fillsCache: boolean; readonly inParts: boolean },
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
  const spans = inParts ? spansOf(config, context, device, tokens) : 1;
  const workgroups = [config.heads, tokens, spans] as const;
  const teamLanes = fillsCache ? lanesOfTeams(config, device) : null;
  if (teamLanes !== null) {
    const PARTS = lanesOfTeam(config.headDim);
    const SUBGROUPS = teamLanes / device.subgroupMinSize;
    return {
      files: shaderFiles(attentionTeams, [reductionModule(device), ...scale.modules]),
      constants: { ...common, WORKGROUP_SIZE: teamLanes, PARTS, SUBGROUPS, SPANS: spans },
      bindings,
      workgroups,
    };
  }
  const fours = Math.ceil(config.headDim / 4);
  const hasSpace = device.limits.maxComputeWorkgroupStorageSize >= MEMORY_OF_A_HEAD;
  // With several spans there are enough workgroups, and lanes of smaller workgroups wait for each other less.
  const max = tokens === 1 && hasSpace && !inParts ? MAX_LANES_OF_A_HEAD : MAX_LANES;
  const lanes = Math.max(lanesFor(device, max, max), nextPowerOfTwo(fours));
  return {
    files: shaderFiles(attention, [reductionModule(device), ...scale.modules]),
    constants: {
      ...common,
      WORKGROUP_SIZE: lanes,
      PARTS: tokens === 1 ? partsOf(fours, lanes) : 1,
      HEADS: config.heads,
      APPENDS: flag(fillsCache),
      ...spanConstants(shape, device),
      IN_PARTS: flag(inParts),
    },
    bindings,
    workgroups,
  };
}

/** Tokens of a workgroup of `manyAttentionPass`. */
const TOKENS_OF_A_WORKGROUP = 16;
/** Lanes of a workgroup. More lanes would read more keys that no token of the workgroup sees. */
const LANES_OF_TOKENS = 128;

/**
 * Computes the attention of many tokens, for any length of the sequence, once their keys and values are in the cache.
 * Null if the device has too few lanes or too little memory for a workgroup.
 */
export function manyAttentionPass(shape: HeadShape, device: StageDevice): PassPlan | null {
  const { config, pieces, context, isBiased, tokens } = shape;
  const { maxComputeInvocationsPerWorkgroup, maxComputeWorkgroupStorageSize } = device.limits;
  const fours = Math.ceil(config.headDim / 4);
  const lanes = Math.max(lanesFor(device, LANES_OF_TOKENS), nextPowerOfTwo(4 * fours));
  const bytes = 68 * lanes + 256 * fours + 64;
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
    workgroups: [config.heads, Math.ceil(tokens / TOKENS_OF_A_WORKGROUP), 1],
  };
}

/** Lanes that share the columns of a key: 8, 4, 2 or 1, the most that divide its groups of four columns. */
function partsOf(fours: number, lanes: number): number {
  return [8, 4, 2].find((parts) => fours % parts === 0 && parts <= lanes) ?? 1;
}

/** Elements of the buffer for the parts of attention of `tokens` tokens. */
export function partElements(config: DecoderConfig, context: number, tokens: number, device: StageDevice): number {
  return tokens * config.heads * spansOf(config, context, device, tokens) * (config.headDim + 2);
}

/** Merges the results of several spans of attention. */
export function mergePass(shape: HeadShape, device: StageDevice): PassPlan {
  const { config, tokens } = shape;
  const columns = nextPowerOfTwo(config.headDim);
  if (tokens === 1 && lanesOfTeams(config, device) !== null) {
    return {
      files: shaderFiles(merge.variants.four),
      constants: { WORKGROUP_SIZE: lanesFor(device, columns), HEAD_DIM: config.headDim },
      bindings: ['parts', 'gathered'],
      workgroups: [config.heads, 1, 1],
    };
  }
  // For one token, teams of lanes share the spans; for several, there are enough workgroups.
  const lanes = lanesFor(device, tokens === 1 ? MAX_LANES_OF_A_HEAD : columns, MAX_LANES_OF_A_HEAD);
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

/** The settings of the activation stage. */
export type GateShape = Omit<HeadShape, 'pieces' | 'context'> & { readonly pieces: Pieces<'gate' | 'up'> };

/** Computes the hidden rows of a feed-forward block, `intermediate` columns each, from the outputs of gate and up. */
export function actPass({ config, pieces, isBiased, tokens, isUnscaled }: GateShape, device: StageDevice): PassPlan {
  const { activation, intermediate } = config;
  // Every workgroup reads the whole stream for its scale.
  const lanes = lanesFor(device, isUnscaled ? 2 * MAX_LANES : MAX_LANES / 2, 2 * MAX_LANES);
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

/** The number of workgroups that choose a token. */
export function choosingWorkgroups(vocabulary: number): number {
  return vocabulary <= CHOSEN_AT_ONCE ? 1 : Math.ceil(vocabulary / CHOSEN_FROM);
}

/** How the stage that draws a token also starts the stream of the next token. */
export interface NextStart {
  /** the whole table, which has one row for each token; the row of the next token starts its stream */
  readonly table: TableShape;
  /** whether the head has read an unnormalised stream */
  readonly isUnscaled: boolean;
}

/** Draws the next token from logits: in two dispatches, or in one, which also starts the stream of the next token. */
export function choosePasses(
  config: DecoderConfig,
  context: number,
  nextStart: NextStart | null,
  device: StageDevice,
): readonly PassPlan[] {
  const { vocabulary, hidden } = config;
  const constants = (count: number): PassPlan['constants'] => ({
    WORKGROUP_SIZE: lanesFor(device, count),
    COUNT: count,
    CONTEXT: context,
  });
  const parts = choosingWorkgroups(vocabulary);
  if (nextStart) {
    const part = { first: 0, rows: vocabulary };
    const entireHead = {
      files: shaderFiles(draw, [reductionModule(device)]),
      constants: {
        ...constants(vocabulary),
        ...rowConstants(config, nextStart.table, part),
        WORKGROUP_SIZE: lanesFor(device, Math.max(vocabulary, hidden)),
        UNSCALED: flag(nextStart.isUnscaled),
      },
      bindings: ['state', 'ids', 'logits', 'noise', 'stream', 'normed', 'normWeights', 'embedding'],
      workgroups: [1, 1, 1] as const,
    };
    return [entireHead];
  }
  const pass = (variant: 'parts' | 'parts_last', count: number, bindings: readonly string[]): PassPlan => ({
    files: shaderFiles(choose.variants[variant]),
    constants: constants(count),
    bindings,
    workgroups: [variant === 'parts' ? parts : 1, 1, 1],
  });
  return [
    pass('parts', vocabulary, ['state', 'ids', 'logits', 'noise', 'bests']),
    pass('parts_last', parts, ['state', 'ids', 'bests']),
  ];
}
