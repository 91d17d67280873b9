import type { Random } from '../../../core/number/random.ts';
import { VALUE_BITS } from '../../../core/number/index.ts';
import { bytesQuestion } from '../../../core/story/bytes-question.ts';
import { type Question, stepWhere } from '../../../core/story/question.ts';
import { counted, listText, say, strong } from '../../../core/story/words.ts';
import { storage } from '../storage.ts';
import { idleLanes, lastOfLane } from './lane-questions.ts';
import type { CsrTrace } from './trace.ts';

interface RowAsked {
  readonly trace: CsrTrace;
  readonly row: number;
}

interface EntryAsked extends RowAsked {
  readonly entry: number;
}

const countOf = ({ trace: { encoded }, row }: RowAsked): number => encoded.indptr[row + 1] - encoded.indptr[row];

const columnsOf = ({ trace: { encoded }, row }: RowAsked): string =>
  listText([...encoded.indices.subarray(encoded.indptr[row], encoded.indptr[row + 1])].map(String));

const rowEnd = ({ trace, row }: RowAsked): number => stepWhere(trace, (d) => d.kind === 'row-end' && d.row === row);

const shownAt = (shows: number): { before: number; shows: number } => ({ before: shows - 1, shows });

/** The element of indptr after a row. */
const rowStart: Question<CsrTrace, RowAsked> = {
  id: 'row-start',
  subject(trace, random) {
    const row = 1 + random.below(Math.max(1, trace.window.rows - 1));
    return row < trace.window.rows && countOf({ trace, row }) > 0 ? { trace, row } : null;
  },
  ask: (asked) =>
    say`indptr[${asked.row}] is ${strong(asked.trace.encoded.indptr[asked.row])}. Row ${asked.row} has non-zeros in columns ${columnsOf(asked)}. What is indptr[${asked.row + 1}]?`,
  answer: ({ trace: { encoded }, row }) => encoded.indptr[row + 1],
  because: (asked) =>
    say`Row ${asked.row} begins at entry ${asked.trace.encoded.indptr[asked.row]} and adds ${strong(counted(countOf(asked), 'entry', 'entries'))}. Where it ends, the next row begins.`,
  span: (asked) => shownAt(rowEnd(asked)),
  misconceptions: [
    {
      id: 'count-of-the-row',
      title: 'indptr holds how many non-zeros a row has',
      answer: countOf,
      reply: () =>
        say`That is the count of this row alone. indptr ${strong('adds up')}, so a row can be found without reading the rows before it.`,
      departs: rowEnd,
    },
    {
      id: 'last-entry',
      title: 'indptr holds the last entry of the row',
      answer: ({ trace: { encoded }, row }) => encoded.indptr[row + 1] - 1,
      reply: ({ trace: { encoded }, row }) =>
        say`Entry ${encoded.indptr[row + 1] - 1} is the last one of the row. indptr says ${strong('where the next row begins')}, which is one more.`,
      departs: rowEnd,
    },
    {
      id: 'last-column',
      title: 'indptr holds a column',
      answer: ({ trace: { encoded }, row }) => encoded.indices[encoded.indptr[row + 1] - 1],
      reply: () => say`That is a column, and columns are in indices. indptr counts ${strong('entries')}.`,
      departs: rowEnd,
    },
  ],
};

/** The row of an entry. */
const rowOfEntry: Question<CsrTrace, EntryAsked> = {
  id: 'row-of-entry',
  subject(trace, random: Random) {
    if (trace.window.nnz === 0) return null;
    const entry = random.below(trace.window.nnz);
    return { trace, entry, row: trace.rowOf[entry] };
  },
  ask: ({ trace: { encoded }, entry }) =>
    say`indptr is ${listText([...encoded.indptr].map(String))}. indices[${strong(entry)}] is ${encoded.indices[entry]}. Which row is this non-zero in?`,
  answer: ({ row }) => row,
  because: ({ trace: { encoded }, row, entry }) =>
    say`Entry ${entry} is at least indptr[${row}] = ${encoded.indptr[row]} and below indptr[${row + 1}] = ${encoded.indptr[row + 1]}: it belongs to ${strong(`row ${row}`)}.`,
  span: ({ trace, entry }) => shownAt(stepWhere(trace, (d) => d.kind === 'entry' && d.entry === entry)),
  misconceptions: [
    {
      id: 'column-for-row',
      title: 'indices gives the row',
      answer: ({ trace: { encoded }, entry }) => encoded.indices[entry],
      reply: ({ trace: { encoded }, entry }) =>
        say`indices[${entry}] = ${encoded.indices[entry]} is the ${strong('column')}. The row is not stored anywhere: indptr says where each row begins.`,
      departs: (asked) => rowOfEntry.span(asked).shows,
    },
    {
      id: 'rows-count-from-1',
      title: 'rows count from 1',
      answer: ({ row }) => row + 1,
      reply: ({ row }) =>
        say`Rows count from 0, so ${strong(`row ${row}`)} is the one with ${counted(row, 'row')} before it.`,
      departs: (asked) => rowOfEntry.span(asked).shows,
    },
    {
      id: 'entry-for-row',
      title: 'every entry is a row of its own',
      answer: ({ entry }) => entry,
      reply: ({ entry }) =>
        say`${entry} is the number of the entry. Several entries make a row, and ${strong('indptr')} says which.`,
      departs: (asked) => rowOfEntry.span(asked).shows,
    },
  ],
};

const packed = (t: CsrTrace): number => stepWhere(t, (d) => d.kind === 'packed');

/** The bytes of the window. */
const bytes = bytesQuestion<CsrTrace>({
  title: 'CSR',
  ledger: ({ encoded }) => storage(encoded),
  hint: ({ encoded, params }) =>
    `A value takes ${VALUE_BITS[params.valueType] / 8} bytes, a column number ${encoded.indexBits / 8}, a row start 4.`,
  stores: (t, of) => stepWhere(t, (d) => d.kind === (of === 'metadata' ? 'row-end' : 'entry')),
  span: (t) => shownAt(packed(t)),
  forgotten: ['indices', 'metadata'],
  misconceptions: [
    {
      id: 'one-start-for-each-row',
      title: 'there is one row start for each row',
      answer: ({ trace }) => storage(trace.encoded).totalBytes - 4,
      reply: ({ trace }) =>
        say`indptr has ${strong(trace.window.rows + 1)} elements: one for each row, and one more that says where the last row ends.`,
      departs: ({ trace }) => packed(trace),
    },
  ],
});

/** The questions that lessons can ask about CSR. */
export const questions: readonly Question[] = [
  rowStart,
  rowOfEntry,
  bytes,
  lastOfLane,
  idleLanes,
] as readonly Question[];
