import { storedText, type TextStorage } from '../text-storage.ts';

/** Whether this tab has files to restore after a reload; false if storage is blocked. Loads no code to restore them. */
export function hasSavedFiles(storage: () => Pick<TextStorage, 'getItem'>): boolean {
  return storedText(storage, KEPT_FILES) !== null;
}

/** The key under which the tab's storage has the list of these files. */
export const KEPT_FILES = 'sparsescope.files';
