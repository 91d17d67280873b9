import type { Progress } from '../core/job.ts';

/** No time is estimated for work that has run for less than this, or has less left, ms. */
const MIN_MS = 2000;

/** The subject of `progress`, without the kind of work: 'encode EC-SpMV' of 'encode EC-SpMV: matching'. */
function subjectOf({ what, total }: Progress): string {
  return `${what.split(': ', 1)[0]} ${total}`;
}

/** Estimates the milliseconds left for the current work from reports of its progress; null if it cannot. */
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
