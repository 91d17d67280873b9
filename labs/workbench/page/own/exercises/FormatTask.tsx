import { type FormEvent, useState } from 'react';
import type { CsrMatrix } from '../../../../../src/core/matrix/index.ts';
import { fromRows } from '../../../own/law-cases.ts';
import type { WorkbenchFields } from '../../address.ts';
import { ExerciseFrame } from '../../exercises/ExerciseFrame.tsx';
import { ExerciseVerdict, type Verdict } from '../../exercises/ExerciseVerdict.tsx';
import { useModuleState } from '../use-live-module.ts';
import type { TaskProps } from '../Workbench.tsx';
import { type Goal, FORMAT_EXERCISES, type FormatExercise, exerciseAddress, progressKey } from './format-exercises.ts';
import { countText } from '../../../../../src/core/text/words.ts';
import type { StorageLedger } from '../../../../../src/core/encoded/ledger.ts';
import { decodingDifference } from '../../../own/module-requests.ts';
import type { LawReport } from '../../../own/laws.ts';
import type { NarratedStory } from '../live/module-state.ts';

interface FormatTaskProps extends TaskProps {
  readonly exercise: FormatExercise;
  /** puts the solution into the editor; the previous text stays as an older version */
  readonly onSolution: () => void;
  readonly onShow: (fields: Partial<WorkbenchFields>) => void;
}

/** The task of an exercise: a format to write, or a matrix to find that the decode of a given format does not return. */
export function FormatTask({ exercise, live, onMatrix, onSolution, onShow }: FormatTaskProps) {
  const { id, title, task, hints, goal, start, solution } = exercise;
  const [triedMatrix, setTriedMatrix] = useState<CsrMatrix | null>(null);
  const laws = useModuleState(live, (s) => (s.lawsMs === null ? null : s.laws));
  const goalLedger = useModuleState(live, (s) => s.goalLedger);
  const story = useModuleState(live, (s) => (s.isStoryOld ? null : s.story));
  const verdict = goal.kind === 'bytes' ? bytesVerdict(goal, laws, goalLedger) : matrixVerdict(triedMatrix, story);
  const next = FORMAT_EXERCISES.at(FORMAT_EXERCISES.indexOf(exercise) + 1);
  return (
    <ExerciseFrame
      {...{ id, title }}
      progress={progressKey(id)}
      count={FORMAT_EXERCISES.length}
      back={null}
      task={task.map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
      hints={hints.map((hint) => (
        <p key={hint}>{hint}</p>
      ))}
      solution={solution === null ? null : { summary: null, start, text: solution, onTake: onSolution }}
      next={next ? { title: next.title, onOpen: () => onShow(exerciseAddress(next.id)) } : null}
    >
      {goal.kind === 'matrix' && (
        <MatrixFields
          cols={goal.cols}
          onTry={(matrix) => {
            setTriedMatrix(matrix);
            onMatrix(matrix);
          }}
        />
      )}
      {verdict && <ExerciseVerdict progress={progressKey(id)} {...verdict} />}
    </ExerciseFrame>
  );
}

/** Inputs for the cells of a matrix of one row. */
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
    <form className="flex flex-wrap items-end gap-2" onSubmit={submit}>
      {Array.from({ length: cols }, (_, c) => (
        <label className="grid text-muted text-12" key={c}>
          column {c}
          <input className="input w-24" name={`cell ${c}`} inputMode="decimal" autoComplete="off" placeholder="0" />
        </label>
      ))}
      <button type="submit" className="button">
        Try it
      </button>
      {problem !== null && <p role="alert">{problem}</p>}
    </form>
  );
}

/**
 * The verdict on a format. `laws`: null while untested; `goalLedger`: null if its matrix is not supported or not
 * encoded.
 */
export function bytesVerdict(
  goal: Goal & { readonly kind: 'bytes' },
  laws: LawReport | null,
  goalLedger: StorageLedger | null,
): Verdict {
  if (laws === null) return { kind: 'open', share: null, sentence: 'It is being tested.' };
  const broken = laws.laws.filter((law) => law.broken !== null);
  if (broken.length > 0) {
    const [first] = broken;
    return { kind: 'open', share: null, sentence: `Not yet: the law “${first.title}” is broken.` };
  }
  if (goalLedger === null)
    return {
      kind: 'open',
      share: null,
      sentence: `All laws are satisfied; ${goal.matrixName}: not supported, or not encoded yet.`,
    };
  const { totalBytes } = goalLedger;
  const sizeText = `${goal.matrixName} need${goal.matrixName.startsWith('the ') ? 's' : ''} ${countText(totalBytes)} bytes`;
  if (totalBytes > goal.max) {
    return {
      kind: 'open',
      share: null,
      sentence: `All laws are satisfied, and ${sizeText}. The goal is ${countText(goal.max)}.`,
    };
  }
  return { kind: 'done', share: null, sentence: `Done: all laws are satisfied, and ${sizeText}.` };
}

/** The verdict on a matrix that decode should fail to return; null before the story of the matrix is ready. */
export function matrixVerdict(matrix: CsrMatrix | null, story: NarratedStory | null): Verdict | null {
  if (!matrix || story?.trace.window.data !== matrix.data) return null;
  const { setup, decoding } = story.trace.roundTrip;
  const difference = decodingDifference(matrix, setup, decoding);
  return difference === null
    ? { kind: 'open', share: null, sentence: 'It decodes to the same matrix.' }
    : {
        kind: 'done',
        share: null,
        sentence: 'Done: it does not decode to the same matrix. The story shows where decode stops.',
      };
}
