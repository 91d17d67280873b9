import subgroupMatrices from '../../../shaders/common/subgroup_matrices.wgsl';
import type { Choice, Chosen } from './choices.ts';
import { missingFeaturesText, type WorkgroupNeeds } from './device-limits.ts';
import type { Support } from '../encoded/admission.ts';
import type { EncodedMatrix } from '../encoded/encoded.ts';
import { type GemmTile, storePiece, tileKernel, tileMultiplyAdds, tileNeeds, tilePass } from './gemm-plan.ts';
import type { DeviceFacts, KernelPlan, KernelSpec, PassPlan } from './kernel.ts';
import { input, output, partsFit, partsPlan, scratch, type StoredArrays, storedParts } from './multi-pass-plan.ts';
import { type Activations, quantiseChoice, quantisedBytes, quantiseFits, quantiseParams } from './quantise-plan.ts';
import { shaderFiles, type ShaderModule } from './shader.ts';
import { ROWS_FIRST, SUBGROUP_MATRIX, subgroupMatrixFeature } from './subgroup-matrix.ts';

// Plans of kernels for Y = Q(X) W^T in i8: a first pass quantises the activations, a second multiplies tiles.

const BYTES_PER_WORD = 4;

/**
 * Y = Q(X) W^T for f32 activations X, the input 'x', and weights W in i8: X is quantised in a first pass, to as many
 * words per token (a multiple of 4) as a row of weights has. Y: tokens x rows, f32.
 */
export interface GemmI8Buffers {
  readonly activations: Activations;
  readonly rows: number;
  /** words, or SlideSparse's windows, from one row of weights to the next */
  readonly stride: number;
  /** arrays of the weights: the first is bound before y, the others after it */
  readonly arrays: StoredArrays;
}

/** Whether the device can quantise the activations, bind all buffers, and run workgroups with these needs. */
function gemmI8BuffersFit(b: GemmI8Buffers, device: DeviceFacts, needs: WorkgroupNeeds): Support {
  const quantise = quantiseFits(b.activations, device);
  return quantise.ok ? partsFit([...storedParts(b.arrays), output('y', outputBytes(b))], needs, device) : quantise;
}

function outputBytes({ activations, rows }: GemmI8Buffers): number {
  return BYTES_PER_WORD * activations.tokens * rows;
}

/**
 * The plan in two passes: `quantise`, then `kernel`, which multiplies tiles. `pieces`: the shader modules that the kernel
 * includes in addition to the modules of the tile and the output. Its bindings: params, activations, first array, y, other
 * arrays.
 */
export function gemmI8Plan(
  b: GemmI8Buffers,
  quantise: Omit<PassPlan, 'bindings'>,
  kernel: ShaderModule,
  pieces: readonly ShaderModule[],
  tile: GemmTile,
): KernelPlan {
  const { tokens, words } = b.activations;
  const files = shaderFiles(kernel, [...tile.pieces, storePiece(b.rows), ...pieces]);
  return {
    ...quantisedProduct(b, quantise, { files, ...tilePass(tile, tokens, b.rows) }),
    multiplyAdds: BYTES_PER_WORD * tileMultiplyAdds(tile, tokens, b.rows, words),
  };
}

/** The device feature that the kernels with subgroup matrices need. */
export const I8_SUBGROUP_MATRIX = subgroupMatrixFeature({
  componentType: 'i8',
  resultComponentType: 'i32',
  M: 16,
  N: 16,
  K: 32,
});
/** Tokens and rows of W per subgroup, as in shaders/common/gemm_i8_subgroup_matrix.wgsl. */
const SUBGROUP_TOKENS = 32;
const SUBGROUP_ROWS = 64;
const SUBGROUP_LANES = 32;
/** Bytes of a subgroup matrix of 16 × 16 sums. */
const MATRIX_BYTES = 4 * 16 * 16;
/** Bytes between two staged lines (rows of X or W in workgroup memory), so that they begin in different banks. */
const LINE_GAP = 16;
/** Rows of W per tile. */
const TILE_ROWS = 128;
/** Candidates for the bytes of every line that one step copies into workgroup memory. */
const STAGED_BYTES = [64, 128] as const;
/** Bytes that a lane copies at a time: four words. */
const GROUP_BYTES = 16;
/** Maximum number of groups of an operand that a lane copies in a step: the shader has as many registers. */
const MAX_COPIES_PER_LANE = 8;

/** Steps that are loaded into registers ahead of time, 0 or 1; a timing trial may choose ('turns ahead'). */
const STEPS_AHEAD = 1;

/** Tokens of a tile: 32, 64 or 128 (1, 2 or 4 subgroups), as few as cover all tokens if they can. */
function tileTokens(tokens: number): number {
  return Math.min(128, SUBGROUP_TOKENS * 2 ** Math.ceil(Math.log2(Math.max(1, tokens / SUBGROUP_TOKENS))));
}

/** The tile of a workgroup: m tokens by n rows of W. */
interface SubgroupTile {
  readonly m: number;
  readonly n: number;
  readonly step: number; // bytes of every line that are staged at a time
}

function subgroupTileNeeds({ m, n, step }: SubgroupTile): WorkgroupNeeds {
  const subgroups = (m / SUBGROUP_TOKENS) * (n / SUBGROUP_ROWS);
  const line = step + LINE_GAP;
  // At the end, the memory of the rows stores two matrices of sums for every subgroup.
  return {
    lanes: subgroups * SUBGROUP_LANES,
    memoryBytes: m * line + Math.max(n * line, subgroups * 2 * MATRIX_BYTES),
  };
}

/** Groups of GROUP_BYTES that a lane copies in a step of an operand with `lines` lines. */
function copiesPerLane(lines: number, { m, n, step }: SubgroupTile): number {
  return (lines * step) / GROUP_BYTES / subgroupTileNeeds({ m, n, step }).lanes;
}

/** The values of STAGED_BYTES that the device's workgroup memory and MAX_COPIES_PER_LANE allow. */
function stagedBytesFor(m: number, n: number, { limits }: DeviceFacts): readonly number[] {
  return STAGED_BYTES.filter((step) => {
    const tile = { m, n, step };
    const fits = subgroupTileNeeds(tile).memoryBytes <= limits.maxComputeWorkgroupStorageSize;
    return fits && Math.max(copiesPerLane(m, tile), copiesPerLane(n, tile)) <= MAX_COPIES_PER_LANE;
  });
}

/** The choices of a timing trial: staged bytes, steps ahead, and how activations are quantised. */
function subgroupTileChoices(b: GemmI8Buffers, device: DeviceFacts): readonly Choice[] {
  const { m, n, step } = subgroupTile(b, device);
  return [
    { kind: 'one-of', name: 'staged bytes', start: step, values: stagedBytesFor(m, n, device) },
    { kind: 'one-of', name: 'turns ahead', start: STEPS_AHEAD, values: [0, 1] },
    quantiseChoice(device),
  ];
}

function subgroupTile(b: GemmI8Buffers, device: DeviceFacts, chosen: Chosen = {}): SubgroupTile {
  const m = tileTokens(b.activations.tokens);
  const n = TILE_ROWS;
  return { m, n, step: chosen['staged bytes'] ?? stagedBytesFor(m, n, device).at(-1) ?? STAGED_BYTES[0] };
}

/** The number of steps that copy a whole line. */
function stepsOfLine({ activations: { words } }: GemmI8Buffers, step: number): number {
  return Math.max(1, Math.ceil((BYTES_PER_WORD * words) / step));
}

/** `b` with lines of activations padded to whole steps, so that the shader need not test where they end. */
function paddedToSteps(b: GemmI8Buffers, step: number): GemmI8Buffers {
  return { ...b, activations: { ...b.activations, words: (stepsOfLine(b, step) * step) / BYTES_PER_WORD } };
}

/** Whether the device has the feature I8_SUBGROUP_MATRIX, and binds every buffer. */
function gemmI8SubgroupFits(b: GemmI8Buffers, device: DeviceFacts): Support {
  // The longest step pads the lines of activations most.
  const longestStep = Math.max(...STAGED_BYTES); // bounded: two candidates
  const fits = gemmI8BuffersFit(paddedToSteps(b, longestStep), device, subgroupTileNeeds(subgroupTile(b, device)));
  if (!fits.ok || device.features.has(I8_SUBGROUP_MATRIX)) return fits;
  return { ok: false, reason: missingFeaturesText([I8_SUBGROUP_MATRIX]), remedy: null };
}

/** The shader module that names the types of subgroup matrices as this device's WGSL does. */
export function matricesPiece({ features }: DeviceFacts): ShaderModule {
  return subgroupMatrices.variants[features.has(ROWS_FIRST) ? 'rows_first' : 'columns_first'];
}

/** The plan with subgroup matrices: `quantise`, then `kernel`, which multiplies. The bindings are those of `gemmI8Plan`. */
function gemmI8SubgroupPlan(
  b: GemmI8Buffers,
  quantise: Omit<PassPlan, 'bindings'>,
  kernel: ShaderModule,
  device: DeviceFacts,
  chosen: Chosen = {},
): KernelPlan {
  const tile = subgroupTile(b, device, chosen);
  const { m, n, step } = tile;
  const { tokens } = b.activations;
  const steps = stepsOfLine(b, step);
  const workgroups = [Math.max(1, Math.ceil(b.rows / n)), Math.max(1, Math.ceil(tokens / m)), 1] as const;
  const product = {
    files: shaderFiles(kernel, [storePiece(b.rows), matricesPiece(device)]),
    constants: {
      TILE_M: m,
      TILE_N: n,
      STEP: step,
      LINE: (step + LINE_GAP) / GROUP_BYTES,
      LANES: subgroupTileNeeds(tile).lanes,
      TURNS: steps,
      // TURNS counts steps, but the next two constants count the groups that a lane copies in a step.
      TOKEN_TURNS: copiesPerLane(m, tile),
      ROW_TURNS: copiesPerLane(n, tile),
      AHEAD: chosen['turns ahead'] ?? STEPS_AHEAD, // number of steps
      STRIDE: b.stride,
    },
    workgroups,
  };
  return {
    ...quantisedProduct(paddedToSteps(b, step), quantise, product),
    multiplyAdds: workgroups[0] * n * workgroups[1] * m * steps * step,
  };
}

/** The plan of the two passes, with their buffers. */
function quantisedProduct(
  b: GemmI8Buffers,
  quantise: Omit<PassPlan, 'bindings'>,
  product: Omit<PassPlan, 'bindings'>,
): KernelPlan {
  const { tokens, cols } = b.activations;
  const [weights, ...otherArrays] = b.arrays;
  // The pass that quantises reads only the first three sizes.
  const data = Uint32Array.from([...quantiseParams(b.activations), b.rows, b.stride]);
  return partsPlan(
    [{ role: 'params', name: 'params', data }],
    [
      input('x', tokens * cols, 'f32'),
      // The product reads whole groups, including the scales.
      scratch('activations', Math.ceil(quantisedBytes(b.activations) / GROUP_BYTES) * GROUP_BYTES),
      ...storedParts(b.arrays),
      output('y', outputBytes(b)),
    ],
    [
      { ...quantise, bindings: ['params', 'x', 'activations'] },
      { ...product, bindings: ['params', 'activations', weights.name, 'y', ...otherArrays.map(({ name }) => name)] },
    ],
  );
}

/**
 * What both kinds of kernels have in common. The four `extraRoundings`: weights as decoded for the check, a sum of integers
 * to f32, and its products with two scales.
 */
const GEMM_I8 = { operation: 'gemm-i8', extraRoundings: 4, only: { valueType: ['i8'] } } as const;

interface I8Kernel<E> {
  readonly id: string;
  readonly title: string;
  buffers(e: E, tokens: number): GemmI8Buffers;
}

/** Y = Q(X) W^T in tiles, with dot products of four bytes. */
export function gemmI8Kernel<E extends EncodedMatrix>({
  buffers,
  ...spec
}: I8Kernel<E> & {
  plan(e: E, device: DeviceFacts, tokens: number, tile: GemmTile): KernelPlan;
}): KernelSpec<E> {
  return tileKernel({
    ...spec,
    ...GEMM_I8,
    arithmetic: 'i8',
    fits: (e, device, tokens, tile) => gemmI8BuffersFit(buffers(e, tokens), device, tileNeeds(tile)),
  });
}

/** Y = Q(X) W^T with subgroup matrices; `first` returns the pass that quantises. */
export function gemmI8SubgroupKernel<E extends EncodedMatrix>({
  buffers,
  shader,
  first,
  ...idAndTitle
}: I8Kernel<E> & {
  readonly shader: ShaderModule;
  first(e: E, tokens: number, device: DeviceFacts, chosen?: Chosen): Omit<PassPlan, 'bindings'>;
}): KernelSpec<E> {
  return {
    ...idAndTitle,
    ...GEMM_I8,
    arithmetic: 'i8-matrix',
    features: ['subgroups', SUBGROUP_MATRIX],
    fits: (e, device, { tokens }) => gemmI8SubgroupFits(buffers(e, tokens), device),
    choices: (e, device, { tokens }) => subgroupTileChoices(buffers(e, tokens), device),
    plan: (e, device, { tokens }, chosen) =>
      gemmI8SubgroupPlan(buffers(e, tokens), first(e, tokens, device, chosen), shader, device, chosen),
  };
}
