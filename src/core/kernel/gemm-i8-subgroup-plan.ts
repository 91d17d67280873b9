import subgroupMatrices from '../../../shaders/common/subgroup_matrices.wgsl';
import type { Support } from '../encoded/admission.ts';
import type { EncodedMatrix } from '../encoded/encoded.ts';
import type { Choice, Chosen } from './choices.ts';
import { missingFeaturesText, type WorkgroupNeeds } from './device-limits.ts';
import {
  BYTES_PER_WORD,
  GEMM_I8,
  type GemmI8Buffers,
  gemmI8BuffersFit,
  GROUP_BYTES,
  type I8Kernel,
  quantisedProduct,
} from './gemm-i8-plan.ts';
import { storePiece } from './gemm-plan.ts';
import type { DeviceFacts, KernelPlan, KernelSpec, PassPlan } from './kernel.ts';
import { quantiseChoice } from './quantise-plan.ts';
import { shaderFiles, type ShaderModule } from './shader.ts';
import { ROWS_FIRST, SUBGROUP_MATRIX, subgroupMatrixFeature } from './subgroup-matrix.ts';

// Plans of kernels for Y = Q(X) W^T in i8 with subgroup matrices. A workgroup multiplies a tile of tokens and rows of W in
// steps: each step copies the same `stepBytes` bytes of every line (a row of X or W) into workgroup memory.

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
/** Maximum number of groups of an operand that a lane copies in a step: the shader has as many registers. */
const MAX_COPIES_PER_LANE = 8;

/** Steps whose operands are loaded into registers ahead of time, 0 or 1, unless a timing trial chooses. */
const STEPS_AHEAD = 1;
/** The name of the choice of steps ahead, which reports store. */
const STEPS_AHEAD_CHOICE = 'turns ahead';

/** Tokens of a tile: 32, 64 or 128 (1, 2 or 4 subgroups), as few as cover all tokens if they can. */
function tileTokens(tokens: number): number {
  return Math.min(128, SUBGROUP_TOKENS * 2 ** Math.ceil(Math.log2(Math.max(1, tokens / SUBGROUP_TOKENS))));
}

/** The tile of a workgroup: m tokens by n rows of W. */
interface SubgroupTile {
  readonly m: number;
  readonly n: number;
  /** bytes of every line that a step copies */
  readonly stepBytes: number;
}

function subgroupTileNeeds({ m, n, stepBytes }: SubgroupTile): WorkgroupNeeds {
  const subgroups = (m / SUBGROUP_TOKENS) * (n / SUBGROUP_ROWS);
  const lineBytes = stepBytes + LINE_GAP;
  // At the end, the memory of the rows stores two matrices of sums for every subgroup.
  return {
    lanes: subgroups * SUBGROUP_LANES,
    memoryBytes: m * lineBytes + Math.max(n * lineBytes, subgroups * 2 * MATRIX_BYTES),
  };
}

/** Groups of GROUP_BYTES that a lane copies in a step, of an operand with `lines` lines. */
function copiesPerLane(lines: number, { m, n, stepBytes }: SubgroupTile): number {
  return (lines * stepBytes) / GROUP_BYTES / subgroupTileNeeds({ m, n, stepBytes }).lanes;
}

/** The values of STAGED_BYTES that the device's workgroup memory and MAX_COPIES_PER_LANE allow. */
function stagedBytesFor(m: number, n: number, { limits }: DeviceFacts): readonly number[] {
  return STAGED_BYTES.filter((stepBytes) => {
    const tile = { m, n, stepBytes };
    const fits = subgroupTileNeeds(tile).memoryBytes <= limits.maxComputeWorkgroupStorageSize;
    return fits && Math.max(copiesPerLane(m, tile), copiesPerLane(n, tile)) <= MAX_COPIES_PER_LANE;
  });
}

/** The choices of a timing trial: staged bytes, steps ahead, and how activations are quantised. */
function subgroupTileChoices(b: GemmI8Buffers, device: DeviceFacts): readonly Choice[] {
  const { m, n, stepBytes } = subgroupTile(b, device);
  return [
    { kind: 'one-of', name: 'staged bytes', start: stepBytes, values: stagedBytesFor(m, n, device) },
    { kind: 'one-of', name: STEPS_AHEAD_CHOICE, start: STEPS_AHEAD, values: [0, 1] },
    quantiseChoice(device),
  ];
}

function subgroupTile(b: GemmI8Buffers, device: DeviceFacts, chosen: Chosen = {}): SubgroupTile {
  const m = tileTokens(b.activations.tokens);
  const n = TILE_ROWS;
  return { m, n, stepBytes: chosen['staged bytes'] ?? stagedBytesFor(m, n, device).at(-1) ?? STAGED_BYTES[0] };
}

/** The number of steps that copy a whole line. */
function stepsOfLine({ activations: { words } }: GemmI8Buffers, stepBytes: number): number {
  return Math.max(1, Math.ceil((BYTES_PER_WORD * words) / stepBytes));
}

/** `b` with lines of activations padded to whole steps, so that the shader need not test where they end. */
function paddedToSteps(b: GemmI8Buffers, stepBytes: number): GemmI8Buffers {
  return { ...b, activations: { ...b.activations, words: (stepsOfLine(b, stepBytes) * stepBytes) / BYTES_PER_WORD } };
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
  const { m, n, stepBytes } = tile;
  const { tokens } = b.activations;
  const steps = stepsOfLine(b, stepBytes);
  const workgroups = [Math.max(1, Math.ceil(b.rows / n)), Math.max(1, Math.ceil(tokens / m)), 1] as const;
  const product = {
    files: shaderFiles(kernel, [storePiece(b.rows), matricesPiece(device)]),
    constants: {
      TILE_M: m,
      TILE_N: n,
      // Names that saved drafts of the kernel have.
      STEP: stepBytes,
      LINE: (stepBytes + LINE_GAP) / GROUP_BYTES,
      LANES: subgroupTileNeeds(tile).lanes,
      TURNS: steps,
      TOKEN_TURNS: copiesPerLane(m, tile),
      ROW_TURNS: copiesPerLane(n, tile),
      AHEAD: chosen[STEPS_AHEAD_CHOICE] ?? STEPS_AHEAD,
      STRIDE: b.stride,
    },
    workgroups,
  };
  return {
    ...quantisedProduct(paddedToSteps(b, stepBytes), quantise, product),
    multiplyAdds: workgroups[0] * n * workgroups[1] * m * steps * stepBytes,
  };
}

/** Y = Q(X) W^T with subgroup matrices; `quantise` returns the first pass. */
export function gemmI8SubgroupKernel<E extends EncodedMatrix>({
  buffers,
  shader,
  quantise,
  ...idAndTitle
}: I8Kernel<E> & {
  readonly shader: ShaderModule;
  quantise(e: E, tokens: number, device: DeviceFacts, chosen?: Chosen): Omit<PassPlan, 'bindings'>;
}): KernelSpec<E> {
  return {
    ...idAndTitle,
    ...GEMM_I8,
    arithmetic: 'i8-matrix',
    features: ['subgroups', SUBGROUP_MATRIX],
    fits: (e, device, { tokens }) => gemmI8SubgroupFits(buffers(e, tokens), device),
    choices: (e, device, { tokens }) => subgroupTileChoices(buffers(e, tokens), device),
    plan: (e, device, { tokens }, chosen) =>
      gemmI8SubgroupPlan(buffers(e, tokens), quantise(e, tokens, device, chosen), shader, device, chosen),
  };
}
