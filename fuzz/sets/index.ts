// Fuzz target for question sets, which teachers share as links: a set is parsed, its questions are posed, and written again.

import type { Random } from '../../src/core/number/random.ts';
import { formats } from '../../src/formats/registry.ts';
import { patterns } from '../../src/generate/patterns.ts';
import { SparseScopeError } from '../../src/core/errors.ts';
import { LessonError } from '../../src/lessons/lesson.ts';
import { prepareLesson } from '../../src/lessons/prepare.ts';
import { questionForSet, readQuestionSet, questionSetText } from '../../src/lessons/question-set.ts';
import { isDemo, demosOf } from '../../src/lessons/demonstrations/index.ts';
import { type Catalog, decodeHash, defaultDocument, encodeHash, pageState, withPage } from '../../src/state/index.ts';
import { loadStory } from '../../src/story/format-story.ts';
import { mutatedText, rangesToRemove, pick } from '../pieces.ts';
import { defineTarget, type Fault, SILENT_STEPS } from '../target.ts';
import { errorFault, messageFault } from '../words.ts';
import { LEARN_FIELDS } from '../../src/pages/learn/address.ts';
import { PAGES } from '../../test/pages.ts';

const CATALOG: Catalog = {
  formats,
  patterns,
  pages: PAGES,
  examples: [],
  start: {
    source: { kind: 'generated', spec: { pattern: 'uniform', rows: 4, cols: 4, density: 0.5, seed: 1 } },
    format: formats[0].id,
    formatB: null,
  },
};

/** Ids of questions by their source: formats and demonstrations. */
const QUESTION_SOURCES = await Promise.all(
  [...formats, ...demosOf(formats)].map(async (storySource) => {
    const { questions = [] } = await loadStory(storySource);
    return {
      id: storySource.id,
      isDemo: isDemo(storySource.id),
      ids: questions.map(({ id }) => id),
    };
  }),
);

/** Shapes of matrices in addresses, the last of them invalid. */
const SHAPES = ['4x24', '1x4', '3x48', '4x24', '8x8', '64x64', '1x64', '64x1', '0x4', '65x1', '4x', '2147483647x1'];
/** Typed cells in addresses, `column:value`, some of them invalid. */
const CELLS = ['0:1', '0:1;3:-2', ',', '0:1e39', '0:1e+21,1:0.5', '3:1;1:2', `${'0:1,'.repeat(63)}0:1`, 'x'];
/** Texts that mutations insert: hostile characters, names of Object's members, and very long values. */
const PIECES = [
  ' ',
  '\n',
  '\u0000',
  '\u202e',
  '%zz',
  '&own=',
  '#2/watch?',
  'constructor',
  '__proto__',
  'win=0,0,2147483647,2147483647',
  'x'.repeat(200_000),
  '&a=1'.repeat(50_000),
  '\n1'.repeat(60),
];

/** A line of a set: the id of a question, and the address of its figure. */
function randomLine(random: Random): string {
  const { id, isDemo, ids } = pick(random, QUESTION_SOURCES);
  const question =
    random.below(8) === 0 || ids.length === 0 ? pick(random, ['bytes', 'what', 'toString']) : pick(random, ids);
  const pairs = [
    `src=${random.below(10) === 0 ? 'remote:x' : `generated:${pick(random, patterns).id}`}`,
    `shape=${pick(random, SHAPES)}`,
    `density=${pick(random, ['0', '1', '0.25', '0.25', '0.5', '1e-9', 'NaN'])}`,
    `seed=${random.below(5)}`,
    `a=${id}`,
    ...(random.below(4) === 0 ? [`own=${pick(random, CELLS)}`] : []),
    ...(random.below(8) === 0 ? [`win=${pick(random, ['0,0,1,1', '0,0,0,0', '5,5,64,64'])}`] : []),
  ];
  return `${question} #2/${isDemo ? 'trial' : 'watch'}?${pairs.join('&')}`;
}

/** The text of a set, mutated in half of the cases. */
function randomSet(random: Random): string {
  const count = pick(random, [0, 1, 1, 2, 3, 41]);
  // A set above the limit of questions repeats one line, since 41 different questions would take longer and test nothing more.
  const line = randomLine(random);
  const lines = Array.from({ length: count }, () => (count > 3 ? line : randomLine(random)));
  const text = ['Title', ...lines].join('\n');
  return random.below(2) === 0 ? text : mutatedText(random, text, PIECES);
}

/** Reads the set from a link, poses its questions, and writes them as a set again, which must be readable. */
async function check(text: string): Promise<Fault | null> {
  const learning = { lesson: 'set', paragraph: 0, set: text };
  const link = encodeHash(withPage(defaultDocument(CATALOG), LEARN_FIELDS, learning), CATALOG);
  try {
    const lesson = readQuestionSet(pageState(decodeHash(link, CATALOG).document, LEARN_FIELDS).set, CATALOG);
    const prepared = await prepareLesson(lesson, CATALOG, formats);
    for (const { block } of prepared) {
      const words = block.kind === 'paragraph' ? block.inline.map((piece) => ('text' in piece ? piece.text : '')) : [];
      const fault = block.kind === 'paragraph' ? messageFault(words.join('')) : null;
      if (fault) return fault;
    }
    const foundQuestions = prepared.flatMap((block) => (block.foundQuestion ? [block.foundQuestion] : []));
    if (foundQuestions.length === 0) return null;
    const readAgain = readQuestionSet(
      questionSetText({ title: lesson.title, questions: foundQuestions.map(questionForSet) }),
      CATALOG,
    );
    const unread = readAgain.blocks.find((block) => block.kind !== 'prediction');
    return unread
      ? { law: 'a question set survives its link', message: `question ${unread.n} of ${text.slice(0, 300)}` }
      : null;
  } catch (error) {
    return errorFault(error, error instanceof SparseScopeError ? SparseScopeError : LessonError);
  }
}

/** Hostile sets of questions. */
export const questionSetsTarget = defineTarget<string>({
  id: 'sets',
  unit: 'sets',
  share: 0.1,
  maxSteps: SILENT_STEPS,
  generate: randomSet,
  check,
  *smaller(text) {
    for (const [from, to] of rangesToRemove(text.length)) yield text.slice(0, from) + text.slice(to);
  },
  toJson: (text) => text,
  fromJson: String,
});
