import { type DeclaredTrace, stepEncoded, stepStoring } from '../../../core/declared/story/trace.ts';
import type { Question } from '../../../core/story/question.ts';
import { counted, listText, say, strong } from '../../../core/story/words.ts';
import type { HybridEncoded } from '../layout.ts';
import { tailShareText } from '../params.ts';

type HybridTrace = DeclaredTrace<HybridEncoded>;

interface TraceAsked {
  readonly trace: HybridTrace;
}

/** Maximum number of rows that a question lists. */
const MAX_ROWS = 12;

/** The step that sets room aside, before anything is stored. */
const roomStep = (): number => 1;
const countsText = ({ trace }: TraceAsked): string => listText([...trace.encoded.counts].map(String));
const isLong = ({ trace: { encoded } }: TraceAsked, row: number): boolean => encoded.counts[row] > encoded.slots;
const longRows = (asked: TraceAsked): readonly number[] =>
  [...asked.trace.encoded.counts.keys()].filter((row) => isLong(asked, row));

/** The step that routes the first long row. */
const firstLongStep = (asked: TraceAsked): number => routingStep(asked, longRows(asked)[0]);
const routingStep = ({ trace }: TraceAsked, row: number): number => stepStoring(trace, 'counts', row);
/** The step after which every row is stored. */
const storedStep = ({ trace }: TraceAsked): number => stepEncoded(trace);

const subject = (trace: HybridTrace): TraceAsked | null =>
  !trace.refused && trace.encoded.tailUsed > 0 && trace.window.rows <= MAX_ROWS ? { trace } : null;

/** The question how many cells the tail takes in memory. */
const tailCells: Question<HybridTrace, TraceAsked> = {
  id: 'cells-of-the-tail',
  unit: 'cells',
  subject,
  ask: (asked) => {
    const { encoded: e } = asked.trace;
    return say`${counted(e.rows, 'token')} with ${e.cols} columns have ${countsText(asked)} non-zeros. A row has ${counted(e.slots, 'slot')}, and the tail has room for ${strong(tailShareText(e.tailShare))}. How many cells does the tail take in memory?`;
  },
  answer: ({ trace: { encoded } }) => encoded.tail.length,
  because: ({ trace: { encoded: e } }) =>
    say`Room for ${counted(e.tailCapacity, 'row')} of ${e.cols} cells is reserved: ${strong(e.tail.length)}.`,
  span: () => ({ before: roomStep() - 1, shows: roomStep() }),
  misconceptions: [
    {
      id: 'only-long-rows-take-room',
      title: 'only the rows in the tail take room',
      answer: ({ trace: { encoded: e } }) => e.tailUsed * e.cols,
      reply: ({ trace: { encoded: e } }) =>
        say`How many rows will be long is not known in advance, so room for ${strong(counted(e.tailCapacity, 'row'))} is reserved.`,
      departs: roomStep,
    },
    {
      id: 'only-what-has-no-slot',
      title: 'the tail takes what the slots do not',
      answer: (asked) =>
        longRows(asked).reduce((sum, row) => sum + asked.trace.encoded.counts[row] - asked.trace.encoded.slots, 0),
      reply: () => say`A long row goes into the tail ${strong('as a whole')}, with every cell.`,
      departs: firstLongStep,
    },
    {
      id: 'only-non-zeros-of-long-rows',
      title: 'the tail stores the non-zeros of long rows',
      answer: (asked) => longRows(asked).reduce((sum, row) => sum + asked.trace.encoded.counts[row], 0),
      reply: ({ trace: { encoded: e } }) =>
        say`A row of the tail has all ${strong(`${e.cols} cells`)}, zeros included.`,
      departs: firstLongStep,
    },
  ],
};

const used = (asked: TraceAsked): number =>
  [...asked.trace.encoded.counts].reduce((sum, count, row) => sum + (isLong(asked, row) ? 0 : count), 0);
const allSlots = ({ trace: { encoded } }: TraceAsked): number => encoded.rows * encoded.slots;

/** The question how many slots stay empty. */
const emptySlots: Question<HybridTrace, TraceAsked> = {
  id: 'empty-slots',
  unit: 'slots',
  subject,
  ask: (asked) =>
    say`Each of ${counted(asked.trace.encoded.rows, 'token')} has ${strong(counted(asked.trace.encoded.slots, 'slot'))}. They have ${countsText(asked)} non-zeros. How many slots stay empty?`,
  answer: (asked) => allSlots(asked) - used(asked),
  because: (asked) =>
    say`Of ${allSlots(asked)} slots, ${used(asked)} are used: rows in the tail use none. So ${strong(allSlots(asked) - used(asked))} stay empty.`,
  span: (asked) => ({ before: firstLongStep(asked) - 1, shows: storedStep(asked) }),
  misconceptions: [
    {
      id: 'long-rows-fill-their-slots',
      title: 'a long row fills its slots first',
      answer: (asked) => allSlots(asked) - used(asked) - longRows(asked).length * asked.trace.encoded.slots,
      reply: () => say`A long row is in the tail ${strong('as a whole')}, and all of its slots stay empty.`,
      departs: firstLongStep,
    },
    {
      id: 'slots-follow-the-non-zeros',
      title: 'there are as many slots as non-zeros',
      answer: () => 0,
      reply: (asked) =>
        say`Every row has ${strong(counted(asked.trace.encoded.slots, 'slot'))}, so that the place of each is known in advance.`,
      departs: roomStep,
    },
    {
      id: 'nothing-lies-in-the-tail',
      title: 'all non-zeros are in slots',
      answer: (asked) => allSlots(asked) - asked.trace.encoded.nnz,
      reply: (asked) =>
        say`The non-zeros of ${counted(longRows(asked).length, 'long row')} are in ${strong('the tail')}.`,
      departs: firstLongStep,
    },
  ],
};

/** The questions that lessons can ask about the hybrid format: slots for short rows and a dense tail for long ones. */
export const questions: readonly Question[] = [tailCells, emptySlots] as readonly Question[];
