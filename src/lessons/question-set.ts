import { QUESTION_BOUNDS } from '../core/bounds/bounds.ts';
import { checkBound } from '../core/bounds/check.ts';
import { clip } from '../core/bounds/quote.ts';
import { cellsText } from '../core/cells/edited-cells.ts';
import { exactText } from '../core/cells/link-cells.ts';
import type { Shape } from '../core/format.ts';
import { type AppDocument, atStart, type Catalog, decodeHash, encodeHash, type LinkedFormat } from '../state/index.ts';
import { type FoundQuestion } from './question-search.ts';
import { type Lesson, LessonError, type Paragraph, type Prediction } from './lesson.ts';
import { leftOutText } from './prepare.ts';
import { isDemo } from './demonstrations/index.ts';
import {
  isFigureAddress,
  isPageAddress,
  DEMO_ADDRESS,
  WATCH_ADDRESS,
  figureDocument,
  specLike,
} from './figure-address.ts';

/** Stands for a lesson's id in the address of a set: #2/learn/set?set=... */
export const SET_LESSON = 'set';

/** Questions that a teacher has selected for others, as a link. */
export interface QuestionSet {
  readonly title: string;
  readonly questions: readonly SetQuestion[];
}

/** A question of a set, with the address of its figure. */
export interface SetQuestion {
  /** the question's id, in the figure's format or on the figure's page */
  readonly question: string;
  /** of the figure, with the matrix that the question is about at first */
  readonly address: string;
}

/** The set as the text of its link: the title, then a line for each question. */
export function questionSetText({ title, questions }: QuestionSet): string {
  const name = title.replaceAll(/\s+/g, ' ').trim();
  return [name === '' ? 'Questions' : name, ...questions.map((q) => `${q.question} ${q.address}`)].join('\n');
}

/**
 * The set in a link, as a lesson of questions only. Its id follows from its text, so that the same link finds stored
 * answers again. A question that is invalid, or needs too large a matrix, is replaced by the reason. Throws LessonError
 * if no question remains, and if the set exceeds QUESTION_BOUNDS.
 */
export function readQuestionSet(text: string, catalog: Catalog): Lesson {
  checkBound('set', text.length, QUESTION_BOUNDS.length, 'characters', LessonError);
  const [title = '', ...lines] = text.split('\n').map((line) => line.trim());
  const questionLines = lines.filter((line) => line !== '');
  if (title === '' || questionLines.length === 0)
    throw new LessonError('set: found no question, expected a title and questions');
  checkBound('set', questionLines.length, QUESTION_BOUNDS.questions, 'questions', LessonError);
  const results = questionLines.map((line): SetQuestion | LessonError => {
    try {
      return readLine(line, catalog);
    } catch (error) {
      if (error instanceof LessonError) return error;
      throw error;
    }
  });
  const questions = results.flatMap((question) => (question instanceof LessonError ? [] : [question]));
  const [first] = results;
  if (first instanceof LessonError && questions.length === 0) throw first;
  const cells = questions.reduce((sum, { address }) => sum + cellsOf(address, catalog), 0);
  checkBound('set', cells, QUESTION_BOUNDS.cells, 'cells in all matrices', LessonError);
  let { address } = questions[0];
  const blocks = results.map((question, i): Paragraph | Prediction => {
    const block = { n: i + 1, heading: null, appendixTitle: null, mayFail: true } as const;
    if (question instanceof LessonError) {
      // The reason is shown next to the figure of an earlier question.
      const figure = { address, step: null };
      return { ...block, kind: 'paragraph', figure, inline: [{ kind: 'text', text: leftOutText(i + 1, question) }] };
    }
    address = question.address;
    const figure = { address, step: null };
    const key = `${question.question}-${i + 1}`;
    return { ...block, kind: 'prediction', figure, question: question.question, key };
  });
  const id = `${SET_LESSON}:${hashOf(text)}`;
  return { id, order: 0, title: clip(title), minutes: 1, afterwards: '', needs: '', blocks, sources: [] };
}

/** The custom formats that the addresses of a set name, except formats that have run on this page. */
export function linkedFormatsIn(text: string, catalog: Catalog): readonly LinkedFormat[] {
  if (text.length > QUESTION_BOUNDS.length) return [];
  const addresses = text.split('\n').flatMap((line) => line.trim().split(' ').slice(1, 2));
  const missing = addresses
    .filter(isFigureAddress)
    .flatMap((address) => decodeHash(address, catalog).missingFormats ?? []);
  return [...new Map(missing.map((one) => [one.id, one])).values()];
}

/** The question in a line of a set. Throws LessonError. */
function readLine(line: string, catalog: Catalog): SetQuestion {
  const [question, address, ...more] = line.split(' ');
  if (!address || more.length > 0 || !(isFigureAddress(address) || isPageAddress(address))) {
    throw new LessonError(`set: found '${clip(line)}', expected a question and an address`);
  }
  if (isPageAddress(address)) {
    const { problems } = decodeHash(address, catalog);
    if (problems.length > 0) throw new LessonError(`set: ${problems.join(' ')}`);
    return { question, address };
  }
  const { source } = figureDocument(address, catalog);
  const { side } = QUESTION_BOUNDS;
  const { rows, cols } = shapeOf(source);
  if (rows > side || cols > side) {
    throw new LessonError(`set: found a matrix of ${rows} × ${cols}, expected at most ${side} × ${side}`);
  }
  return { question, address };
}

/** Number of cells of the matrix in an address; 0 for a figure of another page, such as Compare. */
function cellsOf(address: string, catalog: Catalog): number {
  if (isPageAddress(address)) return 0;
  const { source } = figureDocument(address, catalog);
  const { rows, cols } = shapeOf(source);
  return rows * cols;
}

/** The shape of a figure's matrix, which is generated or typed. */
function shapeOf(source: AppDocument['source']): Shape {
  if (source.kind === 'generated') return source.spec;
  return source.kind === 'cells' ? source : { rows: 0, cols: 0 };
}

/** A posed question, as a set stores it. */
export function questionForSet({ figure, posed }: FoundQuestion): SetQuestion {
  const { document, spec, format, window, isTyped } = figure;
  // Further questions are on random matrices like the typed one.
  const source = { kind: 'generated', spec: isTyped ? specLike(window) : spec } as const;
  const hash = encodeHash(
    { ...atStart(document), source, window: null, edited: null },
    { formats: [format], pages: [] },
  );
  const query = hash.slice(hash.indexOf('?') + 1);
  const cells = isTyped ? `&own=${cellsText(window, exactText)}` : '';
  return { question: posed.id, address: `${isDemo(format.id) ? DEMO_ADDRESS : WATCH_ADDRESS}${query}${cells}` };
}

/** The hash FNV-1a of a text, in eight hexadecimal digits. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, '0');
}
