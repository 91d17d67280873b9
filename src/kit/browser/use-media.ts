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
export function useRoomBeyond(taken: number, [min, max]: readonly [min: number, max: number]): number {
  return Math.min(Math.max(min, useWindowHeight() - taken), max);
}

/** Whether a media query matches; follows it. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const list = matchMedia(query);
      list.addEventListener('change', onChange);
      return () => list.removeEventListener('change', onChange);
    },
    () => matchMedia(query).matches,
  );
}
