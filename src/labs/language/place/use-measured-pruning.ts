import { useMemo } from 'react';
import type { RecordedQuality, RecordedRow } from '../decoders/quality/recorded-quality.ts';
import { type Recipe, recipeKey } from '../decoders/stored/recipe.ts';
import { recipeOfRow } from './quality/points.ts';
import { matrixPruningOf, isByWanda } from '../overrides/matrix-overrides.ts';
import { densityOf, type LanguageSubject } from './subject.ts';
import type { ModelOverrides } from './use-matrix-overrides.ts';
import { rowsOfMethod, useQuality } from '../overrides/use-quality.ts';

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
  /** rows by falling density, the dense model first; for N:M pruning the rows of magnitude pruning within each row */
  readonly points: readonly RecordedRow[];
  /** the rows of random pruning */
  readonly random: readonly RecordedRow[];
  /** the measurement at exactly this share; null if there is none */
  atDensity(density: number): MeasuredFigures | null;
}

/** The figures recorded for `overrides` if these prune and round all matrices alike; null if there are none. */
function figuresOfOverrides(
  quality: RecordedQuality | null,
  { pruning }: Pick<LanguageSubject, 'pruning'>,
  { overrides, words }: Pick<ModelOverrides, 'overrides' | 'words'>,
): MeasuredFigures | null {
  // `words` are the overrides in words: null if no matrix has one, 'mixed' if they differ.
  if (quality === null || words === null || words === 'mixed') return null;
  const [choice] = overrides;
  const recipe: Recipe = { pruning: choice.pruning ?? matrixPruningOf(pruning), valueType: choice.valueType ?? 'f16' };
  const row = quality.rows.find(
    (one) => one.trained === undefined && recipeKey(recipeOfRow(one)) === recipeKey(recipe),
  );
  return row ? measuredRow(row) : null;
}

function measuredRow({ bitsPerByte, unbroken, judged }: RecordedRow): MeasuredFigures {
  return { bitsPerByte, unbroken: unbroken ?? null, judged: judged ?? null };
}

/** The figures recorded for the pruning; null without any, as for mixed overrides and other calibration texts. */
export function currentFigures(
  { quality, atDensity }: MeasuredPruning,
  { pruning }: Pick<LanguageSubject, 'pruning'>,
  chosen: Pick<ModelOverrides, 'overrides' | 'words'>,
  calibration: string,
): MeasuredFigures | null {
  if (calibration !== '' && isByWanda(pruning, chosen.overrides)) return null;
  return chosen.words === null ? atDensity(densityOf(pruning)) : figuresOfOverrides(quality, { pruning }, chosen);
}

/** The recorded measurements for the method by which the model is pruned; for Wanda if the model is unpruned. */
export function useMeasuredPruning({ model, pruning }: LanguageSubject): MeasuredPruning {
  const quality = useQuality(model.id);
  return useMemo(() => {
    const way = pruning?.way ?? 'wanda';
    const rowsOf = (method: string): readonly RecordedRow[] => (quality ? rowsOfMethod(quality, method) : []);
    const points = rowsOf(way === 'n-of-m' ? 'rows' : way);
    const patternRow =
      pruning?.way === 'n-of-m'
        ? quality?.rows.find((row) => row.pattern === `${pruning.kept}:${pruning.group}` && row.way === 'magnitude')
        : undefined;
    return {
      quality,
      points,
      random: rowsOf('random'),
      atDensity(density) {
        const isPattern = patternRow !== undefined && Math.abs(densityOf(pruning) - density) < 1e-9;
        const row = isPattern ? patternRow : points.find((one) => Math.abs(one.density - density) < 1e-9);
        if (!row || (way === 'n-of-m' && !isPattern && row.way !== 'none')) return null;
        return measuredRow(row);
      },
    };
  }, [quality, pruning]);
}
