import type { TabStorage } from './run-store.ts';

/** The key under which a tab records its files. */
export const KEPT_FILES = 'sparsescope.files';

/** Whether this tab has kept files, without loading the code that restores them; false if storage is blocked. */
export function hasKeptFiles(storage: () => Pick<TabStorage, 'getItem'>): boolean {
  try {
    return storage().getItem(KEPT_FILES) !== null;
  } catch {
    return false;
  }
}
