/** Where a time begins: by the clock, and by what this process has computed. */
export interface Moment {
  readonly clockMs: number;
  readonly cpuMs: number;
}

/** The moment at which it is called. */
export function now(): Moment {
  const { user, system } = process.cpuUsage();
  return { clockMs: performance.now(), cpuMs: (user + system) / 1000 };
}

/**
 * Milliseconds of work since then, for assertions that say how long something may take. The clock alone counts what
 * other processes do on the same cores, and CPU time alone counts other threads of this one (collection of garbage,
 * compilation); neither is less than what the calling thread worked, so the lesser of them is told.
 */
export function workedMs(since: Moment): number {
  const { clockMs, cpuMs } = now();
  return Math.min(clockMs - since.clockMs, cpuMs - since.cpuMs);
}
