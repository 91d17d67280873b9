import { vi } from 'vitest';

/** How long a test waits for what is on its way: a bound for what never comes, not a judgement of speed. */
export const PATIENCE_MS = 30_000;

/**
 * Repeats a check until it throws nothing, and returns its value. Vitest's own `waitFor` and `waitUntil` stop after one
 * second, which a busy machine takes for less: test/waits.test.ts rejects them.
 */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: PATIENCE_MS, interval: 10 });
}
