import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { storedText, storeText } from '../../../state/index.ts';

const KEY = 'sparsescope.bytes';

/** Whether the user wants to see every byte below the picture. At first not: a story says what its bytes are for. */
const areShown = createStore<boolean>(() => storedText(() => localStorage, KEY) === 'shown');

/** Shows or hides the bytes below the picture, and remembers it. */
export function showBytes(on: boolean): void {
  areShown.setState(on, true);
  storeText(() => localStorage, KEY, on ? 'shown' : 'hidden');
}

/** Shows the bytes below the picture, or hides them. */
export function toggleBytes(): void {
  showBytes(!areShown.getState());
}

/** Whether every byte is shown below the picture. */
export function useBytesShown(): boolean {
  return useStore(areShown);
}
