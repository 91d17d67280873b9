import { stepStoring } from '../../../story/declared/trace.ts';
import { rowBuffer } from '../../../core/matrix/index.ts';
import { VALUE_BITS } from '../../../core/number/index.ts';
import { oneOf, type Question } from '../../../story/question.ts';
import { counted, listText, say, strong } from '../../../core/text/words.ts';
import { type Computed, minus, of, plus, times } from '../../../story/computed.ts';
import { skippedText } from '../encoding.ts';
import { reachOf } from '../params.ts';
import { entriesOf, type Entry, type MackoTrace } from './facts.ts';

/** A row of the window (the part of a matrix that the story shows), before and after encoding. */
interface RowCase {
  readonly trace: MackoTrace;
  readonly row: number;
  /** columns of its non-zeros, ascending */
  readonly columns: readonly number[];
}

/** A non-zero of the row. */
interface CellCase extends RowCase {
  /** index of the non-zero in `columns`, at least 1 */
  readonly index: number;
}

function rowsOf(trace: MackoTrace): readonly RowCase[] {
  const { window } = trace;
  const buffer = rowBuffer(window.cols);
  return Array.from({ length: window.rows }, (_, row) => {
    const n = window.readRow(row, buffer);
    return { trace, row, columns: [...buffer.columns.subarray(0, n)] };
  });
}

/** Number of entries of a row, padding included. */
const entriesIn = ({ trace: { encoded }, row }: RowCase): number => encoded.indptr[row + 1] - encoded.indptr[row];

/** The distances between the non-zeros of a row, of which the first is counted from column `origin`. A skip is 1 less. */
function gapsFrom({ columns }: RowCase, origin: number): readonly number[] {
  return columns.map((column, i) => column - (i === 0 ? origin : columns[i - 1]));
}

/** Number of entries that a row would take, if each of `gaps` needed `paddingOf` stored zeros. */
function entriesWith(
  questionCase: RowCase,
  gaps: readonly number[],
  paddingOf: (gap: number, reach: number) => number,
): number {
  const reach = reachOf(questionCase.trace.encoded.deltaBits);
  return gaps.reduce((sum, gap) => sum + 1 + paddingOf(gap, reach), 0);
}

const paddingNeeded = (gap: number, reach: number): number => Math.ceil(gap / reach) - 1;

const rowEntries = ({ trace, row }: RowCase): readonly Entry[] => entriesOf(trace).filter((entry) => entry.row === row);

/* The steps of the story that store an entry, and the start and the end of a row. */
const stepOfEntry = ({ trace }: RowCase, { index }: Entry): number => stepStoring(trace, 'values', index);
const rowStartStep = ({ trace, row }: RowCase): number => stepStoring(trace, 'indptr', row);
const rowEndStep = ({ trace, row }: RowCase): number => stepStoring(trace, 'indptr', row + 1);

/** The step that stores the row's first padding zero; without padding, the step that ends the row. */
function firstPaddingStep(questionCase: RowCase): number {
  const zero = rowEntries(questionCase).find(({ isZero }) => isZero);
  return zero ? stepOfEntry(questionCase, zero) : rowEndStep(questionCase);
}

/** A question about the number of entries of a row, padding included. */
const entriesOfRow: Question<MackoTrace, RowCase> = {
  id: 'entries-of-row',
  unit: 'entries',
  findCase: (trace, random) =>
    oneOf(
      rowsOf(trace).filter((questionCase) => {
        // A wide gap at the start and another one later, in a row that can be followed by eye.
        const wide = gapsFrom(questionCase, -1).map((gap) => gap > reachOf(trace.encoded.deltaBits));
        return wide[0] && wide.includes(true, 1) && entriesIn(questionCase) <= 9;
      }),
      random,
    ),
  needs: ({ encoded }) =>
    `a row has at least ${reachOf(encoded.deltaBits)} zeros before its first weight and again between two weights`,
  ask: ({ trace, row, columns }) =>
    say`Row ${row} has weights in columns ${listText(columns.map(String))}. How many entries does MACKO store for it, with skips of ${strong(counted(trace.encoded.deltaBits, 'bit'))}?`,
  answer: entriesIn,
  reason(questionCase) {
    const padding = entriesIn(questionCase) - questionCase.columns.length;
    return say`${counted(questionCase.columns.length, 'weight')} and ${strong(counted(padding, 'stored zero'))}: a skip counts to ${reachOf(questionCase.trace.encoded.deltaBits) - 1}, and a zero on the way covers the rest.`;
  },
  steps: (questionCase) => ({ before: rowStartStep(questionCase), shows: rowEndStep(questionCase) }),
  misconceptions: [
    {
      id: 'padding-forgotten',
      title: 'only the weights are stored',
      answer: ({ columns }) => of(columns.length, 'weights'),
      reply: (questionCase) =>
        say`That counts the weights alone. Where more than ${counted(reachOf(questionCase.trace.encoded.deltaBits) - 1, 'column')} are skipped, a ${strong('stored zero')} comes first.`,
      falseAt: firstPaddingStep,
    },
    {
      id: 'padding-forgotten-at-the-start',
      title: 'no zero is stored before the first weight',
      answer: (questionCase) =>
        entriesWith(questionCase, gapsFrom(questionCase, questionCase.columns[0] - 1), paddingNeeded),
      reply: ({ columns }) =>
        say`The columns before column ${columns[0]} are skipped like any others: there are ${strong(columns[0])}.`,
      falseAt: firstPaddingStep,
    },
    {
      id: 'one-padding-too-many',
      title: 'every full skip ends in a zero',
      answer: (questionCase) =>
        entriesWith(questionCase, gapsFrom(questionCase, -1), (gap, reach) =>
          gap > reach ? Math.ceil(gap / reach) : 0,
        ),
      reply: () => say`One too many each time: the ${strong('last skip')} leads to the weight itself.`,
      falseAt(questionCase) {
        const entries = rowEntries(questionCase);
        return stepOfEntry(
          questionCase,
          entries[entries.findIndex(({ isZero }, i) => !isZero && entries[i - 1]?.isZero)],
        );
      },
    },
  ],
};

const weightOf = (questionCase: CellCase): Entry =>
  rowEntries(questionCase).filter(({ isZero }) => !isZero)[questionCase.index];

/** The number that is stored as the skip of a weight that needs no padding. */
const storedGap: Question<MackoTrace, CellCase> = {
  id: 'stored-gap',
  findCase(trace, random) {
    const reach = reachOf(trace.encoded.deltaBits);
    const cells = rowsOf(trace).flatMap((questionCase) =>
      questionCase.columns.flatMap((column, index) =>
        index > 0 && column - questionCase.columns[index - 1] <= reach ? [{ ...questionCase, index }] : [],
      ),
    );
    return oneOf(cells, random);
  },
  needs: ({ encoded }) => `a row has two weights with at most ${reachOf(encoded.deltaBits) - 1} zeros in between`,
  ask: ({ row, columns, index }) =>
    say`Row ${row} has a weight in column ${columns[index - 1]}, and the next one in column ${strong(columns[index])}. Which number does MACKO store as the skip of the second?`,
  answer: (questionCase) => weightOf(questionCase).stored,
  reason: ({ columns, index }) =>
    say`${skippedText(columns[index] - columns[index - 1] - 1)} between them. MACKO stores ${strong('how many')}.`,
  steps(questionCase) {
    const shows = stepOfEntry(questionCase, weightOf(questionCase));
    return { before: shows - 1, shows };
  },
  misconceptions: [
    {
      id: 'gap-counted-from-0',
      title: 'the distance is stored',
      answer: ({ columns, index }) => minus(columns[index], columns[index - 1]),
      reply: () =>
        say`That is the distance, which is at least 1. MACKO stores ${strong('the columns in between')}: 1 less.`,
    },
    {
      id: 'zeros-between-minus-1',
      title: '1 is subtracted from the zeros in between',
      answer: ({ columns, index }) => minus(of(columns[index] - columns[index - 1] - 1, 'zeros'), 1),
      reply: ({ columns, index }) =>
        say`In between there ${columns[index] - columns[index - 1] === 2 ? 'is' : 'are'} ${strong(counted(columns[index] - columns[index - 1] - 1, 'zero'))}, and that is the number.`,
    },
    {
      id: 'column-stored',
      title: 'the column itself is stored',
      answer: ({ columns, index }) => columns[index],
      reply: ({ trace }) =>
        say`That is the column, which CSR would store. In ${trace.encoded.deltaBits} bits no number above ${strong(reachOf(trace.encoded.deltaBits) - 1)} fits.`,
    },
  ],
};

/** A question about the bits of a row's values and skips. */
const bitsOfRow: Question<MackoTrace, RowCase> = {
  id: 'bits-of-row',
  unit: 'bits',
  findCase: (trace, random) =>
    oneOf(
      rowsOf(trace).filter(
        (questionCase) => entriesIn(questionCase) > questionCase.columns.length && entriesIn(questionCase) <= 12,
      ),
      random,
    ),
  needs: ({ encoded }) => `a row has at least ${reachOf(encoded.deltaBits)} zeros before a weight`,
  ask: (questionCase) =>
    say`Row ${questionCase.row} of this matrix takes ${strong(counted(entriesIn(questionCase), 'entry', 'entries'))}, stored zeros included. How many bits are its values and its ${questionCase.trace.encoded.deltaBits}-bit skips together? A value is an ${questionCase.trace.encoded.valueType}, of ${valueBits(questionCase)} bits.`,
  answer: (questionCase) => entriesIn(questionCase) * bitsPerEntry(questionCase).value,
  reason: (questionCase) =>
    say`${counted(entriesIn(questionCase), 'entry', 'entries')} of ${valueBits(questionCase)} and ${questionCase.trace.encoded.deltaBits} bits. A stored zero costs ${strong('as much as a weight')}.`,
  steps: (questionCase) => ({ before: rowEndStep(questionCase) - 1, shows: rowEndStep(questionCase) }),
  misconceptions: [
    {
      id: 'padding-is-free',
      title: 'stored zeros take no space',
      answer: (questionCase) => times(of(questionCase.columns.length, 'weights'), bitsPerEntry(questionCase)),
      reply: () => say`That counts the weights alone. A zero on the way is stored ${strong('like any other entry')}.`,
      falseAt: firstPaddingStep,
    },
    {
      id: 'padding-has-no-value',
      title: 'a stored zero has a skip, but no value',
      answer: (s) =>
        plus(
          times(of(s.columns.length, 'weights'), of(valueBits(s), 'bits')),
          times(of(entriesIn(s), 'skips'), of(s.trace.encoded.deltaBits, 'bits')),
        ),
      reply: (questionCase) =>
        say`It has a value as well: a ${strong(`zero of ${valueBits(questionCase)} bits`)}. Without it, values and skips would no longer line up.`,
      falseAt: firstPaddingStep,
    },
    {
      id: 'columns-of-32-bits',
      title: 'each column needs 32 bits',
      answer: (questionCase) =>
        times(of(questionCase.columns.length, 'weights'), plus(valueBits(questionCase), of(32, 'bits'))),
      reply: (questionCase) =>
        say`That is the size in CSR, for a wide matrix. Here ${strong(`${questionCase.trace.encoded.deltaBits} bits`)} store how far the next column is.`,
      falseAt: (questionCase) => stepOfEntry(questionCase, rowEntries(questionCase)[0]),
    },
  ],
};

const valueBits = ({ trace }: RowCase): number => VALUE_BITS[trace.encoded.valueType];

const bitsPerEntry = (questionCase: RowCase): Computed =>
  plus(valueBits(questionCase), of(questionCase.trace.encoded.deltaBits, 'bits'));

/** Which entry a row begins with. */
const rowStart: Question<MackoTrace, RowCase> = {
  id: 'row-start',
  findCase: (trace, random) =>
    oneOf(
      rowsOf(trace).filter((questionCase) => questionCase.row > 1 && entriesIn(questionCase) > 0),
      random,
    ),
  needs: () => 'a row after row 1 has a weight',
  ask: ({ trace: { encoded }, row }) =>
    say`Rows 0 to ${row - 1} take ${listText(Array.from({ length: row }, (_, r) => String(encoded.indptr[r + 1] - encoded.indptr[r])))} entries. At which entry does row ${strong(row)} begin?`,
  answer: ({ trace: { encoded }, row }) => encoded.indptr[row],
  reason: ({ trace: { encoded }, row }) =>
    say`indptr contains the sum of all rows before: row ${row} begins at ${strong(`entry ${encoded.indptr[row]}`)}.`,
  steps: (questionCase) => ({ before: rowStartStep(questionCase) - 1, shows: rowStartStep(questionCase) }),
  misconceptions: [
    {
      id: 'entries-count-from-1',
      title: 'entries count from 1',
      answer: ({ trace: { encoded }, row }) => plus(of(encoded.indptr[row], 'entries before'), 1),
      reply: ({ trace: { encoded }, row }) =>
        say`Entries count from 0: the ${encoded.indptr[row]} entries before are 0 to ${encoded.indptr[row] - 1}, and the next one is ${strong(encoded.indptr[row])}.`,
    },
    {
      id: 'entries-of-the-row-before',
      title: 'indptr contains the size of the row before',
      answer: ({ trace: { encoded }, row }) => of(encoded.indptr[row] - encoded.indptr[row - 1], 'entries'),
      reply: ({ row }) => say`That is the size of row ${row - 1} alone. indptr ${strong('adds up')} all rows before.`,
    },
    {
      id: 'rounded-to-eight',
      title: 'each row begins at a multiple of 8',
      answer: ({ trace: { encoded }, row }) => times(Math.ceil(encoded.indptr[row] / 8), 8),
      reply: () =>
        say`Rows follow each other ${strong('at once')}. Only what the kernel loads begins at a multiple of 8.`,
    },
  ],
};

/** The questions about MACKO for lessons. */
export const questions: readonly Question[] = [storedGap, entriesOfRow, bitsOfRow, rowStart] as readonly Question[];
