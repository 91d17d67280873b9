import { type ReactNode, useState } from 'react';
import { useStore } from 'zustand';
import { countText } from '../../../../src/core/text/words.ts';
import { exerciseProgress } from '../../exercises/exercise-progress.ts';
import { useApp } from '../../../../src/kit/app-context.ts';
import { Button } from '../../../../src/kit/controls/Button.tsx';
import { Icon } from '../../../../src/kit/controls/Icon.tsx';

interface ExerciseFrameProps {
  readonly id: string;
  /** the key under which the progress in this exercise is stored */
  readonly progress: string;
  readonly title: string;
  /** number of exercises about kernels, or about formats */
  readonly count: number;
  /** links that leave the exercise */
  readonly back: ReactNode;
  readonly task: ReactNode;
  /** revealed one by one */
  readonly hints: readonly ReactNode[];
  /** null if the answer is not text */
  readonly solution: SolutionProps | null;
  readonly next: { readonly title: string; readonly onOpen: () => void } | null;
  /** below the task: the goal, and the verdict on the reader's answer */
  readonly children: ReactNode;
}

/** The layout of an exercise about a kernel or a format: task, hints one by one, solution, link to the next one. */
export function ExerciseFrame(props: ExerciseFrameProps) {
  const { id, progress, title, count, back, task, hints, solution, next, children } = props;
  const isDone = useStore(exerciseProgress.store)[progress]?.done ?? false;
  const [revealed, setRevealed] = useState(0);
  return (
    <article className="exercise grid gap-3 grid-cols-1" aria-labelledby="exercise-title">
      <p className="flex flex-wrap justify-between text-12">
        {back}
        <span className="text-quiet">
          exercise {id} of {count}
        </span>
      </p>
      <h2 className="text-18 flex items-baseline gap-2" id="exercise-title">
        {title}
        {isDone && <DoneMark />}
      </h2>
      {task}
      {children}
      <section aria-label="Hints">
        {hints.slice(0, revealed).map((hint, i) => (
          // oxlint-disable-next-line react/no-array-index-key -- hints never change their order
          <div key={i} className="border-s-2 border-hairline grid gap-1 mb-3 ps-3">
            <h3 className="text-muted text-12 font-normal">Hint {i + 1}</h3>
            {hint}
          </div>
        ))}
        {revealed < hints.length && (
          <Button onClick={() => setRevealed(revealed + 1)}>
            Hint{' '}
            <span className="text-quiet">
              {countText(revealed + 1)} of {hints.length}
            </span>
          </Button>
        )}
      </section>
      {solution && <Solution {...solution} />}
      {next && (
        <p>
          <button type="button" className={isDone ? 'button button--solid' : 'text-button'} onClick={next.onOpen}>
            Next: {next.title}
          </button>
        </p>
      )}
    </article>
  );
}

/** The mark of a completed exercise. */
export function DoneMark() {
  return (
    <span className="text-good" title="done">
      <Icon name="tick" />
      <span className="unseen">, done</span>
    </span>
  );
}

interface SolutionProps {
  readonly summary: ReactNode;
  /** the text with which the exercise begins */
  readonly start: string;
  readonly text: string;
  /** puts the solution into the editor; null while the reader's text is loading */
  readonly onTake: (() => void) | null;
}

const NOTICE = 'The solution is in the editor; yours is kept.';

/** A collapsed solution, with a button that puts it into the editor; the reader's text stays stored as a version. */
function Solution({ summary: about, start, text, onTake }: SolutionProps) {
  const { announce } = useApp();
  return (
    <details>
      <summary className="cursor-pointer min-h-8">Show a solution</summary>
      {about}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached by the keyboard */}
      <pre className="max-h-96 my-2 p-3 overflow-auto bg-sunken" tabIndex={0} role="group" aria-label="A solution">
        {changedPart(start, text)}
      </pre>
      {onTake && (
        <Button
          onClick={() => {
            onTake();
            announce(NOTICE);
          }}
        >
          Put it into the editor
        </Button>
      )}
    </details>
  );
}

/** Returns the solution from one line before its first difference from `start`. */
function changedPart(start: string, solution: string): string {
  const [before, after] = [start.split('\n'), solution.trimEnd().split('\n')];
  let first = 0;
  while (first < after.length && before[first] === after[first]) first++;
  return after.slice(Math.max(0, first - 1)).join('\n');
}
