import { useRef } from 'react';
import type { RunningJob } from '../../state/index.ts';
import { percent, duration } from '../words/quantity.ts';
import { useKeptFocus } from '../browser/use-kept-focus.ts';

interface JobProgressProps {
  readonly job: RunningJob;
  readonly onCancel: () => void;
}

/** A long task: what it does, how far it is, and a way out. */
export function JobProgress({ job, onCancel }: JobProgressProps) {
  const { progress, leftMs = null } = job;
  const known = progress !== null && progress.total > 0;
  const share = known ? Math.min(1, progress.done / progress.total) : null;
  const element = useRef<HTMLDivElement>(null);
  useKeptFocus(element);
  return (
    <div className="job" ref={element}>
      <p className="job-line">
        <span className="job-title">{job.title}</span>
        <span className="number faint">{share === null ? '' : percent(share, 0)}</span>
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
