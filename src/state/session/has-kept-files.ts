import type { TabStorage } from './run-store.ts';

/** Under which a tab notes what it keeps. */
export const KEPT_FILES = 'sparsescope.files';

/** Whether this tab has kept files, without the code that brings them back; where storage is blocked it has not. */
export function hasKeptFiles(storage: () => Pick<TabStorage, 'getItem'>): boolean {
  try {
    return storage().getItem(KEPT_FILES) !== null;
  } catch {
    return false;
  }
}
