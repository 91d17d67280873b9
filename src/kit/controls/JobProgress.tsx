import { useEffect, useRef, useState } from 'react';
import type { Progress } from '../../core/job.ts';
import type { RunningJob } from '../../state/index.ts';
import { percent, duration } from '../words/quantity.ts';
import { useFocusFallback } from '../browser/use-focus-fallback.ts';
import { TextButton } from './Button.tsx';
import { GpuSilence } from './GpuSilence.tsx';

/** Progress with a total of at most this is a count, '2 of 10'; else a percentage. */
const MAX_COUNTED = 100;

/** Elapsed seconds are shown from this number on. */
const MIN_SECONDS = 3;

/** A job's progress: '2 of 10' if its steps can be counted, else '37 %'; '' for a single step and at the beginning. */
export function progressText({ done, total }: Pick<Progress, 'done' | 'total'>): string {
  if (total <= 0) return '';
  if (Number.isInteger(total) && total <= MAX_COUNTED) {
    return total === 1 ? '' : `${Math.min(Math.floor(done) + 1, total)} of ${total}`;
  }
  const share = Math.min(1, done / total);
  return share < 0.005 ? '' : percent(share, 0);
}

/** Whole seconds since the component was mounted. */
function useSeconds(): number {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1000);
    return () => clearInterval(timer);
  }, []);
  return seconds;
}

interface JobProgressProps {
  readonly job: RunningJob;
  /** null: the button that cancels is elsewhere */
  readonly onCancel: (() => void) | null;
}

/** A running job: its name, its progress, its elapsed time, and a button to cancel it. */
export function JobProgress({ job, onCancel }: JobProgressProps) {
  const { progress, remainingMs = null } = job;
  const seconds = useSeconds();
  const share = progress !== null && progress.total > 1 ? Math.min(1, progress.done / progress.total) : undefined;
  const position = progress ? progressText(progress) : '';
  const elapsed = seconds < MIN_SECONDS ? '' : duration(1000 * seconds);
  const element = useRef<HTMLDivElement>(null);
  useFocusFallback(element);
  return (
    <div className="job grid gap-1" ref={element}>
      <p className="flex items-baseline gap-2">
        <span className="flex-1">{job.title}</span>
        <span className="number text-quiet">{[position, elapsed].filter((text) => text !== '').join(' · ')}</span>
        {/** Not disabled, since the page would lose the focus. */}
        {onCancel && (
          <TextButton aria-disabled={job.cancelling} onClick={job.cancelling ? undefined : onCancel}>
            {job.cancelling ? 'cancelling' : 'cancel'}
          </TextButton>
        )}
      </p>
      <progress className="progress" aria-label={job.title} max={1} value={share} />
      <p className="text-quiet text-12 truncate min-h-5">
        {progress?.what ?? ' '}
        {remainingMs !== null && `, about ${duration(remainingMs)} left`}
      </p>
      <GpuSilence canCancel={!job.cancelling} />
    </div>
  );
}
