import {
  describeNarrations,
  type Facts,
  listed,
  name,
  openingSaid,
  type Said,
  type Seen,
  stored,
  value,
} from '../../../test/narrations.ts';
import { defaultParams } from '../../core/format.ts';
import { buildMatrix } from '../../../test/arbitraries.ts';
import { columnsMatrix } from '../../../test/matrices.ts';
import { extracted, type Found, packedLengths, type Unit } from '../../../test/plain-extraction.ts';
import { ecCsr } from './index.ts';
import { story } from './story/index.ts';
import { narrate } from './story/narration.ts';

const RULES = {
  start: 'Rows that share at least {min column} go into one block, which lists the columns once.',
  usual: ' On a GPU, a block needs {usual column}.',
  startOff: 'At most {one row} to a block: every row keeps its own list.',
  overlaps:
    'How many columns does each pair of the {rows row} share? A pair with fewer than {min} cannot give a block.',
  level: 'The search starts again among {blocks block} of {size} rows, for blocks of {larger} rows.',
  matchRows: 'Of the free rows, row {partner} shares the most with row {unit}: {shared column}. They become a pair.',
  matchBlocks:
    'Of the free blocks, the block of rows {partner} shares the most with the block of rows {unit}: {shared column}. They become a pair.',
  extractRows: 'Row {unit} and row {partner} share {shared column}. ',
  extractBlocks: 'The block of rows {unit} and the block of rows {partner} share {shared column}. ',
  takes: 'A block takes {min}, {twice}, {thrice} ...: {taken} go in',
  takesMany: 'A block takes {min}, {twice}, {thrice} ...: {taken} go into {blocks} blocks',
  none: ', none stays.',
  left: ', {left} {left:stays|stay}.',
  lacked: ' Columns that {names} {count:lacks|lack} stay first',
  grows: ', so that the block can still grow',
  growMany: ', so that the blocks can still grow',
  stop: '.',
  round: 'Round {round}: every {unit} is free again, with its remaining columns',
  roundEnds: ', but no two that are paired share {min column} within reach any more',
  granularity: 'The settings allow at most {size row} to a block.',
  noBlocks: 'No two {here} share {min column} within reach.',
  noPairs: 'No two {here} that are paired share {min column} within reach.',
  levelDone: 'No pair gives a block any more. There {blocks:is|are} {blocks block} of {size} rows.',
  roundsDone: 'The settings allow no further round. There {blocks:is|are} {blocks block} of {size} rows.',
  bars: 'A group of {lanes} lanes works on one block. Long blocks keep their group busy after the others have finished.',
  nothingToCut: 'There is no block to cut.',
  uncut: 'The longest block has {longest column}: none is cut.',
  cut: 'Blocks are clipped: none is now longer than {longest column}.',
  short: ' Columns beyond multiples of {min} became {short short block}.',
  gaps: ' Zeros bridge gaps beyond {reach column}.',
  tails: ' Zeros fill the last lanes.',
  gapsAndTails: ' Zeros bridge gaps beyond {reach column} and fill the last lanes.',
  asFound: 'Blocks of a set stay in the order they were found. The paper puts large blocks first.',
  ordered: 'Large blocks first, so that no group finishes late.',
  lanes:
    '{lanes lane} share {columns column} of a {name} of {size row}. Every lane stores its first column, then the distance to each next one.',
  memory: 'In memory, neighbouring lanes read neighbouring bytes.',
  sets: '{sets set}, larger blocks first. ',
  setsShort: '{sets set}, larger blocks first and long before short. ',
  inBlocks: 'Of {nnz non-zero}, {inBlocks} are in blocks of two or more rows.',
  gatherOne: 'A block of one row: every x is gathered for one product, as in CSR.',
  gather: 'x is fetched {gathers time} and used {products time}.',
  partials: 'The lanes add up: {sums partial sum} for rows {rows} are ready.',
  partialOne: 'The lanes add up: {sums partial sum} for row {rows} is ready.',
  noSum: 'Row {row} has no non-zeros: y[{row}] = {zero}.',
  sum: '{parts partial sum} of row {row} {parts:is|are} added: y[{row}] = {y}.',
} as const;

/** Names of units: their rows. */
const unitOf = ({ rows }: Unit): Facts[string] => listed(rows);

function* tell(seen: Seen): Generator<readonly Said[]> {
  const { params, columns, nnz } = seen;
  const p = params as never as Parameters<typeof extracted>[1];
  const min = p.lanes * p.vectorSize;
  const levels = extracted(columns, p);
  const usual = defaultParams(ecCsr.params);
  const usually = usual.lanes * usual.vectorSize;
  const start: readonly Said[] =
    p.maxGranularity === 1
      ? [[RULES.startOff, { one: 1 }]]
      : [[RULES.start, { min }], ...(min < usually ? [[RULES.usual, { usual: usually }] as const] : [])];
  yield [...openingSaid(seen, 'weights'), ...start];

  const match = (level: number, { unit, partner, shared }: Found): readonly Said[] => {
    const { units } = levels[level];
    return [
      [
        level === 0 ? RULES.matchRows : RULES.matchBlocks,
        { unit: unitOf(units[unit]), partner: unitOf(units[partner]), shared: shared.length },
      ],
    ];
  };
  const extract = (level: number, { unit, partner, shared, blocks, witnesses }: Found): readonly Said[] => {
    const { units } = levels[level];
    const taken = blocks.flat().length;
    const left = shared.length - taken;
    const facts = { unit: unitOf(units[unit]), partner: unitOf(units[partner]), shared: shared.length };
    const takes = { min, twice: 2 * min, thrice: 3 * min, taken };
    const said: Said[] = [
      [level === 0 ? RULES.extractRows : RULES.extractBlocks, facts],
      blocks.length === 1 ? [RULES.takes, takes] : [RULES.takesMany, { ...takes, blocks: blocks.length }],
    ];
    if (left === 0) return [...said, [RULES.none]];
    said.push([RULES.left, { left }]);
    const isLacked = shared.some((column) => witnesses.some((witness) => !units[witness].columns.includes(column)));
    if (isLacked) {
      const named = witnesses.map((witness) =>
        name(`${level === 0 ? 'row' : 'the block of rows'} ${(unitOf(units[witness]) as { text: string }).text}`),
      );
      said.push([RULES.lacked, { names: listed(named), count: witnesses.length }]);
      if (2 ** (level + 2) <= p.maxGranularity) said.push([blocks.length === 1 ? RULES.grows : RULES.growMany]);
      said.push([RULES.stop]);
    }
    return said;
  };
  const ends = (level: number): readonly Said[] => {
    const size = 2 ** level;
    const here = name(level === 0 ? 'rows' : `blocks of ${size} rows`);
    if (size >= p.maxGranularity) return [[RULES.granularity, { size }]];
    const { rounds, hasMore } = levels[level];
    const next = levels[level + 1] as (typeof levels)[number] | undefined;
    if (!next) {
      if (hasMore && !rounds.some((pairs) => pairs.length > 0)) throw new Error('found no pair, expected one');
      return [[rounds.some((pairs) => pairs.length > 0) ? RULES.noPairs : RULES.noBlocks, { here, min }]];
    }
    const isOver = rounds.at(-1)?.some(({ blocks }) => blocks.length > 0);
    return [[isOver ? RULES.roundsDone : RULES.levelDone, { blocks: next.units.length, size: 2 * size }]];
  };
  function* rounds(level: number, first: number): Generator<readonly Said[]> {
    for (const [round, pairs] of levels[level].rounds.entries()) {
      if (round < first || pairs.length === 0) continue;
      if (round > 0) {
        const unit = name(level === 0 ? 'row' : `block of ${2 ** level} rows`);
        const isFound = pairs.some(({ blocks }) => blocks.length > 0);
        yield [
          [RULES.round, { round: round + 1, unit }],
          ...(isFound ? [] : [[RULES.roundEnds, { min }] as const]),
          [RULES.stop],
        ];
      }
      for (const pair of pairs) {
        yield match(level, pair);
        if (pair.blocks.length > 0) yield extract(level, pair);
      }
    }
  }
  yield [[RULES.overlaps, { rows: seen.rows, min }]];
  const firstPairs = levels[0].rounds[0] ?? [];
  for (const pair of firstPairs) yield match(0, pair);
  for (const pair of firstPairs) if (pair.blocks.length > 0) yield extract(0, pair);
  if (!firstPairs.some(({ blocks }) => blocks.length > 0)) yield ends(0);
  yield* rounds(0, 1);
  yield ends(0);
  for (let level = 1; level < levels.length; level++) {
    const blocks = levels[level].units.length;
    const sizes = { size: 2 ** level, larger: 2 ** (level + 1) };
    if (2 ** level < p.maxGranularity) yield [[RULES.level, { blocks, ...sizes }]];
    yield* rounds(level, 0);
    yield ends(level);
  }
  if (levels.length === 1) yield ends(0);
  const packed = packedLengths(levels, nnz, p);
  yield* clip(seen, packed);
  yield* layOut(seen, packed);
  yield* multiply(seen);
}

/** A block as it is stored: where its arrays begin. */
interface Stored {
  readonly set: number;
  readonly size: number;
  readonly rows: readonly number[];
  readonly perLane: number;
  /** first column of its set, and of the block in it */
  readonly valuesAt: number;
  readonly deltaAt: number;
  readonly start: number;
  readonly basesAt: number;
}

function storedBlocks({ params, arrays }: Seen): readonly Stored[] {
  const lanes = Number(params.lanes);
  const blocks: Stored[] = [];
  for (let set = 0; set < arrays.sets.length / 9; set++) {
    const [size, count, , rowsAt, pointersAt, basesAt, deltaAt, valuesAt] = Array.from(
      { length: 9 },
      (_, field) => arrays.sets[9 * set + field],
    );
    for (let b = 0; b < count; b++) {
      const start = arrays.blockPtr[pointersAt + b];
      blocks.push({
        set,
        size,
        rows: Array.from({ length: size }, (_, g) => arrays.rowIndices[rowsAt + b * size + g]),
        perLane: (arrays.blockPtr[pointersAt + b + 1] - start) / lanes,
        valuesAt,
        deltaAt,
        start,
        basesAt: basesAt + b * lanes,
      });
    }
  }
  return blocks;
}

function* clip(seen: Seen, packed: ReturnType<typeof packedLengths>): Generator<readonly Said[]> {
  const { params } = seen;
  const lanes = Number(params.lanes);
  const lengths = storedBlocks(seen).map(({ perLane }) => perLane * lanes);
  const longest = Math.max(0, ...lengths);
  const said: Said[] = [];
  if (lengths.length === 0) said.push([RULES.nothingToCut]);
  else said.push([packed.isCut ? RULES.cut : RULES.uncut, { longest }]);
  if (packed.short > 0) said.push([RULES.short, { min: lanes * Number(params.vectorSize), short: packed.short }]);
  const reach = 2 ** Number(params.deltaBits) - 1;
  if (packed.gaps > 0) said.push([packed.tails > 0 ? RULES.gapsAndTails : RULES.gaps, { reach }]);
  else if (packed.tails > 0) said.push([RULES.tails]);
  yield [[RULES.bars, { lanes }]];
  yield said;
  if (params.order === 'as-found') yield [[RULES.asFound]];
  else yield [[RULES.ordered]];
}

function setsSaid(seen: Seen): readonly Said[] {
  const { params, arrays, nnz } = seen;
  const sets = arrays.sets.length / 9;
  let inBlocks = 0;
  for (let set = 0; set < sets; set++) if (arrays.sets[9 * set] > 1) inBlocks += arrays.sets[9 * set + 8];
  return [
    [params.remainder === 'short-block' ? RULES.setsShort : RULES.sets, { sets }],
    [RULES.inBlocks, { nnz, inBlocks }],
  ];
}

function* layOut(seen: Seen, packed: ReturnType<typeof packedLengths>): Generator<readonly Said[]> {
  const { params, arrays } = seen;
  const lanes = Number(params.lanes);
  for (const { set, size, perLane } of storedBlocks(seen)) {
    // Of two sets with blocks of the same size the second has the short ones.
    const hasBefore = set > 0 && arrays.sets[9 * (set - 1)] === size;
    const hasAfter = 9 * (set + 1) < arrays.sets.length && arrays.sets[9 * (set + 1)] === size;
    const isShort = hasBefore || (!hasAfter && !packed.hasLong[Math.log2(size)]);
    const kind = params.remainder !== 'short-block' ? 'block' : isShort ? 'short block' : 'long block';
    yield [[RULES.lanes, { lanes, columns: perLane * lanes, name: name(kind), size }]];
    yield [[RULES.memory]];
  }
  yield setsSaid(seen);
}

function* multiply(seen: Seen): Generator<readonly Said[]> {
  const { rows, params, arrays, x } = seen;
  const [lanes, vector, bits] = [Number(params.lanes), Number(params.vectorSize), Number(params.deltaBits)];
  const y = new Float64Array(rows);
  const parts = new Uint32Array(rows);
  for (const { size, rows: blockRows, perLane, start, valuesAt, deltaAt, basesAt } of storedBlocks(seen)) {
    const columns = Array.from({ length: lanes }, (_, lane) => arrays.baseIndices[basesAt + lane]);
    let place = start;
    for (let first = 0; first < perLane;) {
      const width = first + vector <= perLane ? vector : 1;
      for (let lane = 0; lane < lanes; lane++) {
        for (let i = 0; i < width; i++, place++) {
          const word = arrays.deltaIndices[deltaAt + Math.floor((place * bits) / 32)];
          columns[lane] += Math.floor(word / 2 ** ((place * bits) % 32)) % 2 ** bits;
          for (const [g, row] of blockRows.entries()) {
            y[row] += stored(arrays.values, valuesAt + place * size + g) * x[columns[lane]];
          }
        }
      }
      const gathers = lanes * width;
      if (size === 1) yield [[RULES.gatherOne]];
      else yield [[RULES.gather, { gathers, products: gathers * size }]];
      first += width;
    }
    for (const row of blockRows) parts[row]++;
    yield [[size === 1 ? RULES.partialOne : RULES.partials, { sums: size, rows: listed(blockRows) }]];
  }
  for (let row = 0; row < rows; row++) {
    if (parts[row] === 0) yield [[RULES.noSum, { row, zero: 0 }]];
    else yield [[RULES.sum, { parts: parts[row], row, y: value(y[row]) }]];
  }
  if (rows === 0) yield setsSaid(seen);
}

const onStage = { ...defaultParams(ecCsr.params), lanes: 2, vectorSize: 2, clipColumns: 8 };
const shared = (density: number, seed: number) =>
  buildMatrix({ shape: [9, 40], pattern: 'shared columns', values: 'normal', density, seed, storage: 'entries' });

/** Rows whose shared columns are mostly too far apart for 4 bits: a round that finds nothing, and a pair that hides another. */
const rowsOf = (...rows: readonly (readonly number[])[]) => columnsMatrix(64, rows);
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
const ODD = [
  ['a second round in vain', rowsOf([0, ...range(24, 28), 44, 60], [0, ...range(24, 28), 44, 60])],
  ['a pair that hides another', rowsOf([0, 1, 2, 3, 4, 16, 32, 48, 63], [0, 16, 32, 48, 63], [1, 2, 3, 4])],
  [
    'two blocks of one pair',
    rowsOf(
      [...range(0, 8), ...range(32, 35)],
      [...range(0, 8), ...range(32, 35)],
      [...range(1, 8), ...range(32, 35)],
      [...range(1, 8), ...range(32, 35)],
    ),
  ],
] as const;

describeNarrations({
  format: ecCsr,
  story,
  narrate,
  rules: RULES,
  tell,
  more: [
    ...ODD.map(([title, m]) => [title, m, { ...onStage, deltaBits: 4 }] as const),
    ...[1, 2, 3].flatMap((seed) => [
      [`shared columns ${seed}, one round`, shared(0.4, seed), { ...onStage, maxRounds: 1 }] as const,
      [`shared columns ${seed}, two rounds`, shared(0.5, seed), { ...onStage, maxRounds: 2, deltaBits: 4 }] as const,
      [`shared columns ${seed}, no limit`, shared(0.6, seed), { ...onStage, remainder: 'short-block' }] as const,
      [`shared columns ${seed}, as published`, shared(0.6, seed), { ...onStage, witnesses: 'none' }] as const,
    ]),
  ],
});
