import { counted, say, strong } from '../../../core/story/words.ts';
import type { Words } from '../../../core/story/scene.ts';
import { leftText } from '../../../kit/words/shares.ts';
import { isAsItIs, type Recipe } from '../../../language/stored/recipe.ts';
import {
  asOwn,
  isByWanda,
  type MatrixOverrides,
  type OwnPruning,
  pruningWords,
} from '../../../kit/models/matrix-overrides.ts';
import type { Pruning } from '../../../engine/matrix/pruning-way.ts';
import type { OwnMeasured } from './own-measuring.ts';

/** A line of the table: a model pruned in one way. */
export interface PrunedRow {
  readonly name: string;
  readonly bitsPerByte: number;
  /** more than the dense model needs; null for that itself, and where it was not measured */
  readonly more: number | null;
  /** the place of its density along the axis; all for the dense model */
  readonly density: number;
  readonly isDense: boolean;
}

/** Shares that are measured one after the other when all are asked for. */
export const OWN_DENSITIES = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3] as const;

/** The recipe of a pruning, with the values as they came but where a matrix has others of its own. */
export function recipeFor(pruning: Pruning | null, calibration: string, choices: MatrixOverrides = []): Recipe {
  const own = choices
    .filter((one) => one.pruning ?? one.valueType)
    .map(({ layer, name, pruning: its, valueType }) => ({
      layer,
      name,
      ...(its && { pruning: its }),
      ...(valueType && { valueType }),
    }));
  return {
    pruning: asOwn(pruning),
    valueType: 'f16',
    ...(own.length > 0 && { own }),
    ...(calibration !== '' && isByWanda(pruning, choices) && { calibration }),
  };
}

/** What was measured, the dense model first, then by falling share of weights. */
export function ownRows(measured: Iterable<OwnMeasured>): readonly PrunedRow[] {
  const all = [...measured].map(({ recipe, quality }) => ({
    name: `${pruningWords(recipe.pruning as OwnPruning)}${recipe.own ? `, ${counted(recipe.own.length, 'matrix', 'matrices')} otherwise` : ''}`,
    bitsPerByte: quality.bits / quality.bytes,
    density: densityIn(recipe),
    isDense: isAsItIs(recipe),
  }));
  const dense = all.find(({ isDense }) => isDense) ?? null;
  return all
    .map((row) => ({ ...row, more: dense === null || row.isDense ? null : row.bitsPerByte - dense.bitsPerByte }))
    .toSorted((a, b) => Number(b.isDense) - Number(a.isDense) || b.density - a.density || (a.name < b.name ? -1 : 1));
}

function densityIn({ pruning }: Recipe): number {
  if (pruning.way === 'none') return 1;
  if (pruning.way === 'n-of-m') return pruning.kept / pruning.group;
  return typeof pruning.density === 'number' ? pruning.density : 1;
}

/** What a text of one's own says of a pruning, which leaves this share; null before the dense model was measured. */
export function ownAnswer(
  name: string,
  measured: ReadonlyMap<string, OwnMeasured>,
  now: OwnMeasured | undefined,
  share: number,
): readonly Words[] | null {
  const dense = [...measured.values()].find(({ recipe }) => isAsItIs(recipe));
  if (!dense) return null;
  const bits = ({ quality }: OwnMeasured): string => (quality.bits / quality.bytes).toFixed(3);
  if (now === undefined || now === dense) {
    return say`Your text costs ${name} ${strong(`${bits(dense)} bits per byte`)}, not pruned.`;
  }
  const left = leftText(share);
  return say`With ${left} of its weights, ${name} needs ${strong(`${bits(now)} bits per byte`)} for your text instead of ${bits(dense)}.`;
}
