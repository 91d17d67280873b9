import { useMemo } from 'react';
import { useSession } from '../../../kit/app-context.ts';
import { type CurveChoices, type FormsChoices, wayOf } from './curve-choices.ts';
import type { Left } from './left.ts';

/** What closed forms are asked: what is chosen, of the shape of the sentence unless another is, with what it says is left. */
export function useCurveChoices(chosen: FormsChoices, { at, pruning }: Pick<Left, 'at' | 'pruning'>): CurveChoices {
  const summary = useSession((s) => s.summary);
  const [ownRows, ownCols] = [summary?.rows ?? 0, summary?.cols ?? 0];
  return useMemo(() => {
    const isOwn = chosen.matrix === 'stage';
    return {
      ...chosen,
      rows: isOwn || chosen.rows === 0 ? ownRows : chosen.rows,
      cols: isOwn || chosen.cols === 0 ? ownCols : chosen.cols,
      at: at ?? 1,
      way: wayOf(pruning),
    };
  }, [chosen, ownRows, ownCols, at, pruning]);
}
