import { useStore } from 'zustand';
import { exercisePath, exercises, type Exercise } from '../../exercises/index.ts';
import { countText } from '../../../../src/core/text/words.ts';
import { decodeHash, sameSource } from '../../../../src/state/index.ts';
import type { WorkbenchFields } from '../address.ts';
import type { Draft } from '../kernel-drafts/draft.ts';
import type { KernelLibrary } from '../kernel-drafts/kernel-library.ts';
import { useApp, useDocument, useSession } from '../../../../src/kit/app-context.ts';
import { PageLink } from '../../../../src/kit/browser/AddressLink.tsx';
import { TextButton } from '../../../../src/kit/controls/Button.tsx';
import { Icon } from '../../../../src/kit/controls/Icon.tsx';
import { percent } from '../../../../src/kit/words/quantity.ts';
import { densityText } from '../../../../src/kit/words/shares.ts';
import { exerciseProgress } from '../../exercises/exercise-progress.ts';
import { ExerciseFrame } from './ExerciseFrame.tsx';
import type { Inline } from '../../../../src/lessons/lesson.ts';

interface KernelTaskProps {
  readonly exercise: Exercise;
  /** the reader's answer, a changed copy of the kernel; null while it is being loaded */
  readonly draft: Draft | null;
  readonly library: KernelLibrary;
  readonly onShow: (fields: Partial<WorkbenchFields>) => void;
}

/** A kernel exercise on the page: its task, its goal and its matrix. */
export function KernelTask({ exercise, draft, library, onShow }: KernelTaskProps) {
  const { id, title, task, hints, goal, kernel, aboutSolution, start, solution } = exercise;
  const share = useStore(exerciseProgress.store)[id]?.share ?? null;
  const next = exercises.at(exercises.indexOf(exercise) + 1);
  const take = (): void => {
    if (!draft) return;
    library.replace(draft.id, { files: { [`${kernel}.wgsl`]: solution }, overrides: {} });
  };
  return (
    <ExerciseFrame
      {...{ id, title }}
      progress={id}
      count={exercises.length}
      back={
        <>
          <PageLink className="text-button basis-full" link="lesson" target={[]}>
            <Icon name="left" /> back to the lesson
          </PageLink>
          <TextButton className="flex items-center gap-2" onClick={() => onShow({})}>
            <Icon name="left" /> all kernels
          </TextButton>
        </>
      }
      task={<Paragraphs paragraphs={task} />}
      // oxlint-disable-next-line react/no-array-index-key -- hints never change their order
      hints={hints.map((hint, i) => (
        <Paragraphs key={i} paragraphs={hint} />
      ))}
      solution={{ summary: <Paragraphs paragraphs={aboutSolution} />, start, text: solution, onTake: draft && take }}
      next={next ? { title: next.title, onOpen: () => onShow({ kernel: exercisePath(next.id) }) } : null}
    >
      <p className="border-t border-hairline border-b border-hairline py-2">
        Goal: right on every matrix, and at least <strong>{percent(goal, 0)}</strong> of the read speed
        {share !== null && <span className="text-muted"> (you reached {percent(share, 0)})</span>}.
      </p>
      <GoalMatrix exercise={exercise} />
      <MissingFeature feature={exercise.needs} />
    </ExerciseFrame>
  );
}

/** Names the matrix of the goal, with a button that opens it; nothing if it is open. */
function GoalMatrix({ exercise }: { readonly exercise: Exercise }) {
  const { session, catalog } = useApp();
  const source = useDocument((doc) => doc.source);
  const isOpening = useSession((s) => s.opening !== null);
  const goalSource = decodeHash(exercise.matrix, catalog).document.source;
  if (goalSource.kind !== 'generated' || sameSource(source, goalSource)) return null;
  const { spec } = goalSource;
  return (
    <p className="underlined text-muted text-12">
      The goal is for a matrix of {countText(spec.rows)} × {countText(spec.cols)}, {densityText(spec.density)} left.{' '}
      <TextButton disabled={isOpening} onClick={() => void session.openGenerated(spec)}>
        {isOpening ? 'Opening a matrix' : 'Open it'}
      </TextButton>
    </p>
  );
}

/** A warning if the device lacks a feature that the exercise requires. */
function MissingFeature({ feature }: { readonly feature: string }) {
  const device = useSession((s) => s.device);
  if (feature === '' || device?.kind !== 'ready' || device.environment.features.includes(feature)) return null;
  return (
    <p className="border-s-2 border-danger text-12 mb-4 px-3 py-2 bg-danger-ground">
      This device has no {feature}: the exercise will not compile here.
    </p>
  );
}

/** Paragraphs of plain, strong and code text. */
function Paragraphs({ paragraphs }: { readonly paragraphs: readonly (readonly Inline[])[] }) {
  return paragraphs.map((paragraph, i) => (
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
