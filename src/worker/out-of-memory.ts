/** How engines say that a typed array found no memory, or would be longer than any can be. */
const ALLOCATION = /allocation failed|invalid (typed )?array (buffer )?length|out of memory|buffer (size|length)/i;

/**
 * One sentence when `error` is what a typed array throws for want of memory; null when it is something else.
 * `what` is what the memory was for.
 */
export function outOfMemory(error: unknown, what: string): string | null {
  if (!(error instanceof RangeError) || !ALLOCATION.test(error.message)) return null;
  return `${what}: found no memory for it (${error.message}), expected a smaller matrix or more free memory`;
}
