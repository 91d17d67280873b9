const KEY = 'sparsescope.folds';

/** Those of `ids` that were open when the page was left. */
export function openFolds<Id extends string>(ids: readonly Id[]): readonly Id[] {
  try {
    const kept = localStorage.getItem(KEY)?.split(' ') ?? [];
    return ids.filter((id) => kept.includes(id));
  } catch {
    return [];
  }
}

/** Remembers them in this browser, where that is allowed. */
export function keepOpenFolds(ids: readonly string[]): void {
  try {
    localStorage.setItem(KEY, ids.join(' '));
  } catch {
    // Blocked or full storage: they stay open until the page is left.
  }
}
