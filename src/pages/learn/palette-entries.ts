import type { Command } from '../../kit/command.ts';
import type { PagePaletteEntries } from '../../kit/page.ts';
import { glossary, lessons } from '../../lessons/index.ts';
import type { Block, Lesson } from '../../lessons/lesson.ts';
import { plainText } from '../../lessons/parse.ts';
import { withPage } from '../../state/index.ts';
import { CLAIMS_ID, LEARN, LEARN_FIELDS } from './address.ts';
import { CLAIMS, RELATED } from './guides.ts';
import { LESSON_KEYS } from './lesson-keys.ts';
import { isQuestionSetDialogOpen, QUESTION_SET_TITLE } from './question-set-dialog.ts';

/** A paragraph of a lesson with the heading above it. */
interface LessonParagraph {
  readonly lesson: Lesson;
  readonly block: Extract<Block, { kind: 'paragraph' }>;
  readonly heading: string | null;
}

function paragraphsOf(lesson: Lesson): readonly LessonParagraph[] {
  let heading: string | null = null;
  return lesson.blocks.flatMap((block) => {
    heading = block.heading ?? heading;
    return block.kind === 'paragraph' ? [{ lesson, block, heading }] : [];
  });
}

const paragraphs = lessons.flatMap(paragraphsOf);

/** The first paragraph that marks a term. */
function firstParagraphOn(term: string): LessonParagraph | undefined {
  return paragraphs.find(({ block }) => block.inline.some((piece) => piece.kind === 'term' && piece.term === term));
}

/** 'Learn › LESSON › HEADING' */
const whereOf = ({ lesson, heading }: Pick<LessonParagraph, 'lesson' | 'heading'>): string =>
  [LEARN.title, lesson.title, ...(heading === null ? [] : [heading])].join(' › ');

/** Entries of the command palette for the page Learn: lessons, terms, related work and every paragraph. */
export const PALETTE_ENTRIES: PagePaletteEntries = {
  searchWords:
    'lessons, course, tutorial, from the start, begin, teach, explain, introduction, student, glossary, help, documentation, docs',
  description: 'lessons with questions',
  keys: LESSON_KEYS,
  more({ app: { document } }) {
    const openAt =
      (lesson: string, paragraph = 0) =>
      () =>
        document.setState(withPage(document.getState(), LEARN_FIELDS, { lesson, paragraph }));
    return [
      ...lessons.map(({ id, title, afterwards, also }): Command => ({
        id: `lesson-${id}`,
        group: 'Lesson',
        title,
        searchWords: `lesson, ${also ?? ''}`,
        description: `afterwards you can ${afterwards}`,
        leadsTo: LEARN.title,
        run: openAt(id),
      })),
      {
        id: 'question-set',
        group: 'Lesson',
        title: QUESTION_SET_TITLE,
        searchWords: 'quiz, exam, test, exercise, homework, teacher, class, course',
        leadsTo: LEARN.title,
        run() {
          openAt('')();
          isQuestionSetDialogOpen.setState(true, true);
        },
      },
      {
        id: 'claims',
        group: 'Lesson',
        title: 'Claims of the papers',
        searchWords: 'claim, published, reproduce, hold, true, wrong, speed-up',
        description: `${CLAIMS.length} claims, whether they hold here, and where to see it`,
        leadsTo: LEARN.title,
        run: openAt(CLAIMS_ID),
      },
      ...[...glossary].map(([term, { meaning, also }]): Command => {
        const first = firstParagraphOn(term);
        return {
          id: `term-${term}`,
          group: 'Term',
          title: term,
          searchWords: `term, ${also}`,
          description: meaning,
          leadsTo: first ? whereOf(first) : LEARN.title,
          run: first ? openAt(first.lesson.id, first.block.n) : openAt(''),
        };
      }),
      ...RELATED.flatMap(({ title, rows }) =>
        rows.map(([name, says]): Command => ({
          id: `related-${name}`,
          group: 'Text',
          title: name,
          searchWords: 'related work, other formats',
          description: says,
          leadsTo: `${LEARN.title} › ${title}`,
          run: openAt(''), // the list of lessons
        })),
      ),
      ...paragraphs.map(({ lesson, block, heading }): Command => ({
        id: `text-${lesson.id}-${block.n}`,
        group: 'Text',
        title: heading ?? lesson.title,
        description: plainText(block.inline),
        leadsTo: whereOf({ lesson, heading }),
        run: openAt(lesson.id, block.n),
      })),
    ];
  },
};
