import { useSyncExternalStore } from 'react';

/** Height of the window in CSS px; follows it. */
export function useWindowHeight(): number {
  return useSyncExternalStore(
    (onChange) => {
      addEventListener('resize', onChange);
      return () => removeEventListener('resize', onChange);
    },
    () => innerHeight,
  );
}

/** The window's height beyond `taken` px, within limits: the height of a picture. */
export function useRemainingHeight(taken: number, [min, max]: readonly [min: number, max: number]): number {
  return Math.min(Math.max(min, useWindowHeight() - taken), max);
}
