import { useMemo } from 'react';
import type { RecordedQuality, RecordedRow } from '../decoders/quality/recorded.ts';
import { type Recipe, recipeKey } from '../decoders/stored/recipe.ts';
import { recipeOfRow } from './quality/points.ts';
import { asOwn, isByWanda } from '../overrides/matrix-overrides.ts';
import { densityOf, type LanguageSubject } from './subject.ts';
import type { Own } from './use-own.ts';
import { rowsOfWay, useQuality } from '../overrides/use-quality.ts';

/** Figures of a model over many tales. */
export interface Measured {
  readonly bitsPerByte: number;
  /** of `judged` tales, how many no law broke; null where nobody judged */
  readonly unbroken: number | null;
  readonly judged: number | null;
}

/** What was measured of the subject's way to prune. */
export interface MeasuredWay {
  /** null until it is there, and where nothing was measured */
  readonly quality: RecordedQuality | null;
  /** by falling density, the dense model first; of N of M those by magnitude in every row */
  readonly points: readonly RecordedRow[];
  /** pruned at random, likewise */
  readonly random: readonly RecordedRow[];
  /** what was measured at exactly this share; null where nothing was */
  at(density: number): Measured | null;
}

/** What was recorded of a model whose matrices all share a choice of their own; null where nothing was. */
function measuredOwn(
  quality: RecordedQuality | null,
  { pruning }: Pick<LanguageSubject, 'pruning'>,
  { choices, words }: Pick<Own, 'choices' | 'words'>,
): Measured | null {
  if (quality === null || words === null || words === 'mixed') return null;
  const [choice] = choices;
  const recipe: Recipe = { pruning: choice.pruning ?? asOwn(pruning), valueType: choice.valueType ?? 'f16' };
  const row = quality.rows.find(
    (one) => one.trained === undefined && recipeKey(recipeOfRow(one)) === recipeKey(recipe),
  );
  return row ? measuredRow(row) : null;
}

function measuredRow({ bitsPerByte, unbroken, judged }: RecordedRow): Measured {
  return { bitsPerByte, unbroken: unbroken ?? null, judged: judged ?? null };
}

/** What was recorded of the model as it writes; null where nothing was: for mixed choices, and where Wanda weighs by another text. */
export function measuredNow(
  { quality, at }: MeasuredWay,
  { pruning }: Pick<LanguageSubject, 'pruning'>,
  own: Pick<Own, 'choices' | 'words'>,
  calibration: string,
): Measured | null {
  if (calibration !== '' && isByWanda(pruning, own.choices)) return null;
  return own.words === null ? at(densityOf(pruning)) : measuredOwn(quality, { pruning }, own);
}

export function useMeasured({ model, pruning }: LanguageSubject): MeasuredWay {
  const quality = useQuality(model.id);
  return useMemo(() => {
    const way = pruning?.way ?? 'wanda';
    const rowsOf = (one: string): readonly RecordedRow[] => (quality ? rowsOfWay(quality, one) : []);
    const points = rowsOf(way === 'n-of-m' ? 'rows' : way);
    const own =
      pruning?.way === 'n-of-m'
        ? quality?.rows.find((row) => row.pattern === `${pruning.kept}:${pruning.group}` && row.way === 'magnitude')
        : undefined;
    return {
      quality,
      points,
      random: rowsOf('random'),
      at(density) {
        const isOwn = own !== undefined && Math.abs(densityOf(pruning) - density) < 1e-9;
        const row = isOwn ? own : points.find((one) => Math.abs(one.density - density) < 1e-9);
        if (!row || (way === 'n-of-m' && !isOwn && row.way !== 'none')) return null;
        return measuredRow(row);
      },
    };
  }, [quality, pruning]);
}
