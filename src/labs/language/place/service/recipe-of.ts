import type { Pruning } from '../../../../engine/matrix/source-types.ts';
import { AS_IT_IS, type ModelPruning, type Recipe, type StoredType } from '../../decoders/stored/recipe.ts';
import { isQuantised } from '../../theory/quantised.ts';
import type { StoredRequest } from './types.ts';

/** The recipe of a model that writes, with the values that its formats store. */
export function writtenRecipe(request: Omit<StoredRequest, 'format'>): Recipe {
  const own = request.own?.map(({ layer, name, pruning, valueType, params }) => ({
    layer,
    name,
    ...(pruning && { pruning }),
    valueType: valueType ?? typeOf(params),
  }));
  return { ...prunedRecipe(request), valueType: typeOf(request.params), ...(own && { own }) };
}

/** The recipe of a model before its formats round the values. */
export function prunedRecipe({
  pruning,
  own,
  calibration,
}: Pick<StoredRequest, 'pruning' | 'own' | 'calibration'>): Recipe {
  const prunings = own?.flatMap(({ layer, name, pruning: its }) => (its ? [{ layer, name, pruning: its }] : []));
  return {
    ...recipeOf(pruning),
    ...(prunings && prunings.length > 0 && { own: prunings }),
    ...(calibration !== undefined && calibration !== '' && { calibration }),
  };
}

function typeOf(params: Readonly<Record<string, unknown>>): StoredType {
  return isQuantised(params) ? (params.valueType as 'i8' | 'i4') : 'f16';
}

/** The model's recipe for a pruning of the sentence, with unrounded values. */
export function recipeOf(pruning: Pruning | null): Recipe {
  if (pruning === null) return AS_IT_IS;
  const ways: ModelPruning = pruning.way === 'n-of-m' ? { ...pruning, by: 'magnitude' } : pruning;
  return { ...AS_IT_IS, pruning: ways };
}
