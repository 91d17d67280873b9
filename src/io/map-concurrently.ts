/** The results of `work` for each item, at most `max` at a time. Throws the first error, after which none begins. */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  max: number,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  let next = 0;
  let failed = false;
  /** Works on one item after the other, until all have begun or one has failed. */
  const workThrough = async (): Promise<void> => {
    while (!failed && next < items.length) {
      const i = next++;
      try {
        results[i] = await work(items[i]);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(max, items.length) }, workThrough));
  return results;
}

/** Concurrent requests for parts of files: as many as browsers open connections to one server. */
export const MAX_CONCURRENT = 6;
