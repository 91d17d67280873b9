import { QUESTION_BOUNDS } from '../core/bounds/bounds.ts';
import { clip } from '../core/bounds/quote.ts';
import { Random } from '../core/number/random.ts';
import { Pacer } from '../core/pace.ts';
import { pose, type PosedQuestion } from '../story/question.ts';
import { encodeFigure, type Figure } from './figure.ts';
import { LessonError } from './lesson.ts';

/** Why there can be no question about a user's own matrix. */
const NOTHING_TO_ASK =
  'with these cells the question has no answer, or a wrong answer equals the right one; change some cells';

/** A question with the figure that has its matrix. */
export interface FoundQuestion {
  readonly figure: Figure;
  readonly posed: PosedQuestion;
}

/**
 * Poses a question about the matrix of a lesson's figure. If a misconception leads to the right answer, tries other seeds,
 * unless the matrix is a user's or has no non-zeros. Yields the thread between two tries. Rejects with
 * LessonError for an unknown question, and if no matrix is found within QUESTION_BOUNDS.
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
  for (let tried = 0; tried < max; tried++) {
    await pacer.pauseIfDue();
    if (tried > 0) figure = await nextFigure(figure);
    const posed = pose(definition, figure.loaded.trace, new Random(figure.spec.seed));
    if (posed) return { figure, posed };
    // The user chose this matrix, so it is not replaced.
    if (figure.own) throw new LessonError(`${question}: ${NOTHING_TO_ASK}`);
    if (figure.window.nnz === 0) break;
  }
  throw new LessonError(`${question}: found no matrix like the figure's on which all answers differ`);
}

/** The figure with the random matrix of the next seed, which also replaces a matrix that a user made. */
export function nextFigure({ document, spec, format, loaded }: Figure): Promise<Figure> {
  const source = { kind: 'generated' as const, spec: { ...spec, seed: (spec.seed + 1) % 2 ** 32 } };
  return encodeFigure({ ...document, source }, format, loaded.story);
}
