/** The global that code with counted steps writes: one element, the steps so far. Absent where steps are not counted. */
const counted = globalThis as { readonly fuzzSteps?: Float64Array };

/**
 * The number of steps of this thread so far: iterations of loops and calls of functions, which the fuzzer's bundle counts
 * (`withCountedWork`). Unlike a time, it does not depend on the machine. Always 0 in unit tests, which run without it.
 */
export const workDone = (): number => counted.fuzzSteps?.[0] ?? 0;
