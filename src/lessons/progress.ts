import { createStore } from 'zustand/vanilla';
import { PROGRESS_BOUNDS } from '../core/bounds/bounds.ts';
import { isRecord } from '../core/bounds/shapes.ts';
import { storedText, storeText, type TextStorage } from '../state/index.ts';
import { csvLine } from '../core/reports/csv-line.ts';
import type { Lesson } from './lesson.ts';
import { formatOfAddress } from './figure-address.ts';

/** A student's last answer to a question, and a summary of all their answers to it. */
interface GivenAnswer {
  readonly answer: number | string;
  readonly right: boolean;
  /** whether an answer was ever correct */
  readonly solved: boolean;
  /** number of answers to the question */
  readonly tries: number;
  /** id of the misconception that matches the answer, if any does */
  readonly idea?: string;
}

/** A student's progress in a lesson, and their answers to its questions. */
export interface LessonProgress {
  /** the last paragraph that was read, from 1; 0 for none */
  readonly paragraph: number;
  /** by the key of a question in its lesson */
  readonly answers: Readonly<Record<string, GivenAnswer>>;
}

/** A student's progress, by the id of the lesson. */
export type ProgressState = Readonly<Record<string, LessonProgress>>;

export type ProgressStore = ReturnType<typeof createProgress>;

export const NO_PROGRESS: LessonProgress = { paragraph: 0, answers: {} };

const KEY = 'sparsescope.lessons';

/** A student's progress in the lessons, stored in `storage()`, or if that fails, until the page is closed. */
export function createProgress(storage: () => TextStorage) {
  const store = createStore<ProgressState>(() => readProgress(storedText(storage, KEY)));
  const change = (lesson: string, changes: Partial<LessonProgress>): void => {
    const progressBefore = store.getState()[lesson] ?? NO_PROGRESS;
    store.setState({ [lesson]: { ...progressBefore, ...changes } });
    storeText(storage, KEY, JSON.stringify(store.getState()));
  };
  return {
    store,
    read(lesson: string, paragraph: number) {
      if (paragraph !== store.getState()[lesson]?.paragraph) change(lesson, { paragraph });
    },
    answer(lesson: string, question: string, answer: number | string, isRight: boolean, idea: string | null = null) {
      const { answers } = store.getState()[lesson] ?? NO_PROGRESS;
      const lastAnswer = answers[question];
      const solved = isRight || lastAnswer?.solved === true;
      change(lesson, {
        answers: {
          ...answers,
          [question]: {
            answer,
            right: isRight,
            solved,
            tries: (lastAnswer?.tries ?? 0) + 1,
            ...(idea === null ? {} : { idea }),
          },
        },
      });
    },
    forget() {
      store.setState({}, true);
      storeText(storage, KEY, '{}');
    },
  };
}

/** The valid progress in a text; anything else is ignored. */
function readProgress(text: string | null): ProgressState {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return Object.fromEntries(
      entriesOf(value).map(([lesson, storedLesson]) => {
        const fields = new Map(entriesOf(storedLesson));
        const answers = entriesOf(fields.get('answers')).filter((entry): entry is [string, GivenAnswer] =>
          isAnswer(entry[1]),
        );
        return [lesson, { paragraph: countOf(fields.get('paragraph')), answers: Object.fromEntries(answers) }];
      }),
    );
  } catch {
    return {};
  }
}

function entriesOf(value: unknown): [string, unknown][] {
  return isRecord(value) ? Object.entries(value).slice(-PROGRESS_BOUNDS.entries) : [];
}

/** A whole number that counts something; 0 for anything else. */
function countOf(value: unknown): number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : 0;
}

function isAnswer(value: unknown): boolean {
  const { answer, right, solved, tries, idea } = Object.fromEntries(entriesOf(value));
  return (
    (typeof answer === 'number' || typeof answer === 'string') &&
    typeof right === 'boolean' &&
    typeof solved === 'boolean' &&
    countOf(tries) > 0 &&
    (idea === undefined || typeof idea === 'string')
  );
}

/** Number of questions in a lesson. */
export function questionCount({ blocks }: Lesson): number {
  return blocks.filter(({ kind }) => kind === 'prediction').length;
}

/** Number of questions in a lesson that were answered on this device. */
export function answeredCount(
  lesson: Lesson,
  { answers }: { readonly answers: Readonly<Record<string, unknown>> },
): number {
  return lesson.blocks.filter((block) => block.kind === 'prediction' && block.key in answers).length;
}

/**
 * The lesson to go on with: the last begun lesson if it has unanswered questions, otherwise the next one that has, otherwise
 * the first one that has. The very first lesson once all questions are answered.
 */
export function nextLesson(lessons: readonly Lesson[], progress: ProgressState): Lesson {
  const isOpen = (lesson: Lesson): boolean =>
    answeredCount(lesson, progress[lesson.id] ?? NO_PROGRESS) < questionCount(lesson);
  const lastBegun = lessons.findLastIndex(({ id }) => id in progress);
  return lessons.slice(Math.max(0, lastBegun)).find(isOpen) ?? lessons.find(isOpen) ?? lessons[0];
}

const COLUMNS = ['lesson', 'question', 'format', 'answer', 'right', 'ever right', 'tries', 'idea'] as const;

/** A student's answers as CSV, a line per question. Column 'idea': the misconception that the last answer matches. */
export function answersCsv(lessons: readonly Lesson[], progress: ProgressState): string {
  const lines = lessons.flatMap((lesson) =>
    lesson.blocks.flatMap((block) => {
      if (block.kind !== 'prediction') return [];
      const lastAnswer = progress[lesson.id]?.answers[block.key];
      const format = formatOfAddress(block.figure.address);
      const fields = lastAnswer
        ? [
            lastAnswer.answer,
            lastAnswer.right ? 'yes' : 'no',
            lastAnswer.solved ? 'yes' : 'no',
            lastAnswer.tries,
            lastAnswer.idea ?? '',
          ]
        : ['', '', '', 0, ''];
      return [[lesson.title, block.key, format, ...fields]];
    }),
  );
  return [COLUMNS, ...lines].map(csvLine).join('');
}
