import { unitText } from '../../../core/story/cell-unit.ts';
import { type Bar, bars } from '../../../core/story/flow/bars.ts';
import type { Cell } from '../../../core/story/flow/cell-marks.ts';
import type { CellRow } from '../../../core/story/flow/cells.ts';
import { close, fitting, ink, note, since, stack, until } from '../../../core/story/flow/parts.ts';
import type { Picture } from '../../../core/story/flow/picture.ts';
import type { Part } from '../../../core/story/flow/room.ts';
import { ask, tell, type StoryFrame } from '../../../core/story/flow/story-frames.ts';
import { type TimedBar, timesPicture, verdict } from '../../../core/story/flow/verdict.ts';
import type { FrameContext, RecordedTime } from '../../../core/story/frames.ts';
import { leftText } from '../../../core/story/rounded.ts';
import type { TextRun } from '../../../core/story/scene.ts';
import { cellName } from '../../../core/story/scene-parts.ts';
import { fact, type Stated, stated } from '../../../core/story/stated.ts';
import { capitalised, counted, countText, shapeText, xText } from '../../../core/story/words.ts';
import type { Block } from '../extract.ts';
import { blockColumnsInMemory } from '../layout.ts';
import {
  adviceText,
  allListsText,
  areFirst,
  factsOf,
  type Facts,
  fillText,
  finalBlocks,
  firstLoad,
  type FirstPair,
  gainStated,
  hasShortLists,
  shortText,
  inListsText,
  ONLY_EQUALS,
  joinedText,
  joiningLists,
  kindsText,
  lanesInAll,
  lanesText,
  largeTimes,
  type LargeTimes,
  type LeftBlock,
  listsAlone,
  leftoverAnswers,
  leftOverText,
  lengthOf,
  nothingText,
  pairsInCommon,
  realText,
  setBytes,
  sharedBelow,
  sharedInAll,
  sharingText,
  shownLeft,
  singles,
  stepBytes,
  stepSize,
  stepsOf,
  takenText,
  slowerText,
  timedLanes,
  worthText,
  zerosLeft,
  zerosText,
} from './facts.ts';
import {
  ALONE,
  allBytes,
  cutBars,
  byLength,
  cellsOf,
  inBlock,
  lists,
  matrix,
  numberCell,
  numbersBar,
  rowsStated,
  shownRows,
  pairOf,
  startBar,
  sharedList,
  bracket,
  LANES_SHOWN,
  laneCells,
  levelBar,
  weightNote,
  wholeBars,
} from './shared-parts.ts';
import type { EcCsrTrace } from './levels.ts';

/*
 * EC-SpMV, shown in at most thirteen frames and two questions, from top to bottom: rows repeat the same columns, two rows share a
 * list, columns leave in fours, pairs join to larger blocks, what is left is put in order and stored, and what it is worth. The
 * matrix stands at the top of every picture except those that count lists, and its bytes at the bottom.
 */

const WHO = 'Who shares?';
const OUT = 'Take out';
const AGAIN = 'Again, larger';
const ORDER = 'Store';
const MULTIPLY = 'Multiply';

/** The frames of EC-SpMV’s story on a window. */
export function story(t: EcCsrTrace): readonly StoryFrame[] {
  const f = factsOf(t);
  const { first, best, largest, leftBlock, rows, min } = f;
  if (f.numbers.start === 0) return [manyNumbers(f), nothingToStore(f), worth(f)];
  const mayShare = rows > 1 && t.encoded.maxGranularity > 1 && best !== null;
  // With narrow steps, more columns stay than a multiple leaves over: no question that one can answer.
  const isFours = first !== null && first.left.length === first.columns.length % min;
  return [
    manyNumbers(f),
    ...(mayShare ? [firstPair(f, first ?? best), inFours(f, first ?? best)] : []),
    ...(first && isFours ? [whatStays(f, first)] : []),
    first ? takeOut(f, first, isFours) : nothingLeaves(f),
    ...(largest ? [otherPairs(f)] : []),
    ...(largest && largest.rows.length > 4 ? [pairsPair(f)] : []),
    ...(largest ? [largestBlock(f, largest)] : []),
    ...(largest && leftBlock?.othersLack ? [whereTo(f, largest, leftBlock)] : []),
    steps(f),
    ...(zerosLeft(f) > 0 ? [leftOver(f)] : []),
    bookkeeping(f),
    againstPlain(f),
    fetchedOnce(f),
    worth(f),
  ];
}

const rowUnit = ['row', 'rows'] as const;
const columnUnit = ['column', 'columns'] as const;

/* 1. The problem. */

function manyNumbers(f: Facts): StoryFrame {
  const { everywhere, alike, largest, numbers, rows } = f;
  const shown = shownRows(f).length;
  const all = Array.from({ length: rows }, (_, r) => r);
  const own = (f.first ?? f.best)?.rows ?? all.filter((r) => f.columnsOf(r).length > 0).slice(0, 1);
  const [columns, of] = everywhere.length > 0 ? [everywhere, all] : [alike ?? [], Array.from(largest?.rows ?? [])];
  const lit = (r: number, c: number): boolean => columns.length === 0 || (of.includes(r) && columns.includes(c));
  const same = columns.length === 1 ? 'the same one' : `the same ${countText(columns.length)}`;
  const times = stated`${fact('rows with these columns', of.length, 'word')} times`.text;
  const repeated = columns.length === 0 ? '' : `${countText(columns.length * of.length)} are ${same}, ${times}.`;
  return tell({
    id: 'many numbers',
    chapter: WHO,
    moves: [0],
    say: problem(f),
    above: matrix(f, { lit }),
    body: stack(
      lists(
        f,
        Array.from(own, (r) => ({ rows: [r], columns: f.columnsOf(r) })),
      ),
      close(
        weightNote(f, columns.length > 0),
        rows > shown ? note('hidden rows', `${shown} of ${rows} rows are shown.`) : null,
      ),
    ),
    below: numbersBar(
      f,
      numbers.start,
      `${counted(numbers.start, 'column number')}, ${counted(f.numberBytes, 'byte')} each. ${repeated}`,
    ),
  });
}

function problem(f: Facts): Stated {
  const { rows, numbers, everywhere, alike, largest, used } = f;
  if (numbers.start === 0) return stated`No weight is left here: no row has a column to share.`;
  if (rows === 1) return stated`One row stores its column numbers: there is no other row to share with.`;
  const head = stated`Each row stores its own column numbers.`;
  if (everywhere.length > 0) {
    const repeated = fact('columns of every row', everywhere.length, 'Word', ['column is', 'columns are']);
    return stated`${head} *${repeated} in every row.*`;
  }
  if (largest && alike)
    return stated`${head} *${fact('rows of the largest block', largest.rows.length, 'Word', rowUnit)} have the same ${fact('columns of these rows', alike.length, 'count', columnUnit)}.*`;
  if (used === numbers.start) return stated`${head} No column is there twice: *nothing to share*.`;
  return stated`${head} These ${fact('column numbers at first', numbers.start)} name only *${fact('columns that are used', used, 'count', columnUnit)}*.`;
}

function nothingToStore(f: Facts): StoryFrame {
  const stored = fact('bytes', f.bytes.total, 'count', ['byte', 'bytes']);
  const isAny = f.rows * f.cols > 0;
  return tell({
    id: 'nothing to store',
    chapter: ORDER,
    step: stepsOf(f).encoded,
    say: stated`No weight, no list: *${stored}* of ${fact('bytes of dense', f.bytes.dense)} are stored.`,
    body: isAny ? matrix(f, {}) : note('nothing', `${shapeText(f.rows, f.cols)}: this cut has no cells.`),
    below: allBytes(f, 'Nothing but the bytes of dense.'),
  });
}

/* 2. Two rows share columns. */

function firstPair(f: Facts, { rows: [a, b], columns }: Pick<FirstPair, 'rows' | 'columns'>): StoryFrame {
  const shared = fact('columns of both rows', columns.length, 'count', columnUnit);
  const [row, other] = [fact('row', f.rowNumber(a)), fact('other row', f.rowNumber(b))];
  const rule = f.first ? ' Each row joins the row below that has most in common and no partner yet.' : '';
  return tell({
    id: 'first pair',
    chapter: WHO,
    moves: [900, 700],
    say: f.first
      ? stated`From the top: row ${row} joins row ${other}, *${shared} in common*.`
      : stated`Rows ${row} and ${other} share *${shared}*: no two share more.`,
    above: pairOf(f, [a, b], columns, { beside: sharedBelow(f, a) }),
    body: stack(
      lists(f, [{ rows: [a, b], columns, look: 'outline', title: 'in both' }]),
      since(1, note('others', `Right: columns in common with row ${f.rowNumber(a)}.${rule}`)),
    ),
    below: startBar(f),
  });
}

/* 3. Why columns leave in fours. */

const TURNS = 2;

function inFours(f: Facts, { rows: [a, b] }: Pick<FirstPair, 'rows'>): StoryFrame {
  const { lanes, vectorSize } = f.t.encoded;
  const perLane = TURNS * vectorSize;
  // A list as an example: how many leave is asked next.
  const turnOf = (i: number): number => Math.floor((i % perLane) / vectorSize) + 1;
  const number = (i: number): Cell => ({ look: turnOf(i) === 1 ? 'lit' : 'plain' });
  const turn = (i: number): Cell => ({ text: String(turnOf(i)), look: 'words' });
  const together = fact('columns that leave together', f.min, 'word');
  const drawn = lanes > LANES_SHOWN ? ` ${LANES_SHOWN} of ${lanes} are drawn.` : '';
  const lane: readonly TextRun[] = [
    ink('Lane'),
    {
      text: `: such a worker, with its own part of the list.${drawn} So a shared list has ${[1, 2, 3].map((n) => n * f.min).join(', ')} or more numbers: `,
    },
    ink(`whole ${stated`${together}`.text}s`),
    { text: ', so that every turn is full. Fewer than that in common: no pair. Pale: a later turn.' },
  ];
  const workers = fact('lanes', lanes, 'word', ['worker', 'workers']);
  const reads = fact('columns of a lane at once', vectorSize, 'word', columnUnit);
  return tell({
    id: 'in fours',
    chapter: WHO,
    moves: [900],
    say: stated`Here a GPU reads a list with ${workers}, ${reads} each: *${together} at once*.`,
    above: matrix(f, { strong: [a, b] }),
    body: close(
      laneCells(f, perLane, [
        { id: 'list', title: 'example list', tone: 'indices', cell: number },
        { id: 'turns', title: 'read in turn', cell: turn },
      ]),
      note('lane is', lane),
    ),
    also: lanesInAll(f),
    below: startBar(f),
  });
}

/* Question: what is left over? */

function whatStays(f: Facts, pair: FirstPair): StoryFrame {
  const { rows, columns, taken, left } = pair;
  const { min } = f;
  const choices = leftoverAnswers(columns.length, min);
  const list = (order: readonly number[], isAnswered: boolean): Part => {
    const spans = isAnswered ? [bracket('list', 0, taken.length, `${taken.length / min} \u00d7 ${min}`)] : [];
    const stays = isAnswered && left.length > 0 ? [bracket('stays', taken.length, order.length, 'left over')] : [];
    const cell = (i: number): Cell => ({
      ...numberCell(f, rows[0], order[i]),
      ring: isAnswered && i >= taken.length,
    });
    return sharedList(f, order.length, cell, [...spans, ...stays]);
  };
  const [together, away] = [fact('columns that leave together', min), fact('columns that leave', taken.length)];
  const stay = fact('columns that stay', left.length, 'word');
  const head = areFirst(pair) && left.length > 0 ? stated`The first ${away}` : stated`${away}`;
  return ask(
    {
      id: 'what stays',
      chapter: WHO,
      say: stated`${fact('columns of both rows', columns.length, 'count', columnUnit)} in common, in whole ${fact('columns that leave together', min, 'word')}s. How many are left over?`,
      above: pairOf(f, rows, columns),
      body: list(columns, false),
    },
    { body: list([...taken, ...left], true) },
    {
      options: choices.map(String),
      answer: choices.indexOf(left.length),
      because: stated`${head} = ${fact('times', taken.length / min)} \u00d7 ${together} go into the list, ${left.length === 0 ? 'none' : stay} ${left.length < 2 ? 'is' : 'are'} left over.`,
    },
  );
}

/* 4. A list for two rows. */

function takeOut(f: Facts, first: FirstPair, isFours: boolean): StoryFrame {
  const { rows, columns, taken, left, pair } = first;
  const weights = rows.map((r): CellRow => {
    const cell = (c: number): Cell | null =>
      taken.includes(c)
        ? { id: cellName(r, c), text: unitText(f.weightOf(r, c) ?? 0, f.unit), look: 'plain', about: [cellName(r, c)] }
        : null;
    return { id: `block ${r}`, title: `row ${f.rowNumber(r)}`, tone: 'values', cell };
  });
  const away = `${columns.length} = ${taken.length / f.min} \u00d7 ${f.min}${left.length > 0 ? ` + ${left.length}` : ''}`;
  const why: readonly TextRun[] = isFours
    ? [
        ink(`${away}.`),
        { text: `${takenText(first)} Their weights go along. Dashed: now in the list.${stillText(f, left)}` },
      ]
    : [{ text: `A step writes at most ${2 ** f.t.encoded.deltaBits - 1}: columns that are too far apart stay.` }];
  return tell({
    id: 'take out',
    chapter: OUT,
    moves: [1200, 700],
    say: takeOutText(first),
    above: matrix(f, { gone: cellsOf(pair.blocks), strong: rows }),
    body: stack(lists(f, [{ rows, columns: taken }], weights), since(1, note('why', why))),
    below: numbersBar(
      f,
      f.numbers.first,
      `${countText(f.numbers.start)} \u2212 ${countText(taken.length)} = ${counted(f.numbers.first, 'column number')}.`,
    ),
  });
}

/** Where what is left over still is. */
function stillText(f: Facts, left: readonly number[]): string {
  if (left.length === 0) return '';
  const which = left.length === 1 ? `: column ${f.columnNumber(left[0])}` : '';
  return ` Left over${which}, still blue in both rows.`;
}

function takeOutText({ taken, left, pair }: FirstPair): Stated {
  const count = pair.blocks.length;
  const kept = count === 1 ? stated`*one list*` : stated`*${fact('lists of the pair', count, 'word')} lists*`;
  const head = stated`Two rows, ${kept}: ${fact('columns that leave', taken.length)} column numbers instead of ${fact('column numbers of both rows', 2 * taken.length)}.`;
  if (left.length === 0) return head;
  return stated`${head} ${fact('columns that stay', left.length, 'Word', columnUnit)} ${left.length === 1 ? 'is' : 'are'} left over.`;
}

/** Where nothing leaves: why. */
function nothingLeaves(f: Facts): StoryFrame {
  return tell({
    id: 'nothing leaves',
    chapter: OUT,
    say: (context) => nothingText(f, context),
    also: sharedInAll,
    above: matrix(f, { lit: () => true }),
    body: note('alone', 'A list for each row alone.'),
    below: numbersBar(f, f.numbers.start, `Still ${counted(f.numbers.start, 'column number')}.`),
  });
}

/* 5 to 7. The same for all pairs, for pairs of pairs, and again. */

function otherPairs(f: Facts): StoryFrame {
  const { first, search } = f;
  const alone = lengthOf(singles(f));
  const hasOthers = search.levels[1].length > (first?.pair.blocks.length ?? 0);
  const head = hasOthers ? stated`Other pairs do the same.` : stated`No other pair shares enough.`;
  const left = fact('single weights', alone, 'Word', ['weight is', 'weights are']);
  return tell({
    id: 'other pairs',
    chapter: OUT,
    moves: [1200],
    say: alone === 0 ? stated`${head} No weight is left over.` : stated`${head} *${left} left over.*`,
    above: matrix(f, { gone: cellsOf(search.levels[1]), ringed: cellsOf(singles(f)) }),
    body: lists(f, byLength(search.levels[1]), [], leftOverText(f)),
    below: levelBar(f, 0),
  });
}

/** Pairs of pairs, before these join, too. */
function pairsPair(f: Facts): StoryFrame {
  const { levels, extraction } = f.search;
  const all = byLength([...levels[2], ...extraction.sets[1].blocks]);
  const inCommon = pairsInCommon(f);
  return tell({
    id: 'pairs pair up',
    chapter: AGAIN,
    moves: [1200],
    say: stated`Pairs pair up as rows did: *four rows, one list*.`,
    above: matrix(f, { gone: cellsOf(all), ...(inCommon && { beside: inCommon.counts, strong: inCommon.strong }) }),
    body: lists(f, all, [], `${inCommon?.said ?? ''}${ONLY_EQUALS}`),
    below: levelBar(f, 1),
  });
}

function largestBlock(f: Facts, block: Block): StoryFrame {
  const { rows, columns } = block;
  const numbers = fact('columns of the largest block', columns.length, 'count', ['number', 'numbers']);
  const before = fact('numbers of the lists that join', 2 * columns.length);
  const atFirst = fact('weights of the largest block', rows.length * columns.length);
  const head = stated`${fact('rows of the largest block', rows.length, 'Word')} rows, one list: *${numbers} where ${before} stood*`;
  const others = finalBlocks(f).filter((one) => one.rows[0] !== rows[0] || one.columns[0] !== columns[0]);
  const halves = joiningLists(f).map((one) => ({ rows: one.rows, columns, look: 'outline' as const }));
  const rest = halves.length > 0 ? [...waiting(f), ...smallerLists(f, block)] : byLength(others);
  const all = (list: Block): Part => lists(f, [...halves, list, ...rest], [], '', LISTS_HERE);
  return tell({
    id: 'largest block',
    chapter: AGAIN,
    moves: [1200, 700],
    say: rows.length > 2 ? stated`${head} (${atFirst} at first).` : stated`${head}.`,
    above: matrix(f, { gone: cellsOf(finalBlocks(f)), strong: rows }),
    body: stack(
      until(1, all({ rows, columns: new Uint32Array() }), all(block)),
      since(1, note('one list', joinedText(f, block))),
    ),
    below: levelBar(f, f.numbers.levels.length - 1, true),
  });
}

/** Lists where two join: these, the one that they make, and what stays. */
const LISTS_HERE = 6;

/** Columns that the next question asks for. */
const waiting = ({ leftBlock }: Facts) =>
  leftBlock?.othersLack ? [{ ...leftBlock.block, title: 'where to?', look: 'plain' as const }] : [];

/** Lists that stay beside the largest one, without that which the next question asks for. */
const smallerLists = (f: Facts, { rows }: Block): readonly Block[] =>
  byLength(finalBlocks(f)).filter(
    (one) =>
      one.rows.length < rows.length &&
      one.rows.every((r) => rows.includes(r)) &&
      (one !== f.leftBlock?.block || !f.leftBlock.othersLack),
  );

/* Question: where do columns go that only some of the rows share? */

function whereTo(f: Facts, largest: Block, { block }: LeftBlock): StoryFrame {
  const columns = fact('columns of the smaller block', block.columns.length, 'word');
  const more = block.columns.length === 1 ? 'more column. Where does it go?' : 'more columns. Where do these go?';
  const all = stated`${fact('rows of the largest block', largest.rows.length, 'word')} rows`.text;
  const own = fact('rows of the smaller block', block.rows.length, 'word');
  const others = fact('rows without these columns', largest.rows.length - block.rows.length, 'word', rowUnit);
  const look = { lit: inBlock(block), gone: cellsOf(finalBlocks(f)), strong: block.rows, isQuiet: true };
  const final = byLength(finalBlocks(f)).map((one) => (one === block ? one : { ...one, look: 'plain' as const }));
  return ask(
    {
      id: 'where to',
      chapter: AGAIN,
      say: stated`${rowsStated(f, block.rows)} share ${columns} ${more}`,
      above: matrix(f, look),
      body: lists(f, [largest, ...waiting(f), ...smallerLists(f, largest)]),
    },
    {
      above: matrix(f, { ...look, lit: () => false }),
      body: lists(f, final, [], inListsText(f)),
    },
    {
      options: [`the list of ${all}`, stated`a list of ${own} rows`.text, 'no list'],
      answer: 1,
      because: stated`Into a list of ${own} rows: in the other ${others} they would be zeros to store.`,
    },
  );
}

/* 8. How a list is stored. */

/** A stored list, lane by lane: its columns, the numbers that are stored for them, and the bytes of these; then what it takes. */
function storedList(f: Facts, set: number, block: number, ...notes: readonly (Part | null)[]): Part {
  const { t, numberBytes, infos } = f;
  const { lanes, deltaBits } = t.encoded;
  const packed = f.search.sets[set].blocks[block];
  const stored = blockColumnsInMemory(t.encoded, infos[set], block);
  const perLane = stored.length / lanes;
  const own = Array.from({ length: lanes }, (_, lane) =>
    stored.filter((one) => one.lane === lane).map(({ column }) => column),
  );
  /** the lane of a cell, and of which of its columns that is; before these, where the lane begins */
  const at = (i: number): readonly [number, number] => [Math.floor(i / (perLane + 1)), (i % (perLane + 1)) - 1];
  const column = (i: number): Cell | null => {
    const [lane, n] = at(i);
    return n < 0 ? null : { id: `column of ${lane}.${n}`, text: String(f.columnNumber(own[lane][n])), look: 'words' };
  };
  const step = (i: number): Cell => {
    const [lane, n] = at(i);
    if (n < 0) return { ...numberCell(f, packed.rows[0], own[lane][0]), id: `first of ${lane}` };
    const text = n === 0 ? '0' : `+${own[lane][n] - own[lane][n - 1]}`;
    return {
      id: `step ${lane}.${n}`,
      text,
      look: 'lit',
      ...(packed.real[lane * perLane + n] === 0 && { tone: 'padding' }),
    };
  };
  const bytes = (i: number): Cell => ({ text: at(i)[1] < 0 ? `${numberBytes}` : stepBytes(deltaBits), look: 'words' });
  const real = packed.real.reduce((all, one) => all + one, 0);
  const taken = lanes * numberBytes + (stored.length * deltaBits) / 8;
  const sum = `${counted(lanes, 'lane')} \u00d7 ${numberBytes} + ${counted(stored.length, 'step')} \u00d7 ${stepBytes(deltaBits)} = ${counted(taken, 'byte')}. In full: ${real} \u00d7 ${numberBytes} = ${real * numberBytes}.`;
  return stack(
    laneCells(
      f,
      perLane + 1,
      [
        { id: 'columns', title: 'columns', tone: 'ink', cell: column },
        { id: 'stored', title: 'stored', tone: 'indices', cell: step },
        { id: 'bytes of', title: 'bytes', cell: bytes },
      ],
      [...new Set(own.flat().map((c) => String(f.columnNumber(c))))],
    ),
    // bounded: two notes
    close(...notes, since(1, note('one list', sum, { tone: 'ink' }))),
  );
}

function steps(f: Facts): StoryFrame {
  const [packed] = f.search.sets[0].blocks;
  return tell({
    id: 'steps',
    chapter: ORDER,
    step: stepsOf(f).first,
    moves: [900, 700],
    say: stated`Each lane stores its first column, then *steps of ${stepSize(f.t.encoded.deltaBits)}*.`,
    above: matrix(f, { gone: cellsOf(finalBlocks(f)), strong: packed.rows }),
    body: storedList(f, 0, 0, note('lanes', lanesText(f)), hasShortLists(f) ? note('short', shortText(f)) : null),
    below: allBytes(f, allListsText(f), 0),
  });
}

/** What is left over in a row as a list of its own, with the zeros that fill it. */
function leftOver(f: Facts): StoryFrame {
  const { set, block, row, columns } = shownLeft(f);
  const zeros = zerosLeft(f);
  const added = fact('zeros in lists of one row', zeros, 'Word', ['zero is', 'zeros are']);
  return tell({
    id: 'left over',
    chapter: ORDER,
    step: stepsOf(f).encoded,
    moves: [900, 700],
    say: stated`Left over in a row: a short list. *${added} added.*`,
    above: matrix(f, {
      lit: inBlock({ rows: Uint32Array.of(row), columns }),
      gone: cellsOf(finalBlocks(f)),
      strong: [row],
    }),
    body: storedList(f, set, block, note('fill', fillText(f))),
    below: allBytes(f, zerosText(f), 0),
  });
}

/** Numbers that are drawn one by one, at most, and between groups of them, in bytes. */
const NUMBERS_DRAWN = 64;
const GROUPS_APART = 1;

function bookkeeping(f: Facts): StoryFrame {
  const { books, ...bytes } = f.bytes;
  const sets = setBytes(f);
  const count = sets.reduce((sum, { lists: n }) => sum + n, 0);
  /** `group`: so many numbers belong together */
  const bar = (id: string, title: string, size: number, sum: string, group = 0): Bar => {
    const box = size / 4 > NUMBERS_DRAWN ? size : 4;
    const parts = Array.from({ length: size / box }, (_, i) => {
      const from = i * box + (group > 0 ? Math.floor(i / group) * GROUPS_APART : 0);
      return { from, to: from + box, tone: 'metadata' as const, label: `${title}: a number` };
    });
    const numbers = `${sum.includes(' ') ? `${sum} = ` : ''}${counted(size / 4, 'number')}, `;
    return { id, title, parts, after: [{ text: numbers }, ink(counted(size, 'byte'))] };
  };
  const here = fact('bytes of bookkeeping', bytes.bookkeeping, 'count', ['byte', 'bytes']);
  const all = [bytes.weights, bytes.zeros, bytes.columns, bytes.bookkeeping].filter((one) => one > 0).map(countText);
  return tell({
    id: 'bookkeeping',
    chapter: ORDER,
    step: stepsOf(f).encoded,
    moves: [900],
    say: stated`*Bookkeeping* finds rows and lists again: *${here}*.`,
    body: stack(
      bars(
        {
          id: 'books',
          max: Math.max(books.rows, books.starts, books.table + (sets.length - 1) * GROUPS_APART),
          height: 1.6,
          means: 'a box: a number of 4 bytes',
        },
        [
          bar('rows', 'which rows', books.rows, sets.map(({ rows, lists: n }) => countText(rows * n)).join(' + ')),
          bar('starts', 'list starts', books.starts, `${counted(count, 'list')} + ${counted(sets.length, 'end')}`),
          bar('table', 'table', books.table, `${counted(sets.length, 'kind')} \u00d7 9`, 9),
        ],
      ),
      note('kinds', kindsText(sets)),
    ),
    also: (context) => sharingText(f, context),
    below: allBytes(f, `${all.join(' + ')} = ${counted(bytes.total, 'byte')}.`),
  });
}

function againstPlain(f: Facts): StoryFrame {
  const max = Math.max(f.bytes.total, listsAlone(f, { whole: null }).cut);
  return tell({
    id: 'against plain lists',
    chapter: ORDER,
    step: stepsOf(f).encoded,
    moves: [900],
    say: (context) => gainStated(f, context),
    body: bars({ id: 'cut', max, height: 1.5, means: 'bytes of these rows' }, cutBars(f)),
    whole: (context) => wholeBars(f, context),
  });
}

/* 9. The product. */

/** In em: weights as they are. */
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
  const multiplications = fact('multiplications', products, 'count', ['multiplication', 'multiplications']);
  const number = (i: number): Cell => {
    const look = isNow(i) ? 'lit' : 'plain';
    return { ...numberCell(f, rows[0], packed.columns[i], look), id: `fetched ${i}` };
  };
  const ofX = (i: number): Cell | null => {
    const column = packed.columns[i];
    const label = `x of column ${f.columnNumber(column)}: ${t.x[column]}`;
    return isNow(i) ? { id: `x ${i}`, text: xText(rounded(t.x[column], 1)), look: 'outline', label } : null;
  };
  const weight = (i: number): Cell | null => {
    if (!isNow(i)) return null;
    const value = packed.real[i] === 1 ? (f.weightOf(rows[0], packed.columns[i]) ?? 0) : 0;
    return { id: `weight ${i}`, text: xText(rounded(value, 2)) };
  };
  const [long, short] = productTexts(f);
  const later = columns.length < packed.columns.length ? ' Pale: a later turn.' : '';
  const alone = `With a list for each row: ${rows.length} \u00d7 ${columns.length} = ${counted(products, 'fetch', 'fetches')}.`;
  return tell({
    id: 'fetched once',
    chapter: MULTIPLY,
    step: stepsOf(f).fetch,
    moves: [900, 700],
    say: stated`Each fetched number of *x* serves ${fact('rows of the block', rows.length, 'word', rowUnit)}: in one turn *${fetches}, ${multiplications}*.`,
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
        [...f.texts, '\u2212.88'],
        WIDE_CELLS,
      ),
      close(
        fitting(note('one product', long, { tone: 'ink' }), note('one product', short, { tone: 'ink' })),
        since(1, note('alone', `${rows.length > 1 ? alone : 'A row alone shares none.'}${later}`)),
      ),
    ),
    below: allBytes(f, 'A multiplication by x reads all of these bytes.'),
  });
}

/** The first product of all, with the numbers that are written above it; and shorter, for a phone. */
function productTexts(f: Facts): readonly [string, string] {
  const { columns, rows } = firstLoad(f);
  const [{ column }] = columns;
  const weight = rounded(f.weightOf(rows[0], column) ?? 0, 2);
  const x = rounded(f.t.x[column], 1);
  const [a, b, product] = [weight, x, rounded(weight * x, 3)].map((n) => String(n).replace('-', '\u2212'));
  const head = `row ${f.rowNumber(rows[0])}: ${a} \u00d7 ${b} = ${product}`;
  return [
    `x is the input. Turn 1, ${head}, and so on. A row\u2019s result: the sum of all lanes and lists.`,
    `x is the input. ${capitalised(head)}. All products of a row add up.`,
  ];
}

const rounded = (n: number, digits: number): number => Number(n.toFixed(digits));

/* 10. What it is worth. */

function worth(f: Facts): StoryFrame {
  const { rows, cols, numbers, bytes, t } = f;
  const untimed = verdict({
    title: 'EC-SpMV',
    step: t.steps.length,
    what: 'one vector',
    among: () => false,
    cut: { rows, cols, nnz: numbers.start, stored: bytes.total, dense: bytes.dense },
  });
  return {
    ...untimed,
    say: (context) => {
      const times = largeTimes(context);
      return times ? worthText(times) : untimed.say(context);
    },
    show: (context) => {
      const times = largeTimes(context);
      return times ? largePicture(times, context) : untimed.show(context);
    },
    slider: (context) => largeTimes(context)?.slider ?? null,
  };
}

function largePicture(times: LargeTimes, { recorded }: FrameContext): Picture {
  const { planted, random, plain, rival, dense, main, kept } = times;
  const bar = (title: string, time: RecordedTime | null | undefined): TimedBar[] =>
    time === undefined ? [] : [{ id: title, title, time }];
  return timesPicture({
    dense,
    rival,
    isRivalLine: true,
    own: [
      ...bar('EC-SpMV, rows that share', planted),
      ...bar('EC-SpMV, random rows', random),
      ...bar(`${ALONE}, random rows`, plain).map((one) => ({ ...one, isOther: true })),
    ],
    here: [ink(adviceText(times)), { text: `${realText()}${slowerText(times)}${timedLanes}` }],
    source: `${shapeText(main.rows, main.cols)}, ${leftText(kept)} kept, one vector, ${recorded?.device ?? ''}, empty cache, ${main.date}.`,
  });
}
