import type { Job, Steps } from '../core/job.ts';
import { finishAsync } from '../core/job.ts';

/** Work between two pauses; a pause of a timer costs up to 4 ms. */
const SLICE_MS = 25;

/** Resolves in a later task, after messages that are waiting have been seen. */
export function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

/** Gives the thread back when `SLICE_MS` have passed since it last did. */
export class Pacer {
  #sliceEnd = performance.now() + SLICE_MS;

  async breathe(): Promise<void> {
    if (performance.now() < this.#sliceEnd) return;
    await pause();
    this.#sliceEnd = performance.now() + SLICE_MS;
  }
}

/** Runs the steps to the end and gives the thread back every `SLICE_MS`. */
export function finishInSlices<T>(steps: Steps<T>, job: Job): Promise<T> {
  return finishAsync(steps, job, pause, () => performance.now(), SLICE_MS);
}
