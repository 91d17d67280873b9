import { QUESTION_BOUNDS } from '../core/bounds/bounds.ts';
import { clip } from '../core/bounds/quote.ts';
import { Random } from '../core/number/random.ts';
import { Pacer } from '../core/pace.ts';
import { pose, type PosedQuestion } from '../story/question.ts';
import { encodeFigure, type Figure } from './figure.ts';
import { LessonError } from './lesson.ts';

/** A question with the figure that has its matrix. */
export interface FoundQuestion {
  readonly figure: Figure;
  readonly posed: PosedQuestion;
}

/**
 * Poses a question about the matrix of a lesson's figure. If some misconceptions lead to the same answer, tries other
 * seeds for a matrix on which all answers differ, unless the matrix is a user's or has no non-zeros; if there is none,
 * the question has only the misconceptions whose answers differ. Yields the thread between two tries. Rejects with
 * LessonError for an unknown question, and if nothing can be asked within QUESTION_BOUNDS.
 */
export async function findQuestion(first: Figure, question: string): Promise<FoundQuestion> {
  const { story } = first.loaded;
  const definition = story.questions?.find(({ id }) => id === question);
  if (!definition) {
    const known = story.questions?.map(({ id }) => id).join(', ') ?? 'none';
    throw new LessonError(
      `question: found '${clip(question)}', expected a question of ${first.format.title}: ${known}`,
    );
  }
  const pacer = new Pacer();
  const { rows, cols } = first.window;
  const max = Math.max(1, Math.floor(QUESTION_BOUNDS.cellsTried / (rows * cols)));
  let figure = first;
  let partial: FoundQuestion | null = null;
  for (let tried = 0; tried < max; tried++) {
    await pacer.pauseIfDue();
    if (tried > 0) figure = await nextFigure(figure);
    const posed = pose(definition, figure.loaded.trace, new Random(figure.spec.seed));
    if (posed && !posed.hasEqualAnswers) return { figure, posed };
    if (posed) partial ??= { figure, posed };
    // A matrix that the user chose is not replaced, and without non-zeros all seeds give the same.
    if (figure.isTyped || figure.window.nnz === 0) break;
  }
  if (partial) return partial;
  const needs = definition.needs?.(first.loaded.trace) ?? 'some of them are zero and some are not';
  throw new LessonError(
    first.isTyped
      ? `${question}: with these cells there is nothing to ask; change cells so that ${needs}`
      : `${question}: found nothing to ask on random matrices like this one, expected one where ${needs}`,
  );
}

/** The figure with the random matrix of the next seed, which also replaces a matrix that a user made. */
export function nextFigure({ document, spec, format, loaded }: Figure): Promise<Figure> {
  const source = { kind: 'generated' as const, spec: { ...spec, seed: (spec.seed + 1) % 2 ** 32 } };
  return encodeFigure({ ...document, source }, format, loaded.story);
}
