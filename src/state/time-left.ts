import type { Progress } from '../core/job.ts';

/** Estimates the milliseconds left for the current work from reports of its progress; null if it cannot. */
export function timeLeft(now: () => number): (progress: Progress) => number | null {
  let subject = '';
  let start = { ms: 0, done: 0 };
  return (progress) => {
    const { done, total } = progress;
    if (subjectOf(progress) !== subject || done < start.done) {
      subject = subjectOf(progress);
      start = { ms: now(), done };
    }
    const passed = now() - start.ms;
    if (passed < MIN_MS || done <= start.done) return null;
    const remaining = ((total - done) * passed) / (done - start.done);
    return remaining < MIN_MS ? null : remaining;
  };
}

/** No time is estimated for work that has run for less than this, or has less left, ms. */
const MIN_MS = 2000;

/** The subject of `progress`, without the kind of work: 'encode EC-SpMV' of 'encode EC-SpMV: matching'. */
function subjectOf({ what, total }: Progress): string {
  return `${what.split(': ', 1)[0]} ${total}`;
}
