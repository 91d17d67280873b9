import { useStore } from 'zustand';
import { useState } from 'react';
import { exercisePath, exercises, type Exercise } from '../../../lessons/exercises/index.ts';
import { countText } from '../../../core/story/words.ts';
import { decodeHash, followLink, sameSource } from '../../../state/index.ts';
import type { Reading } from '../address.ts';
import type { Draft } from '../kernel-drafts/draft.ts';
import type { KernelLibrary } from '../kernel-drafts/library.ts';
import { useApp, useDocument, useSession } from '../../../kit/app-context.ts';
import { Icon } from '../../../kit/controls/Icon.tsx';
import { percent } from '../../../kit/words/quantity.ts';
import { exerciseProgress } from '../../../lessons/exercises/exercise-progress.ts';
import type { Inline } from '../../../lessons/lesson.ts';

export interface ExerciseTaskProps {
  readonly exercise: Exercise;
  /** null while it is being looked up */
  readonly draft: Draft | null;
  readonly library: KernelLibrary;
  readonly onRead: (reading: Partial<Reading>) => void;
}

/** The task and its matrix, hints one by one, and a solution to look at. */
export function ExerciseTask({ exercise, draft, library, onRead }: ExerciseTaskProps) {
  const { id, title, task, hints, goal } = exercise;
  const state = useStore(exerciseProgress.store)[id];
  const [shown, setShown] = useState(0);
  const at = exercises.indexOf(exercise);
  const next = exercises.at(at + 1);
  return (
    <article className="exercise" aria-labelledby="exercise-title">
      <p className="exercise-place">
        <BackToLesson />
        <button type="button" className="text-button" onClick={() => onRead({})}>
          <Icon name="left" /> all kernels
        </button>
        <span className="faint">
          exercise {id} of {exercises.length}
        </span>
      </p>
      <h2 id="exercise-title">
        {title}
        {state?.done && (
          <span className="good" title="done">
            <Icon name="tick" />
            <span className="unseen">, done</span>
          </span>
        )}
      </h2>
      <Paragraphs of={task} />
      <p className="exercise-goal">
        Goal: right on every matrix, and at least <strong>{percent(goal, 0)}</strong> of the read speed
        {state?.share != null && <span className="quiet"> (you reached {percent(state.share, 0)})</span>}.
      </p>
      <MatrixOf exercise={exercise} />
      <Needs feature={exercise.needs} />
      <section aria-label="Hints">
        {hints.slice(0, shown).map((hint, i) => (
          // oxlint-disable-next-line react/no-array-index-key -- hints never change their order
          <div key={i} className="exercise-hint">
            <h3>Hint {i + 1}</h3>
            <Paragraphs of={hint} />
          </div>
        ))}
        {shown < hints.length && (
          <button type="button" className="button" onClick={() => setShown(shown + 1)}>
            {shown === 0 ? 'Give me a hint' : 'Another hint'}{' '}
            <span className="faint">
              {countText(shown + 1)} of {hints.length}
            </span>
          </button>
        )}
      </section>
      <Solution exercise={exercise} draft={draft} library={library} />
      {next && (
        <p className="exercise-next">
          <button
            type="button"
            className={state?.done ? 'button button--solid' : 'text-button'}
            onClick={() => onRead({ kernel: exercisePath(next.id) })}
          >
            Next: {next.title}
          </button>
        </p>
      )}
    </article>
  );
}

/** For readers who came from a lesson: the way back to its paragraph. */
function BackToLesson() {
  const { session, catalog } = useApp();
  const isThere = useDocument((doc) => followLink(catalog.places, doc, 'lesson') !== null);
  if (!isThere) return null;
  return (
    <button type="button" className="text-button exercise-lesson" onClick={() => session.follow('lesson')}>
      <Icon name="left" /> back to the lesson
    </button>
  );
}

/** Whether the exercise's matrix is open, and a button to open it. */
function MatrixOf({ exercise }: { readonly exercise: Exercise }) {
  const { session, catalog } = useApp();
  const source = useDocument((doc) => doc.source);
  const isOpening = useSession((s) => s.opening !== null);
  const wanted = decodeHash(exercise.matrix, catalog).document.source;
  if (wanted.kind !== 'generated' || sameSource(source, wanted)) return null;
  const { spec } = wanted;
  return (
    <p className="exercise-matrix">
      The goal is set for a matrix that keeps a GPU busy: {countText(spec.rows)} × {countText(spec.cols)}, density{' '}
      {spec.density}.{' '}
      <button
        type="button"
        className="text-button"
        disabled={isOpening}
        onClick={() => void session.openGenerated(spec)}
      >
        {isOpening ? 'Opening a matrix' : 'Open it'}
      </button>
    </p>
  );
}

function Needs({ feature }: { readonly feature: string }) {
  const device = useSession((s) => s.device);
  if (feature === '' || device?.kind !== 'ready' || device.environment.features.includes(feature)) return null;
  return (
    <p className="draft-warning">
      This device has no {feature}: you can read and write the exercise here, but it will not compile.
    </p>
  );
}

/** A solution, folded; it can replace the reader's text, which stays as a version. */
function Solution({ exercise, draft, library }: Pick<ExerciseTaskProps, 'exercise' | 'draft' | 'library'>) {
  const { announce } = useApp();
  return (
    <details className="exercise-solution">
      <summary>Show a solution</summary>
      <Paragraphs of={exercise.aboutSolution} />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached by the keyboard */}
      <pre tabIndex={0} role="group" aria-label="A solution">
        {changedPart(exercise)}
      </pre>
      {draft && (
        <button
          type="button"
          className="button"
          onClick={() => {
            library.replace(draft.id, { files: { [`${exercise.kernel}.wgsl`]: exercise.solution }, overrides: {} });
            announce('The solution is in the editor; your text is kept as a version.');
          }}
        >
          Put it into the editor
        </button>
      )}
    </details>
  );
}

/** The lines that the solution adds to the start. */
function changedPart({ start, solution }: Exercise): string {
  const [before, after] = [start.split('\n'), solution.trimEnd().split('\n')];
  let first = 0;
  while (first < after.length && before[first] === after[first]) first++;
  return after.slice(Math.max(0, first - 1)).join('\n');
}

/** Inline text of an exercise: plain, strong, and code. */
function Paragraphs({ of }: { readonly of: readonly (readonly Inline[])[] }) {
  return of.map((paragraph, i) => (
    // oxlint-disable-next-line react/no-array-index-key -- the text of an exercise never changes its order
    <p key={i}>
      {paragraph.map((piece, j) => {
        const key = `${j} ${piece.kind}`;
        if (piece.kind === 'strong') return <strong key={key}>{piece.text}</strong>;
        if (piece.kind === 'code') return <code key={key}>{piece.text}</code>;
        return (
          <span key={key}>{'text' in piece ? piece.text : 'expression' in piece ? piece.expression : piece.name}</span>
        );
      })}
    </p>
  ));
}
