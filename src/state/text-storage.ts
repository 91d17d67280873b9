/** The part of localStorage and sessionStorage that is used; it may throw (blocked, full, private mode). */
export type TextStorage = Pick<Storage, 'getItem' | 'setItem'>;

/** The text under a key; null for none, and where storage is blocked. */
export function storedText(storage: () => Pick<TextStorage, 'getItem'>, key: string): string | null {
  try {
    return storage().getItem(key);
  } catch {
    return null;
  }
}

/** Keeps a text for the next visit. Does nothing if storage is blocked or full. */
export function storeText(storage: () => Pick<TextStorage, 'setItem'>, key: string, text: string): void {
  try {
    storage().setItem(key, text);
  } catch {
    // The page itself has the text until it is closed.
  }
}
