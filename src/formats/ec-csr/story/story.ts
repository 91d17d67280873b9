import { unitText } from '../../../core/story/drawing.ts';
import { type Bar, bars } from '../../../core/story/flow/bars.ts';
import type { Cell, Span } from '../../../core/story/flow/cell-marks.ts';
import { type CellRow, cells } from '../../../core/story/flow/cells.ts';
import { close, fitting, note, row, since, stack } from '../../../core/story/flow/parts.ts';
import type { Picture } from '../../../core/story/flow/picture.ts';
import type { Part } from '../../../core/story/flow/room.ts';
import { ask, tell, type StoryFrame } from '../../../core/story/flow/story-frames.ts';
import { type TimedBar, timesPicture, verdict } from '../../../core/story/flow/verdict.ts';
import { type FrameContext, type RecordedTime, wholeFact } from '../../../core/story/frames.ts';
import { leftText, shareText } from '../../../core/story/rounded.ts';
import type { TextRun } from '../../../core/story/scene.ts';
import { cellName } from '../../../core/story/scene-parts.ts';
import { fact, type Stated, stated } from '../../../core/story/stated.ts';
import { capitalised, counted, countText, shapeText } from '../../../core/story/words.ts';
import type { Block } from '../extract.ts';
import { blockColumnsInMemory } from '../layout.ts';
import {
  type Facts,
  factsOf,
  fetched,
  finalBlocks,
  type FirstPair,
  largeTimes,
  type LargeTimes,
  type LeftBlock,
  lengthOf,
  setBytes,
  singles,
  staying,
  stepsOf,
} from './facts.ts';
import {
  allBytes,
  byLength,
  byRoom,
  cellsOf,
  inBlock,
  type List,
  lists,
  matrix,
  numberCell,
  numbersBar,
  ROWS_ON_PHONE,
  ROWS_WITH_WORDS,
  rowsStated,
  rowsTitle,
  shownRows,
  WIDEST,
} from './stays.ts';
import type { EcCsrTrace } from './levels.ts';

/*
 * EC-SpMV, shown in at most twelve frames and two questions, from top to bottom: rows repeat the same columns, two rows share a
 * list, columns leave in fours, pairs join to larger blocks, what is left is put in order and stored, and what it is worth. The
 * matrix stands at the top of every picture, and its bytes at the bottom.
 */

const WHO = 'Who shares?';
const OUT = 'Take out';
const AGAIN = 'Again, larger';
const ORDER = 'Put in order';
const MULTIPLY = 'Multiply';

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
    ...(largest && largest.rows.length > 4 ? [pairsPairUp(f)] : []),
    ...(largest ? [largestBlock(f, largest)] : []),
    ...(largest && leftBlock?.othersLack ? [whereTo(f, largest, leftBlock)] : []),
    ...(largest ? [allBlocks(f, leftBlock)] : []),
    steps(f),
    bookkeeping(f),
    fetchedOnce(f),
    worth(f),
  ];
}

const ink = (text: string): TextRun => ({ text, strong: true, tone: 'ink' });
const rowUnit = ['row', 'rows'] as const;
const columnUnit = ['column', 'columns'] as const;

/* 1. The problem. */

function manyNumbers(f: Facts): StoryFrame {
  const { everywhere, numbers, rows } = f;
  const hiddenRows = (shown: number): Part | null =>
    rows > shown ? note('hidden rows', `${shown} of ${rows} rows are shown.`) : null;
  const lit = (_: number, c: number): boolean => everywhere.length === 0 || everywhere.includes(c);
  const repeated =
    everywhere.length > 0
      ? `${countText(everywhere.length * rows)} of ${countText(numbers.start)} column numbers repeat ${everywhere.length === 1 ? 'this column' : `these ${countText(everywhere.length)} columns`}.`
      : null;
  return tell({
    id: 'many numbers',
    chapter: WHO,
    moves: [0],
    say: problem(f),
    above: matrix(f, { lit }),
    body: close(
      repeated === null ? null : note('repeated', repeated, { tone: 'ink' }),
      note('unit', unitMeans(f)),
      byRoom(stack(hiddenRows(shownRows(f).length)), stack(hiddenRows(shownRows(f, ROWS_ON_PHONE).length))),
    ),
    below: numbersBar(
      f,
      numbers.start,
      `${counted(numbers.start, 'column number')} of ${counted(f.numberBytes, 'byte')}: one for each weight.`,
    ),
  });
}

/** What the numbers in the cells mean. */
function unitMeans(f: Facts): string {
  const { unit, rows, cols, numbers } = f;
  const hasWords = shownRows(f).length <= ROWS_WITH_WORDS;
  const kept = `${countText(numbers.start)} of ${countText(rows * cols)} weights are not zero.`;
  return unit.name === null || !hasWords ? kept : `${kept} Their cells are in ${unit.name}.`;
}

function problem({ rows, numbers, everywhere, used }: Facts): Stated {
  if (numbers.start === 0) return stated`No weight is left here: no row has a column to share.`;
  if (rows === 1) return stated`One row stores its column numbers: there is no other row to share with.`;
  const head = stated`Each row stores its own column numbers.`;
  if (everywhere.length > 0) {
    const repeated = fact('columns of every row', everywhere.length, 'Word', ['column is', 'columns are']);
    return stated`${head} *${repeated} in every row.*`;
  }
  if (used === numbers.start) return stated`${head} No column is there twice: *nothing to share*.`;
  return stated`${head} The ${fact('column numbers at first', numbers.start)} are of only *${fact('columns that are used', used, 'count', columnUnit)}*.`;
}

function nothingToStore(f: Facts): StoryFrame {
  const stored = fact('bytes', f.bytes.total, 'count', ['byte', 'bytes']);
  const isAny = f.rows * f.cols > 0;
  return tell({
    id: 'nothing to store',
    chapter: ORDER,
    step: stepsOf(f).encoded,
    say: stated`No weight, no block: *${stored}* of ${fact('bytes of dense', f.bytes.dense)} are stored.`,
    body: isAny ? matrix(f, {}) : note('nothing', `${shapeText(f.rows, f.cols)}: this cut has no cells.`),
    below: allBytes(f, 'Nothing but the bytes of dense.'),
  });
}

/* 2. Two rows share columns. */

/** The columns that both rows have, before any leaves. */
function pairAbove(f: Facts, rows: FirstPair['rows'], columns: readonly number[]): Pick<Picture, 'above' | 'below'> {
  const lit = inBlock({ rows: Uint32Array.from(rows), columns: Uint32Array.from(columns) });
  return {
    above: matrix(f, { lit, strong: rows }),
    below: numbersBar(f, f.numbers.start, 'Nothing is shared yet.'),
  };
}

/** These columns, close together. */
const sharedList = (f: Facts, count: number, cell: CellRow['cell'], spans: readonly Span[]): Part =>
  cells({ count, lines: 2, max: WIDEST, widest: f.texts }, [
    { id: 'shared', title: 'shared', tone: 'indices', cell, spans },
  ]);

const bracket = (id: string, from: number, to: number, said: string): Span => ({ id, from, to, said, tone: 'ink' });

function firstPair(f: Facts, { rows: [a, b], columns }: Pick<FirstPair, 'rows' | 'columns'>): StoryFrame {
  const shared = fact('columns of both rows', columns.length, 'count', columnUnit);
  const head = stated`Rows ${fact('row', f.rowNumber(a))} and ${fact('other row', f.rowNumber(b))} share *${shared}*`;
  const rule = f.first ? ' From the top, each row takes the free one that shares most.' : '';
  return tell({
    id: 'first pair',
    chapter: WHO,
    moves: [900, 700],
    say: f.first && !f.first.isBest ? stated`${head}: they become a pair.` : stated`${head}, the best pair.`,
    ...pairAbove(f, [a, b], columns),
    body: stack(
      lists(f, [{ rows: [a, b], columns }]),
      since(1, note('others', `Both have a weight in each of these.${rule}`)),
    ),
  });
}

/* 3. Why columns leave in fours. */

const LANES_SHOWN = 4;

function inFours(f: Facts, { rows: [a, b], columns }: Pick<FirstPair, 'rows' | 'columns'>): StoryFrame {
  const { lanes, vectorSize } = f.t.encoded;
  const shown = Math.min(lanes, LANES_SHOWN);
  // Which columns they are is told with the blocks: a lane has columns that are next to each other in a list.
  const atOnce: CellRow = {
    id: 'at once',
    title: 'at once',
    tone: 'indices',
    spans: Array.from({ length: shown }, (_, lane) =>
      bracket(`lane ${lane}`, lane * vectorSize, (lane + 1) * vectorSize, `lane ${lane}`),
    ),
    cell: (i) =>
      i < columns.length ? { look: 'lit', label: 'a column' } : { look: 'ghost', label: 'nothing to read' },
  };
  const lane: readonly TextRun[] = [
    ink('Lane'),
    {
      text: `: a worker of the GPU.${lanes > shown ? ` ${shown} of ${lanes} are drawn.` : ''} All read at once, and none may idle.`,
    },
  ];
  const reads = fact('columns of a lane at once', vectorSize, 'word', columnUnit);
  const together = fact('columns that leave together', f.min, 'word');
  return tell({
    id: 'in fours',
    chapter: WHO,
    moves: [900],
    say: stated`${fact('lanes', lanes, 'Word')} lanes read ${reads} each: so a list takes columns *in ${together}s*.`,
    ...pairAbove(f, [a, b], columns),
    body: stack(
      lists(f, [{ rows: [a, b], columns, look: 'plain' }]),
      cells({ count: shown * vectorSize, lines: 1, max: WIDEST, widest: f.texts }, [atOnce]),
      note('lane is', lane),
    ),
  });
}

/* Question: what is left over? */

function whatStays(f: Facts, pair: FirstPair): StoryFrame {
  const { rows, columns, taken, left } = pair;
  const { min } = f;
  const choices = staying(columns.length, min);
  const list = (order: readonly number[], isAnswered: boolean): Part => {
    const spans = Array.from({ length: isAnswered ? taken.length / min : 1 }, (_, i) =>
      bracket(`group ${i}`, i * min, (i + 1) * min, String(min)),
    );
    const stays = isAnswered && left.length > 0 ? [bracket('stays', taken.length, order.length, 'left over')] : [];
    const cell = (i: number): Cell => ({
      ...numberCell(f, rows[0], order[i], isAnswered && i >= taken.length ? 'plain' : 'lit'),
      ring: isAnswered && i >= taken.length,
    });
    return sharedList(f, order.length, cell, [...spans, ...stays]);
  };
  const [together, away] = [fact('columns that leave together', min), fact('columns that leave', taken.length)];
  const stay = fact('columns that stay', left.length, 'word');
  return ask(
    {
      id: 'what stays',
      chapter: WHO,
      say: stated`${fact('columns of both rows', columns.length)} in common, taken in ${fact('columns that leave together', min, 'word')}s. How many are left over?`,
      ...pairAbove(f, rows, columns),
      body: list(columns, false),
    },
    { body: list([...taken, ...left], true) },
    {
      options: choices.map(String),
      answer: choices.indexOf(left.length),
      because: stated`${away} = ${fact('times', taken.length / min)} \u00d7 ${together} go into the list, ${stay} ${left.length === 1 ? 'is' : 'are'} left over.`,
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
  const isOne = pair.blocks.length === 1;
  const away = `${columns.length} = ${taken.length / f.min} \u00d7 ${f.min}${left.length > 0 ? ` + ${left.length}` : ''}`;
  const why: readonly TextRun[] = isFours
    ? [ink(`${away}.`), { text: stayText(f, left) }]
    : [{ text: `A step writes at most ${2 ** f.t.encoded.deltaBits - 1}: columns that are too far apart stay.` }];
  return tell({
    id: 'take out',
    chapter: OUT,
    moves: [1200, 700],
    say: takeOutText(first),
    above: matrix(f, {
      gone: cellsOf(pair.blocks),
      ringed: cellsOf([{ rows: Uint32Array.from(rows), columns: Uint32Array.from(left) }]),
      strong: rows,
    }),
    body: stack(lists(f, [{ rows, columns: taken }], weights), since(1, note('why', why))),
    below: numbersBar(
      f,
      f.numbers.first,
      `${countText(f.numbers.start)} \u2212 ${countText(taken.length)} = ${counted(f.numbers.first, 'column number')}.`,
    ),
    arrows: isOne
      ? [taken[0], taken[taken.length - 1]].map((c) => ({
          from: `gone ${cellName(rows[1], c)}`,
          to: `number ${rows[0]},${c}`,
          tone: 'indices' as const,
        }))
      : [],
  });
}

/** Which columns stay, and why these. */
function stayText(f: Facts, left: readonly number[]): string {
  if (left.length === 0) return ' None stays.';
  if (left.length > 1) return ` Dashed cells left the matrix; ringed columns stay.`;
  return ` Dashed cells left the matrix; column ${f.columnNumber(left[0])} stays.`;
}

function takeOutText({ taken, left, pair }: FirstPair): Stated {
  const count = pair.blocks.length;
  const kept = count === 1 ? stated`*one list*` : stated`*${fact('lists of the pair', count, 'word')} lists*`;
  const head = stated`Two rows, ${kept}: ${fact('columns that leave', taken.length)} column numbers instead of ${fact('column numbers of both rows', 2 * taken.length)}.`;
  if (left.length === 0) return head;
  return stated`${head} ${fact('columns that stay', left.length, 'Word', columnUnit)} ${left.length === 1 ? 'stays' : 'stay'}.`;
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

/** Columns of the whole matrix that a list can be shared for. */
function sharedInAll(context: FrameContext): Stated | null {
  const shared = wholeFact(context, 'columns of several rows', 'count', ['column is', 'columns are']);
  return shared && shared.value > 0 ? stated`In the whole matrix, ${shared} in more than one row.` : null;
}

function nothingText({ best, min, t, rows }: Facts, context: FrameContext): Stated {
  const every = stated`*Every row keeps its list.*`;
  if (t.encoded.maxGranularity === 1) return stated`Blocks of one row: sharing is switched off. ${every}`;
  if (rows < 2) return stated`One row has no partner. *It keeps its own list.*`;
  if (wholeFact(context, 'columns of several rows')?.value === 0) {
    const shared = wholeFact(context, 'columns of several rows', 'Word', columnUnit);
    return stated`${shared ?? ''} of the matrix are in two rows. ${every}`;
  }
  if (best === null) return stated`No two rows share a column. ${every}`;
  const max = best.columns.length;
  const needed = fact('columns that leave together', min, 'word', columnUnit);
  if (max >= min) return stated`No pair shares ${needed} close enough together. ${every}`;
  return stated`The best two rows share ${fact('columns of the best two rows', max, 'word')}, fewer than ${fact('columns that leave together', min, 'word')}. ${every}`;
}

/* 5 to 7. The same for all pairs, for pairs of pairs, and again. */

function otherPairs(f: Facts): StoryFrame {
  const { first, search } = f;
  const alone = lengthOf(singles(f));
  const hasOthers = search.levels[1].length > (first?.pair.blocks.length ?? 0);
  const head = hasOthers ? stated`Other pairs do the same.` : stated`No other pair shares enough.`;
  const left = fact('single weights', alone, 'Word', ['weight fills', 'weights fill']);
  const group = fact('columns that leave together', f.min, 'word');
  return tell({
    id: 'other pairs',
    chapter: OUT,
    moves: [1200],
    say: alone === 0 ? stated`${head} No weight is left over.` : stated`${head} *${left} no ${group} with a partner.*`,
    above: matrix(f, { gone: cellsOf(search.levels[1]), ringed: cellsOf(singles(f)) }),
    body: lists(f, byLength(search.levels[1])),
    below: levelBar(f, 0),
  });
}

/** Column numbers in the lists of a level, in those that no larger block took, and of single weights. */
function levelBar(f: Facts, level: number, isLast = false): Part {
  const { numbers } = f;
  const { levels } = f.search;
  const kept = numbers.levels[level];
  const alone = lengthOf(singles(f));
  const inLists = lengthOf(levels[isLast ? levels.length - 1 : level + 1] ?? []);
  const smaller = kept - inLists - alone;
  const parts = [
    [inLists, isLast ? `for ${counted(2 ** (levels.length - 1), 'row')}` : 'in these lists'],
    [smaller, 'in smaller lists'],
    [alone, 'single'],
  ] as const;
  const sum = parts.filter(([n]) => n > 0).map(([n, what]) => `${countText(n)} ${what}`);
  return numbersBar(f, kept, `${counted(kept, 'column number')}: ${sum.join(' + ')}.`);
}

function pairsPairUp(f: Facts): StoryFrame {
  const { levels, pairs, extraction } = f.search;
  const made = pairs.filter(({ level, blocks }) => level === 1 && blocks.length > 0);
  const isEqual = made.some(({ unit, partner, blocks }) =>
    [unit, partner].every((one) => levels[1][one].columns.length === lengthOf(blocks)),
  );
  const rest = byLength(extraction.sets[1].blocks);
  const four = fact('rows of two pairs', 4, 'word', rowUnit);
  const [kept] = rest;
  const exception =
    rest.length > 0
      ? `${capitalised(rowsTitle(f, kept.rows))} keep a list of ${counted(kept.columns.length, 'column')}.`
      : null;
  return tell({
    id: 'pairs pair up',
    chapter: AGAIN,
    moves: [1200, 700],
    say: isEqual
      ? stated`Two pairs with equal lists join: *${four}, one list*.`
      : stated`Two pairs share columns, and join: *${four}, one list*.`,
    above: matrix(f, { gone: cellsOf([...levels[2], ...extraction.sets[1].blocks]), ringed: cellsOf(singles(f)) }),
    body: stack(
      lists(f, [...byLength(levels[2]), ...rest.map((block): List => ({ ...block, look: 'plain' }))]),
      exception === null ? null : since(1, note('exception', exception)),
    ),
    below: levelBar(f, 1),
  });
}

function largestBlock(f: Facts, block: Block): StoryFrame {
  const { rows, columns } = block;
  const numbers = fact('columns of the largest block', columns.length, 'count', ['number', 'numbers']);
  const before = fact('weights of the largest block', rows.length * columns.length);
  const oneList = `These ${counted(rows.length, 'row')} are now a block: one list serves all.`;
  return tell({
    id: 'largest block',
    chapter: AGAIN,
    moves: [1200, 700],
    say: stated`${fact('rows of the largest block', rows.length, 'Word')} rows, one list: *${numbers} where ${before} stood*.`,
    above: matrix(f, { gone: cellsOf([...finalBlocks(f), block]), ringed: cellsOf(singles(f)), strong: rows }),
    body: stack(lists(f, [block]), since(1, note('one list', oneList))),
    below: levelBar(f, f.numbers.levels.length - 1, true),
  });
}

/* Question: where do columns go that only some of the rows share? */

function whereTo(f: Facts, of: Block, { block }: LeftBlock): StoryFrame {
  const columns = fact('columns of the smaller block', block.columns.length, 'word');
  const more = block.columns.length === 1 ? 'more column. Where does it go?' : 'more columns. Where do these go?';
  const all = stated`${fact('rows of the largest block', of.rows.length, 'word')} rows`.text;
  const own = fact('rows of the smaller block', block.rows.length, 'word');
  const others = fact('rows without these columns', of.rows.length - block.rows.length, 'word', rowUnit);
  const gone = cellsOf(finalBlocks(f).filter((one) => one !== block));
  const look = { lit: inBlock(block), strong: block.rows, ringed: cellsOf(singles(f)) };
  return ask(
    {
      id: 'where to',
      chapter: AGAIN,
      say: stated`${rowsStated(f, block.rows)} share ${columns} ${more}`,
      above: matrix(f, { ...look, gone }),
      body: lists(f, [{ ...of, look: 'plain' }]),
      below: levelBar(f, f.numbers.levels.length - 1, true),
    },
    {
      above: matrix(f, { ...look, gone: cellsOf(finalBlocks(f)) }),
      body: lists(f, [{ ...of, look: 'plain' }, block]),
    },
    {
      options: [`into the block of ${all}`, stated`into a block of ${own} rows`.text, 'back to single weights'],
      answer: 1,
      because: stated`Into a block of ${own} rows: in the other ${others} they would be zeros to store.`,
    },
  );
}

/* 8. All blocks. */

function allBlocks(f: Facts, left: LeftBlock | null): StoryFrame {
  const all = byLength(finalBlocks(f));
  const isLit = (block: Block): boolean => left === null || block === left.block;
  const alone = lengthOf(singles(f));
  const shown = left ? all.toSorted((a, b) => Number(rankOf(b)) - Number(rankOf(a))) : all;
  return tell({
    id: 'all blocks',
    chapter: ORDER,
    moves: [1200],
    say: left
      ? stated`${rowsStated(f, left.block.rows)} still share ${fact('columns of the smaller block', left.block.columns.length, 'word', columnUnit)}: *a smaller block*.`
      : stated`${fact('blocks', all.length, 'Word', ['block', 'blocks'])}, *one list each*, and ${fact('single weights', alone, 'word', ['single weight', 'single weights'])}.`,
    above: matrix(f, { gone: cellsOf(all), ringed: cellsOf(singles(f)), strong: left?.block.rows ?? [] }),
    body: stack(
      lists(
        f,
        shown.map((block): List => ({ ...block, look: isLit(block) ? 'lit' : 'plain' })),
      ),
      alone > 0
        ? note(
            'alone',
            `${capitalised(counted(alone, 'single weight'))} ${alone === 1 ? 'keeps its' : 'keep their'} own number.`,
          )
        : null,
    ),
    below: levelBar(f, f.numbers.levels.length - 1, true),
  });

  /** The largest, and then the one that the sentence is about. */
  function rankOf(block: Block): number {
    return block === all[0] ? 2 : block === left?.block ? 1 : 0;
  }
}

/* 9. How a list is stored. */

const STEP_LANES = 2;

function steps(f: Facts): StoryFrame {
  const { t, numberBytes, infos } = f;
  const { lanes, deltaBits } = t.encoded;
  const [info] = infos;
  const [packed] = f.search.sets[0].blocks;
  const stored = blockColumnsInMemory(t.encoded, info, 0);
  const perLane = stored.length / lanes;
  // Beside each other, lanes have one title at their left: so what is below names them.
  const laneOf = (lane: number, isBeside: boolean): Part => {
    const own = stored.filter((one) => one.lane === lane).map(({ column }) => column);
    const isReal = (i: number): boolean => packed.real[lane * perLane + i] === 1;
    const column = (i: number): Cell | null =>
      i === 0 ? null : { id: `column of ${lane}.${i}`, text: String(f.columnNumber(own[i - 1])), look: 'words' };
    const step = (i: number): Cell => {
      if (i === 0) return { ...numberCell(f, packed.rows[0], own[0]), id: `first of ${lane}`, ring: true };
      const by = i === 1 ? 0 : own[i - 1] - own[i - 2];
      return {
        id: `step ${lane}.${i}`,
        text: i === 1 ? '0' : `+${by}`,
        look: 'lit',
        ...(!isReal(i - 1) && { tone: 'padding' }),
      };
    };
    return cells({ count: own.length + 1, lines: 2, max: WIDEST, widest: ['+255'] }, [
      { id: `columns ${lane}`, title: 'columns', tone: 'ink', cell: column },
      {
        id: `stored ${lane}`,
        title: isBeside ? 'stored' : `lane ${lane}`,
        tone: 'indices',
        cell: step,
        spans: !isBeside ? [] : [bracket(`steps ${lane}`, 0, own.length + 1, `lane ${lane}`)],
      },
    ]);
  };
  const shown = Array.from({ length: Math.min(lanes, STEP_LANES) }, (_, lane) => lane);
  const size = deltaBits < 8 ? `${deltaBits} bits` : counted(deltaBits / 8, 'byte');
  const full = setBytes(f).reduce((sum, { inFull }) => sum + inFull, 0);
  const firsts = firstBytes(f);
  return tell({
    id: 'steps',
    chapter: ORDER,
    step: stepsOf(f).first,
    moves: [900, 700],
    say: stated`Write the first column, then *steps of ${stepSize(deltaBits)}*.`,
    above: matrix(f, { lit: inBlock(packed), strong: packed.rows }),
    body: stack(
      byRoom(row(shown.map((lane) => laneOf(lane, true))), stack(shown.map((lane) => laneOf(lane, false)))),
      note('sizes', `Ringed: first column, ${counted(numberBytes, 'byte')}. A step: ${size}.`),
      since(1, note('all lists', allListsText(f), { tone: 'ink' })),
    ),
    below: allBytes(
      f,
      `${countText(firsts)} + ${countText(f.bytes.columns - firsts)} = ${countText(f.bytes.columns)} bytes of column numbers, ${countText(full)} in full.`,
      0,
    ),
  });
}

function stepSize(deltaBits: number): Stated {
  return deltaBits < 8
    ? stated`${fact('bits of a step', deltaBits, 'word', ['bit', 'bits'])}`
    : stated`${fact('bytes of a step', deltaBits / 8, 'word', ['byte', 'bytes'])}`;
}

const firstBytes = (f: Facts): number => setBytes(f).reduce((sum, { firsts }) => sum + firsts, 0);

/** What all lists take, and why zeros are stored. */
function allListsText(f: Facts): string {
  const { lanes, padding } = f.t.encoded;
  const count = f.infos.reduce((sum, { blocks }) => sum + blocks, 0);
  const zeros = [
    padding.tailValues > 0 ? ` ${capitalised(counted(padding.tailValues, 'zero'))} fill lanes.` : '',
    padding.gapValues > 0 ? ` ${capitalised(counted(padding.gapValues, 'zero'))} bridge wide gaps.` : '',
  ].join('');
  const cut = count > finalBlocks(f).length + singles(f).length ? 'Long lists are cut: ' : '';
  return `${cut}${counted(count, 'list')} \u00d7 ${counted(lanes, 'lane')} \u00d7 ${counted(f.numberBytes, 'byte')} = ${countText(firstBytes(f))}. Steps, in words of 4 bytes: ${countText(f.bytes.columns - firstBytes(f))}.${zeros}`;
}

/** In matrices as large as those that are timed, bookkeeping takes less than this, in per cent. */
const LITTLE = 1;

function bookkeeping(f: Facts): StoryFrame {
  const { bytes } = f;
  const { books } = bytes;
  const bar = (id: string, title: string, of: number): Bar => {
    const parts = [{ to: of, tone: 'metadata', label: `${title}: ${counted(of, 'byte')}` }] as const;
    return { id, title, parts, after: counted(of, 'byte') };
  };
  const here = fact('bytes of bookkeeping', bytes.bookkeeping, 'count', ['byte', 'bytes']);
  const wholeShare = ({ whole }: FrameContext): number | null =>
    whole && whole.ledger.totalBytes > bytes.total
      ? whole.ledger.entries.filter(({ array }) => BOOKS.includes(array)).reduce((sum, one) => sum + one.bytes, 0) /
        whole.ledger.totalBytes
      : null;
  const shown = tell({
    id: 'bookkeeping',
    chapter: ORDER,
    step: stepsOf(f).encoded,
    moves: [900],
    say: stated``,
    above: matrix(f, {}),
    body: stack(
      bars({ id: 'books', max: Math.max(books.rows, books.starts, books.table, 1), height: 1.2, isAlone: true }, [
        bar('rows', 'rows of each block', books.rows),
        bar('starts', 'where each begins', books.starts),
        bar('table', `sizes of ${counted(f.infos.length, 'kind')} of block`, books.table),
      ]),
      f.infos.length > 0 ? note('kinds', kindsText(f)) : null,
    ),
    below: allBytes(f, lossText(f)),
  });
  return {
    ...shown,
    say: (context) => {
      const share = wholeShare(context);
      return share === null
        ? stated`*Bookkeeping* costs ${here} here, under ${fact('percent of bookkeeping at most', LITTLE)}\u202f% in a large matrix.`
        : stated`*Bookkeeping* costs ${here} here; of the whole matrix it is ${fact('share of bookkeeping, the matrix', share, 'share')}.`;
    },
  };
}

const BOOKS: readonly string[] = ['rowIndices', 'blockPtr', 'sets'];

/** What the bars are made of. */
function kindsText({ infos, bytes: { books } }: Facts): string {
  const kinds = infos.map(({ granularity }) => String(granularity));
  const numbers = [books.rows, books.starts, books.table / infos.length].map((bytes) => countText(bytes / 4));
  return `Numbers of 4 bytes: ${numbers[0]}, ${numbers[1]}, and ${numbers[2]} for each kind. Kinds by rows: ${kinds.join(', ')}.`;
}

function lossText({ rows, numbers, numberBytes, bytes: { weights, total, dense } }: Facts): string {
  if (total > dense) return 'So small a matrix loses.';
  const alone = weights + numbers.start * numberBytes + 4 * (rows + 1);
  if (total > alone)
    return `A list for each row, with where it begins: ${counted(alone, 'byte')}. So small a cut gains nothing.`;
  return `${shareText(total / dense)} of dense.`;
}

/* 10. The product. */

function fetchedOnce(f: Facts): StoryFrame {
  const { t } = f;
  const { lanes, vectorSize } = t.encoded;
  const { columns, rows, products } = fetched(f);
  const block = { rows: Uint32Array.from(rows), columns: Uint32Array.from(columns, ({ column }) => column) };
  const fetches = fact('fetches of x', columns.length, 'count', ['fetch', 'fetches']);
  const multiplications = fact('multiplications', products, 'count', ['multiplication', 'multiplications']);
  const xText = (column: number): string =>
    String(Number(t.x[column].toFixed(1)))
      .replace('-', '\u2212')
      .replace(/^(\u2212?)0\./, '$1.');
  const spansOf = (at: (i: number) => number): readonly Span[] =>
    Array.from({ length: lanes > LANES_SHOWN ? 0 : lanes }, (_, lane): Span | null => {
      const own = columns.flatMap((one, i) => (one.lane === lane ? [at(i)] : []));
      const to = own.reduce((max, i) => Math.max(max, i + 1), 0);
      return own.length === 0 ? null : bracket(`lane ${lane}`, own[0], to, `lane ${lane}`);
    }).filter((span) => span !== null);
  const xCell = (i: number): Cell => {
    const { column } = columns[i];
    return {
      id: `x ${i}`,
      text: xText(column),
      look: 'outline',
      label: `x of column ${f.columnNumber(column)}: ${t.x[column]}`,
    };
  };
  const at = new Map(columns.map(({ column }, i) => [column, i]));
  const aligned = cells({ count: f.cols, lines: 1, max: WIDEST, widest: f.texts }, [
    {
      id: 'x',
      title: 'x',
      strong: true,
      spans: spansOf((i) => columns[i].column),
      cell: (c) => {
        const i = at.get(c);
        return i === undefined ? { id: `x of ${c}`, label: `x of column ${f.columnNumber(c)}: ${t.x[c]}` } : xCell(i);
      },
    },
  ]);
  const packed = cells(
    { count: columns.length, group: vectorSize, max: WIDEST, lines: 2, widest: [...f.texts, '\u22121.5'] },
    [
      {
        id: 'x columns',
        title: 'column',
        tone: 'indices',
        cell: (i) => ({ ...numberCell(f, rows[0], columns[i].column, 'plain'), id: `fetched ${i}` }),
      },
      { id: 'x', title: 'x', strong: true, cell: xCell, spans: spansOf((i) => i) },
    ],
  );
  return tell({
    id: 'fetched once',
    chapter: MULTIPLY,
    step: stepsOf(f).fetch,
    moves: [900, 700],
    say: stated`Each fetched number of *x* serves ${fact('rows of the block', rows.length, 'word', rowUnit)}: *${fetches}, ${multiplications}*.`,
    above: matrix(f, { lit: inBlock(block), strong: rows }),
    body: stack(
      shownRows(f).length > ROWS_WITH_WORDS ? packed : fitting(aligned, packed),
      note('one product', productText(f)),
      since(
        1,
        note(
          'alone',
          rows.length > 1
            ? `With a list for each row: ${counted(products, 'fetch', 'fetches')}.`
            : 'A row alone shares none.',
        ),
      ),
    ),
    below: allBytes(f, 'Read once for each product.'),
  });
}

/** The first product of all, with rounded numbers. */
function productText(f: Facts): string {
  const { columns, rows } = fetched(f);
  const [{ column }] = columns;
  const weight = rounded(f.weightOf(rows[0], column) ?? 0, 2);
  const x = rounded(f.t.x[column], 1);
  const [a, b, product] = [weight, x, rounded(weight * x, 3)].map((n) => String(n).replace('-', '\u2212'));
  return `Row ${f.rowNumber(rows[0])}, column ${f.columnNumber(column)}: weight ${a} \u00d7 ${b} of x = ${product}, added to the sum of its row.`;
}

const rounded = (n: number, digits: number): number => Number(n.toFixed(digits));

/* 11. What it is worth. */

function worth(f: Facts): StoryFrame {
  const { rows, cols, numbers, bytes, t } = f;
  const untimed = verdict({
    title: 'EC-SpMV',
    step: t.steps.length,
    what: 'one vector',
    among: () => false,
    kept: rows * cols > 0 ? numbers.start / (rows * cols) : null,
    bytes: ({ whole }) => {
      if (!whole || whole.ledger.effectiveDensity === 0) return { stored: bytes.total, dense: bytes.dense, of: 'cut' };
      const { totalBytes, effectiveDensity } = whole.ledger;
      return { stored: totalBytes, dense: totalBytes / effectiveDensity, of: 'matrix' };
    },
  });
  return {
    ...untimed,
    say: (context) => {
      const times = largeTimes(context);
      return times ? worthText(times) : untimed.say(context);
    },
    show: (context) => {
      const times = largeTimes(context);
      return (times && largePicture(times, context)) ?? untimed.show(context);
    },
  };
}

function worthText({ planted, random, rival }: LargeTimes): Stated {
  const limit = rival?.ns ?? planted?.dense?.ns ?? random?.dense?.ns ?? 0;
  const than = rival ? '4-bit weights' : 'dense';
  const pays = (time: RecordedTime | null | undefined): boolean => (time?.ns ?? Infinity) < limit;
  if (pays(planted?.format) && random && !pays(random.format))
    return stated`Beats ${than} *only if rows share columns.* Nobody measured whether real ones do.`;
  if (pays(random?.format)) return stated`*Faster than ${than}*, even if rows share columns by chance.`;
  if (pays(planted?.format)) return stated`*Faster than ${than} if rows share columns.* Others were not timed.`;
  return planted
    ? stated`*Not worth it here*: rows that share columns lose to ${than}, too.`
    : stated`*Random rows lose* to ${than}. Rows that share columns were not timed.`;
}

function largePicture({ planted, random, rival }: LargeTimes, { recorded }: FrameContext): Picture | null {
  const main = planted ?? random;
  if (!main?.dense) return null;
  const bar = (title: string, time: RecordedTime | null | undefined): TimedBar[] =>
    time ? [{ id: title, title, time }] : [];
  const kept = leftText(main.density);
  return timesPicture({
    dense: main.dense,
    rival,
    own: [...bar('rows that share', planted?.format), ...bar('random rows', random?.format)],
    source: `${shapeText(main.rows, main.cols)}, ${kept} kept, one vector, ${recorded?.device ?? ''}, empty cache, timed ${main.date}.${rival ? ' 4-bit weights: all of dense, rounded to 4 bits.' : ''} Speeds are of times before rounding.`,
  });
}
