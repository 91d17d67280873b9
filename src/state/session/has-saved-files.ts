import { storedText, type TextStorage } from '../text-storage.ts';

/**
 * Whether this tab has files to restore after a reload; false if storage is blocked. A separate module, so that a page
 * without such files does not load the code that restores them.
 */
export function hasSavedFiles(storage: () => Pick<TextStorage, 'getItem'>): boolean {
  return storedText(storage, KEPT_FILES) !== null;
}

/** The key in sessionStorage of the list of these files. */
export const KEPT_FILES = 'sparsescope.files';
