import { useMemo } from 'react';
import type { Region } from '../../core/matrix/index.ts';
import type { ModelSource } from '../../engine/matrix/source-types.ts';
import type { matrix as matrixService } from '../../engine/matrix-service.ts';
import { useApp, useDocument, useSession } from '../../kit/app-context.ts';
import { type LookedAt, useOpenMatrix } from '../../kit/matrix/MatrixView.tsx';
import { modelPruning } from '../../state/index.ts';
import { type Choice, sameMatrix, sourceOf } from './choice.ts';

/** Standard deviations up to which stand-in weights go. */
const LARGEST = 4.3;

/** The matrix of a choice to be looked at: the one that is open, or stand-in weights that are not. */
export function useLookedAt(choice: Choice, opened: Choice, onWindow: (window: Region) => void): LookedAt | null {
  const { engine } = useApp();
  const open = useOpenMatrix();
  const doc = useDocument((d) => d.source);
  const expected = useSession((s) => s.summary?.density ?? 1);
  const isOpen = choice.at === null || sameMatrix(choice.at, opened.at);
  const { at, window } = choice;
  // Other matrices are looked at anew; another window of one is not another matrix.
  const { rows = 0, cols = 0 } = at?.matrix ?? {};
  const key = at && JSON.stringify(sourceOf({ level: 'matrix', at, window: null }));
  const other = useMemo(() => {
    if (key === null) return null;
    const source: ModelSource = JSON.parse(key);
    // Weights of its shape are looked at, also of a model that comes with the page.
    const pruning = modelPruning(doc, { model: '' });
    const service = engine.service<typeof matrixService>('matrix');
    const tile: LookedAt['tile'] = (request) => service.spyOn({}, source, pruning, request);
    return {
      shape: { rows, cols, absMax: LARGEST / Math.sqrt(cols) },
      density: pruning === null ? 1 : 'density' in pruning ? pruning.density : pruning.kept / pruning.group,
      marginals: null,
      tile,
      valueAt: async (row: number, col: number) => {
        const { buckets } = await tile({ region: { row, col, rows: 1, cols: 1 }, width: 1, height: 1 });
        return buckets[0] ?? null;
      },
    };
  }, [key, rows, cols, engine, doc]);
  return useMemo(() => {
    if (isOpen) return open && { ...open, density: expected, window: window ?? open.window, onWindow };
    return other && { ...other, window, onWindow };
  }, [isOpen, open, other, window, onWindow, expected]);
}
