import { QUESTION_BOUNDS } from '../core/bounds/bounds.ts';
import { checkBound, clip } from '../core/bounds/check.ts';
import { encodeHash } from '../state/index.ts';
import { type AskedQuestion, figureDocument } from './figure.ts';
import { type Lesson, LessonError, type Prediction } from './lesson.ts';
import { cellsText } from './own-matrix.ts';
import type { Catalog } from '../state/index.ts';
import { isTrial, TRIAL_ADDRESS } from './trials/index.ts';

/** What stands in the address of a set in the place of a lesson's name: #1/learn/set?set=... */
export const SET_PLACE = 'set';

/** Questions that somebody has put together for others. */
export interface QuestionSet {
  readonly title: string;
  readonly questions: readonly AskedAt[];
}

export interface AskedAt {
  /** of the figure's format */
  readonly question: string;
  /** of its first matrix */
  readonly address: string;
}

/** The set as its link carries it: the title, then a line for each question. */
export function setText({ title, questions }: QuestionSet): string {
  const name = title.replaceAll(/\s+/g, ' ').trim();
  return [name === '' ? 'Questions' : name, ...questions.map((q) => `${q.question} ${q.address}`)].join('\n');
}

/**
 * The set that a link carries, as a lesson of questions alone: kept on this device by its text, so that the same link
 * finds the same answers. Throws LessonError where the text is wrong or asks for a matrix that is too large to look at.
 */
export function readSet(text: string, catalog: Catalog): Lesson {
  const [title = '', ...lines] = text.split('\n').map((line) => line.trim());
  const asked = lines.filter((line) => line !== '');
  if (title === '' || asked.length === 0)
    throw new LessonError('set: found no question, expected a title and questions');
  checkBound('set', asked.length, QUESTION_BOUNDS.questions, 'questions', LessonError);
  const blocks = asked.map((line, i): Prediction => {
    const [question, address, ...more] = line.split(' ');
    if (!address || more.length > 0 || !/^#1\/(?:visualize|trial)\?/.test(address)) {
      throw new LessonError(`set: found '${clip(line)}', expected a question and an address`);
    }
    const { side } = QUESTION_BOUNDS;
    const { source } = figureDocument(address, catalog);
    if (source.kind === 'generated' && (source.spec.rows > side || source.spec.cols > side)) {
      throw new LessonError(
        `set: found a matrix of ${source.spec.rows} × ${source.spec.cols}, expected at most ${side} × ${side}`,
      );
    }
    const key = `${question}-${i + 1}`;
    return { kind: 'prediction', n: i + 1, heading: null, more: null, figure: { address, step: null }, question, key };
  });
  return {
    id: `${SET_PLACE}:${hashOf(text)}`,
    order: 0,
    title,
    about: '',
    minutes: 1,
    afterwards: '',
    needs: '',
    blocks,
    sources: [],
  };
}

/** Where a question is asked on a figure, as a set names it. */
export function askedAt({ figure, posed }: AskedQuestion): AskedAt {
  const { document, format, window, own } = figure;
  const hash = encodeHash({ ...document, window: null, step: 0, view: 'visualize' }, { formats: [format] });
  const query = hash.slice(hash.indexOf('?') + 1);
  const cells = own ? `&own=${cellsText(window)}` : '';
  return { question: posed.id, address: `${isTrial(format.id) ? TRIAL_ADDRESS : '#1/visualize?'}${query}${cells}` };
}

/** FNV-1a, in eight hexadecimal digits. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, '0');
}
