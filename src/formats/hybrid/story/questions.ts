import { type DeclaredTrace, stepEncoded, stepStoring } from '../../../story/declared/trace.ts';
import type { Question, TraceCase } from '../../../story/question.ts';
import { counted, listText, say, strong } from '../../../core/text/words.ts';
import { minus, of, times } from '../../../story/computed.ts';
import type { HybridEncoded } from '../layout.ts';
import { tailShareText } from '../params.ts';

type HybridTrace = DeclaredTrace<HybridEncoded>;
type QuestionCase = TraceCase<HybridTrace>;

/** Maximum number of rows that a question lists. */
const MAX_ROWS = 12;

/** The step that allocates the slots and the tail, before anything is stored. */
const slotsStep = (): number => 1;
const countsText = ({ trace }: QuestionCase): string => listText([...trace.encoded.counts].map(String));
const isLong = ({ trace: { encoded } }: QuestionCase, row: number): boolean => encoded.counts[row] > encoded.slots;
const longRows = (questionCase: QuestionCase): readonly number[] =>
  [...questionCase.trace.encoded.counts.keys()].filter((row) => isLong(questionCase, row));

/** The step that finds that the first long row belongs in the tail. */
const firstLongStep = (questionCase: QuestionCase): number => routingStep(questionCase, longRows(questionCase)[0]);
const routingStep = ({ trace }: QuestionCase, row: number): number => stepStoring(trace, 'counts', row);
/** The step after which every row is stored. */
const storedStep = ({ trace }: QuestionCase): number => stepEncoded(trace);

/** The case of the questions; null, for no question: the tail is unused or too small, or the rows are too many. */
const caseOf = (trace: HybridTrace): QuestionCase | null =>
  !trace.rejected && trace.encoded.tailUsed > 0 && trace.window.rows <= MAX_ROWS ? { trace } : null;

const tailNeeds = (slots: number): string =>
  `at most ${MAX_ROWS} rows are there, and few of them have more than ${slots} non-zeros, but at least one`;

/** A question about the number of cells of the tail in memory. */
const tailCells: Question<HybridTrace, QuestionCase> = {
  id: 'cells-of-the-tail',
  unit: 'cells',
  findCase: caseOf,
  needs: ({ encoded: e }) => tailNeeds(e.slots),
  ask: (questionCase) => {
    const { encoded: e } = questionCase.trace;
    return say`${counted(e.rows, 'token')} with ${e.cols} columns have ${countsText(questionCase)} non-zeros. A row has ${counted(e.slots, 'slot')}, and the tail has space for ${strong(tailShareText(e.tailShare))}. How many cells does the tail take in memory?`;
  },
  answer: ({ trace: { encoded } }) => encoded.tail.length,
  reason: ({ trace: { encoded: e } }) =>
    say`Memory for ${counted(e.tailCapacity, 'row')} of ${e.cols} cells is reserved: ${strong(e.tail.length)}.`,
  steps: () => ({ before: slotsStep() - 1, shows: slotsStep() }),
  misconceptions: [
    {
      id: 'only-long-rows-take-room',
      title: 'only the rows in the tail take memory',
      answer: ({ trace: { encoded: e } }) => times(of(e.tailUsed, 'rows'), of(e.cols, 'cells')),
      reply: ({ trace: { encoded: e } }) =>
        say`How many rows will be long is not known in advance, so memory for ${strong(counted(e.tailCapacity, 'row'))} is reserved.`,
    },
    {
      id: 'only-what-has-no-slot',
      title: 'the tail stores only what the slots do not',
      answer: (s) => longRows(s).reduce((sum, row) => sum + s.trace.encoded.counts[row] - s.trace.encoded.slots, 0),
      reply: () => say`A long row goes into the tail ${strong('as a whole')}, with every cell.`,
      falseAt: firstLongStep,
    },
    {
      id: 'only-non-zeros-of-long-rows',
      title: 'the tail stores the non-zeros of long rows',
      answer: (questionCase) =>
        longRows(questionCase).reduce((sum, row) => sum + questionCase.trace.encoded.counts[row], 0),
      reply: ({ trace: { encoded: e } }) =>
        say`A row of the tail has all ${strong(`${e.cols} cells`)}, zeros included.`,
      falseAt: firstLongStep,
    },
  ],
};

const usedSlots = (questionCase: QuestionCase): number =>
  [...questionCase.trace.encoded.counts].reduce((sum, count, row) => sum + (isLong(questionCase, row) ? 0 : count), 0);
const allSlots = ({ trace: { encoded } }: QuestionCase): number => encoded.rows * encoded.slots;

/** Asks how many slots stay empty. */
const emptySlots: Question<HybridTrace, QuestionCase> = {
  id: 'empty-slots',
  unit: 'slots',
  findCase: caseOf,
  needs: ({ encoded: e }) => tailNeeds(e.slots),
  ask: (questionCase) =>
    say`Each of ${counted(questionCase.trace.encoded.rows, 'token')} has ${strong(counted(questionCase.trace.encoded.slots, 'slot'))}. They have ${countsText(questionCase)} non-zeros. How many slots stay empty?`,
  answer: (questionCase) => allSlots(questionCase) - usedSlots(questionCase),
  reason: (questionCase) =>
    say`Of ${allSlots(questionCase)} slots, ${usedSlots(questionCase)} are used: rows in the tail use none. So ${strong(allSlots(questionCase) - usedSlots(questionCase))} stay empty.`,
  steps: (questionCase) => ({ before: firstLongStep(questionCase) - 1, shows: storedStep(questionCase) }),
  misconceptions: [
    {
      id: 'long-rows-fill-their-slots',
      title: 'a long row fills its slots first',
      answer: (questionCase) => {
        const long = times(longRows(questionCase).length, of(questionCase.trace.encoded.slots, 'slots'));
        return minus(minus(allSlots(questionCase), usedSlots(questionCase)), long);
      },
      reply: () => say`A long row is in the tail ${strong('as a whole')}, and all of its slots stay empty.`,
      falseAt: firstLongStep,
    },
    {
      id: 'slots-follow-the-non-zeros',
      title: 'there are as many slots as non-zeros',
      answer: () => 0,
      reply: (questionCase) =>
        say`Every row has ${strong(counted(questionCase.trace.encoded.slots, 'slot'))}, so that the position of each is known in advance.`,
      falseAt: slotsStep,
    },
    {
      id: 'nothing-lies-in-the-tail',
      title: 'all non-zeros are in slots',
      answer: (questionCase) =>
        minus(of(allSlots(questionCase), 'slots'), of(questionCase.trace.encoded.nnz, 'non-zeros')),
      reply: (questionCase) =>
        say`The non-zeros of ${counted(longRows(questionCase).length, 'long row')} are in ${strong('the tail')}.`,
      falseAt: firstLongStep,
    },
  ],
};

/** The questions about the hybrid format for lessons: slots for short rows and a dense tail for long ones. */
export const questions: readonly Question[] = [tailCells, emptySlots] as readonly Question[];
