import { useEffect } from 'react';
import { useStore } from 'zustand';
import type { Player } from '../../state/player.ts';

/** Drives the player by animation frames while it plays or sweeps; no frame is asked for while it rests. */
export function usePlayerClock(player: Player): void {
  const moves = useStore(player.store, ({ playing, sweepingTo }) => playing || sweepingTo !== null);
  useEffect(() => {
    if (!moves) return;
    let frame = requestAnimationFrame(function tick(nowMs) {
      player.tick(nowMs);
      frame = requestAnimationFrame(tick);
    });
    return () => cancelAnimationFrame(frame);
  }, [player, moves]);
}
