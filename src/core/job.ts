import { type Pace, SLICE_MS, throwIfCancelled } from './pace.ts';

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
 * Parts of a long task that do not wait for each other, offered to other threads (core/tasks.ts). Whoever has threads
 * fills `outputs`; what is missing there afterwards, the long task computes itself.
 */
export interface Tasks {
  /** the name of the TaskKind that computes one output from one input */
  readonly kind: string;
  /** The same object for all tasks that share the same data. */
  readonly shared: SharedData;
  readonly inputs: readonly unknown[];
  /** by input; undefined where nobody has computed it */
  readonly outputs: unknown[];
  /** Is told of each output when it is there. */
  readonly onOutput?: (index: number) => void;
  /** So short that threads which run them when the job is cancelled are left to end them, and not ended themselves. */
  readonly short?: boolean;
}

/** What every thread needs a copy of before its first task. */
export interface SharedData {
  /** memory that one copy takes */
  readonly bytes: number;
  /** An object whose typed arrays are fresh, so that they may be handed over to another thread. */
  copy(): Readonly<Record<string, unknown>>;
}

/** What a long task yields: where it stands, and work that other threads may take before it goes on. */
export interface Step extends Progress {
  readonly tasks?: Tasks;
}

/**
 * A long task as a generator: it yields its progress about every 10 ms of work and returns its result.
 * The worker drives it with pauses in between, so that a cancel message is seen; `finish` drives it without.
 */
export type Steps<T> = Generator<Step, T, void>;

/** A step without its tasks, whose arrays are not for those who want to know how far it is. */
function progressOf({ what, done, total }: Step): Progress {
  return { what, done, total };
}

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
      throwIfCancelled(job);
      job.report(progressOf(step.value));
    }
  }
}

/**
 * Runs the steps to the end and gives the thread back every SLICE_MS, so that messages are seen. `perform`, where there
 * are other threads, resolves when they have run what they can of the tasks, or when the job is cancelled. Throws
 * CancelledError.
 */
export async function finishAsync<T>(
  steps: Steps<T>,
  job: Job,
  pace: Pace,
  perform?: (tasks: Tasks) => Promise<void>,
): Promise<T> {
  let sliceEnd = pace.now() + SLICE_MS;
  for (;;) {
    throwIfCancelled(job);
    const step = steps.next();
    if (step.done) return step.value;
    const tasks = perform && step.value.tasks;
    if (!tasks && pace.now() < sliceEnd) continue;
    job.report(progressOf(step.value));
    await (tasks ? perform(tasks) : pace.pause());
    sliceEnd = pace.now() + SLICE_MS;
  }
}
