/** What the bundle counts in; sources that run without it, as in unit tests, count nothing. */
const counted = globalThis as { readonly fuzzSteps?: Float64Array };

/**
 * The steps of this thread so far: turns of loops and calls of functions, which `withCountedWork` counts. Unlike a time,
 * they do not depend on the machine.
 */
export const workDone = (): number => counted.fuzzSteps?.[0] ?? 0;
