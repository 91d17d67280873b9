import { useEffect } from 'react';
import type { Exercise } from '../../../lessons/exercises/index.ts';
import type { Draft } from '../kernel-drafts/draft.ts';
import { useSession } from '../../../kit/app-context.ts';
import { Icon } from '../../../kit/controls/Icon.tsx';
import { shownRun } from '../drafts/draft-words.ts';
import { exerciseProgress } from '../../../lessons/exercises/exercise-progress.ts';
import { verdictOf } from './verdict.ts';

/** How far the answer to an exercise is; progress is kept. */
export function ExerciseVerdict({ exercise, draft }: { readonly exercise: Exercise; readonly draft: Draft }) {
  const device = useSession((s) => s.device);
  const isSoftware = device?.kind === 'ready' && device.environment.isFallback;
  const { kind, share, sentence } = verdictOf(exercise, draft, shownRun(draft), isSoftware);
  useEffect(() => {
    if (kind === 'right' || kind === 'done') exerciseProgress.reached(exercise.id, { done: kind === 'done', share });
  }, [exercise.id, kind, share]);
  return (
    <p className={`exercise-verdict exercise-verdict--${kind}`} role="status">
      {kind === 'done' && <Icon name="tick" />}
      <span>{sentence}</span>
    </p>
  );
}
