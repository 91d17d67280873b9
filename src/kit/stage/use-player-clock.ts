import { useEffect } from 'react';
import { useStore } from 'zustand';
import type { Player } from '../../state/player.ts';

/** Drives the player by animation frames while it plays; no frame is asked for while it rests. */
export function usePlayerClock(player: Player): void {
  const playing = useStore(player.store, (state) => state.playing);
  useEffect(() => {
    if (!playing) return;
    let frame = requestAnimationFrame(function tick(nowMs) {
      player.tick(nowMs);
      frame = requestAnimationFrame(tick);
    });
    return () => cancelAnimationFrame(frame);
  }, [player, playing]);
}
