/** Parts of files that are asked for at the same time: as many connections as a browser opens to one server. */
export const AT_ONCE = 6;

/**
 * The results of `work` for every item, in their order, with at most `atOnce` under way. When one fails, no other is
 * begun, and what it failed with is thrown.
 */
export async function mapAtOnce<T, R>(
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
