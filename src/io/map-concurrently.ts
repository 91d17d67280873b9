/** Concurrent requests for parts of files: as many as browsers open connections to one server. */
export const MAX_CONCURRENT = 6;

/** The results of `work` in the order of the items, at most `atOnce` at a time. The first error stops and is thrown. */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  let next = 0;
  let failed = false;
  const lane = async (): Promise<void> => {
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
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, lane));
  return results;
}
