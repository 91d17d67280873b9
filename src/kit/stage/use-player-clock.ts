import { useEffect } from 'react';
import { useStore } from 'zustand';
import { isRunning, type Player } from '../../state/index.ts';

/** Advances the story player by animation frames while it plays; requests no frames while the player waits. */
export function usePlayerClock(player: Player): void {
  const runs = useStore(player.store, isRunning);
  useEffect(() => {
    if (!runs) return;
    let frame = requestAnimationFrame(function tick(nowMs) {
      player.tick(nowMs);
      frame = requestAnimationFrame(tick);
    });
    return () => cancelAnimationFrame(frame);
  }, [player, runs]);
}
