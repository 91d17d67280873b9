import type { Pruning } from '../../../engine/matrix/pruning-way.ts';
import { AS_IT_IS, type ModelPruning, type Recipe } from '../../../language/stored/recipe.ts';
import { isRounded } from '../../../theory/models/rounded-values.ts';

/** The recipe of a pruning of the sentence, and the values that a format with these parameters stores. */
export function writtenRecipe(pruning: Pruning | null, params: Readonly<Record<string, unknown>>): Recipe {
  const { valueType } = params;
  return { ...recipeOf(pruning), valueType: isRounded(params) ? (valueType as 'i8' | 'i4') : 'f16' };
}

/** The model's recipe for a pruning of the sentence; its values stay as they came. */
export function recipeOf(pruning: Pruning | null): Recipe {
  if (pruning === null) return AS_IT_IS;
  const ways: ModelPruning = pruning.way === 'n-of-m' ? { ...pruning, by: 'magnitude' } : pruning;
  return { ...AS_IT_IS, pruning: ways };
}
