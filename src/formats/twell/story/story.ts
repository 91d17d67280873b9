import { unitText } from '../../../story/cell-unit.ts';
import { type Bar, bars } from '../../../story/flow/bars.ts';
import type { Cell, Span } from '../../../story/flow/cell-marks.ts';
import { type CellRow, cells } from '../../../story/flow/cells.ts';
import { tightStack, legend, note, row, since, stack, until } from '../../../story/flow/parts.ts';
import type { Part } from '../../../story/flow/layout-space.ts';
import { questionFrame, sayingAbsent, storyFrame, type StoryFrame } from '../../../story/flow/story-frames.ts';
import { type FrameContext, isRefused, wholeFact } from '../../../story/frames.ts';
import { shareText } from '../../../core/text/rounded.ts';
import { cellName } from '../../../story/scene-parts.ts';
import type { Tone } from '../../../story/scene.ts';
import { fact, scoped, type Stated, stated } from '../../../core/text/stated.ts';
import { capitalised, counted, countText } from '../../../core/text/words.ts';
import type { TileRow } from '../overflow.ts';
import { capacityOf, slotsOf, type TwellParams } from '../params.ts';
import {
  nextOrdinal,
  type TimedBlock,
  firesIn,
  largeOf,
  throughBlocks,
  columnsOfTile,
  firedColumns,
  windowFacts,
  type WindowFacts,
  type TwellTrace,
} from './facts.ts';
import {
  tokenAbove,
  allTokens,
  gridRows,
  notDrawn,
  ownTiles,
  madeUpColumns,
  TOKENS_SHOWN,
  entryCell,
  entryName,
  storedTiles,
  tileCells,
  workerOf,
  withWorker,
  isPacked,
  type ExampleToken,
  overNeurons,
  boldText,
  sketch,
} from './shared-parts.ts';
import { SO_WHAT, timeBars, verdictFrame } from './verdict-frame.ts';

/*
 * The story of TwELL in ten frames and two questions, in the order of this file: most numbers are zero; workers that
 * share one list wait for each other; with separate cells for each tile, none waits; what these cells cost; a token with a
 * tile that is too full is rejected; only neurons that fired are computed further; how much of the work remains; whether
 * that pays. Most pictures have a token at their top.
 */

/** The frames of TwELL’s story on a window. */
export function framesOf(t: TwellTrace): readonly StoryFrame[] {
  const f = windowFacts(t);
  const { exampleToken } = f;
  if (!exampleToken) return [zeros(f, 0), noTiles(f), ...tooMany(f), oneBlock(f), verdictFrame(f)];
  const frames = [
    zeros(f, exampleToken.row),
    ...(f.tileThatWaits ? [waits(f, f.tileThatWaits)] : []),
    ownCells(f, exampleToken),
    emptyAndFull(f, exampleToken),
    gateInFull(f, exampleToken.row),
    readTiles(f, exampleToken),
    ...tooMany(f),
    ...(f.fired < f.cells ? [howMuch(f, exampleToken.row)] : []),
    workLeft(f),
    oneBlock(f),
    verdictFrame(f),
  ];
  const waiting = { what: 'Who waits', needs: 'a neuron that fires in the second tile of a token, or after it' };
  return sayingAbsent(frames, [f.tileThatWaits ? null : waiting]);
}

/* 1. The problem. */

const ZERO = fact('nothing', 0);
const WHY = 'Why';

function zeros(f: WindowFacts, r: number): StoryFrame {
  const { window, unit } = f;
  const cellCount = window.rows * window.cols;
  const frame = { id: 'what ReLU leaves', chapter: WHY, moves: [0], text: zerosText(f) };
  if (cellCount === 0)
    return storyFrame({
      ...frame,
      body: note('nothing', `${window.rows} \u00d7 ${window.cols}: this region has no cells.`),
    });
  const rows = Array.from({ length: window.rows }, (_, i) => i);
  const isIn = unit.name === null ? '' : `, value in ${unit.name}`;
  const theseOrAny = f.t.contents === 'anything' ? 'TwELL is made for' : 'These are';
  const rowsAre = `${theseOrAny} gate values: a row per token (a piece of the input), a column per neuron. ${counted(f.t.encoded.tileWidth, 'neuron')} make a tile.`;
  const tiny = unit.name === null ? '' : ` in ${unit.name}`;
  const output = tightStack(
    note('block', BLOCK),
    note('row', rowsAre),
    note('gate', GATE),
    ownTiles(f),
    window.nnz > 0 ? legend('fires', ['values', `neuron that fires${isIn}`]) : null,
    f.texts.includes('~0') ? note('tiny', `~0 only rounds to 0${tiny}: its neuron fires, too.`) : null,
    f.t.contents === 'anything' || isRelu(f) ? null : note('why', NO_RELU),
  );
  const counter = tightStack(
    bars({ id: 'counter', max: cellCount, height: 1.1 }, [numbersBar(window)]),
    cellCount > window.nnz ? note('zeros', ALL_ZEROS) : null,
  );
  return storyFrame({ ...frame, ...allTokens(f, r, rows, {}, output, counter) });
}

/** The order in a feed-forward block. */
const BLOCK = [
  { text: 'A block of a model: input \u2192 gate and up weights \u2192 ' },
  boldText('gate values', 'values'),
  { text: ' \u00d7 up values \u2192 down weights \u2192 output.' },
] as const;
const GATE = 'A neuron fires where its gate value is not 0. Elsewhere, gate value \u00d7 up value is 0.';
const ALL_ZEROS = 'Dense, the usual way, goes on computing with all the zeros.';

/** A bar: how many of all values are not 0. */
function numbersBar({ rows, cols, nnz }: WindowFacts['window']): Bar {
  const all = rows * cols;
  const fired = { to: nnz, tone: 'values', text: `${countText(nnz)} ${nnz === 1 ? 'fires' : 'fire'}` } as const;
  const zero = {
    to: all,
    tone: 'neutral',
    style: 'plain',
    text: `${countText(all - nnz)} ${all - nnz === 1 ? 'is' : 'are'} 0`,
  } as const;
  return {
    id: 'numbers',
    title: rows === 1 ? 'the token' : `${countText(rows)} tokens`,
    strong: true,
    parts: [...(nnz > 0 ? [fired] : []), ...(nnz < all ? [zero] : [])],
    after: [boldText(countText(all)), { text: all === 1 ? ' value' : ' values', tone: 'neutral' }],
  };
}

/** Whether the values may be outputs of ReLU: none is below 0. */
const isRelu = ({ t, negatives }: WindowFacts): boolean => t.contents !== 'anything' && negatives === 0;
const NO_RELU = 'Values below 0 are no outputs of ReLU, for which TwELL is made.';

function zerosText(f: WindowFacts): Stated {
  const { rows, cols, nnz } = f.window;
  const [nonZeros, all] = [fact('non-zeros', nnz), fact('numbers', rows * cols)];
  const only = 2 * nnz <= rows * cols ? 'only ' : '';
  if (rows * cols === 0) return stated`No value here: *nothing* to store.`;
  const isOne = rows * cols === 1;
  if (nnz === 0)
    return isOne
      ? stated`The only value here is ${ZERO}: nothing has to be computed.`
      : stated`All *${all}* values here are ${ZERO}: nothing has to be computed.`;
  if (nnz === rows * cols)
    return isOne
      ? stated`The only value here is not ${ZERO}: nothing to leave out.`
      : stated`None of *${all}* values here is ${ZERO}: nothing to leave out.`;
  return isRelu(f)
    ? stated`ReLU turns everything below ${ZERO} into ${ZERO}: ${only}*${nonZeros} of ${all}* ${nnz === 1 ? 'stays' : 'stay'}.`
    : stated`${capitalised(only)}*${nonZeros} of ${all}* values here ${nnz === 1 ? 'is' : 'are'} not ${ZERO}.`;
}

/* 2. One list for all workers: who comes later has to wait. */

/** Of more neurons that fired before a worker, none is drawn. */
const MAX_BEFORE = 12;

/** 'A', 'A and B', 'A to C': the drawn workers before the worker of a tile. */
function workersBefore(f: WindowFacts, tile: number): string {
  const count = tile - f.drawnTiles.from;
  return count === 1 ? 'A' : `A ${count === 2 ? 'and' : 'to'} ${workerOf(f, tile - 1)}`;
}

function waits(f: WindowFacts, waitingTile: TileRow): StoryFrame {
  const { row: r, tile } = waitingTile;
  const worker = workerOf(f, tile);
  const before = workersBefore(f, tile);
  const isOne = tile - f.drawnTiles.from === 1;
  // The values that fired before the tile, in the region.
  const [from] = columnsOfTile(f, tile);
  const earlierValues = [...f.valuesOfRows[r]].filter(([column]) => column < from).map(([, value]) => value);
  const firedBefore = earlierValues.length;
  const cases = firedBefore > 2 && firedBefore <= MAX_BEFORE ? [0, 1, firedBefore] : [0, 1, 2];
  const list = (count: number): CellRow => ({
    id: `list ${count}`,
    title: `${count === firedBefore ? 'here' : 'if'} ${count} before ${worker}`,
    strong: count === firedBefore,
    cell(i) {
      if (i >= count + waitingTile.count) return null;
      if (i >= count) return entryCell(f, waitingTile, i - count, 'values');
      return count === firedBefore
        ? { text: unitText(earlierValues[i], f.unit), tone: 'values', style: 'plain' }
        : { style: 'outline', tone: 'neutral' };
    },
  });
  /** Every worker needs the same time for a tile, but not all begin at once. */
  const works = (id: string, start: number, ...more: Bar['parts']): Bar => {
    const computing = {
      from: start,
      to: start + 5,
      tone: 'neutral',
      style: 'plain',
      text: 'computes its tile',
    } as const;
    return { id, title: `worker ${id}`, strong: id === worker, parts: [computing, ...more] };
  };
  const waitingPart = { to: 9, tone: 'danger', text: `waits for ${before}` } as const;
  const computes = 'Each worker of the GPU computes one tile of a token.';
  const knows = `${worker} cannot know its position in the list before ${before} ${isOne ? 'is' : 'are'} done.`;
  const imagined = cases.includes(firedBefore)
    ? `In this region ${firedBefore === 1 ? '1 value fires' : `${countText(firedBefore)} values fire`} before ${worker}; the two other cases are imagined.`
    : `The three cases are imagined: in this region ${countText(firedBefore)} values fire before ${worker}.`;
  return storyFrame({
    id: 'who waits',
    chapter: WHY,
    moves: [900, 1200],
    text: stated`The obvious way, one shared list: worker ${worker} must *wait* for ${before}.`,
    above: tokenAbove(f, r, { lit: Array.from({ length: tile + 1 }, (_, i) => i), nameOf: withWorker(f) }),
    body: stack(
      tightStack(
        note('where', `${computes} ${knows}`),
        cells(
          { count: Math.max(...cases) + waitingTile.count, max: 3.2, widest: f.texts }, // bounded: three cases
          cases.map(list),
        ),
        note('imagined', imagined),
      ),
      since(
        1,
        bars({ id: 'time', max: 9.1, height: 1.2, meaning: `time, a sketch: any may begin first, here ${worker}` }, [
          // The worker before it begins last, so that no other worker has to be drawn waiting.
          ...(isOne ? [] : [works('A', 2)]),
          works(workerOf(f, tile - 1), 4),
          works(worker, 0, waitingPart),
        ]),
      ),
    ),
  });
}

/* 3. The idea: separate cells for each tile. */

/** The cells of a tile: 'four cells: one count, three values'. */
function cellsText({ t, slots, capacity }: WindowFacts): Stated {
  const cellCount = fact('cells of a tile', slots, 'word', ['cell', 'cells']);
  if (t.encoded.layout === 'split')
    return stated`In TwELL, every tile has *${cellCount}, and a count elsewhere*. Nobody waits.`;
  const space = fact('values that fit', capacity, 'word', ['value', 'values']);
  return stated`In TwELL, every tile has *${cellCount}: one count, ${space}*. Nobody waits.`;
}

const IDEA = 'The idea';
const MOVES = 'A value leaves its column, so the number of its neuron is stored with it.';

/** What the colours of a tile mean. */
function cellKey({ capacity }: WindowFacts): Part {
  const count = ['metadata', 'how many fired'] as const;
  if (capacity === 0) return legend('colours', count);
  return legend('colours', count, ['values', 'value'], ['indices', 'number of its neuron'], ['padding', 'empty']);
}

function ownCells(f: WindowFacts, exampleToken: ExampleToken): StoryFrame {
  const { tileThatWaits, sparsest } = f;
  // The worker that would wait stores first, then all do.
  const [early, last] = tileThatWaits ? [1, 2] : [0, 1];
  const allStored = storedTiles(f, exampleToken);
  const noneStored = storedTiles(f, exampleToken, []);
  const before = tileThatWaits
    ? until(early, noneStored, storedTiles(f, exampleToken, [tileThatWaits.tile]))
    : noneStored;
  return storyFrame({
    id: 'cells of its own',
    chapter: IDEA,
    step: sparsest ? f.storedAt(sparsest) : 0,
    moves: tileThatWaits ? [800, 1200, 900] : [800, 900],
    text: cellsText(f),
    above: tokenAbove(f, exampleToken.row, tileThatWaits ? { nameOf: withWorker(f) } : {}),
    body: stack(until(last, before, allStored), cellKey(f), sparsest && since(last, note('moves', MOVES))),
    also: (context) => largeTilesText(f, context),
    arrows: sparsest
      ? [
          {
            from: cellName(exampleToken.row, firedColumns(f, sparsest)[0]),
            to: entryName(f, sparsest, 'values'),
            tone: 'values',
          },
        ]
      : [],
  });
}

/** A text about the tiles of the whole matrix, if they are larger than those drawn. */
function largeTilesText(f: WindowFacts, context: FrameContext): Stated | null {
  const params = largeOf(f, context)?.params;
  if (!params) return null;
  const width = fact('neurons of a tile', params.tileWidth);
  const space = fact('values that fit', capacityOf(params));
  return scoped(
    'matrix',
    stated`Tiles are small here: real ones have ${width} neurons and store up to ${space} values.`,
  );
}

/** For windows without a stored token or without neurons: the cells of any tile. */
function noTiles(f: WindowFacts): StoryFrame {
  const { overflowing: overflowingTile, slots } = f;
  const why = overflowingTile
    ? 'No token here is stored, because each has a tile that is too full.'
    : 'No tile here has a neuron.';
  return storyFrame({
    id: 'cells of its own',
    chapter: IDEA,
    text: cellsText(f),
    ...(overflowingTile && {
      above: tokenAbove(f, overflowingTile.row, { drawnTiles: f.drawnWith(overflowingTile.tile) }),
    }),
    body: stack(
      cells({ count: slots, max: 3.2 }, [{ id: 'own', title: 'a tile', cell: () => ({ style: 'ghost' }) }]),
      cellKey(f),
      note('none', why, { tone: 'ink' }),
    ),
  });
}

/* 4. What the cells of a tile cost. */

const STORE = 'Store';
const EMPTY = 'Empty cells are stored, too, because no worker knows beforehand how many will fire.';
const SPLIT_CELL = 'A cell takes 6 bytes: 2 for a value, 4 for its neuron. A separate count takes 4.';

const COUNT = { text: 'count', tone: 'metadata', style: 'lit', isTall: true } as const;
const OR = { text: 'or', tone: 'neutral', style: 'words', isTall: true } as const;
const ABOVE: readonly (Cell | null)[] = [COUNT, OR, { text: 'value', tone: 'values', style: 'lit' }];
const BELOW: readonly (Cell | null)[] = [null, null, { text: 'neuron', tone: 'indices', style: 'lit' }];
const CELL_SPANS: readonly Span[] = [
  { id: 'first cell', from: 0, to: 1, text: '4 bytes', tone: 'neutral' },
  { id: 'other cells', from: 2, to: 3, text: '2 + 2 bytes', tone: 'neutral' },
];

/** The bytes of the first cell of a tile and of each other. */
function cellPart(f: WindowFacts): Part {
  if (!isPacked(f) || f.capacity === 0) return note('cell', isPacked(f) ? 'A count takes 4 bytes.' : SPLIT_CELL);
  return cells({ count: 3, max: 9, isJoined: true }, [
    { id: 'cell above', title: 'a cell', cell: (i) => ABOVE[i] },
    { id: 'cell below', cell: (i) => BELOW[i], spans: CELL_SPANS },
  ]);
}

/** '5 tokens × 4 tiles × 4 cells × 4 bytes = 320 bytes' */
function bytesSum(f: WindowFacts): string {
  const { slots } = f;
  const ofTile = isPacked(f) ? `${counted(slots, 'cell')} \u00d7 4 B` : `(${slots} \u00d7 6 + 4) B`;
  const tiles = `${counted(f.storedTokens.length, 'token')} \u00d7 ${counted(f.t.encoded.tiles, 'tile')}`;
  return `${tiles} \u00d7 ${ofTile} = ${countText(f.storedBytes)} B`;
}

function emptyAndFull(f: WindowFacts, exampleToken: ExampleToken): StoryFrame {
  const { bytes, denseBytes: dense } = f;
  let end = 0;
  const part = (name: string, tone: Tone, size: number): Bar['parts'] =>
    size > 0 ? [{ to: (end += size) / dense, tone, text: `${name} ${countText(size)} B` }] : [];
  const twellParts = [
    ...part(f.t.encoded.rows * f.t.encoded.tiles === 1 ? 'count' : 'counts', 'metadata', bytes.counts),
    ...part('values', 'values', bytes.values),
    ...part('neurons', 'indices', bytes.neurons),
    ...part('empty', 'padding', bytes.empty),
  ];
  const line = (id: string, title: string, parts: Bar['parts'], bold: string, text: string): Bar => {
    return { id, title, strong: id !== 'dense', parts, after: [boldText(bold), { text }] };
  };
  const [count, rejectedTokens] = [f.storedTokens.length, f.window.rows - f.storedTokens.length];
  const whose =
    rejectedTokens > 0
      ? `${countText(count)} of ${countText(f.window.rows)} tokens: ${rejectedTokens === 1 ? '1 has' : `${countText(rejectedTokens)} have`} too full a tile`
      : count === 1
        ? 'one token'
        : `${countText(count)} tokens`;
  const allValues = { to: 1, tone: 'neutral', text: `${counted(f.cells, 'value')} \u00d7 2 bytes` } as const;
  const { tileWidth } = f.t.encoded;
  const compression = tileWidth / f.slots;
  /** Why tiles of two widths have different sizes. */
  const cellsOf = (large: TwellParams): string =>
    `Tiles of ${tileWidth} have one cell for ${compression} neurons, tiles of ${large.tileWidth} one for ${large.compression}.`;
  return {
    id: 'empty and full',
    chapter: STORE,
    step: f.stepWhenStored,
    moves: [900, 900],
    text: (context) => bytesText(f, largeOf(f, context)),
    show(context) {
      const matrixTiles = largeOf(f, context);
      const largeTiles = matrixTiles && shareText(matrixTiles.share) !== shareText(1) ? matrixTiles : null;
      const title = largeTiles ? `tiles of ${tileWidth}` : 'TwELL';
      const drawnTilesBar = line('small', title, twellParts, countText(f.storedBytes), ' bytes');
      const lines = [
        line('dense', 'dense', [allValues], countText(dense), ' bytes'),
        // Real tiles come first: the drawn ones may save nothing.
        ...(largeTiles
          ? [
              {
                ...line(
                  'large',
                  `tiles of ${largeTiles.params.tileWidth}`,
                  [{ to: largeTiles.share, tone: 'format' }],
                  shareText(largeTiles.share),
                  OF_ALL,
                ),
                lowerBar: { to: 0, text: largeSum(f, largeTiles) },
              },
            ]
          : []),
        { ...drawnTilesBar, lowerBar: { to: 0, text: bytesSum(f) } },
      ];
      const max = Math.max(1, f.storedBytes / dense, largeTiles?.share ?? 0);
      const scale = largeTiles ? `; tiles of ${largeTiles.params.tileWidth} as a share of dense` : '';
      return {
        above: tokenAbove(f, exampleToken.row),
        body: stack(
          tightStack(
            bars({ id: 'sizes', max, height: 1.3, meaning: `bytes of ${whose}${scale}` }, lines),
            largeTiles && note('drawn tiles', drawnTilesText(f)),
          ),
          since(
            1,
            stack(
              cellPart(f),
              tightStack(
                largeTiles && largeTiles.params.compression !== compression
                  ? note('cells', cellsOf(largeTiles.params))
                  : null,
                bytes.empty > 0 ? note('empty', EMPTY) : null,
              ),
            ),
          ),
        ),
      };
    },
  };
}

/** 'Each tile: 32 cells × 4 B = 128 B; dense, 256 values × 2 B = 512 B' */
function largeSum(f: WindowFacts, { params }: NonNullable<ReturnType<typeof largeOf>>): string {
  const slots = slotsOf(params);
  const tile = isPacked(f)
    ? `${counted(slots, 'cell')} \u00d7 4 B = ${countText(4 * slots)} B`
    : `(${slots} \u00d7 6 + 4) B = ${countText(6 * slots + 4)} B`;
  const width = params.tileWidth;
  return `Each tile: ${tile}; dense: ${counted(width, 'value')} \u00d7 2 B = ${countText(2 * width)} B`;
}

const OF_ALL = ' of dense, the whole matrix';

/** What the drawn tiles save, which are smaller than those of the matrix. */
function drawnTilesText({ t, storedBytes, denseBytes }: WindowFacts): string {
  const subject = `The tiles of ${t.encoded.tileWidth} drawn here`;
  return storedBytes < denseBytes
    ? `${subject} take ${countText(storedBytes)} bytes instead of ${countText(denseBytes)}.`
    : `${subject} are too small to save.`;
}

/** From this share on, a rounded text would be 100 %. */
const READS_AS_ALL = 0.995;

function bytesText({ storedBytes, denseBytes }: WindowFacts, largeTiles: ReturnType<typeof largeOf>): Stated {
  const [total, all] = [fact('bytes', storedBytes), fact('dense bytes', denseBytes)];
  if (largeTiles && largeTiles.share < READS_AS_ALL) {
    const width = fact('neurons of a tile', largeTiles.params.tileWidth);
    const part = fact('share of dense', largeTiles.share, 'share');
    return scoped('matrix', stated`Tiles of ${width} take *${part} of the bytes of dense*.`);
  }
  if (storedBytes === denseBytes) return stated`*Same bytes as dense*: TwELL saves work, not bytes.`;
  return storedBytes < denseBytes
    ? stated`*${total} bytes* instead of ${all}. Above all, TwELL saves work.`
    : stated`*More bytes than dense*: ${total} instead of ${all}. TwELL saves work, not bytes.`;
}

/* Question, and 7. The exception: more fire in a tile than fit. */

const TOO_MANY = 'Too many';

/** The question about one neuron more than fits, and what the format does then. */
function tooMany(f: WindowFacts): readonly StoryFrame[] {
  const { overflowing: overflowingTile, closestToOverflow, capacity } = f;
  const questionFrames = closestToOverflow && capacity > 0 ? [oneMore(f, closestToOverflow)] : [];
  return overflowingTile || closestToOverflow
    ? [...questionFrames, rejected(f, overflowingTile, closestToOverflow)]
    : questionFrames;
}

const OUTSIDE =
  'TwELL\u2019s hybrid form has no tiles. It stores tokens that fire often as dense rows, in a second array.';

const positions = (f: WindowFacts, count: number): number => Math.max(f.capacity + 1, count) + (isPacked(f) ? 1 : 0);

function oneMore(f: WindowFacts, tileRow: TileRow): StoryFrame {
  const { row: r, tile } = tileRow;
  const madeUp = madeUpColumns(f, tileRow);
  const neuronNames = madeUp.map((column) => f.neuronNumber(column)).join(', ');
  const madeUpText =
    madeUp.length === 1
      ? `Neuron ${neuronNames}, marked ?, is made up.`
      : `Neurons ${neuronNames}, marked ?, are made up.`;
  const body = (overflowStyle: 'asked' | 'refused'): Part =>
    stack(
      note('made up', madeUpText),
      tileCells(f, { ...tileRow, count: f.capacity + 1 }, 'asked', positions(f, 0), overflowStyle),
    );
  return questionFrame(
    {
      id: 'one more?',
      chapter: TOO_MANY,
      text: stated`Suppose ${nextOrdinal(f.capacity)} neuron fires in one tile. What happens?`,
      above: tokenAbove(f, r, { lit: [tile], madeUp, drawnTiles: f.drawnWith(tile) }),
      body: body('asked'),
    },
    { body: body('refused') },
    {
      options: ['the next tile stores it', 'it is lost', 'nothing of the token is skipped'],
      answer: 2,
      because: stated`The next tile belongs to another worker, and nothing may be lost.`,
    },
  );
}

function rejected(f: WindowFacts, overflowingTile: TileRow | null, closestToOverflow: TileRow | null): StoryFrame {
  const { capacity } = f;
  const rejectedTile = overflowingTile ?? { ...(closestToOverflow ?? { row: 0, tile: 0 }), count: capacity + 1 };
  const madeUp = madeUpColumns(f, rejectedTile);
  const tilesAbove = f.drawnWith(rejectedTile.tile);
  const n = f.window.cols;
  // Only a story with a stored token explains up and down.
  const names = f.exampleToken ? ['up', 'down'] : ['dense'];
  const who = f.exampleToken ? 'Up and down compute' : 'Dense computes';
  const fired = f.valuesOfRows[rejectedTile.row].size + madeUp.length;
  const value = (column: number): string => {
    const stored = f.valuesOfRows[rejectedTile.row].get(column);
    return stored === undefined ? (madeUp.includes(column) ? '?' : '0') : unitText(stored, f.unit);
  };
  const rows: CellRow[] = [
    {
      id: 'dense row',
      title: 'dense row',
      tone: 'values',
      cell: (column) => ({ text: value(column), tone: value(column) === '0' ? 'neutral' : 'values' }),
    },
    ...names.map((name): CellRow => {
      return { id: `dense ${name}`, title: name, cell: () => ({ tone: 'neutral', style: 'lit' }) };
    }),
  ];
  return storyFrame({
    id: 'one too many',
    chapter: TOO_MANY,
    step: f.stepWhenStored,
    moves: [900, 900],
    text: (context) => rejectedText(f, overflowingTile, context.wholeMatrix !== null),
    above: tokenAbove(f, rejectedTile.row, { lit: [rejectedTile.tile], madeUp, drawnTiles: tilesAbove }),
    body: stack(
      tileCells(f, rejectedTile, 'refused', positions(f, rejectedTile.count), 'refused'),
      since(
        1,
        stack(
          overNeurons(f, rows, tilesAbove),
          tightStack(
            note(
              'means',
              `Densely: all neurons, also those that are 0. ${OUTSIDE} Here the row takes ${counted(n, 'value')} \u00d7 2 bytes = ${countText(2 * n)} bytes. ${who} all ${counted(n, 'neuron')} here${fired < n ? `, though only ${countText(fired)} fired` : ''}.`,
            ),
            ownTiles(f),
            notDrawn(f, tilesAbove),
          ),
        ),
      ),
    ),
    also: (context) => tilesInAll(f, context),
  });
}

/** How full the tiles of the whole matrix are, where they are as wide as these. */
function tilesInAll(f: WindowFacts, context: FrameContext): Stated | null {
  const { t, fullest: fullestHere } = f;
  const largeParams = largeOf(f, context)?.params;
  const fullest = wholeFact(context, 'fullest tile');
  const overflowCount = wholeFact(context, 'tiles that overflow');
  const all = wholeFact(context, 'tiles');
  if (!fullest || !overflowCount || !all)
    return (
      fullestHere &&
      stated`In this region no stored tile has more than ${fact('fullest stored tile', fullestHere.count, 'word')}.`
    );
  const width = fact('neurons of a tile', t.encoded.tileWidth);
  if (overflowCount.value === 0 && largeParams)
    return stated`In this matrix no tile of ${width} or of ${scoped('matrix', stated`${fact('neurons of a tile', largeParams.tileWidth)}`)} neurons is too full.`;
  const noneOfLarge =
    largeParams &&
    scoped('matrix', stated` With tiles of ${fact('neurons of a tile', largeParams.tileWidth)}, none is.`);
  return overflowCount.value > 0
    ? stated`In the whole matrix, ${overflowCount} of ${all} tiles of ${width} ${overflowCount.value === 1 ? 'is' : 'are'} too full.${noneOfLarge ?? ''}`
    : stated`No tile of ${width} in the matrix has more than ${fullest}, so no token is computed densely.`;
}

/** 'three fit' */
function fitText({ capacity }: WindowFacts): Stated {
  const fits = capacity === 1 ? 'fits' : 'fit';
  return capacity === 0 ? stated`none fits` : stated`${fact('values that fit', capacity, 'word')} ${fits}`;
}

function rejectedText(f: WindowFacts, overflowingTile: TileRow | null, isStored: boolean): Stated {
  if (!overflowingTile)
    return stated`If ${fact('one too many', f.capacity + 1, 'word')} ${f.capacity === 0 ? 'fires' : 'fire'} in one tile, *the token is computed densely*.`;
  const r = fact('refused token', f.tokenNumber(overflowingTile.row));
  const [first] = columnsOfTile(f, overflowingTile.tile);
  const tile = f.isAligned
    ? stated`tile ${fact('refused tile', f.tileNumber(overflowingTile.tile))}`
    : stated`tile from ${fact('first neuron of the refused tile', f.neuronNumber(first))}`;
  const fired = fact('fired in the refused tile', overflowingTile.count, 'word');
  const many = stated`Token ${r}, ${tile}: *${fired} fired*, ${fitText(f)}.`;
  return isStored ? stated`${many} It *would be computed densely*.` : stated`${many} It *is computed densely*.`;
}

/* 5 and 6. Gate in full, up and down for what fired. */

const SKIP = 'Skip';

function gateInFull(f: WindowFacts, r: number): StoryFrame {
  const { rows, cols } = f.window;
  const later = (text: string): Cell => ({ text, tone: 'format', style: 'outline' });
  const block = [{ ...later('gate'), style: 'lit' }, '\u2192', later('tiles'), '\u2192', later('up, down')] as const;
  const picture = sketch('block', block, ['weights: all neurons', 'gate values', 'weights: only these']);
  return storyFrame({
    id: 'gate in full',
    chapter: SKIP,
    step: f.stepWhenStored,
    moves: [900, 900],
    text:
      rows * cols === 1
        ? stated`*The only gate value* is computed, because no zero is known in advance.`
        : stated`*All ${fact('numbers', rows * cols, 'count')} gate values* are computed, because no zero is known in advance.`,
    ...allTokens(
      f,
      r,
      // All tokens: only after gate is it known whose tiles are too full.
      Array.from({ length: rows }, (_, i) => i),
      { computed: 'format' },
      KEY,
      picture,
      since(1, note('block says', VALUES)),
    ),
  });
}

const KEY = legend('computed', ['format', 'computed']);
const VALUES = 'TwELL computes gate first, so up and down can skip neurons whose value is 0.';

/** A product of a token over its neurons: what is computed of it. */
function productOf(f: WindowFacts, r: number, name: Product): CellRow {
  const cell = (column: number): Cell => {
    const isDone = name === 'gate' || f.valuesOfRows[r].has(column);
    const label = `${name}: ${isDone ? 'computed' : 'skipped'}`;
    return { id: `${name} ${r},${column}`, tone: 'format', style: isDone ? 'lit' : 'empty', label };
  };
  return { id: `${name} ${r}`, title: name, tone: 'format', cell };
}

type Product = 'gate' | 'up' | 'down';

function readTiles(f: WindowFacts, exampleToken: ExampleToken): StoryFrame {
  const { row: r } = exampleToken;
  const products = (['up', 'down'] as const).map((name) => productOf(f, r, name));
  return storyFrame({
    id: 'up and down',
    chapter: SKIP,
    step: f.stepWhenStored,
    moves: [900, 900, 900],
    text: neededText(f, r),
    above: tokenAbove(f, r),
    body: stack(
      storedTiles(f, exampleToken),
      since(1, overNeurons(f, products)),
      since(2, tightStack(note('read', READ), notDrawn(f))),
    ),
  });
}

const READ =
  'The output is down weights \u00d7 (gate values \u00d7 up values). Where a gate value is 0, the product is 0, so up and down skip the neuron. The count of a tile is the number of its cells to read.';

function neededText(f: WindowFacts, r: number): Stated {
  const token = fact('token that is drawn', f.tokenNumber(r));
  const fired = fact('stored values of it', f.valuesOfRows[r].size);
  const all = fact('neurons of a token', f.window.cols);
  if (fired.value === 0) return stated`No neuron fired for token ${token}: up and down are *not needed at all*.`;
  if (fired.value === all.value)
    return stated`Every neuron of token ${token} fired: up and down are computed *in full*.`;
  return stated`Up and down *read the tiles*: of token ${token} they compute ${fired} of ${all} neurons.`;
}

/* Question, and 8. How much of the work remains. */

const WORK = 'Work';

function workBars(f: WindowFacts, isShown: boolean): Part {
  const { cells: numbers, fired } = f;
  const gate = { to: numbers, tone: 'format', text: `gate ${countText(numbers)}` } as const;
  const question = ['up ?', 'down ?'].map(
    (message, i) => ({ to: (i + 2) * numbers, tone: 'format', style: 'ghost', text: message }) as const,
  );
  const each = countText(fired);
  // Short parts share their words.
  const words = fired < numbers / 4 ? [`up and down, ${each} each`, ''] : [`up ${each}`, `down ${each}`];
  const done = words.map(
    (message, i) => ({ to: numbers + (i + 1) * fired, tone: 'format', ...(message && { text: message }) }) as const,
  );
  const skipped = { to: 3 * numbers, tone: 'neutral', style: 'ghost' } as const;
  const parts = isShown ? [gate, ...done, ...(fired < numbers ? [skipped] : [])] : [gate, ...question];
  const after = isShown ? [boldText(countText(numbers + 2 * fired))] : '?';
  const dense = (['gate', 'up', 'down'] as const).map((name, i) => {
    return { to: (i + 1) * numbers, tone: 'neutral', text: `${name} ${countText(numbers)}` } as const;
  });
  return bars(
    {
      id: 'work',
      max: 3 * numbers,
      height: 1.4,
      meaning: `work for ${ofTokens(f)}, counted in neurons`,
    },
    [
      { id: 'dense', title: 'dense', parts: dense, after: countText(3 * numbers) },
      { id: 'twell', title: 'TwELL', strong: true, parts, after },
    ],
  );
}

const ofTokens = ({ storedTokens, window }: WindowFacts): string =>
  `${storedTokens.length === 1 ? 'the' : storedTokens.length === 2 ? 'both' : `all ${storedTokens.length}`}${storedTokens.length < window.rows ? ' stored' : ''} token${storedTokens.length === 1 ? '' : 's'}`;
/** 'Of the stored tokens, ' where others are not stored, else ''. */
const ofStored = ({ storedTokens, window }: WindowFacts): string =>
  storedTokens.length === window.rows ? '' : `Of the stored token${storedTokens.length === 1 ? '' : 's'}, `;
const percent = (share: number): string => `${Math.round(100 * share)}\u202f%`;
/** The remaining share of the work of three products (gate, up, down) if this share of neurons fires. */
const remainingWork = (fires: number): number => (1 + 2 * fires) / 3;

function howMuch(f: WindowFacts, r: number): StoryFrame {
  const { fired, cells: numbers } = f;
  const shares = [fired / numbers, remainingWork(fired / numbers), 1 - fired / numbers].toSorted((a, b) => a - b);
  const options = [...new Set(shares.map(percent))];
  const [zero, all] = [fact('zeros', numbers - fired), fact('stored numbers', numbers)];
  const done = fact('stored values', fired);
  const computed = fact('numbers that are computed', numbers + 2 * fired);
  return questionFrame(
    {
      id: 'what is left?',
      chapter: WORK,
      step: f.stepWhenStored,
      text: stated`${ofStored(f)}${zero} of ${all} gate values ${zero.value === 1 ? 'is' : 'are'} ${ZERO}. How much ${f.storedTokens.length === f.window.rows ? 'of the ' : ''}work remains?`,
      ...allTokens(f, r, f.storedTokens, {}, workBars(f, false)),
    },
    { ...allTokens(f, r, f.storedTokens, {}, workBars(f, true)) },
    {
      options: options.length > 1 ? options : [...options, percent(0.5)],
      answer: options.indexOf(percent(remainingWork(fired / numbers))),
      because: stated`${all} + ${done} + ${done} = ${computed} of ${fact('numbers of three products', 3 * numbers)}.`,
    },
  );
}

function workLeft(f: WindowFacts): StoryFrame {
  const { cells: numbers, fired, storedTokens } = f;
  const rows = storedTokens.slice(0, TOKENS_SHOWN);
  const grid = (name: Product, message: string): Part => {
    const lines = rows.map((row, i): CellRow => {
      const spans =
        i === rows.length - 1 ? [{ id: `all ${name}`, from: 0, to: f.window.cols, text: `${name} ${message}` }] : [];
      return { ...productOf(f, row, name), title: `token ${f.tokenNumber(row)}`, tone: 'neutral', spans };
    });
    return gridRows(f, lines);
  };
  const [gateWork, upWork, allWork] = [numbers, fired, numbers + 2 * fired].map(countText);
  const more = storedTokens.length > rows.length ? `${rows.length} of ${storedTokens.length} tokens are drawn.` : null;
  const denseTokens = f.window.rows - storedTokens.length;
  const n = f.window.cols;
  const total = numbers + 2 * fired + 3 * denseTokens * n;
  const withDense = `With the ${denseTokens === 1 ? 'token that is' : `${countText(denseTokens)} tokens that are`} computed densely: ${allWork} + 3 \u00d7 ${countText(denseTokens * n)} = ${countText(total)} of ${countText(3 * (numbers + denseTokens * n))}.`;
  return storyFrame({
    id: 'only what fired',
    chapter: WORK,
    step: f.t.steps.length,
    moves: [900, 900],
    isJoined: true,
    text: workText(f),
    body: stack(
      row(grid('gate', gateWork), grid('up', upWork), grid('down', upWork)),
      since(
        1,
        tightStack(
          KEY,
          more === null ? null : note('more', more),
          denseTokens > 0 ? note('with dense', withDense) : null,
          notDrawn(f),
        ),
      ),
    ),
    also: (context) => workInAll(f, context),
  });
}

/** The remaining work in the whole matrix; the region may be no fair sample of it. */
function workInAll(f: WindowFacts, context: FrameContext): Stated | null {
  const { wholeMatrix } = context;
  if (!wholeMatrix || (wholeMatrix.rows === f.window.rows && wholeMatrix.cols === f.window.cols)) return null;
  const fires = fact('share that fires', firesIn(wholeMatrix), 'share');
  const remainingShare = fact('work that is left', remainingWork(firesIn(wholeMatrix)), 'share');
  const largeParams = wholeFact(context, 'tiles that overflow')?.value === 0 ? null : largeOf(f, context)?.params;
  const noneOfLarge = largeParams
    ? stated` With tiles of ${fact('neurons of a tile', largeParams.tileWidth)}, no token is computed densely.`
    : stated``;
  return scoped(
    'matrix',
    stated`In the whole matrix, ${fires} fire, so ${remainingShare} of the work remains.${noneOfLarge}`,
  );
}

function workText(f: WindowFacts): Stated {
  const [few, all] = [fact('stored values', f.fired), fact('stored numbers', f.cells)];
  return f.fired === f.cells
    ? stated`*All of the work* remains: every neuron fired.`
    : stated`*A third of the work always remains*: gate values. Up and down: ${few} of ${all}.`;
}

/* 9. One block, timed. */

function oneBlock(f: WindowFacts): StoryFrame {
  return {
    id: 'one block',
    chapter: SO_WHAT,
    step: f.t.steps.length,
    moves: [0, 1200],
    text: (context) => blockText(throughBlocks(f, context).chosen, isRefused(context)),
    show: (context) => ({ body: blockTimes(f, context) }),
    slider: (context) => throughBlocks(f, context).slider,
  };
}

function blockText(block: TimedBlock | undefined, isRejected: boolean): Stated {
  if (!block) return stated`One block of a model was *not timed on this device*: Measure times it.`;
  const times = fact('times as fast, the timed block', block.format.timesDense, 2);
  const fires = fact('share that fires in the timed block', block.density, 'share');
  if (isRejected)
    return scoped(
      'recorded',
      stated`*This matrix cannot be stored*; another, of which ${fires} fire, is ${times} times as fast.`,
    );
  return scoped('recorded', stated`Another block, in which ${fires} fire, is *${times} times as fast* as dense.`);
}

/** The times of a measured block and of dense, or, without a measurement, the work of this block. */
function blockTimes(f: WindowFacts, context: FrameContext): Part {
  const { chosen: block } = throughBlocks(f, context);
  if (!block)
    return stack(
      f.cells > 0 ? workBars(f, true) : null,
      note('block', 'Its work can be counted, but its time depends on the device.'),
    );
  const fires = firesIn(context.wholeMatrix ?? f.window);
  const hereText = `This ${context.wholeMatrix ? 'matrix' : 'region'}: ${shareText(fires)} fire, so expect less.`;
  const remainingShare = remainingWork(block.density);
  const percents = (100 * remainingShare).toFixed(1);
  // The quotient of the share as printed.
  const speedByWork = (100 / Number(percents)).toFixed(2);
  const predicted = `Its work: ${percents}\u202f% of dense, which alone would be ${speedByWork} times as fast. Writing and reading tiles takes time, too.`;
  const device = context.recordedTimes?.device ?? '';
  const sourceText = `The other block: random values, ${countText(block.rows)} tokens and ${countText(block.cols)} neurons.`;
  return stack(
    note('source', sourceText),
    timeBars(block.format.timesDense),
    since(
      1,
      tightStack(
        1 / remainingShare > block.format.timesDense ? note('predicted', predicted) : null,
        note('cores', CORES),
        note(
          'with cores',
          `With them, dense would gain more than TwELL, and ${block.format.timesDense.toFixed(2)} would shrink.`,
        ),
        !isRefused(context) && fires > 1.05 * block.density ? note('here', hereText) : null,
        note('when', `Timed on ${device}, ${block.date}.`, { size: 'small' }),
      ),
    ),
  );
}

const CORES = 'Neither dense nor TwELL used tensor cores, the GPU\u2019s units for dense matrices.';
