import { useStore } from 'zustand';
import { exercisePath, exercises } from '../../exercises/index.ts';
import { exerciseProgress } from '../../exercises/exercise-progress.ts';
import { PageLink } from '../../../../src/kit/browser/AddressLink.tsx';
import { Icon } from '../../../../src/kit/controls/Icon.tsx';
import { percent } from '../../../../src/kit/words/quantity.ts';

/** A link from a lesson to one of the kernel exercises, with the reader's progress. */
export function ExerciseCard({ id }: { readonly id: string }) {
  const state = useStore(exerciseProgress.store)[id];
  const exercise = exercises.find((candidate) => candidate.id === id);
  if (!exercise) return null;
  const { title, summary, goal } = exercise;
  const reached = state?.share == null ? '' : `, you reached ${percent(state.share, 0)}`;
  return (
    <div className="border border-hairline py-3 px-4 flex flex-wrap items-center justify-between gap-3 rounded-md">
      <div>
        <strong>
          Exercise {id}: {title}
        </strong>
        {state?.done && (
          <span className="text-good">
            {' '}
            <Icon name="tick" />
            <span className="unseen">done</span>
          </span>
        )}
        <p className="text-muted">
          {summary}; goal {percent(goal, 0)} of the read speed{reached}
        </p>
      </div>
      <PageLink className={state?.done ? 'button' : 'button button--solid'} link="exercise" target={[exercisePath(id)]}>
        {state?.done ? 'Open again' : 'Write it'}
      </PageLink>
    </div>
  );
}
