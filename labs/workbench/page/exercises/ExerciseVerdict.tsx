import { useEffect } from 'react';
import { Icon } from '../../../../src/kit/controls/Icon.tsx';
import { exerciseProgress } from '../../exercises/exercise-progress.ts';

/** The verdict on an answer to an exercise. */
export interface Verdict {
  /** open: untried, running, or an unfinished format; wrong: incorrect; right: correct but slow; done: goal reached */
  readonly kind: 'open' | 'wrong' | 'right' | 'done';
  readonly sentence: string;
  /** the kernel's bandwidth over the device's read bandwidth, from 0; null if not timed */
  readonly share: number | null;
}

interface ExerciseVerdictProps extends Verdict {
  /** the key of the exercise's progress */
  readonly progress: string;
}

const EDGES = {
  open: 'border-hairline',
  wrong: 'border-danger',
  right: 'border-hairline',
  done: 'border-good',
} as const;

/** Shows the verdict on an answer, and stores a correct answer as progress. */
export function ExerciseVerdict({ progress, kind, share, sentence }: ExerciseVerdictProps) {
  useEffect(() => {
    if (kind === 'right' || kind === 'done') exerciseProgress.record(progress, { done: kind === 'done', share });
  }, [progress, kind, share]);
  return (
    <p
      className={`exercise-verdict flex items-baseline gap-2 text-13 mb-3 bg-sunken px-3 py-2 border-s-2 [&>.icon]:text-good ${EDGES[kind]}`}
      role="status"
    >
      {kind === 'done' && <Icon name="tick" />}
      <span>{sentence}</span>
    </p>
  );
}
