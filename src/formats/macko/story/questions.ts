import { stepStoring } from '../../../core/declared/story/trace.ts';
import { rowBuffer } from '../../../core/matrix/index.ts';
import { VALUE_BITS } from '../../../core/number/index.ts';
import type { Random } from '../../../core/number/random.ts';
import type { Question } from '../../../core/story/question.ts';
import { counted, listText, say, strong } from '../../../core/story/words.ts';
import { skippedText } from '../encoding.ts';
import { reachOf } from '../params.ts';
import { entriesOf, type Entry, type MackoTrace } from './facts.ts';

/** A row of the window, before and after encoding. */
interface RowAsked {
  readonly trace: MackoTrace;
  readonly row: number;
  /** of its non-zeros, ascending */
  readonly columns: readonly number[];
}

/** One non-zero of it. */
interface CellAsked extends RowAsked {
  /** index into `columns`, at least 1 */
  readonly at: number;
}

function rowsOf(trace: MackoTrace): readonly RowAsked[] {
  const { window } = trace;
  const buffer = rowBuffer(window.cols);
  return Array.from({ length: window.rows }, (_, row) => {
    const n = window.readRow(row, buffer);
    return { trace, row, columns: [...buffer.columns.subarray(0, n)] };
  });
}

const oneOf = <T>(list: readonly T[], random: Random): T | null =>
  list.length === 0 ? null : list[random.below(list.length)];

const stored = ({ trace: { encoded }, row }: RowAsked): number => encoded.indptr[row + 1] - encoded.indptr[row];

/** The gaps of a row when its first non-zero is counted from `origin`. */
function gapsFrom({ columns }: RowAsked, origin: number): readonly number[] {
  return columns.map((column, i) => column - (i === 0 ? origin : columns[i - 1]));
}

/** Entries of a row if a gap needs the padding of `paddingOf`. */
function entriesWith(
  asked: RowAsked,
  gaps: readonly number[],
  paddingOf: (gap: number, reach: number) => number,
): number {
  const reach = reachOf(asked.trace.encoded.deltaBits);
  return gaps.reduce((sum, gap) => sum + 1 + paddingOf(gap, reach), 0);
}

const paddingNeeded = (gap: number, reach: number): number => Math.ceil(gap / reach) - 1;

const entriesOfAsked = ({ trace, row }: RowAsked): readonly Entry[] =>
  entriesOf(trace).filter((entry) => entry.row === row);

/** The step that stores an entry, and those that say where the row begins and ends. */
const storing = ({ trace }: RowAsked, { at }: Entry): number => stepStoring(trace, 'values', at);
const rowBegins = ({ trace, row }: RowAsked): number => stepStoring(trace, 'indptr', row);
const rowEnds = ({ trace, row }: RowAsked): number => stepStoring(trace, 'indptr', row + 1);

/** The step of the row's first stored zero. */
function firstPadding(asked: RowAsked): number {
  const zero = entriesOfAsked(asked).find(({ isZero }) => isZero);
  return zero ? storing(asked, zero) : rowEnds(asked);
}

/** How many entries a row takes, padding included. */
const entriesOfRow: Question<MackoTrace, RowAsked> = {
  id: 'entries-of-row',
  unit: 'entries',
  subject: (trace, random) =>
    oneOf(
      rowsOf(trace).filter((asked) => {
        // A wide gap at the start and another one later, in a row that can be followed by eye.
        const wide = gapsFrom(asked, -1).map((gap) => gap > reachOf(trace.encoded.deltaBits));
        return wide[0] && wide.includes(true, 1) && stored(asked) <= 9;
      }),
      random,
    ),
  ask: ({ trace, row, columns }) =>
    say`Row ${row} has weights in columns ${listText(columns.map(String))}. How many entries does MACKO store for it, with skips of ${strong(counted(trace.encoded.deltaBits, 'bit'))}?`,
  answer: stored,
  because(asked) {
    const padding = stored(asked) - asked.columns.length;
    return say`${counted(asked.columns.length, 'weight')} and ${strong(counted(padding, 'stored zero'))}: a skip counts to ${reachOf(asked.trace.encoded.deltaBits) - 1}, and a zero on the way takes what is more.`;
  },
  span: (asked) => ({ before: rowBegins(asked), shows: rowEnds(asked) }),
  misconceptions: [
    {
      id: 'padding-forgotten',
      title: 'only the weights are stored',
      answer: ({ columns }) => columns.length,
      reply: (asked) =>
        say`That counts the weights alone. Where more than ${counted(reachOf(asked.trace.encoded.deltaBits) - 1, 'column')} are skipped, a ${strong('stored zero')} comes first.`,
      departs: firstPadding,
    },
    {
      id: 'padding-forgotten-at-the-start',
      title: 'no zero is stored before the first weight',
      answer: (asked) => entriesWith(asked, gapsFrom(asked, asked.columns[0] - 1), paddingNeeded),
      reply: ({ columns }) =>
        say`The columns before column ${columns[0]} are skipped like any others: there are ${strong(columns[0])}.`,
      departs: firstPadding,
    },
    {
      id: 'one-padding-too-many',
      title: 'every full skip ends in a zero',
      answer: (asked) =>
        entriesWith(asked, gapsFrom(asked, -1), (gap, reach) => (gap > reach ? Math.ceil(gap / reach) : 0)),
      reply: () => say`One too many each time: the ${strong('last skip')} leads to the weight itself.`,
      departs(asked) {
        const entries = entriesOfAsked(asked);
        return storing(asked, entries[entries.findIndex(({ isZero }, i) => !isZero && entries[i - 1]?.isZero)]);
      },
    },
  ],
};

const askedEntry = (asked: CellAsked): Entry => entriesOfAsked(asked).filter(({ isZero }) => !isZero)[asked.at];

/** The number that is stored for a cell without a zero on the way to it. */
const storedGap: Question<MackoTrace, CellAsked> = {
  id: 'stored-gap',
  subject(trace, random) {
    const reach = reachOf(trace.encoded.deltaBits);
    const cells = rowsOf(trace).flatMap((asked) =>
      asked.columns.flatMap((column, at) =>
        at > 0 && column - asked.columns[at - 1] <= reach ? [{ ...asked, at }] : [],
      ),
    );
    return oneOf(cells, random);
  },
  ask: ({ row, columns, at }) =>
    say`Row ${row} has a weight in column ${columns[at - 1]}, and the next one in column ${strong(columns[at])}. Which number does MACKO store as the skip of the second?`,
  answer: (asked) => askedEntry(asked).stored,
  because: ({ columns, at }) =>
    say`${skippedText(columns[at] - columns[at - 1] - 1)} between them. MACKO stores ${strong('how many')}.`,
  span(asked) {
    const shows = storing(asked, askedEntry(asked));
    return { before: shows - 1, shows };
  },
  misconceptions: [
    {
      id: 'gap-counted-from-0',
      title: 'the distance is stored',
      answer: ({ columns, at }) => columns[at] - columns[at - 1],
      reply: () =>
        say`That is the distance, which is at least 1. MACKO stores ${strong('the columns in between')}: 1 less.`,
      departs: (asked) => storedGap.span(asked).shows,
    },
    {
      id: 'zeros-between-minus-1',
      title: '1 is subtracted from the zeros in between',
      answer: ({ columns, at }) => columns[at] - columns[at - 1] - 2,
      reply: ({ columns, at }) =>
        say`In between there ${columns[at] - columns[at - 1] === 2 ? 'is' : 'are'} ${strong(counted(columns[at] - columns[at - 1] - 1, 'zero'))}, and that is the number.`,
      departs: (asked) => storedGap.span(asked).shows,
    },
    {
      id: 'column-stored',
      title: 'the column itself is stored',
      answer: ({ columns, at }) => columns[at],
      reply: ({ trace }) =>
        say`That is the column, which CSR would store. In ${trace.encoded.deltaBits} bits no number above ${strong(reachOf(trace.encoded.deltaBits) - 1)} fits.`,
      departs: (asked) => storedGap.span(asked).shows,
    },
  ],
};

/** Bits that a row takes in values and skips. */
const bitsOfRow: Question<MackoTrace, RowAsked> = {
  id: 'bits-of-row',
  unit: 'bits',
  subject: (trace, random) =>
    oneOf(
      rowsOf(trace).filter((asked) => stored(asked) > asked.columns.length && stored(asked) <= 12),
      random,
    ),
  ask: (asked) =>
    say`Row ${asked.row} of this matrix takes ${strong(counted(stored(asked), 'entry', 'entries'))}, stored zeros included. How many bits are its values and its ${asked.trace.encoded.deltaBits}-bit skips together? A value is an ${asked.trace.encoded.valueType}, of ${valueBits(asked)} bits.`,
  answer: (asked) => stored(asked) * bitsPerEntry(asked),
  because: (asked) =>
    say`${counted(stored(asked), 'entry', 'entries')} of ${valueBits(asked)} and ${asked.trace.encoded.deltaBits} bits. A stored zero costs ${strong('as much as a weight')}.`,
  span: (asked) => ({ before: rowEnds(asked) - 1, shows: rowEnds(asked) }),
  misconceptions: [
    {
      id: 'padding-is-free',
      title: 'stored zeros take no space',
      answer: (asked) => asked.columns.length * bitsPerEntry(asked),
      reply: () => say`That counts the weights alone. A zero on the way is stored ${strong('like any other entry')}.`,
      departs: firstPadding,
    },
    {
      id: 'padding-has-no-value',
      title: 'a stored zero has a skip, but no value',
      answer: (asked) => asked.columns.length * valueBits(asked) + stored(asked) * asked.trace.encoded.deltaBits,
      reply: (asked) =>
        say`It has a value as well: a ${strong(`zero of ${valueBits(asked)} bits`)}. Without it, values and skips would no longer line up.`,
      departs: firstPadding,
    },
    {
      id: 'columns-of-32-bits',
      title: 'each column takes 32 bits',
      answer: (asked) => asked.columns.length * (valueBits(asked) + 32),
      reply: (asked) =>
        say`That is what CSR takes in a wide matrix. Here ${strong(`${asked.trace.encoded.deltaBits} bits`)} say how far the next column is.`,
      departs: (asked) => storing(asked, entriesOfAsked(asked)[0]),
    },
  ],
};

const valueBits = ({ trace }: RowAsked): number => VALUE_BITS[trace.encoded.valueType];

const bitsPerEntry = (asked: RowAsked): number => valueBits(asked) + asked.trace.encoded.deltaBits;

/** Which entry a row begins with. */
const rowStart: Question<MackoTrace, RowAsked> = {
  id: 'row-start',
  subject: (trace, random) =>
    oneOf(
      rowsOf(trace).filter((asked) => asked.row > 1 && stored(asked) > 0),
      random,
    ),
  ask: ({ trace: { encoded }, row }) =>
    say`Rows 0 to ${row - 1} take ${listText(Array.from({ length: row }, (_, r) => String(encoded.indptr[r + 1] - encoded.indptr[r])))} entries. At which entry does row ${strong(row)} begin?`,
  answer: ({ trace: { encoded }, row }) => encoded.indptr[row],
  because: ({ trace: { encoded }, row }) =>
    say`indptr holds the sum of all rows before: row ${row} begins at ${strong(`entry ${encoded.indptr[row]}`)}.`,
  span: (asked) => ({ before: rowBegins(asked) - 1, shows: rowBegins(asked) }),
  misconceptions: [
    {
      id: 'entries-count-from-1',
      title: 'entries count from 1',
      answer: ({ trace: { encoded }, row }) => encoded.indptr[row] + 1,
      reply: ({ trace: { encoded }, row }) =>
        say`Entries count from 0: the ${encoded.indptr[row]} entries before are 0 to ${encoded.indptr[row] - 1}, and the next one is ${strong(encoded.indptr[row])}.`,
      departs: (asked) => rowStart.span(asked).shows,
    },
    {
      id: 'entries-of-the-row-before',
      title: 'indptr holds what the row before takes',
      answer: ({ trace: { encoded }, row }) => encoded.indptr[row] - encoded.indptr[row - 1],
      reply: ({ row }) =>
        say`That is what row ${row - 1} takes by itself. indptr ${strong('adds up')} all rows before.`,
      departs: (asked) => rowStart.span(asked).shows,
    },
    {
      id: 'rounded-to-eight',
      title: 'each row begins at a multiple of 8',
      answer: ({ trace: { encoded }, row }) => Math.ceil(encoded.indptr[row] / 8) * 8,
      reply: () =>
        say`Rows follow each other ${strong('at once')}. Only what the kernel loads begins at a multiple of 8.`,
      departs: (asked) => rowStart.span(asked).shows,
    },
  ],
};

/** The questions that lessons can ask about MACKO. */
export const questions: readonly Question[] = [storedGap, entriesOfRow, bitsOfRow, rowStart] as readonly Question[];
