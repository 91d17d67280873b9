// Waiting in tests.

import { vi } from 'vitest';

/** Time after which a wait fails. Only a result that never comes takes as long: this is no requirement of speed. */
export const PATIENCE_MS = 30_000;

/**
 * Repeats a check until it does not throw, and returns its value. Vitest's `waitFor` and `waitUntil` give up after one second
 * by default, too early on a busy machine, so test/waits.test.ts rejects their use.
 */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: PATIENCE_MS, interval: 10 });
}
