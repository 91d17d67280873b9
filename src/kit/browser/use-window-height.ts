import { useSyncExternalStore } from 'react';

/** Height of the browser window in CSS px; the component renders again when it changes. */
export function useWindowHeight(): number {
  return useSyncExternalStore(
    (onChange) => {
      addEventListener('resize', onChange);
      return () => removeEventListener('resize', onChange);
    },
    () => innerHeight,
  );
}

/** The height that remains for a picture, px: the window's height minus `used`, clamped to `min` and `max`. */
export function useRemainingHeight(used: number, [min, max]: readonly [min: number, max: number]): number {
  return Math.min(Math.max(min, useWindowHeight() - used), max);
}
