/** A starting point: by the clock, and by this process's CPU time. */
export interface Moment {
  readonly clockMs: number;
  readonly cpuMs: number;
}

/** The current time. */
export function now(): Moment {
  const { user, system } = process.cpuUsage();
  return { clockMs: performance.now(), cpuMs: (user + system) / 1000 };
}

/**
 * Milliseconds of work since then, for assertions about durations. The clock alone counts what other processes do on
 * the same cores, and CPU time alone counts other threads of this process (garbage collection, compilation); neither is
 * less than the work of the calling thread, so the minimum of both is returned.
 */
export function workedMs(since: Moment): number {
  const { clockMs, cpuMs } = now();
  return Math.min(clockMs - since.clockMs, cpuMs - since.cpuMs);
}
