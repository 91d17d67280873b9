import { type FormEvent, useEffect, useState } from 'react';
import type { CsrMatrix } from '../../../../core/matrix/index.ts';
import { fromRows } from '../../../../own/cases.ts';
import { exerciseProgress } from '../../../../lessons/exercises/exercise-progress.ts';
import type { TaskProps } from '../Workbench.tsx';
import { useDeskState } from '../use-desk.ts';
import { progressKey } from './ExerciseLinks.tsx';
import type { OwnExercise } from './own-exercises.ts';
import { bytesVerdict, matrixVerdict, type OwnVerdict } from './own-verdict.ts';

interface OwnTaskProps extends TaskProps {
  readonly exercise: OwnExercise;
  /** puts the solution into the editor; the text that was there becomes a version */
  readonly onSolution: (() => void) | null;
}

/** What an exercise asks, how far its answer is, hints one by one, and a solution. */
export function OwnTask({ exercise, own, onMatrix, onSolution }: OwnTaskProps) {
  const { id, title, task, hints, goal } = exercise;
  const [shown, setShown] = useState(0);
  const [tried, setTried] = useState<CsrMatrix | null>(null);
  const laws = useDeskState(own, (s) => (s.lawsMs === null ? null : s.laws));
  const judged = useDeskState(own, (s) => s.judged);
  const story = useDeskState(own, (s) => (s.isStoryOld ? null : s.story));
  const verdict = goal.kind === 'bytes' ? bytesVerdict(goal, laws, judged) : matrixVerdict(tried, story);
  const isDone = verdict?.isDone ?? false;
  useEffect(() => {
    if (isDone) exerciseProgress.reached(progressKey(id), { done: true, share: null });
  }, [isDone, id]);
  return (
    <section className="own-task" aria-labelledby="own-task-title">
      <p className="quiet">Exercise {id}</p>
      <h2 id="own-task-title">{title}</h2>
      {task.map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
      {goal.kind === 'matrix' && (
        <MatrixFields
          cols={goal.cols}
          onTry={(matrix) => {
            setTried(matrix);
            onMatrix(matrix);
          }}
        />
      )}
      <Verdict verdict={verdict} />
      {hints.slice(0, shown).map((hint, i) => (
        <p key={hint} className="own-hint">
          <b>Hint {i + 1}.</b> {hint}
        </p>
      ))}
      <p className="own-links">
        {shown < hints.length && (
          <button type="button" className="text-button" onClick={() => setShown(shown + 1)}>
            {shown === 0 ? 'give me a hint' : 'another hint'}
          </button>
        )}
        {onSolution && (
          <button type="button" className="text-button" onClick={onSolution}>
            show a solution
          </button>
        )}
      </p>
    </section>
  );
}

function Verdict({ verdict }: { readonly verdict: OwnVerdict | null }) {
  return (
    <p className={verdict?.isDone ? 'own-verdict good' : 'own-verdict'} role="status">
      {verdict?.sentence}
    </p>
  );
}

/** One row, cell by cell. */
function MatrixFields({ cols, onTry }: { readonly cols: number; readonly onTry: (matrix: CsrMatrix) => void }) {
  const [problem, setProblem] = useState<string | null>(null);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const cells: [number, number][] = [];
    for (let c = 0; c < cols; c++) {
      const entered = data.get(`cell ${c}`);
      const text = typeof entered === 'string' ? entered.trim() : '';
      const value = text === '' ? 0 : Math.fround(Number(text));
      if (Number.isNaN(value)) return setProblem(`Column ${c}: found '${text.slice(0, 20)}', expected a number.`);
      if (value !== 0) cells.push([c, value]);
    }
    setProblem(null);
    onTry(fromRows([cells], cols));
  };
  return (
    <form className="own-fields" onSubmit={submit}>
      {Array.from({ length: cols }, (_, c) => (
        <label key={c}>
          column {c}
          <input className="input" name={`cell ${c}`} inputMode="decimal" autoComplete="off" placeholder="0" />
        </label>
      ))}
      <button type="submit" className="button">
        Try it
      </button>
      {problem !== null && <p role="alert">{problem}</p>}
    </form>
  );
}
