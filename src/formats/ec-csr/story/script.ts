import { type Frame, type FrameContext, type Script } from '../../../core/story/frames.ts';
import { fact, type NamedFact, type Stated, stated } from '../../../core/story/stated.ts';
import { type LeftBlock, stepsOf, type Facts, factsOf } from './script/facts.ts';
import { foursOf, otherPairs, pairGoes, pairsPair } from './script/blocks.ts';
import { allBlocks, largestBlock, whereTo } from './script/order.ts';
import { fetched, fetchedOnce } from './script/product.ts';
import { stepsOfLanes } from './script/stored.ts';
import { verdict, verdictOf } from './script/verdict.ts';
import { manyNumbers } from './script/matrix.ts';
import { firstPair, takeOut, whatLeaves } from './script/pair.ts';
import { bytesCounter, drawingOf } from './script/parts.ts';
import type { EcCsrStep, EcCsrTrace } from './trace.ts';

const WHO = 'Who shares?';
const OUT = 'Take out';
const AGAIN = 'Again, larger';
const ORDER = 'Put in order';
const MULTIPLY = 'Multiply';
const SO_WHAT = 'So what';

const rowUnit = ['row', 'rows'] as const;

/** 'Rows 0 to 3', 'Rows 0, 2, 5 and 6', 'Row 4'. */
function rowsStated(rows: ArrayLike<number>): Stated {
  const all = Array.from(rows).toSorted((a, b) => a - b);
  const named = (i: number): NamedFact => fact(`row ${i}`, all[i]);
  const isRun = all.length > 2 && all.every((row, i) => row === all[0] + i);
  if (all.length === 1) return stated`Row ${named(0)}`;
  if (isRun) return stated`Rows ${fact('first row', all[0])} to ${fact('last row', all[all.length - 1])}`;
  const list = all.slice(1, -1).reduce((text, _, i) => stated`${text}, ${named(i + 1)}`, stated`Rows ${named(0)}`);
  return stated`${list} and ${named(all.length - 1)}`;
}

function problem({ rows, numbers, everywhere, used }: Facts): Stated {
  if (numbers.start === 0) return stated`No weight is left here: no row has a column to share.`;
  const all = fact('column numbers at first', numbers.start, 'count', ['column number', 'column numbers']);
  const store = rows === 1 ? 'stores' : 'store';
  const head = stated`${fact('rows', rows, 'Word', rowUnit)} ${store} *${all}*.`;
  if (everywhere.length > 0) {
    const repeated = fact('columns of every row', everywhere.length, 'Word');
    return stated`${head} ${repeated} of these ${everywhere.length === 1 ? 'repeats' : 'repeat'} in every row.`;
  }
  if (used === numbers.start) return stated`${head} None of these is there twice.`;
  return stated`${head} Only ${fact('columns that are used', used)} of these are different.`;
}

function pairSentence({ best, first }: Facts): Stated {
  const { rows, columns } = first ?? best ?? { rows: [0, 1] as const, columns: [] };
  if (columns.length === 0) return stated`No two rows have a column in common.`;
  const shared = fact('columns of both rows', columns.length, 'count', ['column', 'columns']);
  const head = stated`Rows ${fact('row', rows[0])} and ${fact('other row', rows[1])} have *${shared}* in common`;
  return first && !first.isBest ? stated`${head}: they become a pair.` : stated`${head}, the best pair.`;
}

function takeOutSentence({ first }: Facts): Stated {
  if (!first) return stated``;
  const { taken, left, pair } = first;
  const lists =
    pair.blocks.length === 1
      ? stated`one list`
      : stated`${fact('lists of the pair', pair.blocks.length, 'word')} lists`;
  const head = stated`Two rows, ${lists}: ${fact('columns that leave', taken.length)} column numbers instead of ${fact('column numbers of both rows', 2 * taken.length)}.`;
  if (left.length === 0) return head;
  return stated`${head} ${fact('columns that stay', left.length, 'Word', ['column', 'columns'])} ${left.length === 1 ? 'stays' : 'stay'}.`;
}

/** Where nothing leaves: why. */
function nothingLeaves({ best, min, t, rows }: Facts): Stated {
  const every = stated`Every row keeps its list.`;
  if (t.params.maxGranularity === 1) return stated`Blocks of one row: sharing is switched off. ${every}`;
  if (rows < 2) return stated`One row has no partner. It keeps its own list.`;
  const needed = fact('columns that leave together', min, 'Word', ['column is', 'columns are']);
  const max = best?.columns.length ?? 0;
  if (max >= min)
    return stated`No pair shares ${fact('columns that leave together', min, 'word', ['column', 'columns'])} close enough together. ${every}`;
  if (max === 0) return stated`${needed} needed; no two rows share one. ${every}`;
  return stated`${needed} needed; the best two rows share ${fact('columns of the best two rows', max)}. ${every}`;
}

function singlesSentence({ t, first }: Facts): Stated {
  const others = t.levels[1].length - (first?.pair.blocks.length ?? 0);
  const singles = t.extraction.sets[0].blocks.reduce((sum, { columns }) => sum + columns.length, 0);
  const head = others > 0 ? stated`The other pairs do the same.` : stated`No other pair shares enough.`;
  if (singles === 0) return stated`${head} No weight is left over.`;
  const left = fact('single weights', singles, 'Word', ['single weight', 'single weights']);
  return stated`${head} *${left}* ${singles === 1 ? 'is' : 'are'} left over.`;
}

function foursSentence({ t }: Facts): Stated {
  const left = t.extraction.sets[1].blocks.reduce((sum, { columns }) => sum + columns.length, 0);
  const head = stated`Pairs pair up: *one list serves ${fact('rows of two pairs', 4, 'word')} rows*.`;
  if (left === 0) return head;
  return stated`${head} ${fact('columns of two rows only', left, 'Word', ['column', 'columns'])} ${left === 1 ? 'serves' : 'serve'} only two.`;
}

function largestSentence({ largest }: Facts): Stated {
  const rows = largest?.block.rows.length ?? 0;
  const columns = largest?.block.columns.length ?? 0;
  const numbers = fact('columns of the largest block', columns, 'count', ['column number', 'column numbers']);
  const before = fact('weights of the largest block', rows * columns);
  if (rows === 2) return stated`Blocks stay with *two rows*: here ${numbers} where ${before} stood.`;
  return stated`${fact('rows of the largest block', rows, 'Word')} rows, one list: *${numbers} where ${before} stood*.`;
}

function leftQuestion({ block }: LeftBlock): Stated {
  const columns = fact('columns of the smaller block', block.columns.length, 'word');
  const more = block.columns.length === 1 ? 'more column. Where does it go?' : 'more columns. Where do these go?';
  return stated`${rowsStated(block.rows)} share ${columns} ${more}`;
}

function orderSentence({ t, leftBlock }: Facts): Stated {
  if (leftBlock) {
    const { rows, columns } = leftBlock.block;
    const more = fact('columns of the smaller block', columns.length, 'word', ['more column', 'more columns']);
    return stated`${rowsStated(rows)} use ${more}: *a block of their own*.`;
  }
  return t.params.order === 'as-found'
    ? stated`Every block and its list, as they were found.`
    : stated`Every block and its list: *the largest starts first*.`;
}

/** A matrix of so many bytes gains almost nothing. */
const ALMOST = 0.95;

function storedSentence({ bytes }: Facts): Stated {
  const head = stated`First column in full, then steps.`;
  const [total, dense] = [fact('bytes', bytes.total), fact('bytes of dense', bytes.dense)];
  if (bytes.total > bytes.dense) return stated`${head} Here it *loses*: ${total} bytes, dense ${dense}.`;
  if (bytes.total === bytes.dense) return stated`${head} So small a matrix *gains nothing*.`;
  if (bytes.total > ALMOST * bytes.dense) return stated`${head} So small a matrix *gains almost nothing*.`;
  return stated`${head} *${total} bytes* instead of ${dense}.`;
}

function fetchSentence(facts: Facts): Stated {
  const { columns, rows, products } = fetched(facts);
  const fetches = fact('fetches of x', columns.length, 'count', ['fetch', 'fetches']);
  const multiplications = fact('multiplications', products, 'count', ['multiplication', 'multiplications']);
  return stated`Each fetched x serves ${fact('rows of the block', rows.length, 'word', rowUnit)}: *${fetches}, ${multiplications}*.`;
}

/** What it is worth, from what was recorded on the device. */
function verdictSentence({ bytes }: Facts, { recorded }: FrameContext): Stated {
  const found = verdictOf(recorded);
  if (!found) {
    const stored = fact('bytes', bytes.total, 'count', ['byte', 'bytes']);
    return stated`Not timed on this device: *${stored}* here, where dense takes ${fact('bytes of dense', bytes.dense)}.`;
  }
  const { planted, random, fourBits } = found;
  const four = fact('bits of the rival', 4);
  const rival = fourBits?.dense4
    ? stated`${four} bits, unpruned: *${fact('times as fast, 4 bits', fourBits.dense4.timesDense, 2)}*.`
    : stated`${four} bits: not timed.`;
  const times = (name: string, value: number): Stated =>
    value < 1
      ? stated`*${fact(name, value, 2)} times as fast: it loses*`
      : stated`*${fact(name, value, 2)} times as fast*`;
  if (planted?.format) {
    const head = stated`Rows made to share: ${times('times as fast, planted', planted.format.timesDense)}.`;
    if (!random?.format) return stated`${head} ${rival}`;
    return stated`${head} Random weights: *${fact('times as fast, random', random.format.timesDense, 2)}*. ${rival}`;
  }
  return stated`Random weights: ${times('times as fast, random', random?.format?.timesDense ?? 0)}. ${rival}`;
}

/** Up to four numbers of columns that might stay behind, among them the right one. */
function staying(shared: number, min: number): readonly number[] {
  const right = shared % min;
  const wrong = [0, right + min, right + 2 * min, 1, 2, 3].filter((n) => n !== right && n <= shared);
  return [right, ...new Set(wrong)].slice(0, 4).toSorted((a, b) => a - b);
}

/** The directed frames of a window: who shares, what leaves, larger blocks, the order, the product, and what it is worth. */
export const frames: Script<EcCsrStep> = (t) => {
  const facts = factsOf(t as EcCsrTrace);
  const { first, largest, leftBlock, numbers, rows, min } = facts;
  const at = stepsOf(facts);
  const all: Frame[] = [
    {
      id: 'many numbers',
      chapter: WHO,
      step: 0,
      moves: [0],
      sentence: () => problem(facts),
      draw: (_, { layout }) => manyNumbers(facts, layout),
    },
  ];
  if (numbers.start === 0) {
    all.push({
      id: 'nothing to store',
      chapter: ORDER,
      step: at.order,
      moves: [400],
      sentence: () =>
        stated`No weight, no block: *${fact('bytes', facts.bytes.total, 'count', ['byte', 'bytes'])}* of ${fact('bytes of dense', facts.bytes.dense)} are stored.`,
      draw: (_, { layout }) => drawingOf(layout, bytesCounter(facts, layout)),
    });
  } else {
    if (rows > 1) {
      all.push({
        id: 'first pair',
        chapter: WHO,
        step: at.pair,
        moves: [900, 900, 2000],
        sentence: () => pairSentence(facts),
        draw: (picture, { layout }) => firstPair(facts, layout, picture),
      });
    }
    // With narrow steps, more columns stay than a multiple leaves over: no question that one can answer.
    if (first && first.left.length === first.columns.length % min) all.push(stayingQuestion(facts));
    if (first) {
      all.push({
        id: 'take out',
        chapter: OUT,
        step: at.takeOut,
        moves: [600, 1800, 800, 500],
        sentence: () => takeOutSentence(facts),
        draw: (picture, { layout }) => takeOut(facts, first, layout, picture),
      });
    } else {
      all.push({
        id: 'nothing leaves',
        chapter: OUT,
        step: at.takeOut,
        moves: [600],
        sentence: () => nothingLeaves(facts),
        draw: (_, { layout }) => (rows > 1 ? firstPair(facts, layout, 2) : manyNumbers(facts, layout)),
      });
    }
    if (largest) {
      all.push({
        id: 'other pairs',
        chapter: OUT,
        step: at.pairs,
        moves: [800, ...[1600, 900, 500].slice(0, pairGoes(facts)), 500],
        sentence: () => singlesSentence(facts),
        draw: (picture, { layout }) => otherPairs(facts, layout, picture),
      });
      if (largest.block.rows.length > 4 && foursOf(facts, largest).length > 0) {
        all.push({
          id: 'pairs pair up',
          chapter: AGAIN,
          step: at.fours,
          moves: [800, 1500, 1000, 1000],
          sentence: () => foursSentence(facts),
          draw: (picture, { layout }) => pairsPair(facts, largest, layout, picture),
        });
      }
      all.push({
        id: 'largest block',
        chapter: AGAIN,
        step: at.largest,
        moves: [1000, 1500, 500],
        pause: 1000,
        sentence: () => largestSentence(facts),
        draw: (picture, { layout }) => largestBlock(facts, largest, layout, picture),
      });
      if (leftBlock?.othersLack) all.push(whereQuestion(facts, leftBlock));
    }
    all.push(
      {
        id: 'all blocks',
        chapter: ORDER,
        step: at.order,
        moves: [1200, 1000],
        sentence: () => orderSentence(facts),
        draw: (picture, { layout }) => allBlocks(facts, leftBlock, layout, picture),
      },
      {
        id: 'steps',
        chapter: ORDER,
        step: at.stored,
        moves: [500, 800, 1000, 800],
        sentence: () => storedSentence(facts),
        draw: (picture, context) => stepsOfLanes(facts, context, picture),
      },
      {
        id: 'fetched once',
        chapter: MULTIPLY,
        step: at.fetch,
        moves: [600, 1200, 1000],
        sentence: () => fetchSentence(facts),
        draw: (picture, { layout }) => fetchedOnce(facts, layout, picture),
      },
    );
  }
  all.push({
    id: 'verdict',
    chapter: SO_WHAT,
    step: at.end,
    moves: [400, 2000],
    sentence: (context) => verdictSentence(facts, context),
    draw: (picture, context) => verdict(facts, context, picture),
  });
  return all;

  function stayingQuestion({ first: pair }: Facts): Frame {
    const shared = pair?.columns.length ?? 0;
    const [taken, left] = [pair?.taken.length ?? 0, pair?.left.length ?? 0];
    const choices = staying(shared, min);
    const { lanes, vectorSize } = facts.t.params;
    const read = stated`${fact('lanes', lanes, 'Word', ['worker reads', 'workers read'])} ${fact('columns of a lane at once', vectorSize, 'word', ['column', 'columns'])} each`;
    const leave = stated`Columns leave ${fact('columns that leave together', min, 'word')} at a time.`;
    return {
      id: 'what stays',
      chapter: WHO,
      step: at.pair,
      moves: [400, 1200],
      sentence: () => stated`${leave} How many of the ${fact('columns of both rows', shared)} stay behind?`,
      draw: (picture, { layout }) => (pair ? whatLeaves(facts, pair, layout, picture) : drawingOf(layout, [])),
      question: {
        options: choices.map(String),
        answer: choices.indexOf(left),
        because: stated`${read}: ${fact('columns that leave', taken)} = ${fact('times', taken / min)} × ${fact('columns that leave together', min)}, ${fact('columns that stay', left, left === 0 ? 'word' : 'word')} ${left === 1 ? 'stays' : 'stay'}.`,
      },
    };
  }

  function whereQuestion({ largest: joined }: Facts, left: LeftBlock): Frame {
    const of = joined?.block ?? left.block;
    const all8 = stated`${fact('rows of the largest block', of.rows.length, 'word')} rows`.text;
    const own = fact('rows of the smaller block', left.block.rows.length, 'word');
    const others = fact('rows without these columns', of.rows.length - left.block.rows.length, 'word', rowUnit);
    return {
      id: 'where to',
      chapter: AGAIN,
      step: at.largest,
      moves: [400, 1200],
      sentence: () => leftQuestion(left),
      draw: (picture, { layout }) => whereTo(facts, left, of, layout, picture),
      question: {
        options: [`into the block of ${all8}`, stated`into a block of ${own} rows`.text, 'back to single weights'],
        answer: 1,
        because: stated`Into a block of ${own} rows: in the other ${others} they would be zeros to store.`,
      },
    };
  }
};
