import { SparseScopeError } from '../../../../src/core/errors.ts';
import { countText } from '../../../../src/core/text/words.ts';
import type { ReportProgress } from '../../../../src/engine/bridge/service-job.ts';
import type { ServiceOf } from '../../../../src/engine/bridge/service.ts';
import type { ModelAddress } from '../../models/loaded-models.ts';
import { type Recipe, recipeKey } from '../../decoders/stored/recipe.ts';
import { USER_TEXT_LENGTH } from '../../theory/imported.ts';
import type { JobRequest } from '../../../../src/state/index.ts';
import type { UserTextQuality } from '../service/types.ts';
import type { LanguageService } from '../service/service.ts';

/** A recipe, how a model is pruned and rounded, and the quality of that model on the user's text. */
export interface RecipeQuality {
  readonly recipe: Recipe;
  readonly quality: UserTextQuality;
}

/** The results of one model on one text, by `recipeKey`, in the order of the requests. */
export interface UserTextResults {
  readonly text: string;
  readonly measured: ReadonlyMap<string, RecipeQuality>;
}

/** The job that measures a model on a text with each recipe that has no result for that text, one after another. */
export function userTextJob(
  service: Pick<ServiceOf<LanguageService>, 'userText'>,
  model: ModelAddress,
  text: string,
  recipes: readonly Recipe[],
): JobRequest<UserTextResults>['work'] {
  return async (watch, { lastOfSameKey, update }) => {
    const problem = userTextProblem(text);
    if (problem !== null) throw new SparseScopeError(problem);
    let qualities = lastOfSameKey?.text === text ? lastOfSameKey.measured : new Map<string, RecipeQuality>();
    update({ text, measured: qualities });
    const missingRecipes = recipes.filter((recipe) => !qualities.has(recipeKey(recipe)));
    for (const [index, recipe] of missingRecipes.entries()) {
      const onProgress: ReportProgress = ({ what, done, total }) =>
        watch.onProgress({ what, done: index + (total > 0 ? done / total : 0), total: missingRecipes.length });
      const quality = await service.userText({ signal: watch.signal, onProgress }, { model, recipe, text });
      qualities = new Map(qualities).set(recipeKey(recipe), { recipe, quality });
      update({ text, measured: qualities });
    }
    return { text, measured: qualities };
  };
}

/** The problem with measuring the user's text; null if there is none. */
export function userTextProblem(text: string): string | null {
  return lengthProblem('Your text', text, USER_TEXT_LENGTH);
}

/** The problem with the length of a text; null if there is none. */
export function lengthProblem(
  name: string,
  text: string,
  { min, max }: { readonly min: number; readonly max: number },
): string | null {
  const count = text.trim().length;
  if (count >= min && text.length <= max) return null;
  const [length, limit] = count < min ? [count, `least ${countText(min)}`] : [text.length, `most ${countText(max)}`];
  return `${name}: found ${countText(length)} characters, expected at ${limit}.`;
}
