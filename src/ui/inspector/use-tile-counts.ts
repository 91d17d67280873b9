import { useEffect, useState } from 'react';
import type { TileCounts } from '../../worker/protocol.ts';
import { useApp, useSession } from '../app-context.ts';

/** What rows and tile rows of the matrix on the screen hold, null until that is counted; benchmarks are waited for. */
export function useTileCounts(tileWidth: number | null): TileCounts | null {
  const { session } = useApp();
  const generation = useSession((s) => s.summary?.generation);
  const isRunning = useSession((s) => s.bench.running !== null);
  const [counts, setCounts] = useState<TileCounts | null>(null);
  useEffect(() => {
    if (tileWidth === null || generation === undefined || isRunning) return;
    let gone = false;
    void session.tileCounts(tileWidth).then((found) => {
      if (found && !gone) setCounts(found);
    });
    return () => {
      gone = true;
    };
  }, [session, tileWidth, generation, isRunning]);
  return counts && counts.generation === generation && counts.tileWidth === tileWidth ? counts : null;
}
