import { ReadError } from '../../core/errors.ts';
import type { Job } from '../../core/job.ts';
import { denseMatrix } from '../../core/matrix/index.ts';
import { type AddEntry, cooNotes, csrOf, mergedCoo } from '../coo.ts';
import type { FileFormat, LinesAs, ReadResult } from '../file-format.ts';
import { cellsNote, countedFrom, entriesNote, type EntryList, isEdgeList, shapeOf } from './entry-list.ts';
import { lineBlocks } from './text-lines.ts';
import { Pacer, throwIfCancelled } from '../../core/pace.ts';
import { type FileSource, windows1252Text } from '../source.ts';
import { isTable } from './table-head.ts';
import { allocate, checkDimensions } from '../read-checks.ts';
import { TableReader } from './table-reader.ts';

// Reads tables of text (CSV and the like).

/**
 * Tables of text (CSV and the like): the cells of a matrix line by line or, where names, comments or the ending indicate it,
 * one entry per line (see `entry-list.ts`). Commas, semicolons, tabs or spaces separate the fields, as in the first line of
 * numbers. Remarks, other headers and names of rows are skipped (see `tableHead`). A comma may be the decimal point if tabs
 * or semicolons separate the fields and no number has a dot.
 * A file is recognised by numbers between 'marks' (commas, semicolons or tabs) in its first lines, or by its extension.
 */
export const csv: FileFormat = {
  id: 'csv',
  title: 'table of text',
  extensions: ['.csv', '.tsv', '.txt', '.dat', '.edges', '.edgelist'],
  sniff: (head) => isEdgeList(windows1252Text(head)) || isTable(head, 'marks'),
  read,
};

async function read(source: FileSource, job: Job, linesAs?: LinesAs | '0.2'): Promise<ReadResult> {
  const table = new TableReader(source.name, linesAs);
  await readTable(source, job, table);
  return table.list === null ? cellsResult(table) : entriesResult(table, table.list, source, job, linesAs);
}

/** Feeds all lines of a file to a TableReader. Throws ReadError if there is no line of numbers. */
async function readTable(source: FileSource, job: Job, table: TableReader): Promise<void> {
  const pacer = new Pacer();
  for await (const block of lineBlocks(source)) {
    throwIfCancelled(job);
    table.feed(block);
    job.report({ what: 'Reading', ...source.position() });
    await pacer.pauseIfDue();
  }
  table.finish();
  if (table.lines === 0) throw new ReadError('found no line of numbers');
}

/** The matrix of a table whose lines are rows of cells. */
function cellsResult(table: TableReader): ReadResult {
  const cells = table.numbers.finish();
  const { entries } = table.head;
  const otherReading = entries !== null || mayContainEntries(table) ? 'entries' : null;
  return {
    matrix: denseMatrix(table.lines, table.width, cells),
    notes: [
      ...table.notes(),
      ...(otherReading === null ? [] : [cellsNote(table.width, entries)]),
      ...table.losses.notes(),
    ],
    lines: { chosen: 'table', inVersion02: entries?.isKnownTo02 === true ? 'entries' : 'table', otherReading },
  };
}

/**
 * Whether lines without names or comments may be entries: two indices and perhaps a value. A table of 2 × 2 is assumed to be
 * cells.
 */
function mayContainEntries({ areIndices, lines, width, head }: TableReader): boolean {
  return areIndices && lines > 1 && (width === 3 || (width === 2 && lines > 2)) && head.unreadColumn !== 'named rows';
}

/** The matrix of a table whose lines are entries; entries of the same cell are summed. */
async function entriesResult(
  table: TableReader,
  list: EntryList,
  source: FileSource,
  job: Job,
  linesAs: LinesAs | '0.2' | undefined,
): Promise<ReadResult> {
  const length = table.lines;
  const [rowIndices, colIndices] = [table.indices.row.finish(), table.indices.column.finish()];
  const counting = countedFrom(list, rowIndices, colIndices);
  const { shape, note: shapeNote } = shapeOf(list, counting, rowIndices, colIndices, table.entryComments.shape);
  checkDimensions('entries', shape.rows, shape.cols, source.maxSize);
  const data =
    list.value === null
      ? allocate(`${length} values`, 4 * length, () => new Float32Array(length).fill(1))
      : table.numbers.finish();
  const coo = { ...shape, length, rowIndices, colIndices, data, sorted: false };
  const { symmetry } = list;
  // Duplicate entries are summed in f64: if f32 rounded a value, the file is read again for its exact values.
  const readAgain = async (add: AddEntry): Promise<void> => {
    const visit = (value: number, i: number): void => {
      const [row, col] = [rowIndices[i], colIndices[i]];
      add(row, col, value);
      if (symmetry === 'symmetric' && row !== col) add(col, row, value);
    };
    await readTable(source, job, new TableReader(source.name, linesAs, visit));
  };
  const result = await csrOf(
    mergedCoo(coo, symmetry),
    job,
    table.isRounded ? readAgain : null,
    table.losses,
    symmetry !== 'general',
  );
  const before = table.head.unreadColumn === null ? 1 : 2;
  return {
    matrix: result.matrix,
    notes: [
      ...table.notes(),
      `${entriesNote(list, counting, before)} ${shapeNote}`,
      ...table.entryComments.notes(length),
      ...table.losses.notes(),
      ...cooNotes(result),
    ],
    lines: {
      chosen: 'entries',
      inVersion02: list.isKnownTo02 ? 'entries' : 'table',
      otherReading: table.hasOnlyNumbers ? 'table' : null,
    },
  };
}
