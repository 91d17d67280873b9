import type { matrix as matrixService } from '../../engine/matrix-service.ts';
import { useMemo } from 'react';
import type { Choice } from './choice.ts';
import { sameMatrix, sourceOf } from './choice.ts';
import type { Region } from '../../core/matrix/index.ts';
import type { ModelSource } from '../../engine/matrix/source-types.ts';
import { useApp, useDocument, useSession } from '../../kit/app-context.ts';
import { type ViewedMatrix, useOpenMatrix } from '../../kit/matrix/MatrixView.tsx';
import { modelPruning } from '../../state/index.ts';
import { shareOf } from '../../kit/forms/use-density.ts';

/** The largest magnitude to expect among random weights, in standard deviations. */
const MAX_DEVIATIONS = 4.3;

/** The matrix that the column 'Region' draws: the open one, or random weights of the chosen shape. */
export function useViewedMatrix(
  choice: Choice,
  openChoice: Choice,
  onWindow: (window: Region) => void,
): ViewedMatrix | null {
  const { engine } = useApp();
  const open = useOpenMatrix();
  const openSource = useDocument((doc) => doc.source);
  const density = useSession((s) => s.summary?.density ?? 1);
  const { selection, window } = choice;
  const isOpen = selection === null || sameMatrix(selection, openChoice.selection);
  // Without the window: another window of the same matrix needs no new drawing.
  const { rows = 0, cols = 0 } = selection?.matrix ?? {};
  // As text, which is equal for equal sources: useMemo would compare an object by identity.
  const key = selection && JSON.stringify(sourceOf({ level: 'matrix', selection, window: null }));
  const randomWeights = useMemo(() => {
    if (key === null) return null;
    const source: ModelSource = JSON.parse(key);
    // Random weights, even for a model whose weights come with the page. Their activations are unknown: the empty name, which
    // no model has, turns a pruning by activations into one by magnitude.
    const pruning = modelPruning(openSource, { model: '' });
    const service = engine.service<typeof matrixService>('matrix');
    const tile: ViewedMatrix['tile'] = (request) => service.spyOn({}, source, pruning, request);
    return {
      shape: { rows, cols, absMax: MAX_DEVIATIONS / Math.sqrt(cols) },
      density: pruning === null ? 1 : shareOf(pruning),
      marginals: null,
      tile,
      valueAt: async (row: number, col: number) => {
        const { buckets } = await tile({ region: { row, col, rows: 1, cols: 1 }, width: 1, height: 1 });
        return buckets[0] ?? null;
      },
    };
  }, [key, rows, cols, engine, openSource]);
  return useMemo(() => {
    if (isOpen) return open && { ...open, density, window: window ?? open.window, onWindow };
    return randomWeights && { ...randomWeights, window, onWindow };
  }, [isOpen, open, randomWeights, window, onWindow, density]);
}
