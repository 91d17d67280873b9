import { useCallback, useMemo } from 'react';
import { useStore } from 'zustand';
import type { Pruning } from '../../engine/matrix/source-types.ts';
import { useApp, useDocument, useSession } from '../app-context.ts';
import { createStore } from 'zustand/vanilla';

/** The pruning that a slider previews while it moves; null otherwise. */
export const previewedPruning = createStore<Pruning | null>(() => null);

/** The share of weights left that the page shows, with actions that preview and choose another share. */
export interface DensityChoice {
  /** non-zeros over all cells, 0 to 1: previewed, or of the open matrix; null until there is a matrix */
  readonly density: number | null;
  /** the pruning that leaves this share; null: the matrix is not pruned */
  readonly pruning: Pruning | null;
  /** Previews another share everywhere without choosing it. */
  readonly preview: (share: number) => void;
  /** Chooses the previewed share: one entry of history. */
  readonly commit: () => void;
}

/** The share of the cells that a pruning leaves. */
export function shareOf(pruning: Pruning): number {
  return pruning.way === 'n-of-m' ? pruning.kept / pruning.group : pruning.density;
}

/**
 * The share of weights left. `prunedTo` returns a pruning like `current`, the pruning of the open matrix, with another
 * share; it must be the same function at every render.
 */
export function useDensity(prunedTo: (current: Pruning | null, share: number) => Pruning): DensityChoice {
  const { session } = useApp();
  const current = useDocument(({ source }) => (source.kind === 'pruned' ? source.pruning : null));
  const openDensity = useSession((s) => s.summary?.density ?? null);
  const previewed = useStore(previewedPruning);
  const pruning = previewed ?? current;
  const preview = useCallback(
    (share: number) => {
      const next = prunedTo(current, share);
      previewedPruning.setState(current !== null && shareOf(current) === shareOf(next) ? null : next, true);
    },
    [current, prunedTo],
  );
  const commit = useCallback(() => {
    const next = previewedPruning.getState();
    if (next === null) return;
    // The page shows the preview until the pruned matrix is there.
    void session.prune(next).finally(() => {
      if (previewedPruning.getState() === next) previewedPruning.setState(null, true);
    });
  }, [session]);
  const density = pruning === null ? openDensity : shareOf(pruning);
  return useMemo(() => ({ density, pruning, preview, commit }), [density, pruning, preview, commit]);
}
