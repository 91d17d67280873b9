import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { useMedia } from '../../../kit/browser/use-media.ts';
import { storedText, storeText } from '../../../state/index.ts';

const KEY = 'sparsescope.bytes';

/** A window in which the bytes leave enough space for the picture above them. */
const ROOMY = '(width >= 64rem) and (height >= 52rem)';

/** Whether the user wants to see every byte below the picture; null: the user has not chosen. */
const chosen = createStore<boolean | null>(() => {
  const stored = storedText(() => localStorage, KEY);
  return stored === null ? null : stored === 'shown';
});

/** Shows or hides the bytes below the picture, and remembers it. */
export function showBytes(on: boolean): void {
  chosen.setState(on, true);
  storeText(() => localStorage, KEY, on ? 'shown' : 'hidden');
}

/** Shows the bytes below the picture, or hides them. */
export function toggleBytes(): void {
  showBytes(!(chosen.getState() ?? matchMedia(ROOMY).matches));
}

/** Whether every byte is shown below the picture: as the user chose, else where the window has room for it. */
export function useBytesShown(): boolean {
  const isRoomy = useMedia(ROOMY);
  return useStore(chosen) ?? isRoomy;
}
