/** How much a browser can store for this site, and for how long. */
export interface StorageSpace {
  /** free bytes; null if unknown */
  readonly free: number | null;
  /** whether the browser requests consent before it deletes data */
  readonly isPersisted: boolean;
}

/** The storage of this browser; null without an origin private file system. */
export async function storageSpace(storage: StorageManager | undefined): Promise<StorageSpace | null> {
  if (storage === undefined || !('getDirectory' in storage)) return null;
  try {
    await storage.getDirectory();
  } catch {
    // Private windows of some browsers have the method, but it rejects.
    return null;
  }
  const { quota, usage = 0 } = await storage.estimate();
  return { free: quota === undefined ? null : Math.max(0, quota - usage), isPersisted: await storage.persisted() };
}

/** Requests that the browser keeps stored data even if space runs out; returns its decision. */
export async function requestPersistence(storage: StorageManager | undefined): Promise<boolean> {
  return storage !== undefined && 'persist' in storage ? storage.persist() : false;
}
