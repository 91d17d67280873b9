import { unitText } from '../../../story/cell-unit.ts';
import type { Cell } from '../../../story/flow/cell-marks.ts';
import type { CellRow } from '../../../story/flow/cells.ts';
import { ink, tightStack, note, since, stack } from '../../../story/flow/parts.ts';
import type { Part } from '../../../story/flow/layout-space.ts';
import { questionFrame, sayingAbsent, storyFrame, type StoryFrame } from '../../../story/flow/story-frames.ts';
import { type TimedBar, timesPart, verdict } from '../../../story/flow/verdict.ts';
import type { FrameContext, RecordedTime } from '../../../story/frames.ts';
import { densityText } from '../../../core/text/rounded.ts';
import { cellName } from '../../../story/scene-parts.ts';
import { fact, type Stated, stated } from '../../../core/text/stated.ts';
import { f16Bits, f16Value } from '../../../core/number/index.ts';
import { capitalised, counted, countText, shapeText, withGroups, xText } from '../../../core/text/words.ts';
import type { Block } from '../extract.ts';
import { blockColumnsInMemory } from '../layout.ts';
import { reachOf } from '../params.ts';
import {
  filledText,
  partsText,
  firstStepText,
  bookkeepingText,
  bookkeepingSumText,
  changesText,
  savesText,
  lanesInAll,
  isDrawnSmall,
  leftOverText,
  nothingText,
  numberBytesText,
  sharedInAll,
  threadsText,
  stepBytes,
  stepSize,
  rowsTitle,
  zerosText,
} from './step-texts.ts';
import {
  hasRows,
  ownColumns,
  areFirst,
  bytesOfList,
  savedBySteps,
  factsOf,
  type Facts,
  finalBlocks,
  firstLoad,
  type FirstPair,
  joiningLists,
  leftoverAnswers,
  lengthOf,
  sharedBelow,
  rowListToDraw,
  singles,
  stepsOf,
  sharedNumbers,
  weightsOf,
  zerosLeft,
} from './facts.ts';
import { gainStated } from './saved-bytes.ts';
import { largeTimes, type LargeTimes, sharingText, shortWorthText, worthText } from './large-times.ts';
import {
  cellsKey,
  listsAt,
  ALONE,
  allBytes,
  savingBars,
  stepBars,
  bookkeepingBars,
  isBareMatrix,
  byRowCount,
  cellsOf,
  inBlock,
  lists,
  matrix,
  numberCell,
  bytesBar,
  numbersBar,
  visibleRows,
  pairOf,
  startBar,
  sharedList,
  bracket,
  laneCells,
  largerBars,
  levelBar,
  threadReads,
} from './shared-parts.ts';
import type { EcCsrTrace } from './levels.ts';

/*
 * EC-SpMV in at most twelve frames and two questions. They show that rows repeat the same columns, that two rows share a
 * list, that columns leave their rows in fours, that pairs join to larger blocks, how lists are stored as deltas (steps), and
 * what all this saves.
 * Pictures about cells have the matrix at the top and its bytes at the bottom.
 */

const WHO = 'Who shares?';
const OUT = 'Take out';
const AGAIN = 'Again, larger';
const ORDER = 'Store';
const MULTIPLY = 'Multiply';

/** The frames of EC-SpMV’s story on a window, a part of a matrix. */
export function story(t: EcCsrTrace): readonly StoryFrame[] {
  const f = factsOf(t);
  const { first, best, largest, rows, min } = f;
  const smaller = ownColumns(f);
  if (f.numbers.start === 0) return [manyNumbers(f), nothingToStore(f), verdictFrame(f)];
  const mayShare = rows > 1 && t.encoded.maxGranularity > 1 && best !== null;
  // With few bits for deltas, more columns may stay than this remainder: then there is no question about the number.
  const isFours = first !== null && first.leftOverColumns.length === first.columns.length % min;
  const frames = [
    manyNumbers(f),
    ...(mayShare ? [firstPair(f, first ?? best), inFours(f, first ?? best)] : []),
    ...(first && isFours ? [whatStays(f, first)] : []),
    first ? takeOut(f, first, isFours) : nothingLeaves(f),
    ...(largest ? [otherPairs(f)] : []),
    ...(largest && largest.rows.length > 4 ? [pairsPair(f)] : []),
    ...(largest && smaller ? [whereTo(f, largest, smaller)] : []),
    ...(largest ? [largestBlock(f, largest)] : []),
    ...(zerosLeft(f) > 0 ? [leftOver(f)] : []),
    steps(f),
    againstPlain(f),
    fetchedOnce(f),
    verdictFrame(f),
  ];
  const fewest = t.encoded.maxGranularity < 4 ? 'lists of at least four rows' : 'four rows that share columns';
  return sayingAbsent(frames, [largest ? null : { what: `\u201c${AGAIN}\u201d`, needs: fewest }]);
}

const rowUnit = ['row', 'rows'] as const;
const columnUnit = ['column', 'columns'] as const;

/* 1. The problem. */

function manyNumbers(f: Facts): StoryFrame {
  const { everywhere, columnsOfLargest, largest, numbers, rows } = f;
  const drawnCount = visibleRows(f).length;
  const allRows = Array.from({ length: rows }, (_, r) => r);
  const filledRows = allRows.filter((r) => f.columnsOf(r).length > 0);
  const listedRows = (f.first ?? f.best)?.rows ?? filledRows.slice(0, 1);
  const [columns, sharing] =
    everywhere.length > 0 ? [everywhere, allRows] : [columnsOfLargest ?? [], Array.from(largest?.rows ?? [])];
  const lit = (r: number, c: number): boolean => columns.length === 0 || (sharing.includes(r) && columns.includes(c));
  return storyFrame({
    id: 'many numbers',
    chapter: WHO,
    moves: [0],
    text: (context) => problem(f, context),
    above: matrix(f, { lit, words: 'all' }),
    body: stack(
      lists(
        f,
        Array.from(listedRows, (r) => ({ rows: [r], columns: f.columnsOf(r) })),
        { message: otherLists(filledRows.length - listedRows.length, rows - listedRows.length) },
      ),
      tightStack(
        cellsKey(f),
        note('reads all', 'Multiplying by a vector reads every byte, the column numbers, too.'),
        rows > drawnCount ? note('hidden rows', `${drawnCount} of ${rows} rows are shown.`) : null,
      ),
    ),
    below: numbersBar(f, numbers.start, bytesText(f)),
  });
}

/** How many of the `others`, the rows whose lists are not drawn, have lists. */
function otherLists(count: number, otherCount: number): string {
  if (count === 0) return '';
  if (count === 1) return `${otherCount === 1 ? 'The' : 'One'} other row has a list, too.`;
  return `${count === otherCount ? 'The other ' : ''}${count}${count === otherCount ? '' : ' other'} rows have lists, too.`;
}

function bytesText({ rows, cols, numbers, numberBytes, bytes }: Facts): string {
  const cells = rows * cols === 1 ? 'The cell' : `All ${countText(rows * cols)} cells`;
  if (numbers.start === 0) return `No weight is stored. ${cells} would take ${countText(bytes.dense)}.`;
  const bytesPerWeight = bytes.weights / numbers.start;
  const takenText =
    bytesPerWeight === numberBytes
      ? `take ${counted(bytesPerWeight, 'byte')} each`
      : `take ${bytesPerWeight} and ${counted(numberBytes, 'byte')} each`;
  const both = `${counted(numbers.start, 'weight')} and ${counted(numbers.start, 'column number')}`;
  return `${both} ${takenText}. ${cells} would take ${countText(bytes.dense)}.`;
}

function problem(f: Facts, { wholeMatrix }: FrameContext): Stated {
  const { rows, numbers, everywhere, columnsOfLargest, largest, used } = f;
  if (numbers.start === 0) return stated`There is no weight here: no row has a column to share.`;
  if (rows === 1)
    return (wholeMatrix?.rows ?? 1) > 1
      ? stated`One row is drawn with its column numbers, and no other to share with.`
      : stated`One row stores its column numbers: there is no other row to share with.`;
  const head = stated`Each row stores its own column numbers.`;
  if (everywhere.length > 0) {
    const repeated = fact('columns of every row', everywhere.length, 'Word', ['column is', 'columns are']);
    return stated`${head} *${repeated} in every row.*`;
  }
  if (largest && columnsOfLargest)
    return stated`${head} *${fact('rows of the largest block', largest.rows.length, 'Word', rowUnit)} have the same ${fact('columns of these rows', columnsOfLargest.length, 'count', columnUnit)}.*`;
  if (used === numbers.start) return stated`${head} No column is there twice: *nothing to share*.`;
  return stated`${head} These ${fact('column numbers at first', numbers.start)} name only *${fact('columns that are used', used, 'count', columnUnit)}*.`;
}

function nothingToStore(f: Facts): StoryFrame {
  const storedFact = fact('bytes', f.bytes.total, 'count', ['byte', 'bytes']);
  const isAny = f.rows * f.cols > 0;
  return storyFrame({
    id: 'nothing to store',
    chapter: ORDER,
    step: stepsOf(f).encoded,
    text: stated`No weight, no list: *${storedFact}* of ${fact('bytes of dense', f.bytes.dense)} are stored.`,
    body: isAny ? matrix(f, {}) : note('nothing', `${shapeText(f.rows, f.cols)}: this region has no cells.`),
    below: allBytes(f, `All cells, dense, would take ${counted(f.bytes.dense, 'byte')}.`),
  });
}

/* 2. Two rows share columns. */

function firstPair(f: Facts, { rows: [a, b], columns }: Pick<FirstPair, 'rows' | 'columns'>): StoryFrame {
  const shared = fact('columns of both rows', columns.length, 'count', columnUnit);
  const [row, otherRow] = [fact('row', f.rowNumber(a)), fact('other row', f.rowNumber(b))];
  const below = sharedBelow(f, a);
  const isTied = Array.from(below.values()).filter((n) => n === columns.length).length > 1;
  const labels = new Map(Array.from(below, ([r, n]) => [r, r === b ? `${n} shared` : String(n)]));
  return storyFrame({
    id: 'first pair',
    chapter: WHO,
    moves: [900, 700],
    text: f.first
      ? stated`Row ${row} pairs with row ${otherRow}, because they share *${shared}*.`
      : stated`Rows ${row} and ${otherRow} share *${shared}*, and no two share more.`,
    above: pairOf(f, [a, b], columns, { labels }),
    body: stack(
      lists(f, [{ rows: [a, b], columns, style: 'outline', title: 'in both' }], { afters: [...labels.values()] }),
      f.first ? since(1, note('rule', ruleText(f, isTied))) : null,
    ),
    below: startBar(f),
  });
}

/** Which rows pair. `isTied`: several rows share as many columns as the partner. */
function ruleText({ min }: Facts, isTied: boolean): string {
  const least = stated`${fact('columns that leave together', min, 'word')}`.text;
  const rule = `Each row pairs with the unpaired row below that shares most columns, at least ${least}.`;
  return `${rule}${isTied ? ' Of several equal ones, it takes the first.' : ''} Other rows stay alone.`;
}

/* 3. Why columns leave in fours. */

function inFours(f: Facts, { rows, columns }: Pick<FirstPair, 'rows' | 'columns'>): StoryFrame {
  const { min } = f;
  const { lanes, vectorSize } = f.t.encoded;
  const threads = fact('lanes', lanes, 'Word', ['GPU thread reads', 'GPU threads each read']);
  const part = ['the list', 'half of a list'][lanes - 1] ?? 'a part of a list';
  const numbersPerRead = fact('columns of a lane at once', vectorSize, 'word', ['number', 'numbers']);
  const group = stated`${fact('columns that leave together', min, 'word')}`.text;
  return storyFrame({
    id: 'in fours',
    chapter: WHO,
    moves: [900],
    text: (context) =>
      isDrawnSmall(f, context)
        ? stated`Drawn with ${fact('lanes', lanes, 'word', ['thread: it reads', 'threads: each reads'])} ${part}, *${numbersPerRead} at a time*.`
        : stated`${threads} ${part}, *${numbersPerRead} at a time*.`,
    above: pairOf(f, rows, columns),
    body: stack(
      threadReads(f),
      note(
        'threads',
        `A shared list is made of whole ${group}s, ${counted(lanes, 'thread')} \u00d7 ${vectorSize} = ${min}, so that every read is full.${threadsText(f)}`,
      ),
    ),
    also: lanesInAll(f),
  });
}

/* Question: how many columns stay out? */

function whatStays(f: Facts, pair: FirstPair): StoryFrame {
  const { rows, columns, takenColumns, leftOverColumns } = pair;
  const { min } = f;
  const choices = leftoverAnswers(columns.length, min);
  const list = (order: readonly number[], isAnswered: boolean): Part => {
    const spans = isAnswered
      ? [bracket('list', 0, takenColumns.length, `${takenColumns.length / min} \u00d7 ${min}`)]
      : [];
    const stays =
      isAnswered && leftOverColumns.length > 0
        ? [bracket('stays', takenColumns.length, order.length, 'left over')]
        : [];
    const cell = (i: number): Cell => ({
      ...numberCell(f, rows[0], order[i]),
      ring: isAnswered && i >= takenColumns.length,
    });
    return sharedList(f, order.length, cell, [...spans, ...stays]);
  };
  const [together, away] = [fact('columns that leave together', min), fact('columns that leave', takenColumns.length)];
  const stay = fact('columns that stay', leftOverColumns.length, 'word');
  const head = areFirst(pair) && leftOverColumns.length > 0 ? stated`The first ${away}` : stated`${away}`;
  return questionFrame(
    {
      id: 'what stays',
      chapter: WHO,
      text: stated`A list has a multiple of ${fact('columns that leave together', min, 'word')} columns; ${fact('columns of both rows', columns.length, 'count', ['is shared', 'are shared'])}. How many stay out?`,
      above: pairOf(f, rows, columns),
      body: list(columns, false),
    },
    { body: list([...takenColumns, ...leftOverColumns], true) },
    {
      options: choices.map(String),
      answer: choices.indexOf(leftOverColumns.length),
      because: stated`${head} = ${fact('times', takenColumns.length / min)} \u00d7 ${together} go into the list, ${leftOverColumns.length === 0 ? 'none' : stay} ${leftOverColumns.length < 2 ? 'is' : 'are'} left over.`,
    },
  );
}

/* 4. A list for two rows. */

function takeOut(f: Facts, first: FirstPair, isFours: boolean): StoryFrame {
  const { rows, takenColumns, pair } = first;
  const weights = rows.map((r): CellRow => {
    const cell = (c: number): Cell | null =>
      takenColumns.includes(c)
        ? {
            id: cellName(r, c),
            text: unitText(f.weightOf(r, c) ?? 0, f.unit),
            style: 'plain',
            highlightNames: [cellName(r, c)],
          }
        : null;
    return { id: `block ${r}`, title: `row ${f.rowNumber(r)}`, tone: 'values', cell };
  });
  return storyFrame({
    id: 'take out',
    chapter: OUT,
    moves: [1200, 700],
    text: takeOutText(first),
    above: matrix(f, { moved: cellsOf(pair.blocks), strong: rows }),
    body: stack(
      lists(f, [{ rows, columns: takenColumns }], { more: weights }),
      since(1, note('moved', `${movedText(f, first, isFours)}${unitNote(f)}`)),
    ),
    below: numbersBar(
      f,
      f.numbers.first,
      `${countText(f.numbers.start)} \u2212 ${countText(takenColumns.length)} = ${counted(f.numbers.first, 'column number')}.`,
    ),
  });
}

/** The unit of the weights below the list, if no earlier frame has stated it; begins with a space. */
const unitNote = (f: Facts): string =>
  f.unit.name !== null && isBareMatrix(f) ? ` Weights are in ${f.unit.name}.` : '';

/** Where the weights of a pair are now, and the left-over columns. */
function movedText(f: Facts, { leftOverColumns }: FirstPair, isFours: boolean): string {
  const moved = 'The dashed weights moved into the list';
  if (!isFours) return `${moved}. It stores differences up to ${reachOf(f.t.encoded)}, so columns too far apart stay.`;
  if (leftOverColumns.length === 0) return `${moved}.`;
  if (leftOverColumns.length === 1)
    return `${moved}, while column ${f.columnNumber(leftOverColumns[0])} stays in both rows.`;
  return `${moved}, while ${counted(leftOverColumns.length, 'column')} stay in both rows.`;
}

function takeOutText({ takenColumns, pair }: FirstPair): Stated {
  const count = pair.blocks.length;
  const listsText = count === 1 ? stated`*one list*` : stated`*${fact('lists of the pair', count, 'word')} lists*`;
  return stated`Two rows share ${listsText}: ${fact('columns that leave', takenColumns.length)} column numbers instead of ${fact('column numbers of both rows', 2 * takenColumns.length)}.`;
}

function nothingLeaves(f: Facts): StoryFrame {
  return storyFrame({
    id: 'nothing leaves',
    chapter: OUT,
    text: (context) => nothingText(f, context),
    also: sharedInAll,
    above: matrix(f, { lit: () => true }),
    body: note('alone', 'A list for each row alone.'),
    below: numbersBar(f, f.numbers.start, `Still ${counted(f.numbers.start, 'column number')}.`),
  });
}

/* 5 to 7. The same for all pairs, for pairs of pairs, and again. */

function otherPairs(f: Facts): StoryFrame {
  const { first, search } = f;
  const leftOverCount = lengthOf(singles(f));
  const otherPairCount =
    search.pairs.filter(({ level, blocks }) => level === 0 && blocks.length > 0).length - (first ? 1 : 0);
  const head =
    otherPairCount > 1
      ? stated`Other pairs do the same.`
      : otherPairCount === 1
        ? stated`One other pair does the same.`
        : stated`No other pair shares enough.`;
  const leftOverFact = fact('single weights', leftOverCount, 'Word', ['weight is', 'weights are']);
  return storyFrame({
    id: 'other pairs',
    chapter: OUT,
    moves: [1200],
    text: leftOverCount === 0 ? stated`${head} No weight is left over.` : stated`${head} *${leftOverFact} left over.*`,
    above: matrix(f, { moved: cellsOf(search.levels[1]), ringed: cellsOf(singles(f)) }),
    body: lists(f, listsAt(f, 1), { message: leftOverText(f) }),
    below: levelBar(f, 1),
  });
}

function pairsPair(f: Facts): StoryFrame {
  const blocks = listsAt(f, 2);
  return storyFrame({
    id: 'pairs pair up',
    chapter: AGAIN,
    moves: [1200],
    text: stated`Pairs pair up as rows did: *four rows, one list*.`,
    above: matrix(f, { moved: cellsOf(blocks), strong: blocks.flatMap(({ rows }) => Array.from(rows)) }),
    body: lists(f, blocks, { message: pairsLeftText(f, blocks) }),
    below: levelBar(f, 2),
  });
}

/** Why lists of two rows are still there after pairs have joined. */
function pairsLeftText(f: Facts, blocks: readonly Block[]): string {
  const matchedPairs = f.search.pairs.filter(({ level }) => level === 1);
  const matchedUnits = new Set(matchedPairs.flatMap(({ unit, partner }) => [unit, partner]));
  const stayingPairs = f.search.levels[1]
    .filter((_, i) => !matchedUnits.has(i))
    .filter((pair) => blocks.some((list) => hasRows(list, pair)));
  const isRest = (list: Block): boolean => list.rows.length === 2 && !stayingPairs.some((pair) => hasRows(list, pair));
  const group = stated`${fact('columns that leave together', f.min, 'word', columnUnit)}`.text;
  const subject =
    stayingPairs.length === 1 ? rowsTitle(f, stayingPairs[0].rows) : `${counted(stayingPairs.length, 'pair')}`;
  const stay = stayingPairs.length === 1 ? 'stay a pair' : 'stay pairs';
  return [
    blocks.some(isRest) ? 'A number that only one pair has stays in that pair\u2019s list.' : '',
    stayingPairs.length > 0
      ? `${capitalised(subject)} ${stay}: ${stayingPairs.length === 1 ? 'no other pair is left' : `no two of them share ${group}`}.`
      : '',
  ]
    .filter((text) => text !== '')
    .join(' ');
}

/* Question: where do columns go that only one of two lists has? */

function whereTo(f: Facts, largest: Block, block: Block): StoryFrame {
  const rowCount = fact('rows of the smaller block', block.rows.length, 'word');
  const otherRowCount = fact('rows without these columns', largest.rows.length - block.rows.length, 'word');
  const largestText = stated`${fact('rows of the largest block', largest.rows.length, 'word')} rows`.text;
  const style = { moved: cellsOf(finalBlocks(f)), ringed: cellsOf([block]), strong: block.rows } as const;
  const joining = byRowCount(joiningLists(f));
  const inside = byRowCount(finalBlocks(f)).filter(({ rows }) => rows.every((r) => largest.rows.includes(r)));
  const smaller = inside.filter(({ rows }) => rows.length < block.rows.length);
  const highlighted = (list: Block) => ({ ...list, columnsOfText: hasRows(list, block) ? block.columns : [] });
  return questionFrame(
    {
      id: 'where to',
      chapter: AGAIN,
      text: stated`Two lists of ${rowCount} rows join. Where do ${questionText(f, block)} go?`,
      above: matrix(f, style),
      body: lists(f, [...joining, ...smaller].map(highlighted)),
    },
    {
      body: lists(f, inside.map(highlighted)),
    },
    {
      options: [`the list of ${largestText}`, stated`a list of ${rowCount} rows`.text, 'no list'],
      answer: 1,
      because: stated`They stay in a list of ${rowCount} rows, because the other ${otherRowCount} would store zeros.`,
    },
  );
}

/** The column numbers that the question is about, one by one if they are few. */
function questionText(f: Facts, { columns }: Block): Stated {
  if (columns.length < 2 || columns.length > MAX_NAMED)
    return stated`the ${fact('columns of the smaller block', columns.length, 'word')} highlighted numbers`;
  const columnFacts = Array.from(columns, (c, i) => fact(`column ${i} of the smaller block`, f.columnNumber(c)));
  const before = columnFacts
    .slice(1, -1)
    .reduce((text, column) => stated`${text}, ${column}`, stated`${columnFacts[0]}`);
  return stated`${before} and ${columnFacts[columnFacts.length - 1]}`;
}

const MAX_NAMED = 4;

function largestBlock(f: Facts, { rows, columns }: Block): StoryFrame {
  const numbers = fact('columns of the largest block', columns.length, 'count', ['number', 'numbers']);
  const atFirst = fact('weights of the largest block', rows.length * columns.length);
  const isLargest = (block: Block): boolean => block.rows[0] === rows[0] && block.columns[0] === columns[0];
  const blocks = byRowCount(finalBlocks(f));
  const otherBlocks = blocks
    .filter((block) => !isLargest(block))
    .map((block) => ({ ...block, style: 'plain' as const }));
  return storyFrame({
    id: 'largest block',
    chapter: AGAIN,
    moves: [1200],
    text: stated`${fact('rows of the largest block', rows.length, 'Word')} rows, one list: *${numbers} instead of ${atFirst}*.`,
    above: matrix(f, { moved: cellsOf(finalBlocks(f)), strong: rows }),
    body: stack(lists(f, [...blocks.filter(isLargest), ...otherBlocks]), note('saves what', savesText(f))),
    below: levelBar(f, f.search.levels.length - 1),
  });
}

/* 8. How a list is stored. */

/** Draws the first list as stored, lane by lane, with its columns, stored numbers and bytes; `message` is a text below it. */
function storedList(f: Facts, message: string): Part {
  const { t, numberBytes, infos } = f;
  const { lanes, deltaBits } = t.encoded;
  const [packed] = f.search.sets[0].blocks;
  const storedColumns = blockColumnsInMemory(t.encoded, infos[0], 0);
  const perLane = storedColumns.length / lanes;
  const columnsByLane = Array.from({ length: lanes }, (_, lane) =>
    storedColumns.filter((entry) => entry.lane === lane).map(({ column }) => column),
  );
  /** the lane of cell i, and the number of its column in the lane; -1 for the base */
  const laneAndNumber = (i: number): readonly [number, number] => [
    Math.floor(i / (perLane + 1)),
    (i % (perLane + 1)) - 1,
  ];
  const column = (i: number): Cell | null => {
    const [lane, n] = laneAndNumber(i);
    if (n < 0) return null;
    return { id: `column of ${lane}.${n}`, text: String(f.columnNumber(columnsByLane[lane][n])), style: 'plain' };
  };
  const step = (i: number): Cell => {
    const [lane, n] = laneAndNumber(i);
    if (n < 0) return { ...numberCell(f, packed.rows[0], columnsByLane[lane][0]), id: `first of ${lane}` };
    const text = n === 0 ? '+0' : `+${columnsByLane[lane][n] - columnsByLane[lane][n - 1]}`;
    return {
      id: `step ${lane}.${n}`,
      text,
      style: 'lit',
      ...(packed.real[lane * perLane + n] === 0 && { tone: 'padding' }),
    };
  };
  const bytes = (i: number): Cell => ({
    text: laneAndNumber(i)[1] < 0 ? `${numberBytes}` : stepBytes(deltaBits),
    style: 'words',
  });
  const { real, laneBytes, plainBytes } = bytesOfList(f, packed);
  const storedText = `${lanes} \u00d7 ${laneBytes} = ${counted(lanes * laneBytes, 'byte')} are stored`;
  const comparedText =
    lanes * laneBytes === plainBytes
      ? 'as many as without steps'
      : `instead of ${real} \u00d7 ${numberBytes} = ${plainBytes}`;
  return stack(
    laneCells(
      f,
      perLane + 1,
      [
        { id: 'columns', title: 'columns', tone: 'indices', cell: column },
        { id: 'stored', title: 'stored', tone: 'indices', cell: step },
        { id: 'bytes of', title: 'bytes', cell: bytes },
      ],
      {
        // With one or two columns for each lane, cells are too narrow for these words.
        message: perLane > 2 ? `: ${laneBytes} bytes` : '',
        reads: 0,
        widest: [...new Set(columnsByLane.flat().map((c) => String(f.columnNumber(c))))],
      },
    ),
    // bounded: two notes
    tightStack(
      since(1, note('one list', `${storedText}, ${comparedText}.`, { tone: 'ink' })),
      message === '' ? null : since(1, note('parts', message)),
    ),
  );
}

function steps(f: Facts): StoryFrame {
  return storyFrame({
    id: 'steps',
    chapter: ORDER,
    step: stepsOf(f).first,
    moves: [900, 700],
    text: stepsText(f),
    body: stack(
      storedList(f, [partsText(f), firstStepText(f)].filter((text) => text !== '').join(' ')),
      tightStack(since(1, stepBars(f)), since(1, note('changes', changesText(f)))),
    ),
    below: allBytes(f, numberBytesText(f), 0),
  });
}

/** How a list is stored, and what that saves here. */
function stepsText(f: Facts): Stated {
  const size = stepSize(f.t.encoded.deltaBits);
  const saved = savedBySteps(f);
  const head = stated`Threads store a first column, then steps of ${size}`;
  if (saved > 0)
    return stated`${head}: *${fact('bytes that steps save', saved, 'count', ['byte', 'bytes'])} less in all*.`;
  return saved === 0 ? stated`${head}: *as many bytes here*.` : stated`${head}: *longer lists gain*.`;
}

/** Shows the left-over columns of a row as a separate list, with the zeros that fill it, before columns become steps. */
function leftOver(f: Facts): StoryFrame {
  const { row, columns, real } = rowListToDraw(f);
  const zeros = zerosLeft(f);
  const added = fact('zeros in lists of one row', zeros, 'Word', ['zero is', 'zeros are']);
  const weights = weightsOf(real);
  const isWholeRow = weights === f.columnsOf(row).length;
  // Other lists of one row have some of these zeros.
  const inAll = zeros > real.length - weights ? ' in all' : '';
  const ofZero = (i: number) => (real[i] === 0 ? ({ tone: 'padding' } as const) : {});
  const number = (i: number): Cell => ({ ...numberCell(f, row, columns[i]), id: `column of ${i}`, ...ofZero(i) });
  const weight = (i: number): Cell => ({
    id: `weight of ${i}`,
    text: real[i] === 0 ? '0' : unitText(f.weightOf(row, columns[i]) ?? 0, f.unit),
    style: 'plain',
    ...ofZero(i),
  });
  return storyFrame({
    id: 'left over',
    chapter: ORDER,
    moves: [900, 700],
    text: isWholeRow
      ? stated`A row in no shared list keeps its own. *${added} added${inAll}.*`
      : stated`The rest of row ${fact('row with zeros', f.rowNumber(row))} has its own list. *${added} added${inAll}.*`,
    above: matrix(f, {
      lit: inBlock({ rows: Uint32Array.of(row), columns }),
      moved: cellsOf(finalBlocks(f)),
      strong: [row],
    }),
    body: stack(
      laneCells(
        f,
        columns.length / f.t.encoded.lanes,
        [
          { id: 'columns', title: 'columns', tone: 'indices', cell: number },
          { id: 'weights', title: 'weights', tone: 'values', cell: weight },
        ],
        { reads: 0 },
      ),
      since(1, note('filled', filledText(f, real))),
    ),
    below: bytesBar(f, zerosText(f), f.numberBytes * sharedNumbers(f), f.bytes.zeros),
  });
}

function againstPlain(f: Facts): StoryFrame {
  return storyFrame({
    id: 'against plain lists',
    chapter: ORDER,
    step: stepsOf(f).encoded,
    moves: [900],
    text: (context) => gainStated(f, context),
    body: stack(
      savingBars(f),
      tightStack(
        note('bookkeeping', bookkeepingText(f)),
        bookkeepingBars(f),
        note('bookkeeping sum', bookkeepingSumText(f)),
      ),
    ),
    wholeMatrix: (context) => largerBars(f, context),
  });
}

/* 9. The product. */

/** Widest cell of a weight, in em. */
const WIDE_CELLS = 3.4;

function fetchedOnce(f: Facts): StoryFrame {
  const { t } = f;
  const { lanes } = t.encoded;
  const { columns, rows, products } = firstLoad(f);
  const [packed] = f.search.sets[0].blocks;
  const perLane = packed.columns.length / lanes;
  const isNow = (i: number): boolean => i % perLane < columns.length / lanes;
  const block = { rows: Uint32Array.from(rows), columns: Uint32Array.from(columns, ({ column }) => column) };
  const fetches = fact('fetches of x', columns.length, 'count', ['fetch', 'fetches']);
  const number = (i: number): Cell => {
    const style = isNow(i) ? 'lit' : 'plain';
    return { ...numberCell(f, rows[0], packed.columns[i], style), id: `fetched ${i}` };
  };
  const ofX = (i: number): Cell | null => {
    const column = packed.columns[i];
    const label = `x of column ${f.columnNumber(column)}: ${t.x[column]}`;
    return isNow(i) ? { id: `x ${i}`, text: xText(rounded(t.x[column], 1)), style: 'outline', label } : null;
  };
  const weight = (i: number): Cell | null => {
    if (!isNow(i)) return null;
    const value = packed.real[i] === 1 ? storedWeight(f, rows[0], packed.columns[i]) : 0;
    return { id: `weight ${i}`, text: xText(shortWeight(value)) };
  };
  const plainText = `Plain lists would need ${rows.length} \u00d7 ${columns.length} = ${counted(products, 'fetch', 'fetches')}.`;
  return storyFrame({
    id: 'fetched once',
    chapter: MULTIPLY,
    step: stepsOf(f).fetch,
    moves: [900, 700],
    text: stated`In the first read, *${fetches} of x serve ${fact('rows of the block', rows.length, 'word', rowUnit)}*.`,
    above: matrix(f, { lit: inBlock(block), strong: rows }),
    body: stack(
      laneCells(
        f,
        perLane,
        [
          { id: 'fetched', title: 'columns', tone: 'indices', cell: number },
          { id: 'x', title: 'x', strong: true, cell: ofX },
          { id: 'weights', title: `row ${f.rowNumber(rows[0])}`, tone: 'values', cell: weight },
        ],
        { widest: [...f.texts, '\u2212.88'], max: WIDE_CELLS },
      ),
      tightStack(note('one product', productText(f)), rows.length > 1 ? since(1, note('alone', plainText)) : null),
    ),
  });
}

/** The first product of the multiplication, with the numbers that the picture shows. */
function productText(f: Facts): string {
  const { columns, rows } = firstLoad(f);
  const [{ column }] = columns;
  const weight = storedWeight(f, rows[0], column);
  const x = f.t.x[column];
  const result = rounded(weight * x, 3) || Number((weight * x).toPrecision(1));
  // More decimals than the cell has, where the product that is shown does not follow from its weight.
  const follows = (w: number): boolean => rounded(w * rounded(x, 1), 3) === result;
  const decimals = [3, 4, 5, 6].map((n) => rounded(weight, n));
  const shownWeight = [shortWeight(weight), ...decimals].find(follows) ?? shortWeight(weight);
  const shownNumbers = [shownWeight, rounded(x, 1), result];
  const [a, b, product] = shownNumbers.map((n) => String(n).replaceAll('-', '\u2212').replace('Infinity', '\u221e'));
  // The product of the stored numbers, which may have more digits than those shown.
  const equals =
    Object.is(shownNumbers[0] * shownNumbers[1], shownNumbers[2]) ||
    Math.abs(shownNumbers[0] * shownNumbers[1] - shownNumbers[2]) < 1e-9
      ? '='
      : '\u2248';
  const isTooLarge = !Number.isFinite(weight);
  const why = isTooLarge
    ? ` ${withGroups(String(f.weightOf(rows[0], column)))} is too large for ${f.t.encoded.valueType}.`
    : '';
  const drawn = shownWeight === shortWeight(weight) ? '' : ' The weight is drawn rounded.';
  return `x is the input vector, and row ${f.rowNumber(rows[0])} begins with ${a} \u00d7 ${b} ${equals} ${product}.${drawn}${why}`;
}

/** A weight as it is stored. */
const storedWeight = (f: Facts, row: number, column: number): number => {
  const weight = f.weightOf(row, column) ?? 0;
  return f.t.encoded.valueType === 'f16' ? f16Value(f16Bits(weight)) : weight;
};

const rounded = (n: number, digits: number): number => Number(n.toFixed(digits));

/** A weight with two decimals, or with more if it is so small that two would make it 0 or 0.01. */
const shortWeight = (w: number): number =>
  Math.abs(w) < 0.0195 ? rounded(w, 3) || Number(w.toPrecision(1)) : rounded(w, 2);

/* 10. What it is worth. */

function verdictFrame(f: Facts): StoryFrame {
  const { rows, cols, numbers, bytes, t } = f;
  return verdict({
    title: 'EC-SpMV',
    step: t.steps.length,
    timedProduct: 'one vector',
    isRelevant: () => false,
    othersText(context) {
      const times = largeTimes(context);
      return times && shortWorthText(times);
    },
    window: { rows, cols, nnz: numbers.start, stored: bytes.total, dense: bytes.dense },
    otherMatrices: {
      part(context) {
        const times = largeTimes(context);
        return times && largePart(times, context);
      },
      slider: (context) => largeTimes(context)?.slider ?? null,
    },
  });
}

function largePart(times: LargeTimes, { recordedTimes }: FrameContext): Part {
  const { planted, random, plainRandom, plainPlanted, rival, dense, main, keptShare } = times;
  const meaning = worthText(times).text.replaceAll('*', '');
  const why = sharingText(times);
  const bar = (title: string, time: RecordedTime | null | undefined, isOther = false): TimedBar[] =>
    time === undefined ? [] : [{ id: title, title, time, isOther }];
  return timesPart({
    // What the times mean comes first: the bytes of the headline do not say it.
    timedOn: [
      { text: `Other matrices, ${shapeText(main.rows, main.cols)}, on ${recordedTimes?.device ?? ''}. ` },
      ink(meaning),
    ],
    dense,
    dense4: rival,
    formatBars: [
      ...bar(`${ALONE}, random rows`, plainRandom, true),
      ...bar('EC-SpMV, random rows', random),
      // If plain lists of random rows have a bar, those of rows made to share have one, too, also if they were not timed.
      ...bar(`${ALONE}, rows made to share`, plainRandom && planted ? (plainPlanted ?? null) : plainPlanted, true),
      ...bar('EC-SpMV, rows made to share', planted),
    ],
    ...(why !== undefined && { meaning: why }),
    source: `${densityText(keptShare)} of the weights kept, empty cache, ${main.date}.`,
  });
}
