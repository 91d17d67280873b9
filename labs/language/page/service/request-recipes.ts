import type { Pruning } from '../../../../src/engine/matrix/source-types.ts';
import { UNCHANGED, type ModelPruning, type Recipe, storedTypeOf } from '../../decoders/stored/recipe.ts';
import type { StoredRequest } from './types.ts';

/** The recipe (how a model's weights are pruned and rounded) of a request; `own`: matrices with another recipe. */
export function roundedRecipe(request: Omit<StoredRequest, 'format'>): Recipe {
  const own = request.overrides?.map(({ layer, name, pruning, valueType, params }) => ({
    layer,
    name,
    ...(pruning && { pruning }),
    valueType: valueType ?? storedTypeOf(params),
  }));
  return { ...unroundedRecipe(request), valueType: storedTypeOf(request.params), ...(own && { own }) };
}

/** Returns the recipe of a request with its pruning only: values are not rounded. */
export function unroundedRecipe(request: Pick<StoredRequest, 'pruning' | 'overrides' | 'calibration'>): Recipe {
  const { pruning, overrides, calibration } = request;
  const prunings = overrides?.flatMap(({ layer, name, pruning: matrixPruning }) =>
    matrixPruning ? [{ layer, name, pruning: matrixPruning }] : [],
  );
  return {
    ...recipeOfPruning(pruning),
    ...(prunings && prunings.length > 0 && { own: prunings }),
    ...(calibration !== undefined && calibration !== '' && { calibration }),
  };
}

/** The recipe for the pruning in the selection bar, without rounding; null: unpruned. */
export function recipeOfPruning(pruning: Pruning | null): Recipe {
  if (pruning === null) return UNCHANGED;
  const modelPruning: ModelPruning = pruning.way === 'n-of-m' ? { ...pruning, by: 'magnitude' } : pruning;
  return { ...UNCHANGED, pruning: modelPruning };
}
