/** One sentence if `error` is that of a typed array without memory, which was for `what`; null for any other error. */
export function outOfMemory(error: unknown, what: string): string | null {
  if (!(error instanceof Error) || !ALLOCATION.test(error.message)) return null;
  return `${what}: out of memory (${error.message}); choose a smaller matrix, or free some memory`;
}

/** Messages of browsers when a typed array finds no memory, or would exceed the maximum length. */
const ALLOCATION =
  /allocation failed|allocation size overflow|invalid (typed )?array (buffer )?length|length too large|out of memory/i;
