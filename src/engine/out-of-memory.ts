/** A message for the user if `error` means that memory for `what` could not be allocated; null for any other error. */
export function outOfMemory(error: unknown, what: string): string | null {
  if (!(error instanceof Error) || !ALLOCATION.test(error.message)) return null;
  return `${what}: out of memory (${error.message}); choose a smaller matrix, or free some memory`;
}

/** Messages of browsers when an array cannot be allocated, or would be too long. */
const ALLOCATION =
  /allocation failed|allocation size overflow|invalid (typed )?array (buffer )?length|length too large|out of memory/i;
