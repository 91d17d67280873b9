/** How the engines of browsers say that a typed array found no memory, or would be longer than any can be. */
const ALLOCATION =
  /allocation failed|allocation size overflow|invalid (typed )?array (buffer )?length|length too large|out of memory/i;

/**
 * One sentence when `error` is what a typed array throws for want of memory; null when it is something else.
 * `what` is what the memory was for.
 */
export function outOfMemory(error: unknown, what: string): string | null {
  if (!(error instanceof Error) || !ALLOCATION.test(error.message)) return null;
  return `${what}: out of memory (${error.message}); choose a smaller matrix, or free some memory`;
}
