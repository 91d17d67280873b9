import type { Progress } from '../core/job.ts';

/** Nothing is said of work that has been going on for less, or that will be done sooner. */
const MIN_MS = 2000;

/** What `progress` is about, without the kind of work in it: 'encode EC-SpMV' of 'encode EC-SpMV: matching'. */
function subjectOf({ what, total }: Progress): string {
  return `${what.split(': ', 1)[0]} ${total}`;
}

/**
 * Tells from one report of progress to the next about how many milliseconds the present kind of work will take, as if it
 * went on as fast as it has so far; null while that cannot be said.
 */
export function timeLeft(now: () => number): (progress: Progress) => number | null {
  let subject = '';
  let began = { ms: 0, done: 0 };
  return (progress) => {
    const { done, total } = progress;
    if (subjectOf(progress) !== subject || done < began.done) {
      subject = subjectOf(progress);
      began = { ms: now(), done };
    }
    const passed = now() - began.ms;
    if (passed < MIN_MS || done <= began.done) return null;
    const left = ((total - done) * passed) / (done - began.done);
    return left < MIN_MS ? null : left;
  };
}
