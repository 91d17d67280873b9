// Recipes: how each matrix of a model is pruned and rounded.

import { BLOCK_MATRICES, type BlockMatrix, blockMatrixShape } from '../decoder.ts';
import type { ModelShape } from '../../../../src/theory/models/model-shape.ts';

/** A density for every matrix, by layer. */
export type DensityMap = readonly Readonly<Record<BlockMatrix, number>>[];

/**
 * Which weights of the transformer blocks' matrices are kept. A density is a share of cells, from 0 to 1: the same for
 * all matrices, or one for each.
 */
export type ModelPruning =
  | { readonly way: 'none' }
  /** the largest magnitudes of every matrix, or of every row */
  | { readonly way: 'magnitude' | 'rows'; readonly density: number | DensityMap }
  /** the largest |w| times the norm of their column's inputs, in every row */
  | { readonly way: 'wanda'; readonly density: number | DensityMap }
  | { readonly way: 'random'; readonly density: number | DensityMap; readonly seed: number }
  /** `kept` of every `group` neighbours in a row: the largest by magnitude, or by magnitude times norm */
  | { readonly way: 'n-of-m'; readonly kept: number; readonly group: number; readonly by: 'magnitude' | 'wanda' }
  /** 2:4 in the columns that lose least by it, all weights in the others; density from 0.5 to 1 */
  | { readonly way: 'spense'; readonly density: number; readonly by: 'magnitude' | 'wanda' };

/** How remaining weights are stored: as f16, a byte with a scale per row, or 4 bits with a scale per 32 columns. */
export type StoredType = 'f16' | 'i8' | 'i4';

/** A matrix with its own pruning or value type. */
export interface MatrixRecipe {
  readonly layer: number;
  readonly name: BlockMatrix;
  /** absent: as for the other matrices; the same for `valueType` */
  readonly pruning?: ModelPruning;
  readonly valueType?: StoredType;
}

/** How the matrices of a model's blocks are pruned and rounded; embedding, head and norms are unchanged. */
export interface Recipe {
  readonly pruning: ModelPruning;
  readonly valueType: StoredType;
  /** the calibration text for Wanda; absent: tales of the training set */
  readonly calibration?: string;
  /** matrices with their own choices, each at most once */
  readonly own?: readonly MatrixRecipe[];
}

/** The recipe that changes nothing. */
export const UNCHANGED: Recipe = { pruning: { way: 'none' }, valueType: 'f16' };

/** How a format with these parameters stores kept weights: those that it does not round to i8 or i4 count as f16. */
export function storedTypeOf({ valueType }: Readonly<Record<string, unknown>>): StoredType {
  return valueType === 'i8' || valueType === 'i4' ? valueType : 'f16';
}

/** Whether the recipe changes nothing. */
export function isUnchanged({ pruning, valueType, own = [] }: Recipe): boolean {
  return pruning.way === 'none' && valueType === 'f16' && own.length === 0;
}

/** The pruning and value type of one matrix. */
export function recipeAt(recipe: Recipe, layer: number, name: BlockMatrix): Pick<Recipe, 'pruning' | 'valueType'> {
  const { pruning, valueType, own } = recipe;
  const matrix = own?.find((entry) => entry.layer === layer && entry.name === name);
  return { pruning: matrix?.pruning ?? pruning, valueType: matrix?.valueType ?? valueType };
}

/** Whether a pruning of the recipe needs the inputs of its matrices. */
export function needsInputs({ pruning, own = [] }: Pick<Recipe, 'pruning' | 'own'>): boolean {
  return [pruning, ...own.map((matrix) => matrix.pruning)].some(
    (each) => each?.way === 'wanda' || ((each?.way === 'n-of-m' || each?.way === 'spense') && each.by === 'wanda'),
  );
}

/** The share of cells that a pruning leaves in one matrix, before rounding to whole cells. */
export function densityAt(pruning: ModelPruning, layer: number, name: BlockMatrix): number {
  switch (pruning.way) {
    case 'none':
      return 1;
    case 'n-of-m':
      return pruning.kept / pruning.group;
    default:
      return typeof pruning.density === 'number' ? pruning.density : pruning.density[layer][name];
  }
}

/** Number of weights in the matrices of all blocks. */
export function blockWeights(shape: ModelShape): number {
  return BLOCK_MATRICES.reduce((sum, name) => {
    const [rows, cols] = blockMatrixShape(shape, name);
    return sum + rows * cols * shape.layers;
  }, 0);
}

/** The same density for every matrix. */
export function evenDensities(density: number, layers: number): DensityMap {
  const row = Object.fromEntries(BLOCK_MATRICES.map((name) => [name, density])) as Record<BlockMatrix, number>;
  return Array.from({ length: layers }, () => ({ ...row }));
}

/** A short key of a recipe for addresses and measurements: equal for equal recipes. */
export function recipeKey(recipe: Recipe): string {
  const { pruning, valueType, calibration, own = [] } = recipe;
  const calibrationText = calibration !== undefined && needsInputs(recipe) ? ` by ${JSON.stringify(calibration)}` : '';
  const ownTexts = own.map((matrix) => {
    const matrixPruning = matrix.pruning ? pruningKey(matrix.pruning) : '';
    return `; ${matrix.layer} ${matrix.name} ${matrixPruning}/${matrix.valueType ?? ''}`;
  });
  return `${pruningKey(pruning)}/${valueType}${calibrationText}${ownTexts.join('')}`;
}

function pruningKey(pruning: ModelPruning): string {
  if (pruning.way === 'none') return 'none';
  if (pruning.way === 'n-of-m') return `${pruning.kept}:${pruning.group} ${pruning.by}`;
  if (pruning.way === 'spense') return `spense ${pruning.density} ${pruning.by}`;
  const { way, density } = pruning;
  const densities =
    typeof density === 'number'
      ? String(density)
      : density.map((layer) => BLOCK_MATRICES.map((name) => layer[name]).join(' ')).join(',');
  return `${way} ${densities}${way === 'random' ? ` seed ${pruning.seed}` : ''}`;
}
