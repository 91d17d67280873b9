import { bytesQuestion } from '../../../story/declared/questions.ts';
import { type DeclaredTrace, stepMultiplying, stepStoring } from '../../../story/declared/trace.ts';
import type { Random } from '../../../core/number/random.ts';
import { VALUE_BITS } from '../../../core/number/index.ts';
import type { Question } from '../../../story/question.ts';
import { counted, listText, say, strong } from '../../../core/text/words.ts';
import { minus, of, plus, times } from '../../../story/computed.ts';
import { encoding } from '../encoding.ts';
import type { CsrEncoded } from '../layout.ts';

/** Steps of encoding and multiplying `window`, the small matrix of a story, with the encoded arrays. */
type CsrTrace = DeclaredTrace<CsrEncoded>;

/** A row whose entries several lanes share: each reads every `lanes`-th entry. */
interface LaneCase {
  readonly trace: CsrTrace;
  readonly row: number;
  /** entries of the row: begin <= entry < end */
  readonly begin: number;
  readonly end: number;
  readonly lanes: number;
  readonly lane: number;
}

/** The step in which an entry is multiplied. */
const stepOf = ({ trace, row }: LaneCase, entry: number): number =>
  stepMultiplying(trace, row, trace.encoded.indices[entry]);

/** The last entry of the row that the lane takes. */
const lastEntry = ({ begin, end, lanes, lane }: LaneCase): number =>
  begin + lane + lanes * Math.floor((end - 1 - begin - lane) / lanes);

/** The entries that the lane takes, as text. */
const entriesText = (questionCase: LaneCase): string => {
  const { begin, lane, lanes } = questionCase;
  const entries: number[] = [];
  for (let entry = begin + lane; entry <= lastEntry(questionCase); entry += lanes) entries.push(entry);
  return entries.join(', ');
};

/** Asks which entry a lane processes last. */
const lastOfLane: Question<CsrTrace, LaneCase> = {
  id: 'last-entry-of-lane',
  findCase(trace, random) {
    const { indptr } = trace.encoded;
    const lanes = 2 + random.below(3);
    const rows = Array.from({ length: trace.window.rows }, (_, row) => row).filter(
      (row) => indptr[row] > 0 && indptr[row + 1] - indptr[row] >= 2 * lanes,
    );
    if (rows.length === 0) return null;
    const row = rows[random.below(rows.length)];
    return { trace, row, begin: indptr[row], end: indptr[row + 1], lanes, lane: random.below(lanes) };
  },
  needs: () => 'a row has eight weights',
  ask: ({ row, begin, end, lanes, lane }) =>
    say`Row ${row} has entries ${begin} to ${end - 1}. ${strong(counted(lanes, 'lane'))} share the row: lane 0 takes the first entry, lane 1 the second, and each then steps by ${lanes}. Which entry does lane ${strong(lane)} take last?`,
  answer: lastEntry,
  reason: (questionCase) =>
    say`It takes entries ${entriesText(questionCase)}. The last one is ${strong(lastEntry(questionCase))}.`,
  steps: (questionCase) => ({
    before: stepOf(questionCase, questionCase.begin) - 1,
    shows: stepOf(questionCase, lastEntry(questionCase)),
  }),
  misconceptions: [
    {
      id: 'a-part-of-the-row-each',
      title: 'each lane takes a contiguous part of the row',
      answer: ({ begin, end, lanes, lane }) => Math.min(end, begin + Math.ceil((end - begin) / lanes) * (lane + 1)) - 1,
      reply: () =>
        say`Then lanes would read far from each other. Memory delivers ${strong('neighbouring entries')} together.`,
      falseAt: (questionCase) => stepOf(questionCase, questionCase.begin + questionCase.lane),
    },
    {
      id: 'one-step-only',
      title: 'a lane steps only once',
      answer: ({ begin, lane, lanes }) => plus(begin, lane, lanes),
      reply: ({ begin, end }) =>
        say`A lane goes on until the row ends, and the row has ${strong(counted(end - begin, 'entry', 'entries'))}.`,
      falseAt: (questionCase) => stepOf(questionCase, questionCase.begin + questionCase.lane + questionCase.lanes),
    },
    {
      id: 'entries-count-from-the-row',
      title: 'entries are counted from 0 in each row',
      answer: (questionCase) => minus(lastEntry(questionCase), questionCase.begin),
      reply: ({ row, begin }) => say`That counts within the row. Row ${row} begins at entry ${strong(begin)}.`,
      falseAt: (questionCase) => stepOf(questionCase, questionCase.begin + questionCase.lane),
    },
  ],
};

type SharedRow = Pick<LaneCase, 'begin' | 'end' | 'lanes'>;

/** Steps in which lanes that move in step multiply a row. */
const stepCount = ({ begin, end, lanes }: SharedRow): number => Math.ceil((end - begin) / lanes);

/** Steps in which every lane has an entry. */
const fullStepCount = ({ begin, end, lanes }: SharedRow): number => Math.floor((end - begin) / lanes);

/** Entries after the full steps. */
const remainingEntries = ({ begin, end, lanes }: SharedRow): number => (end - begin) % lanes;

/** How many lanes have no entry in the last step. */
const idleCount = (row: SharedRow): number => stepCount(row) * row.lanes - (row.end - row.begin);

/** Asks how many lanes are idle in the last step. */
const idleLanes: Question<CsrTrace, LaneCase> = {
  id: 'idle-lanes',
  unit: 'lanes',
  findCase(trace, random) {
    const questionCase = lastOfLane.findCase(trace, random);
    if (!questionCase) return null;
    const lanes = 4 + 4 * random.below(2);
    const { indptr } = trace.encoded;
    const row = Array.from({ length: trace.window.rows }, (_, r) => r).find((r) => indptr[r + 1] - indptr[r] > lanes);
    return row === undefined ? null : { ...questionCase, row, begin: indptr[row], end: indptr[row + 1], lanes };
  },
  needs: () => 'a row has nine weights',
  ask: ({ row, begin, end, lanes }) =>
    say`Row ${row} has ${strong(counted(end - begin, 'entry', 'entries'))}, and ${strong(counted(lanes, 'lane'))} that move in step share them, one each at a time. How many lanes have nothing to do in the last step?`,
  answer: idleCount,
  reason: (questionCase) =>
    say`${counted(stepCount(questionCase), 'step')} of ${questionCase.lanes} lanes have slots for ${stepCount(questionCase) * questionCase.lanes} entries. ${strong(counted(idleCount(questionCase), 'lane'))} of the last step ${idleCount(questionCase) === 1 ? 'waits' : 'wait'}.`,
  steps: (questionCase) => ({
    before: stepOf(questionCase, questionCase.begin) - 1,
    shows: stepOf(questionCase, questionCase.end - 1),
  }),
  misconceptions: [
    {
      id: 'what-is-left-over',
      title: 'as many lanes wait as entries remain',
      answer: (row) => minus(of(row.end - row.begin, 'entries'), times(fullStepCount(row), of(row.lanes, 'lanes'))),
      reply: (row) =>
        say`${remainingEntries(row)} ${remainingEntries(row) === 1 ? 'entry is' : 'entries are'} left over for the last step, and that many lanes ${strong('work')}.`,
    },
    {
      id: 'nobody-waits',
      title: 'a lane that is done takes the next row',
      answer: () => 0,
      reply: () => say`Lanes that move in step begin the next row ${strong('together')}.`,
    },
    {
      id: 'all-but-one-wait',
      title: 'only one lane works in the last step',
      answer: ({ lanes }) => minus(of(lanes, 'lanes'), 1),
      reply: (row) =>
        say`After ${fullStepCount(row)} full ${fullStepCount(row) === 1 ? 'step' : 'steps'} there ${strong(`are ${remainingEntries(row)}`)} entries left, and a lane for each.`,
    },
  ],
};

interface RowCase {
  readonly trace: CsrTrace;
  readonly row: number;
}

interface EntryCase extends RowCase {
  readonly entry: number;
}

/** Number of entries of the row. */
const countOf = ({ trace: { encoded }, row }: RowCase): number => encoded.indptr[row + 1] - encoded.indptr[row];

/** The columns of the row, as text. */
const columnsOf = ({ trace: { encoded }, row }: RowCase): string =>
  listText([...encoded.indices.subarray(encoded.indptr[row], encoded.indptr[row + 1])].map(String));

/** The step that stores where the row ends. */
const rowEndStep = ({ trace, row }: RowCase): number => stepStoring(trace, 'indptr', row + 1);

/** The steps to show for a question: the step before, and the step that `shows` the answer. */
const stepsAround = (shows: number): { before: number; shows: number } => ({ before: shows - 1, shows });

/** Asks for the number that indptr stores at the end of a row. */
const rowStart: Question<CsrTrace, RowCase> = {
  id: 'row-start',
  findCase(trace, random) {
    const row = 1 + random.below(Math.max(1, trace.window.rows - 1));
    return row < trace.window.rows && countOf({ trace, row }) > 0 ? { trace, row } : null;
  },
  needs: () => 'every row after row 0 has a weight',
  ask: (questionCase) =>
    say`indptr[${questionCase.row}] is ${strong(questionCase.trace.encoded.indptr[questionCase.row])}. Row ${questionCase.row} has weights in columns ${columnsOf(questionCase)}. What is indptr[${questionCase.row + 1}]?`,
  answer: ({ trace: { encoded }, row }) => encoded.indptr[row + 1],
  reason: (questionCase) =>
    say`Row ${questionCase.row} begins at entry ${questionCase.trace.encoded.indptr[questionCase.row]} and adds ${strong(counted(countOf(questionCase), 'entry', 'entries'))}.`,
  steps: (questionCase) => stepsAround(rowEndStep(questionCase)),
  misconceptions: [
    {
      id: 'count-of-the-row',
      title: 'indptr contains the number of weights of a row',
      answer: (questionCase) => of(countOf(questionCase), 'weights'),
      reply: () => say`That is the count of this row alone. indptr ${strong('adds up')} the counts of all rows.`,
    },
    {
      id: 'last-entry',
      title: 'indptr contains the last entry of the row',
      answer: ({ trace: { encoded }, row }) => minus(encoded.indptr[row + 1], 1),
      reply: ({ trace: { encoded }, row }) =>
        say`Entry ${encoded.indptr[row + 1] - 1} is the last one of the row. indptr stores ${strong('where the next row begins')}, which is one more.`,
    },
    {
      id: 'last-column',
      title: 'indptr contains a column',
      answer: ({ trace: { encoded }, row }) => encoded.indices[encoded.indptr[row + 1] - 1],
      reply: () => say`That is a column, and columns are in indices. indptr counts ${strong('entries')}.`,
    },
  ],
};

/** Asks which row an entry is in. */
const rowOfEntry: Question<CsrTrace, EntryCase> = {
  id: 'row-of-entry',
  findCase(trace, random: Random) {
    if (trace.window.nnz === 0) return null;
    const entry = random.below(trace.window.nnz);
    return { trace, entry, row: trace.encoded.indptr.findLastIndex((start) => start <= entry) };
  },
  needs: () => 'some cell is not zero',
  ask: ({ trace: { encoded }, entry }) =>
    say`indptr is ${listText([...encoded.indptr].map(String))}. indices[${strong(entry)}] is ${encoded.indices[entry]}. Which row is this weight in?`,
  answer: ({ row }) => row,
  reason: ({ trace: { encoded }, row, entry }) =>
    say`Entry ${entry} is at least indptr[${row}] = ${encoded.indptr[row]} and below indptr[${row + 1}] = ${encoded.indptr[row + 1]}: it belongs to ${strong(`row ${row}`)}.`,
  steps: ({ trace, entry }) => stepsAround(stepStoring(trace, 'indices', entry)),
  misconceptions: [
    {
      id: 'column-for-row',
      title: 'indices contains the row',
      answer: ({ trace: { encoded }, entry }) => encoded.indices[entry],
      reply: ({ trace: { encoded }, entry }) =>
        say`indices[${entry}] = ${encoded.indices[entry]} is the ${strong('column')}. The row is not stored: indptr stores where each row begins.`,
    },
    {
      id: 'rows-count-from-1',
      title: 'rows count from 1',
      answer: ({ row }) => plus(of(row, 'rows before'), 1),
      reply: ({ row }) =>
        say`Rows count from 0, so ${strong(`row ${row}`)} is the one with ${counted(row, 'row')} before it.`,
    },
    {
      id: 'entry-for-row',
      title: 'every entry is a separate row',
      answer: ({ entry }) => entry,
      reply: ({ entry }) => say`${entry} is the number of the entry. ${strong('indptr')} determines which row has it.`,
    },
  ],
};

/** Asks for the size of the encoded matrix in bytes. */
const bytes = bytesQuestion<CsrTrace>({
  title: 'CSR',
  ledger: ({ encoded }) => encoding.storage(encoded),
  hint: ({ encoded }) =>
    `A value takes ${VALUE_BITS[encoded.valueType] / 8} bytes, a column number ${encoded.indexBits / 8}, a row start 4.`,
  forgottenClasses: ['indices', 'metadata'],
  misconceptions: [
    {
      id: 'one-start-for-each-row',
      title: 'there is one row start for each row',
      answer: ({ trace }) => minus(encoding.storage(trace.encoded).totalBytes, of(4, 'bytes')),
      reply: ({ trace }) =>
        say`indptr has ${strong(trace.window.rows + 1)} elements: one for each row, and one more for the end of the last row.`,
    },
  ],
});

/** The questions about CSR for lessons. */
export const questions: readonly Question[] = [
  rowStart,
  rowOfEntry,
  bytes,
  lastOfLane,
  idleLanes,
] as readonly Question[];
