/** What a browser keeps for this site. */
export interface Room {
  /** bytes that it still has for it; null where it does not say */
  readonly free: number | null;
  /** it asks before it clears them */
  readonly isPersisted: boolean;
}

/** What this browser has room for; null for one without private files. */
export async function roomOf(storage: StorageManager | undefined): Promise<Room | null> {
  if (storage === undefined || !('getDirectory' in storage)) return null;
  try {
    await storage.getDirectory();
  } catch {
    // Private windows of some browsers have the method, and refuse.
    return null;
  }
  const { quota, usage = 0 } = await storage.estimate();
  return { free: quota === undefined ? null : Math.max(0, quota - usage), isPersisted: await storage.persisted() };
}

/** Asks the browser to keep what is stored even when it needs the room; what it decides. */
export async function persistIn(storage: StorageManager | undefined): Promise<boolean> {
  return storage !== undefined && 'persist' in storage ? storage.persist() : false;
}
