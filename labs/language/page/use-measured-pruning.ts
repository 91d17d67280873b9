// The measured quality of the current model under the current pruning.

import { useMemo } from 'react';
import { useDocument } from '../../../src/kit/app-context.ts';
import type { RecordedQuality, RecordedRow } from '../decoders/quality/recorded-quality.ts';
import { type Recipe, recipeKey, storedTypeOf, type StoredType } from '../decoders/stored/recipe.ts';
import { recipeOfRow } from './quality/points.ts';
import { matrixPruningOf, isByWanda } from '../overrides/matrix-overrides.ts';
import { densityOf, type LanguageModelChoice } from './model-choice.ts';
import type { ModelOverrides } from './use-matrix-overrides.ts';
import { rowsOfMethod, useQuality } from '../overrides/use-quality.ts';

type ChosenOverrides = Pick<ModelOverrides, 'overrides' | 'words' | 'matrices'>;

/** Figures of a model, measured over many tales (short stories from a grammar). */
export interface MeasuredFigures {
  readonly bitsPerByte: number;
  /** how many of `judged` tales by the model have no error (tales/judge.ts); null if none were judged */
  readonly unbroken: number | null;
  readonly judged: number | null;
}

/** The recorded measurements of a model with one pruning method, by weights left. */
export interface MeasuredPruning {
  /** the recording; null until it is loaded, and if there is none */
  readonly quality: RecordedQuality | null;
  /** how the chosen format stores the kept weights */
  readonly valueType: StoredType;
  /** rows by falling density, the dense model first; for N:M pruning the rows of magnitude pruning within each row */
  readonly points: readonly RecordedRow[];
  /** the rows of random pruning */
  readonly random: readonly RecordedRow[];
  /** the measurement in f16 at exactly this share; null if there is none */
  atDensity(density: number): MeasuredFigures | null;
}

/** The one recipe of all matrices; null if overrides of some make them differ. */
function recipeOf(
  { valueType }: Pick<MeasuredPruning, 'valueType'>,
  { pruning }: Pick<LanguageModelChoice, 'pruning'>,
  { overrides, words, matrices }: ChosenOverrides,
): Recipe | null {
  const modelPruning = matrixPruningOf(pruning);
  // `words` are the overrides in words: null if no matrix has one, 'mixed' if they differ.
  if (words === null) return { pruning: modelPruning, valueType };
  if (words === 'mixed' || matrices === undefined) return null;
  // A format may not support the chosen value type; the model that writes has the value type of the parameters.
  return { pruning: overrides[0].pruning ?? modelPruning, valueType: storedTypeOf(matrices[0].params) };
}

/** The figures recorded for a recipe without further training; null if there are none. */
function figuresOfRecipe(quality: RecordedQuality | null, recipe: Recipe): MeasuredFigures | null {
  const key = recipeKey(recipe);
  const row = quality?.rows.find(
    (candidate) => candidate.trained === undefined && recipeKey(recipeOfRow(candidate)) === key,
  );
  return row ? measuredRow(row) : null;
}

function measuredRow({ bitsPerByte, unbroken, judged }: RecordedRow): MeasuredFigures {
  return { bitsPerByte, unbroken: unbroken ?? null, judged: judged ?? null };
}

/** The figures recorded for pruning and value type; null without any, as for mixed overrides and other calibrations. */
export function currentFigures(
  measuredPruning: Pick<MeasuredPruning, 'quality' | 'valueType' | 'atDensity'>,
  modelChoice: Pick<LanguageModelChoice, 'pruning'>,
  chosenOverrides: ChosenOverrides,
  calibration: string,
): MeasuredFigures | null {
  const { pruning } = modelChoice;
  if (calibration !== '' && isByWanda(pruning, chosenOverrides.overrides)) return null;
  if (chosenOverrides.words === null && measuredPruning.valueType === 'f16')
    return measuredPruning.atDensity(densityOf(pruning));
  const recipe = recipeOf(measuredPruning, modelChoice, chosenOverrides);
  return recipe && figuresOfRecipe(measuredPruning.quality, recipe);
}

/** The recorded measurements for the method by which the model is pruned; for Wanda if the model is unpruned. */
export function useMeasuredPruning({ model, pruning }: LanguageModelChoice): MeasuredPruning {
  const quality = useQuality(model.id);
  const valueType = useDocument((doc) => storedTypeOf(doc.params[doc.format]));
  return useMemo(() => {
    const method = pruning?.way ?? 'wanda';
    const rowsOf = (name: string): readonly RecordedRow[] => (quality ? rowsOfMethod(quality, name) : []);
    const points = rowsOf(method === 'n-of-m' ? 'rows' : method);
    const patternRow =
      pruning?.way === 'n-of-m'
        ? quality?.rows.find((row) => row.pattern === `${pruning.kept}:${pruning.group}` && row.way === 'magnitude')
        : undefined;
    return {
      quality,
      valueType,
      points,
      random: rowsOf('random'),
      atDensity(density) {
        const isPattern = patternRow !== undefined && Math.abs(densityOf(pruning) - density) < 1e-9;
        const row = isPattern ? patternRow : points.find((point) => Math.abs(point.density - density) < 1e-9);
        if (!row || (method === 'n-of-m' && !isPattern && row.way !== 'none')) return null;
        return measuredRow(row);
      },
    };
  }, [quality, valueType, pruning]);
}
