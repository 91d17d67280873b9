import gemmLoadTile from '../../../shaders/common/gemm_load_tile.wgsl';
import tokensShader from '../../../shaders/common/tokens.wgsl';
import gemmStore from '../../../shaders/common/gemm_store.wgsl';
import tile from '../../../shaders/common/gemm_tile.wgsl';
import type { Choice, Chosen } from './choices.ts';
import type { WorkgroupNeeds } from './device-limits.ts';
import type { Support } from '../encoded/admission.ts';
import type { EncodedMatrix } from '../encoded/encoded.ts';
import type { DeviceFacts, KernelPlan, KernelSpec, PassPlan } from './kernel.ts';
import {
  input,
  output,
  type Part,
  partsFit,
  partsPlan,
  type StoredArrays,
  storedParts,
  workgroupsFit,
} from './multi-pass-plan.ts';
import { shaderFiles, type ShaderModule } from './shader.ts';

/**
 * The tile of C = A B^T that a workgroup computes: `m` rows by `n` columns of sums, adding `k` products to each at a
 * time. shaders/common/gemm_staging.wgsl explains how the files of a GEMM fit together.
 */
export interface GemmTile {
  readonly m: number;
  readonly n: number;
  readonly k: number;
  readonly lanes: number;
  /** whether operands go through workgroup memory; if not, that memory stores 16 sums of every lane at the end */
  readonly staged: boolean;
  /** shader modules: the kind of tile, and how its lanes stage operands */
  readonly pieces: readonly ShaderModule[];
}

function largeTile(m: number, n: number): GemmTile {
  // The variant `lines` is for tiles in which B has four times as many rows as A.
  const staging = gemmLoadTile.variants[n === 4 * m ? 'lines' : 'blocks'];
  const pieces = [tile.variants.large, staging];
  return { m, n, k: 16, lanes: (m * n) / 64, staged: true, pieces };
}

function smallTile(m: number, n: number): GemmTile {
  return { m, n, k: 32, lanes: (m * n) / 16, staged: true, pieces: [tile.variants.small] };
}

/** A tile of 4 × 4 sums, with nothing staged: each of `lanes` lanes adds up a part of the products of all 16. */
function tinyTile(lanes: number): GemmTile {
  return { m: 4, n: 4, k: 4, lanes, staged: false, pieces: [tile.variants.lines] };
}

/** All tiles, with their rows and columns. A lane computes 8 × 8 sums of a large tile, 4 × 4 of a small tile. */
export const TILES = {
  large: largeTile(128, 128),
  /** half the rows of `large`: with more tiles, fewer processors are idle at the end */
  half: largeTile(64, 128),
  /** for formats (TwELL) with tiles of 256 columns; needs 20 KiB of workgroup memory, all others at most 16 */
  wide: largeTile(64, 256),
  small: smallTile(64, 64),
  flat: smallTile(32, 64),
  /** 4 × 4 sums, for a few rows; its shader is the variant `lines` of gemm_tile.wgsl */
  tiny: tinyTile(64),
} as const satisfies Readonly<Record<string, GemmTile>>;

/** About as many tiles as a large GPU has processors: with fewer tiles, some processors would be idle. */
const MANY_TILES = 128;

/**
 * The tile for m rows and n columns of sums: as large as leaves enough tiles, and no taller than needed. `chosen` may
 * halve the rows of a large tile (`tileChoices`).
 */
export function tileFor(m: number, n: number, device: DeviceFacts, chosen: Chosen = {}): GemmTile {
  if (m <= TILES.flat.m) return tileOn(device, TILES.flat);
  const tiles = Math.ceil(m / TILES.large.m) * Math.ceil(n / TILES.large.n);
  if (tiles < MANY_TILES) return tileOn(device, TILES.small);
  return tileOn(device, chosen[TILE_ROWS] === TILES.half.m ? TILES.half : TILES.large);
}

/** Up to this many tokens, rereading the weights for every four tokens is faster than multiplying large tiles. */
const FEW_TOKENS = 16;

/** The tile for Y = X W^T with `tokens` tokens and `rows` rows of W. */
export function tileForTokens(tokens: number, rows: number, device: DeviceFacts, chosen: Chosen = {}): GemmTile {
  const workgroups = Math.ceil(rows / TILES.tiny.n);
  const fits = workgroups <= device.limits.maxComputeWorkgroupsPerDimension;
  return tokens <= FEW_TOKENS && fits ? TILES.tiny : tileFor(tokens, rows, device, chosen);
}

const TILE_ROWS = 'tile rows';

/**
 * The choices of a timing trial: the rows of large tiles; none if none of `tiles` is large. With half as many rows,
 * operands are read more often, but fewer processors may be idle at the end; no device reports how many it has.
 */
export function tileChoices(tiles: readonly GemmTile[]): readonly Choice[] {
  const { large, half } = TILES;
  if (!tiles.some(({ m, n }) => m === large.m && n === large.n)) return [];
  return [{ kind: 'one-of', name: TILE_ROWS, start: large.m, values: [large.m, half.m] }];
}

/** The tile with a small `k` on software adapters, which take seconds to compile large workgroup memory. */
export function tileOn({ isFallback }: DeviceFacts, tile: GemmTile): GemmTile {
  return isFallback ? { ...tile, k: 4 } : tile;
}

/** The lanes and the memory that a workgroup needs for this tile. */
export function tileNeeds(tile: GemmTile): WorkgroupNeeds {
  const { lanes, m, n, k, staged } = tile;
  const words = staged ? k * (m + n) : 16 * lanes;
  return { lanes, memoryBytes: 4 * words };
}

/** The constants of a GEMM with this tile, and a workgroup for every tile of m x n sums. */
export function tilePass(tile: GemmTile, m: number, n: number): Pick<PassPlan, 'constants' | 'workgroups'> {
  return {
    constants: { TILE_M: tile.m, TILE_N: tile.n, TILE_K: tile.k, LANES: tile.lanes },
    workgroups: [Math.max(1, Math.ceil(n / tile.n)), Math.max(1, Math.ceil(m / tile.m)), 1],
  };
}

/** Multiply-adds of m x n sums of k products, including the part of tiles that extends beyond the matrices. */
export function tileMultiplyAdds(tile: GemmTile, m: number, n: number, k: number): number {
  const roundUp = (length: number, unit: number): number => Math.ceil(length / unit) * unit;
  return roundUp(m, tile.m) * roundUp(n, tile.n) * roundUp(k, tile.k);
}

/** Sizes and arrays of Y = X W^T: the input X (tokens x cols) and Y (tokens x rows) in f32, weights W (rows x cols). */
export interface GemmBuffers {
  readonly tokens: number;
  readonly cols: number;
  readonly rows: number;
  /** elements from one row of weights to the next */
  readonly stride: number;
  /** arrays of the weights: the first is bound before y, the others after it */
  readonly arrays: StoredArrays;
  /** sizes after the four of shaders/common/gemm_sizes.wgsl, if the kernel has further sizes */
  readonly further?: readonly number[];
}

function partsOf({ tokens, cols, rows, arrays }: GemmBuffers): readonly Part[] {
  return [...storedParts(arrays), input('x', tokens * cols, 'f32'), output('y', 4 * tokens * rows)];
}

/** The module that reads activations: four at a time if their rows are a multiple of 4. */
export function tokensPiece(cols: number): ShaderModule {
  return tokensShader.variants[cols % 4 === 0 ? 'fours' : 'ones'];
}

/** The module that stores rows of sums: four at a time if their length is a multiple of 4. */
export function storePiece(rows: number): ShaderModule {
  return gemmStore.variants[rows % 4 === 0 ? 'fours' : 'ones'];
}

/**
 * The plan of Y = X W^T with sums in f32. `pieces`: shader modules other than tile, activations and output.
 * Bindings: params, x, the first array, y, the other arrays.
 */
export function gemmPlan(
  buffers: GemmBuffers,
  kernel: ShaderModule,
  pieces: readonly ShaderModule[],
  tile: GemmTile,
): KernelPlan {
  const { tokens, cols, rows, stride, further = [] } = buffers;
  const [weights, ...trailing] = buffers.arrays;
  const data = Uint32Array.from([tokens, cols, rows, stride, ...further]);
  const pass = {
    files: shaderFiles(kernel, [...tile.pieces, tokensPiece(cols), storePiece(rows), ...pieces]),
    ...tilePass(tile, tokens, rows),
    bindings: ['params', 'x', weights.name, 'y', ...trailing.map(({ name }) => name)],
  };
  return {
    ...partsPlan([{ role: 'params', name: 'params', data }], partsOf(buffers), [pass]),
    multiplyAdds: tileMultiplyAdds(tile, tokens, rows, cols),
  };
}

/** A kernel whose tile follows from the number of tokens. */
export function tileKernel<E extends EncodedMatrix>({
  fits,
  plan,
  ...spec
}: Omit<KernelSpec<E>, 'fits' | 'plan' | 'choices' | 'features'> & {
  fits(e: E, device: DeviceFacts, tokens: number, tile: GemmTile): Support;
  plan(e: E, device: DeviceFacts, tokens: number, tile: GemmTile): KernelPlan;
}): KernelSpec<E> {
  return {
    ...spec,
    features: [],
    fits(e, device, { tokens }) {
      const tile = tileForTokens(tokens, e.rows, device);
      const fit = fits(e, device, tokens, tile);
      return fit.ok ? workgroupsFit(tilePass(tile, tokens, e.rows).workgroups, device) : fit;
    },
    choices: (e, device, { tokens }) => tileChoices([tileForTokens(tokens, e.rows, device)]),
    plan: (e, device, { tokens }, chosen) => plan(e, device, tokens, tileForTokens(tokens, e.rows, device, chosen)),
  };
}

/** A kernel for Y = X W^T in tiles, with sums in f32. `only`: the parameter values that it supports; absent: all. */
export function gemmKernel<E extends EncodedMatrix>({
  buffers,
  ...spec
}: Pick<KernelSpec<E>, 'id' | 'title' | 'only'> & {
  buffers(e: E, tokens: number): GemmBuffers;
  plan(e: E, tokens: number, tile: GemmTile): KernelPlan;
}): KernelSpec<E> {
  return tileKernel({
    ...spec,
    operation: 'gemm',
    extraRoundings: 2, // of each product, and in scaling the sum
    fits: (e, device, tokens, tile) => partsFit(partsOf(buffers(e, tokens)), tileNeeds(tile), device),
    plan: (e, _, tokens, tile) => spec.plan(e, tokens, tile),
  });
}
