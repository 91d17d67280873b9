import { useEffect, useState } from 'react';
import type { matrix } from '../../../engine/matrix-service.ts';
import type { TileCounts } from '../../../engine/matrix/types.ts';
import { useApp, useSession } from '../../../kit/app-context.ts';

/**
 * Counts of rows and tile rows of the matrix on the screen; waits for benchmarks to end. Null until this matrix has
 * been counted; during a recount for another tile width, the previous counts.
 */
export function useTileCounts(tileWidth: number | null): TileCounts | null {
  const { session, engine } = useApp();
  const generation = useSession((s) => s.summary?.generation);
  const isRunning = useSession((s) => s.bench.running !== null);
  const [found, setFound] = useState<TileCounts | null>(null);
  const counts = found?.generation === generation ? found : null;
  const isCounted = counts?.tileWidth === tileWidth;
  useEffect(() => {
    if (tileWidth === null || generation === undefined || isRunning || isCounted) return;
    const abort = new AbortController();
    const { signal } = abort;
    const service = engine.service<typeof matrix>('matrix');
    void session
      .ifCurrent(() => service.tileCounts({ signal }, tileWidth))
      .then((answer) => {
        if (answer && !signal.aborted) setFound(answer);
      });
    return () => abort.abort();
  }, [session, engine, tileWidth, generation, isRunning, isCounted]);
  return counts;
}
