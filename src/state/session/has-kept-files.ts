import { storedText, type TextStorage } from '../text-storage.ts';

/** Whether this tab keeps files for a reload; needs no code that restores them; false if storage is blocked. */
export function hasKeptFiles(storage: () => Pick<TextStorage, 'getItem'>): boolean {
  return storedText(storage, KEPT_FILES) !== null;
}

/** The key under which a tab records its files. */
export const KEPT_FILES = 'sparsescope.files';
