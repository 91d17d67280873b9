import { type Pace, SLICE_MS, throwIfCancelled } from './pace.ts';

/** Progress of a long task. `done` counts towards `total` in the unit that `what` names. */
export interface Progress {
  readonly what: string;
  readonly done: number;
  readonly total: number;
}

/** The caller's side of a long task: a function that receives its progress, and whether the task is cancelled. */
export interface Job {
  report(progress: Progress): void;
  readonly cancelled: boolean;
}

/** The job of a caller that neither reads progress nor cancels. */
export const NO_JOB: Job = { report: () => {}, cancelled: false };

/**
 * Independent pieces of a long task, offered to other threads (core/tasks.ts), which fill `outputs`; the long task then
 * computes missing outputs itself.
 */
export interface Tasks {
  /** the name of the TaskKind that computes one output from one input */
  readonly kind: string;
  /** The same object for all tasks that share the same data. */
  readonly shared: SharedData;
  readonly inputs: readonly unknown[];
  /** The part of an input to post, and its buffers to transfer; default: all of it, and none. */
  readonly send?: (input: unknown) => { readonly input: unknown; readonly transfer: readonly ArrayBuffer[] };
  /** one for each input; undefined if not computed yet */
  readonly outputs: unknown[];
  /** Called with each output when it arrives. */
  readonly onOutput?: (index: number) => void;
  /** true: tasks are so short that threads finish theirs when the job is cancelled, instead of being terminated */
  readonly short?: boolean;
}

/** Lets other threads run tasks. Resolves when the threads have run all tasks that they can, or on a cancel. */
export type Perform = (tasks: Tasks, job: Job) => Promise<void>;

/** Data that every thread needs a copy of before its first task. */
export interface SharedData {
  /** memory of one copy */
  readonly bytes: number;
  /** An object with fresh typed arrays, so that they may be transferred to another thread. */
  copy(): Readonly<Record<string, unknown>>;
}

/** A job that is cancelled with `job` and reports its progress to `report` instead; by default nowhere. */
export function withReport(job: Job, report: Job['report'] = () => {}): Job {
  return {
    report,
    get cancelled() {
      return job.cancelled;
    },
  };
}

/** A yield of a long task: its progress, and tasks that other threads may run before it continues. */
interface Step extends Progress {
  readonly tasks?: Tasks;
}

/**
 * A long task as a generator: it yields its progress about every 10 ms of work and returns its result.
 * `finishAsync` pauses in between, so that a cancel message is noticed; `finish` does not.
 */
export type Steps<T> = Generator<Step, T, void>;

/** The progress of a step, without its tasks. */
function progressOf({ what, done, total }: Step): Progress {
  return { what, done, total };
}

/** Rows that an encoder processes between two yields: about 10 ms of work at 2^20 cells, stored or not. */
export function rowsPerYield(cols: number): number {
  return Math.max(1, Math.floor(2 ** 20 / Math.max(1, cols)));
}

/** Runs the steps to the end on this thread without pauses. Throws CancelledError when the job is cancelled. */
export function finish<T>(steps: Generator<Step | void, T, void>, job?: Job): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (job) {
      throwIfCancelled(job);
      if (step.value) job.report(progressOf(step.value));
    }
  }
}

/**
 * Runs the steps to the end and yields the thread every SLICE_MS, so that messages are handled. `perform` runs tasks
 * on other threads, if there are any. Throws CancelledError.
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
