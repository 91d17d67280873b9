import { stepEncoded } from '../../../story/declared/trace.ts';
import { oneOf, type Question, type TraceCase } from '../../../story/question.ts';
import { counted, listText, say, strong } from '../../../core/text/words.ts';
import { minus, of, plus, times } from '../../../story/computed.ts';
import { blockColumnsInMemory, gathersOf as gathersOfMatrix, type SetInfo, infosOfSets } from '../layout.ts';
import { blockColumns } from '../params.ts';
import { type EcCsrTrace, type Pair, searchOf, spanOfBlock } from './levels.ts';

const columnsText = (columns: Iterable<number>): string => listText(Array.from(columns, String));

/* Questions about EC-SpMV, each asked about a case (two rows, a block, a lane) that is found in the trace of a story. */

interface PairCase {
  readonly trace: EcCsrTrace;
  readonly rows: readonly [number, number];
  readonly pair: Pair;
  /** all columns of each row */
  readonly columnsOfRows: readonly [Uint32Array, Uint32Array];
}

/** The step that completes the first stored block with both rows. */
function stepWhenExtracted({ trace, rows }: PairCase): number {
  const match = blocksOf(trace).find((block) => rows.every((row) => rowsOf(block).includes(row)));
  return match ? stepOf(match) : stepEncoded(trace);
}
/** The number of columns of the pair in blocks. */
const extractedCount = ({ pair }: PairCase): number =>
  pair.blocks.reduce((sum, { columns }) => sum + columns.length, 0);

/** Maximum columns of a row in a question. */
const MAX_LISTED = 16;

/** How many columns of two rows are extracted as a block. */
const columnsThatLeave: Question<EcCsrTrace, PairCase> = {
  id: 'columns-that-leave',
  unit: 'columns',
  findCase(trace, random) {
    const { pairs, levels } = searchOf(trace);
    const cases = pairs.flatMap((pair): PairCase[] => {
      if (pair.level !== 0 || pair.round !== 0 || pair.blocks.length === 0) return [];
      const [a, b] = [levels[0][pair.unit], levels[0][pair.partner]];
      const [columnsOfRows, rows] = [[a.columns, b.columns] as const, [a.rows[0], b.rows[0]] as const];
      return columnsOfRows.every(({ length }) => length <= MAX_LISTED) ? [{ trace, rows, pair, columnsOfRows }] : [];
    });
    return oneOf(cases, random);
  },
  needs: ({ encoded }) => `two rows share at least ${blockColumns(encoded)} columns`,
  ask: ({ trace, rows: [a, b], columnsOfRows }) =>
    say`Row ${a} has weights in columns ${columnsText(columnsOfRows[0])}. Row ${b} has them in columns ${columnsText(columnsOfRows[1])}. A block contains shared columns in multiples of ${strong(blockColumns(trace.encoded))}. How many columns of the two rows go into a block?`,
  answer: extractedCount,
  reason: (questionCase) =>
    say`They share ${counted(questionCase.pair.shared.length, 'column')}: ${columnsText(questionCase.pair.shared)}. The largest multiple of ${blockColumns(questionCase.trace.encoded)} in that is ${strong(extractedCount(questionCase))}.`,
  // Asked before all steps: the tree of levels, which every step shows, has the answer.
  steps: (questionCase) => ({ before: 0, shows: stepWhenExtracted(questionCase) }),
  misconceptions: [
    {
      id: 'all-shared-leave',
      title: 'every shared column goes to the block',
      answer: ({ pair }) => of(pair.shared.length, 'shared columns'),
      reply: (questionCase) =>
        say`Every lane needs whole loads, so ${strong(counted(questionCase.pair.shared.length - extractedCount(questionCase), 'column'))} ${questionCase.pair.shared.length - extractedCount(questionCase) === 1 ? 'stays' : 'stay'} behind.`,
    },
    {
      id: 'columns-of-either',
      title: 'a block contains the columns of both rows, shared or not',
      answer: ({ columnsOfRows, pair }) =>
        minus(plus(columnsOfRows[0].length, columnsOfRows[1].length), of(pair.shared.length, 'shared columns')),
      reply: () => say`Then the block would store zeros. Only columns that ${strong('both rows')} have are in it.`,
    },
    {
      id: 'filled-up',
      title: 'a block is filled up to the next multiple',
      answer: ({ trace, pair }) => {
        const multiple = blockColumns(trace.encoded);
        return times(Math.ceil(pair.shared.length / multiple), multiple);
      },
      reply: () => say`Filling up would store zeros. Columns beyond a whole multiple ${strong('stay in their rows')}.`,
    },
  ],
};

interface BlockCase {
  readonly trace: EcCsrTrace;
  readonly set: number;
  readonly block: number;
  readonly info: SetInfo;
  readonly columns: number;
}

function blocksOf(trace: EcCsrTrace): readonly BlockCase[] {
  return infosOfSets(trace.encoded).flatMap((info, set) =>
    Array.from({ length: info.blocks }, (_, block) => {
      const at = info.blockPtrAt + block;
      const columns = trace.encoded.blockPtr[at + 1] - trace.encoded.blockPtr[at];
      return { trace, set, block, info, columns };
    }),
  );
}

const rowsOf = ({ trace, set, block }: BlockCase): readonly number[] => [
  ...searchOf(trace).sets[set].blocks[block].rows,
];

const spanOf = ({ trace, set, block }: BlockCase) => spanOfBlock(trace, set, block);
const stepOf = (questionCase: BlockCase): number => spanOf(questionCase).shows;

/** How many deltas a block of several rows needs. */
const deltasOfBlock: Question<EcCsrTrace, BlockCase> = {
  id: 'deltas-of-block',
  unit: 'deltas',
  findCase: (trace, random) =>
    oneOf(
      blocksOf(trace).filter(({ info }) => info.granularity > 1),
      random,
    ),
  needs: ({ encoded }) => `two rows share at least ${blockColumns(encoded)} columns`,
  ask: (questionCase) =>
    say`Rows ${columnsText(rowsOf(questionCase))} share a block of ${strong(counted(questionCase.columns, 'column'))}. So it has ${questionCase.columns * questionCase.info.granularity} values. ${counted(questionCase.trace.encoded.lanes, 'lane')} work on it. How many deltas are stored for it?`,
  answer: ({ columns }) => columns,
  reason: ({ columns, info }) =>
    say`One delta for each of its ${strong(counted(columns, 'column'))}. All ${info.granularity} rows read the same list.`,
  steps: spanOf,
  misconceptions: [
    {
      id: 'a-delta-for-each-value',
      title: 'every value has a delta',
      answer: ({ columns, info }) => times(of(info.granularity, 'rows'), of(columns, 'columns')),
      reply: ({ info }) =>
        say`The rows of a block have the same columns, so one delta serves ${strong(counted(info.granularity, 'value'))}.`,
    },
    {
      id: 'none-for-the-first',
      title: 'the first column of a lane has no delta, because it is the base',
      answer: ({ columns, trace }) => minus(of(columns, 'columns'), of(trace.encoded.lanes, 'lanes')),
      reply: () =>
        say`A delta of ${strong('0')} is stored all the same, so that a lane reads its first column like any other.`,
    },
    {
      id: 'one-for-each-lane',
      title: 'a lane has one delta',
      answer: ({ trace }) => of(trace.encoded.lanes, 'lanes'),
      reply: ({ trace, columns }) =>
        say`That is how many ${strong('bases')} there are. Each of the ${trace.encoded.lanes} lanes has ${counted(columns / trace.encoded.lanes, 'column')}, and a delta for each.`,
    },
  ],
};

interface LaneCase extends BlockCase {
  readonly lane: number;
  readonly base: number;
  /** one for each column of the lane; the first is 0 */
  readonly deltas: readonly number[];
  /** the lane's last column */
  readonly column: number;
}

function lanesOf(questionCase: BlockCase): readonly LaneCase[] {
  const { trace, info, block } = questionCase;
  const stored = blockColumnsInMemory(trace.encoded, info, block);
  return Array.from({ length: trace.encoded.lanes }, (_, lane) => {
    // In memory order, the columns of a lane ascend.
    const columns = stored.filter((entry) => entry.lane === lane).map(({ column }) => column);
    const base = trace.encoded.baseIndices[info.baseIndicesAt + block * trace.encoded.lanes + lane];
    const deltas = columns.map((column, i) => column - (i === 0 ? base : columns[i - 1]));
    return { ...questionCase, lane, base, deltas, column: columns[columns.length - 1] };
  });
}

/** Which column the last value of a lane is in. */
const columnOfLane: Question<EcCsrTrace, LaneCase> = {
  id: 'column-of-lane',
  findCase: (trace, random) =>
    oneOf(
      blocksOf(trace)
        .flatMap(lanesOf)
        .filter(({ deltas }) => deltas.length >= 3 && deltas.length <= 6),
      random,
    ),
  needs: ({ encoded }) => `a row, or two that share columns, fills ${3 * encoded.lanes} columns of a block`,
  ask: ({ lane, base, deltas }) =>
    say`Lane ${lane} of a block has the base ${strong(base)}. Its deltas are ${columnsText(deltas)}. Which column is its last value in?`,
  answer: ({ column }) => column,
  reason: ({ base, deltas, column }) =>
    say`Base plus the deltas so far is the column: ${[base, ...deltas.slice(1)].join(' + ')} = ${strong(column)}. The first delta is 0.`,
  steps: spanOf,
  misconceptions: [
    {
      id: 'delta-from-the-base',
      title: 'every delta counts from the base',
      answer: ({ base, deltas }) => plus(base, deltas[deltas.length - 1]),
      reply: () => say`A delta counts from ${strong('the column before it')}.`,
    },
    {
      id: 'delta-is-gap-minus-one',
      title: 'a delta is the gap minus 1, as in MACKO',
      answer: ({ base, deltas }) => plus(base, ...deltas.slice(1).map((delta) => delta + 1)), // bounded: a lane of a question has at most six deltas
      reply: () => say`MACKO subtracts 1, EC-SpMV does not: its delta is ${strong('the difference of the columns')}.`,
    },
    {
      id: 'deltas-without-base',
      title: 'deltas count from the start of the row',
      answer: ({ deltas }) => plus(...deltas), // bounded: as above
      reply: ({ base }) => say`That leaves out the base: this lane starts in column ${strong(base)}.`,
    },
  ],
};

const gathersOf = ({ trace }: TraceCase<EcCsrTrace>): number => gathersOfMatrix(trace.encoded);
const firstGather = ({ trace }: TraceCase<EcCsrTrace>): number => stepEncoded(trace) + 1;

/** Maximum blocks that a question adds up. */
const MAX_BLOCKS = 7;

/** How many times the product fetches an element of x. */
const gathersOfAll: Question<EcCsrTrace, TraceCase<EcCsrTrace>> = {
  id: 'gathers-of-x',
  unit: 'gathers',
  findCase: (trace) =>
    blocksOf(trace).length <= MAX_BLOCKS && infosOfSets(trace.encoded).some((i) => i.granularity > 1)
      ? { trace }
      : null,
  needs: ({ encoded }) =>
    `two rows share at least ${blockColumns(encoded)} columns, and there are at most ${MAX_BLOCKS} blocks`,
  ask: ({ trace }) => {
    const blocks = blocksOf(trace).map(({ info, columns }) => `${info.granularity} × ${columns}`);
    return say`This matrix has ${trace.window.cols} columns and ${trace.window.nnz} weights. EC-SpMV stores it in blocks of rows × columns: ${listText(blocks)}. How many times does the product ${strong('fetch an element of x')}?`;
  },
  answer: gathersOf,
  reason: (questionCase) =>
    say`Once for each column of each block: ${blocksOf(questionCase.trace)
      .map(({ columns }) => columns)
      .join(' + ')} = ${strong(gathersOf(questionCase))}.`,
  steps: (questionCase) => ({ before: firstGather(questionCase) - 1, shows: firstGather(questionCase) }),
  misconceptions: [
    {
      id: 'one-for-each-non-zero',
      title: 'every weight fetches its own element of x',
      answer: ({ trace }) => of(trace.window.nnz, 'weights'),
      reply: () => say`That is CSR. Here, the rows of a block ${strong('share')} what a column fetches.`,
    },
    {
      id: 'each-element-once',
      title: 'every element of x is fetched once',
      answer: ({ trace }) => of(trace.window.cols, 'columns'),
      reply: () => say`Blocks are independent. A column that is in two blocks is fetched ${strong('twice')}.`,
    },
    {
      id: 'one-for-each-block',
      title: 'one fetch serves a whole block',
      answer: ({ trace }) => of(blocksOf(trace).length, 'blocks'),
      reply: () => say`That counts the blocks. ${strong('Each column')} of a block needs another element of x.`,
    },
  ],
};

/** The questions about EC-SpMV for lessons. */
export const questions: readonly Question[] = [
  columnsThatLeave,
  deltasOfBlock,
  columnOfLane,
  gathersOfAll,
] as readonly Question[];
