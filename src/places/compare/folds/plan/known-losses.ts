import type { OwnPruning } from '../../../../kit/models/own-choices.ts';
import { BLOCK_MATRICES, blockMatrices, type BlockMatrix } from '../../../../language/decoder.ts';
import type { RecordedQuality, RecordedRow } from '../../../../language/quality/recorded.ts';
import type { StoredType } from '../../../../language/stored/recipe.ts';
import type { ModelShape } from '../../../../theory/models/model-shape.ts';

/** A matrix of a block. */
export interface At {
  readonly layer: number;
  readonly name: BlockMatrix;
}

/** All matrices of the blocks treated alike, and what that was measured to lose. */
interface WholeLoss {
  readonly pruning: OwnPruning;
  readonly valueType: StoredType;
  /** bits a tale against the dense model */
  readonly lost: number;
}

/** One pruning of parts of the model, everything else dense, and what it was measured to lose, in bits a tale. */
export interface PartLosses {
  readonly pruning: OwnPruning;
  matrix(at: At): number;
  layer(layer: number): number;
  kind(name: BlockMatrix): number;
  /** all matrices of the blocks; null where that was not measured */
  readonly whole: number | null;
}

/** What is known of a model's losses, all of it measured. */
export interface KnownLosses {
  /** YYYY-MM-DD */
  readonly date: string;
  /** held-out texts */
  readonly tales: number;
  readonly wholes: readonly WholeLoss[];
  /** null where no part was measured alone */
  readonly parts: PartLosses | null;
}

/** The losses of a recording; null where the dense model itself is not in it, since nothing can be compared then. */
export function knownLosses(quality: RecordedQuality): KnownLosses | null {
  const { rows, date, tales, bytes, sensitivity } = quality;
  const dense = rows.find((row) => row.way === 'none' && row.valueType === 'f16' && row.trained === undefined);
  if (!dense) return null;
  const wholes = rows.flatMap((row): WholeLoss[] => {
    const pruning = row.trained === undefined ? pruningOf(row) : null;
    if (pruning === null) return [];
    const lost = row === dense ? 0 : ((row.bitsPerByte - dense.bitsPerByte) * bytes) / tales;
    return [{ pruning, valueType: row.valueType, lost }];
  });
  return { date, tales, wholes, parts: sensitivity && partLosses(sensitivity, wholes) };
}

function pruningOf({ way, density, pattern }: RecordedRow): OwnPruning | null {
  if (way === 'none') return { way };
  if (pattern !== undefined) {
    const [kept, group] = pattern.split(':').map(Number);
    return { way: 'n-of-m', kept, group, by: way === 'wanda' ? 'wanda' : 'magnitude' };
  }
  return way === 'random' ? null : { way, density };
}

function partLosses(
  { way, density, byMatrix, byLayer, byKind }: NonNullable<RecordedQuality['sensitivity']>,
  wholes: readonly WholeLoss[],
): PartLosses | null {
  if (way === 'none' || way === 'random') return null;
  const whole = wholes.find(
    ({ pruning, valueType }) =>
      pruning.way === way && valueType === 'f16' && Math.abs(pruning.density - density) < 1e-9,
  );
  return {
    pruning: { way, density },
    matrix: ({ layer, name }) => byMatrix[layer][BLOCK_MATRICES.indexOf(name)],
    layer: (layer) => byLayer[layer],
    kind: (name) => byKind[BLOCK_MATRICES.indexOf(name)],
    whole: whole?.lost ?? null,
  };
}

/**
 * What is the most that pruning these matrices may lose: the measured loss of the smallest measured part that has them all,
 * if pruning more never loses less. Null where no such part was measured.
 */
export function mostLost(parts: PartLosses, pruned: readonly At[]): number | null {
  if (pruned.length === 0) return 0;
  const [first] = pruned;
  if (pruned.length === 1) return parts.matrix(first);
  const around = [
    ...(pruned.every(({ layer }) => layer === first.layer) ? [parts.layer(first.layer)] : []),
    ...(pruned.every(({ name }) => name === first.name) ? [parts.kind(first.name)] : []),
    ...(parts.whole === null ? [] : [parts.whole]),
  ];
  return around.length === 0 ? null : Math.min(...around); // bounded: at most three
}

/**
 * The most that was measured of kinds, or of the whole model, among these matrices: pruning them loses no less, if pruning
 * more never loses less. 0 where they have no such part.
 */
export function leastLost(
  parts: PartLosses,
  pruned: readonly At[],
  shape: Pick<ModelShape, 'layers' | 'gated'>,
): number {
  const kinds = blockMatrices(shape).filter(
    (kind) => pruned.filter(({ name }) => name === kind).length === shape.layers,
  );
  const isWhole = kinds.length === blockMatrices(shape).length;
  // bounded: the kinds of a block
  return Math.max(0, ...kinds.map((kind) => parts.kind(kind)), isWhole ? (parts.whole ?? 0) : 0);
}
