import type { Progress } from '../core/job.ts';

/** A function that estimates the remaining ms from each report of progress; null while unknown, or if little remains. */
export function remainingTime(now: () => number): (progress: Progress) => number | null {
  let task = '';
  let start = { ms: 0, done: 0 };
  return (progress) => {
    const { done, total } = progress;
    if (taskOf(progress) !== task || done < start.done) {
      task = taskOf(progress);
      start = { ms: now(), done };
    }
    const passed = now() - start.ms;
    if (passed < MIN_MS || done <= start.done) return null;
    const remaining = ((total - done) * passed) / (done - start.done);
    return remaining < MIN_MS ? null : remaining;
  };
}

/** No time is estimated for a task that has run for less than this, or has less left, ms. */
const MIN_MS = 2000;

/** The task, without its current phase: 'encode EC-SpMV' of 'encode EC-SpMV: matching'. */
function taskOf({ what, total }: Progress): string {
  return `${what.split(': ', 1)[0]} ${total}`;
}
