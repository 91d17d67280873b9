/* Questions that a teacher can put in a set: about animations of formats, on any matrix, and figures in lessons. */

import { plainWords } from '../../core/text/words.ts';
import type { AnyListedFormat } from '../../core/format.ts';
import type { GenerateSpec } from '../../generate/generate.ts';
import type { CsrMatrix } from '../../core/matrix/index.ts';
import { encodeFigure } from '../../lessons/figure.ts';
import { type FoundQuestion, findQuestion } from '../../lessons/question-search.ts';
import { lessons } from '../../lessons/index.ts';
import type { Lesson } from '../../lessons/lesson.ts';
import type { PosedQuestion } from '../../story/question.ts';
import type { FactsByPage } from '../../lessons/prepare.ts';
import type { SetQuestion } from '../../lessons/question-set.ts';
import { isDemo, type StorySource, demosOf } from '../../lessons/demonstrations/index.ts';
import {
  formatOfAddress,
  isPageAddress,
  DEMO_ADDRESS,
  WATCH_ADDRESS,
  figureDocument,
  specLike,
} from '../../lessons/figure-address.ts';
import { type AppDocument, type Catalog, decodeHash, type FormatParams, type LoadedStory } from '../../state/index.ts';
import { loadStory } from '../../story/format-story.ts';

/** A question about a story (animation) of a format, which works on any matrix. */
export interface StoryQuestion {
  readonly storySource: StorySource; // a format or a demonstration
  readonly story: LoadedStory['story'];
  readonly question: string; // its id
  /** the lesson that has it, as '3 · Small skips'; null: none */
  readonly lesson: string | null;
  /** its text for the initial matrix */
  readonly words: string;
  /** the initial matrix and parameters: from a lesson with the question, else a small random matrix */
  readonly start: AppDocument;
}

/** A question about a figure (a view of a page, shown in a lesson), unchanged: there is no matrix to choose. */
export interface PageQuestion {
  readonly lesson: string; // its number and title
  readonly entry: SetQuestion;
  readonly posed: PosedQuestion;
}

/** A question of the set that is being made. */
export interface AssembledQuestion {
  readonly key: string;
  /** the question as the link of the set has it */
  readonly entry: SetQuestion;
  readonly words: string;
}

/** The matrix and the parameters of a question. */
export interface QuestionQuery {
  readonly spec: GenerateSpec;
  readonly params: FormatParams;
  /** a typed matrix, instead of a generated one */
  readonly typed: CsrMatrix | null;
}

/** A matrix, as in an address, for questions that no lesson contains. */
const SMALL_MATRIX = 'src=generated:uniform&shape=4x32&density=0.2&seed=1';

const lessonName = ({ order, title }: Lesson): string => `${order} · ${title}`;

/** Every question about the story of a format or demonstration. Loads all stories; rejects if one does not load. */
export async function loadStoryQuestions(
  formats: readonly AnyListedFormat[],
  catalog: Catalog,
): Promise<readonly StoryQuestion[]> {
  const predictions = lessons.flatMap((lesson) =>
    lesson.blocks.flatMap((block) => (block.kind === 'prediction' ? [{ ...block, lesson: lessonName(lesson) }] : [])),
  );
  const storySources: readonly StorySource[] = [...formats, ...demosOf(formats)];
  const loaded = await Promise.all(
    storySources.map(async (storySource) => {
      const story = await loadStory(storySource);
      return Promise.all(
        (story.questions ?? []).map(async ({ id }): Promise<StoryQuestion> => {
          const prefix = isDemo(storySource.id) ? DEMO_ADDRESS : WATCH_ADDRESS;
          const prediction = predictions.find(
            ({ question, figure }) => question === id && formatOfAddress(figure.address) === storySource.id,
          );
          const address = prediction?.figure.address ?? `${prefix}${SMALL_MATRIX}&a=${storySource.id}`;
          const start = figureDocument(address, catalog);
          const figure = await encodeFigure(start, storySource, story, null);
          const { posed } = await findQuestion(figure, id);
          const words = plainWords(posed.ask);
          return { storySource, story, question: id, lesson: prediction?.lesson ?? null, words, start };
        }),
      );
    }),
  );
  return loaded.flat();
}

/** The questions of lessons about figures (views of other pages), in order. Questions that fail to load are left out. */
export async function loadPageQuestions(catalog: Catalog, factsByPage: FactsByPage): Promise<readonly PageQuestion[]> {
  const predictions = lessons.flatMap((lesson) =>
    lesson.blocks.flatMap((block) =>
      block.kind === 'prediction' && isPageAddress(block.figure.address)
        ? [{ lesson: lessonName(lesson), entry: { question: block.question, address: block.figure.address } }]
        : [],
    ),
  );
  const loaded = await Promise.allSettled(
    predictions.map(async ({ lesson, entry }): Promise<readonly PageQuestion[]> => {
      const { document } = decodeHash(entry.address, catalog);
      const posed = (await factsByPage.get(document.view)?.facts(document))?.questionOf(entry.question);
      return posed ? [{ lesson, entry, posed }] : [];
    }),
  );
  return loaded.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
}

/**
 * The question on the requested matrix or, if two answers are the same there, on the next random matrix where all
 * differ. Rejects with LessonError if none is found or a typed matrix has such answers, and with errors of the
 * generator. Yields the thread between two tries.
 */
export async function askOnMatrix(
  { storySource, story, question, start }: StoryQuestion,
  { spec, params, typed }: QuestionQuery,
): Promise<FoundQuestion> {
  const source = { kind: 'generated' as const, spec: typed ? specLike(typed) : spec };
  const document = { ...start, source, params: { ...start.params, [storySource.id]: params } };
  return findQuestion(await encodeFigure(document, storySource, story, typed), question);
}

/** A question as the list shows it. */
interface ListedQuestion {
  readonly key: string;
  readonly words: string;
  /** the title of the format or demonstration; '' for a question about a figure of another page */
  readonly source: string;
}

/** The questions of a lesson, or of no lesson, in the list. */
export interface QuestionGroup {
  readonly title: string;
  readonly questions: readonly ListedQuestion[];
}

export const storyQuestionKey = ({ storySource, question }: StoryQuestion): string => `${storySource.id} ${question}`;

export const pageQuestionKey = ({ entry }: PageQuestion): string => `${entry.address} ${entry.question}`;

/** The title of the group of questions that no lesson has. */
const NO_LESSON = 'In no lesson';

/**
 * The questions that contain every word of `query`, in their text, their format or their lesson, by lessons in order,
 * then those of no lesson.
 */
export function groupQuestions(
  storyQuestions: readonly StoryQuestion[],
  pageQuestions: readonly PageQuestion[],
  query: string,
): readonly QuestionGroup[] {
  const listed = [
    ...storyQuestions.map((question) => ({
      group: question.lesson ?? NO_LESSON,
      key: storyQuestionKey(question),
      words: question.words,
      source: question.storySource.title,
    })),
    ...pageQuestions.map((question) => ({
      group: question.lesson,
      key: pageQuestionKey(question),
      words: plainWords(question.posed.ask),
      source: '',
    })),
  ];
  const queryWords = query.toLowerCase().split(/\s+/);
  const matching = listed.filter(({ group, words, source, key }) => {
    const text = `${group} ${source} ${words} ${key}`.toLowerCase();
    return queryWords.every((word) => text.includes(word));
  });
  const titles = [...lessons.map(lessonName), NO_LESSON].filter((title) =>
    matching.some(({ group }) => group === title),
  );
  return titles.map((title) => ({
    title,
    questions: matching.flatMap(({ group, ...question }) => (group === title ? [question] : [])),
  }));
}
