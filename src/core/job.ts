import { CancelledError } from './errors.ts';

/** Where a long task stands. `done` counts towards `total` in the unit that `what` names. */
export interface Progress {
  readonly what: string;
  readonly done: number;
  readonly total: number;
}

/** What a long task is given: a place to report to, and a way to hear that nobody wants its result any more. */
export interface Job {
  report(progress: Progress): void;
  readonly cancelled: boolean;
}

/**
 * A long task as a generator: it yields its progress about every 10 ms of work and returns its result.
 * The worker drives it with pauses in between, so that a cancel message is seen; `finish` drives it without.
 */
export type Steps<T> = Generator<Progress, T, void>;

/** Rows that an encoder takes between two yields: about 10 ms of work at 2^20 cells, whether stored or not. */
export function rowsPerYield(cols: number): number {
  return Math.max(1, Math.floor(2 ** 20 / Math.max(1, cols)));
}

/** Runs the steps to the end on this thread. Throws CancelledError when the job is cancelled. */
export function finish<T>(steps: Steps<T>, job?: Job): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (job) {
      if (job.cancelled) throw new CancelledError();
      job.report(step.value);
    }
  }
}

/**
 * Runs the steps to the end and gives the thread back every `sliceMs`, so that messages are seen.
 * `pause` resolves in a later task; `now` is a clock in milliseconds.
 */
export async function finishAsync<T>(
  steps: Steps<T>,
  job: Job,
  pause: () => Promise<void>,
  now: () => number,
  sliceMs = 10,
): Promise<T> {
  let sliceEnd = now() + sliceMs;
  for (;;) {
    if (job.cancelled) throw new CancelledError();
    const step = steps.next();
    if (step.done) return step.value;
    if (now() < sliceEnd) continue;
    job.report(step.value);
    await pause();
    sliceEnd = now() + sliceMs;
  }
}
