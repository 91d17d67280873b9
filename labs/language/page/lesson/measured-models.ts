// Measured models by the names that the texts of lessons use for them.

import { densityText } from '../../../../src/kit/words/shares.ts';
import type { RecordedQuality, RecordedRow } from '../../decoders/quality/recorded-quality.ts';
import { CRITERION_WORDS } from '../../overrides/matrix-overrides.ts';
import type { Recipe } from '../../decoders/stored/recipe.ts';
import { recipeOfRow, SPENSE } from '../quality/points.ts';

/**
 * Names of measured models in the texts of lessons: `dense`, `wanda-60` (60 % left), `random-90`, `wanda-6-of-8`,
 * `wanda-spense`, `i4`,
 * `i4-wanda-50`, and `wanda-25-trained` for a model that was trained further.
 */
const NAME =
  /^(?:(i8|i4)(?:-(?=.)|$))?(?:(dense)|(wanda|magnitude|rows|random)-(?:(\d+)-of-(\d+)|(\d\d)|(spense))(-trained)?)?$/;

/** The row of the measured model with this name; null if it was not recorded. */
export function rowNamed({ rows }: RecordedQuality, name: string): RecordedRow | null {
  const match = NAME.exec(name);
  if (!match || name === '') return null;
  const [, valueType = 'f16', , method = 'none', keptPerGroup, group, percent, spense, trained] = match;
  const nOfM = keptPerGroup === undefined ? undefined : `${keptPerGroup}:${group}`;
  const pattern = spense === undefined ? nOfM : SPENSE;
  const density = percent === undefined ? null : Number(percent) / 100;
  const isNamed = (row: RecordedRow): boolean =>
    row.way === method &&
    row.valueType === valueType &&
    row.pattern === pattern &&
    (density === null || Math.abs(row.density - density) < 1e-9) &&
    (row.trained !== undefined) === (trained !== undefined);
  return rows.find(isNamed) ?? null;
}

/** The row of the model with this pruning method and share of weights, at 1 unpruned; null if it was not measured. */
export function rowAt(quality: RecordedQuality, method: string, density: number): RecordedRow | null {
  return density === 1 ? unprunedRow(quality) : rowNamed(quality, `${method}-${Math.round(100 * density)}`);
}

/** The row of the unpruned model in f16; null if it was not measured. */
export function unprunedRow({ rows }: RecordedQuality): RecordedRow | null {
  return rows.find(({ way: method, valueType }) => method === 'none' && valueType === 'f16') ?? null;
}

/**
 * The title of a measured model: 'dense f16', '60 % left', '6:8 by magnitude', 'i4, 50 % left', '2:4, trained further'.
 */
export function rowTitle({ way: method, density, pattern, valueType, trained }: RecordedRow): string {
  const typeTexts = valueType === 'f16' ? [] : [valueType];
  const pruningTexts =
    method === 'none'
      ? []
      : [`${pattern ?? `${densityText(density)} left`}${method === 'wanda' ? '' : ` ${CRITERION_WORDS[method]}`}`];
  const parts = [...typeTexts, ...pruningTexts, ...(trained === undefined ? [] : ['trained further'])];
  return parts.length === 0 ? 'dense f16' : parts.join(', ');
}

/** How a measured model is pruned and rounded; null if also trained further, as no recipe describes that training. */
export function untrainedRecipe(row: RecordedRow): Recipe | null {
  return row.trained === undefined ? recipeOfRow(row) : null;
}
