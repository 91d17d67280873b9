import { useEffect, useRef, useState } from 'react';
import type { Progress } from '../../core/job.ts';
import type { RunningJob } from '../../state/index.ts';
import { percent, duration } from '../words/quantity.ts';
import { useKeptFocus } from '../browser/use-kept-focus.ts';

interface JobProgressProps {
  readonly job: RunningJob;
  readonly onCancel: () => void;
}

/** Totals up to here are counted one by one. */
const MAX_COUNTED = 100;

/** Seconds that are worth saying. */
const MIN_SECONDS = 3;

/**
 * How far a task is: '2 of 10' where its steps can be counted, else '37 %'. Of a single step, and at the very beginning,
 * nothing is known but that it goes on.
 */
export function progressText({ done, total }: Pick<Progress, 'done' | 'total'>): string {
  if (total <= 0) return '';
  if (Number.isInteger(total) && total <= MAX_COUNTED) {
    return total === 1 ? '' : `${Math.min(Math.floor(done) + 1, total)} of ${total}`;
  }
  const share = Math.min(1, done / total);
  return share < 0.005 ? '' : percent(share, 0);
}

/** Whole seconds since the component was there. */
function useSeconds(): number {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  return seconds;
}

/** A long task: what it does, how far it is, for how long it has been going on, and a way out. */
export function JobProgress({ job, onCancel }: JobProgressProps) {
  const { progress, leftMs = null } = job;
  const seconds = useSeconds();
  const known = progress !== null && progress.total > 1;
  const share = known ? Math.min(1, progress.done / progress.total) : null;
  const element = useRef<HTMLDivElement>(null);
  useKeptFocus(element);
  return (
    <div className="job" ref={element}>
      <p className="job-line">
        <span className="job-title">{job.title}</span>
        <span className="number faint">
          {progress && progressText(progress)}
          {seconds >= MIN_SECONDS && ` ${duration(1000 * seconds)}`}
        </span>
        {/* Not disabled, or else the focus would fall out of the page. */}
        <button
          type="button"
          className="text-button"
          aria-disabled={job.cancelling}
          onClick={job.cancelling ? undefined : onCancel}
        >
          {job.cancelling ? 'cancelling' : 'cancel'}
        </button>
      </p>
      <progress className="progress" aria-label={job.title} max={1} {...(share === null ? {} : { value: share })} />
      <p className="job-what faint">
        {progress?.what ?? ' '}
        {leftMs !== null && `, about ${duration(leftMs)} left`}
      </p>
    </div>
  );
}
