/** Messages of browsers when a typed array finds no memory, or would exceed the maximum length. */
const ALLOCATION =
  /allocation failed|allocation size overflow|invalid (typed )?array (buffer )?length|length too large|out of memory/i;

/**
 * One sentence if `error` is the error of a typed array that found no memory; null for any other error.
 * `what`: purpose of the memory.
 */
export function outOfMemory(error: unknown, what: string): string | null {
  if (!(error instanceof Error) || !ALLOCATION.test(error.message)) return null;
  return `${what}: out of memory (${error.message}); choose a smaller matrix, or free some memory`;
}
