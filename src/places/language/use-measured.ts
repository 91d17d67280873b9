import { useMemo } from 'react';
import type { RecordedQuality, RecordedRow } from '../../language/quality/recorded.ts';
import { densityOf, type LanguageSubject } from './subject.ts';
import { rowsOfWay, useQuality } from './use-quality.ts';

/** Figures of a model over many tales. */
export interface Measured {
  readonly bitsPerByte: number;
  /** of `judged` tales, how many no law broke; null where nobody judged */
  readonly unbroken: number | null;
  readonly judged: number | null;
}

/** What was measured of the subject's way to prune. */
interface MeasuredWay {
  /** null until it is there, and where nothing was measured */
  readonly quality: RecordedQuality | null;
  /** by falling density, the dense model first; of N of M those by magnitude in every row */
  readonly points: readonly RecordedRow[];
  /** pruned at random, likewise */
  readonly random: readonly RecordedRow[];
  /** what was measured at exactly this share; null where nothing was */
  at(density: number): Measured | null;
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
        return { bitsPerByte: row.bitsPerByte, unbroken: row.unbroken ?? null, judged: row.judged ?? null };
      },
    };
  }, [quality, pruning]);
}
