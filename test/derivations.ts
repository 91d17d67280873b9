import { type EncodedMatrix, namedArrays } from '../src/core/format.ts';
import { type Matrix, type Region, toCsr } from '../src/core/matrix/index.ts';
import { densityText, meanText, shareText } from '../src/core/text/rounded.ts';
import { bytesNumber, bytesText, threeDigits } from '../src/core/text/words.ts';
import { extractLevels } from './plain-extraction.ts';

/**
 * Computes by unit the numbers that a story may state: from a matrix, the region of it that the story shows, and the
 * arrays. Uses the columns of the weights and the lengths of the arrays, but no code of a story.
 */

/** A region of a matrix, or all of it. */
export interface Scope {
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number;
  /** columns of every row, ascending */
  readonly columns: readonly (readonly number[])[];
  readonly params: Readonly<Record<string, number | string>>;
  /** as encoded; null: not encoded */
  readonly arrays: ReadonlyMap<string, ArrayLike<number> & { readonly byteLength: number }> | null;
}

/** A matrix and the region of it that a story shows. */
export interface StoryData {
  readonly region: Scope;
  readonly matrix: Scope;
  /** what each cell of the region adds to the product, row by row */
  readonly products: readonly (readonly number[])[];
  /** row and column of the matrix at which the region begins */
  readonly origin: Pick<Region, 'row' | 'col'>;
}

export function scopeOf(m: Matrix, params: object, encoded: EncodedMatrix | null): Scope {
  const { indptr, indices } = toCsr(m);
  const columns = Array.from({ length: m.rows }, (_, r) => [...indices.subarray(indptr[r], indptr[r + 1])]);
  const arrays = encoded && namedArrays(encoded);
  return { rows: m.rows, cols: m.cols, nnz: m.nnz, columns, params: params as Scope['params'], arrays };
}

const BYTES: Readonly<Record<string, number>> = { f32: 4, f16: 2, bf16: 2, i8: 1, i4: 0.5 };
const bytesOfValue = ({ params }: Scope): number => BYTES[params.valueType];
const sum = (numbers: readonly number[]): number => numbers.reduce((total, n) => total + n, 0);
const upTo = (n: number): readonly number[] => Array.from({ length: n }, (_, i) => i);
const scopes = ({ region, matrix }: StoryData): readonly Scope[] => [region, matrix];
/** A unit with the numbers of the region and those of the matrix. */
const regionAndMatrix =
  (numbersOf: (scope: Scope, story: StoryData) => readonly number[]) =>
  (story: StoryData): readonly number[] =>
    scopes(story).flatMap((scope) => numbersOf(scope, story));

/** Sums of any arrays, each at most once. */
function arraySums({ arrays }: Scope): readonly number[] {
  let sums = [0];
  for (const { byteLength } of arrays?.values() ?? [])
    sums = [...sums, ...sums.map((partialSum) => partialSum + byteLength)];
  return [...new Set(sums)];
}

const totalOf = ({ arrays }: Scope): number => sum([...(arrays?.values() ?? [])].map(({ byteLength }) => byteLength));
const denseOf = (s: Scope): number => s.rows * s.cols * bytesOfValue(s);
const lengthOf = ({ arrays }: Scope, name: string): number => arrays?.get(name)?.length ?? 0;
const elements = ({ arrays }: Scope, name: string): readonly number[] => Array.from(arrays?.get(name) ?? []);
const counts = ({ columns }: Scope): readonly number[] => columns.map(({ length }) => length);
const ceil = (n: number, of: number): number => Math.ceil(n / of);
/** Non-zeros of each column. */
const columnCounts = ({ columns, cols }: Scope): readonly number[] => {
  const nonZeros = Array.from({ length: cols }, () => 0);
  for (const row of columns) for (const c of row) nonZeros[c]++;
  return nonZeros;
};
/** Non-zeros of each run of `width` columns of each row, empty ones included. */
const groupCounts = ({ columns, cols }: Scope, width: number): readonly number[] =>
  columns.flatMap((row) => {
    const nonZeros = Array.from({ length: ceil(cols, width) }, () => 0);
    for (const c of row) nonZeros[Math.floor(c / width)]++;
    return nonZeros;
  });

const gapsOf = (row: readonly number[]): readonly number[] => row.map((c, i) => c - (i === 0 ? 0 : row[i - 1] + 1));

type Unit = (story: StoryData) => readonly number[];
type Units = Readonly<Record<string, Unit>>;

/** The units of every format. */
const COMMON: Units = {
  bytes: regionAndMatrix((s) => {
    const valueBytes = bytesOfValue(s);
    const zeros = s.rows * s.cols - s.nnz;
    return [
      ...arraySums(s),
      valueBytes,
      denseOf(s),
      s.nnz * valueBytes,
      zeros * valueBytes,
      // Zeros that are stored among values, such as filling, alone or with the element of another array.
      ...elementZeros(s).flatMap((count) => widthsOf(s).map((width) => count * width)),
      ...(s.rows > 0 ? [denseOf(s) / s.rows] : []),
      ...counts(s).map((n) => n * valueBytes),
    ];
  }),
  percent: regionAndMatrix((s) => [
    s.nnz / (s.rows * s.cols),
    1 - s.nnz / (s.rows * s.cols),
    ...(s.arrays ? [totalOf(s) / denseOf(s)] : []),
  ]),
  rows: regionAndMatrix((s) => [s.rows, ...(s.columns.length < 1000 ? counts({ ...s, columns: transposed(s) }) : [])]),
  drawnRows: ({ region }) => upTo(region.rows + 1),
  columns: regionAndMatrix((s) => [
    s.cols,
    ...s.columns.slice(0, 64).flatMap(gapsOf),
    columnCounts(s).filter((n) => n > 0).length,
    columnCounts(s).filter((n) => n > 1).length,
  ]),
  cells: regionAndMatrix((s) => [s.rows * s.cols]),
  weights: regionAndMatrix((s) => [s.nnz, ...counts(s)]),
  zeros: regionAndMatrix((s) => [s.rows * s.cols - s.nnz, ...counts(s).map((n) => s.cols - n), ...elementZeros(s)]),
  bits: regionAndMatrix((s) => [8 * bytesOfValue(s), ...(s.arrays && s.nnz > 0 ? [(8 * totalOf(s)) / s.nnz] : [])]),
  multiplications: regionAndMatrix((s) => [s.nnz, s.rows * s.cols, ...(s.arrays ? valueLengths(s) : [])]),
  // Of the longest row, of the mean row, and of some rows that a story shows.
  slots: regionAndMatrix((s, { region }) => [max(counts(s)), s.nnz / Math.max(1, s.rows), ...counts(region)]),
  shape: regionAndMatrix((s) => [s.rows, s.cols]),
  // A step may fill a part of an array.
  filling: ({ region }) => upTo(max([...elementZeros(region), lengthOf(region, 'values')]) + 1),
  zero: () => [0],
  index: () => upTo(64),
  tailRow: ({ region }) => upTo(region.rows),
  folded: ({ region }) => upTo(Math.max(region.cols, region.rows * 4, lengthOf(region, 'values')) + 1),
  row: ({ region, origin }) => upTo(region.rows).map((r) => origin.row + r),
  column: ({ region, origin }) => upTo(region.cols + 1).map((c) => origin.col + c - 1),
  elements: ({ region }) => upTo(max(counts(region)) + 3),
};

const transposed = ({ columns, cols }: Scope): readonly (readonly number[])[] => {
  const rows: number[][] = Array.from({ length: cols }, () => []);
  for (const [r, row] of columns.entries()) for (const c of row) rows[c].push(r);
  return rows;
};

const VALUES = ['values', 'data', 'tail'];
const valueLengths = (s: Scope): readonly number[] => {
  const lengths = VALUES.map((name) => lengthOf(s, name)).filter((n) => n > 0);
  return [...lengths, sum(lengths)];
};
/** Bytes of a stored value, alone and with an element of any array of as many elements. */
const widthsOf = (s: Scope): readonly number[] => {
  const valueBytes = bytesOfValue(s);
  const others = [...(s.arrays?.values() ?? [])].filter(({ length }) => valueLengths(s).includes(length));
  return [valueBytes, ...others.map(({ byteLength, length }) => valueBytes + byteLength / Math.max(1, length))];
};
/** How many elements of each array of values are no weights. */
const elementZeros = (s: Scope): readonly number[] => {
  return valueLengths(s)
    .map((n) => n - s.nnz)
    .filter((n) => n >= 0);
};

const max = (numbers: readonly number[]): number => numbers.reduce((a, b) => Math.max(a, b), 0);
/** How many columns two rows share. */
const sharedCount = (row: readonly number[], otherRow: readonly number[]): number => {
  const otherColumns = new Set(otherRow);
  return row.filter((c) => otherColumns.has(c)).length;
};

/* MACKO: entries are weights, and zeros where a skip is too long. */

const reachOf = ({ params }: Scope): number => 2 ** Number(params.deltaBits);
const zerosOfRow = (row: readonly number[], reach: number): readonly number[] =>
  gapsOf(row).map((gap) => Math.floor(gap / reach));
const entriesOfRow = (row: readonly number[], reach: number): readonly boolean[] =>
  gapsOf(row).flatMap((gap) => [...Array.from({ length: Math.floor(gap / reach) }, () => true), false]);
const entryCounts = (s: Scope): readonly number[] => s.columns.map((row) => entriesOfRow(row, reachOf(s)).length);
const mackoZeros = (s: Scope): number => sum(s.columns.map((row) => sum(zerosOfRow(row, reachOf(s)))));
const mackoPositions = (s: Scope): number => 8 * ceil(sum(entryCounts(s)), 8);

/** Eights of the list that contain entries of a row: how many columns they skip, store and pass. */
function lanesOf(s: Scope): readonly { skipped: number; stored: number; before: number }[] {
  const reach = reachOf(s);
  let start = 0;
  return s.columns.flatMap((row) => {
    const lanes = new Map<number, { skipped: number; stored: number; before: number }>();
    const skips = gapsOf(row).flatMap((gap) => [
      ...Array.from({ length: Math.floor(gap / reach) }, () => reach - 1),
      gap % reach,
    ]);
    let before = 0;
    for (const [i, skip] of skips.entries()) {
      const lane = Math.floor((start + i) / 8);
      const earlier = lanes.get(lane) ?? { skipped: 0, stored: 0, before };
      lanes.set(lane, { ...earlier, skipped: earlier.skipped + skip, stored: earlier.stored + 1 });
      before += skip + 1;
    }
    start += skips.length;
    return [...lanes.values()];
  });
}

const macko: Units = {
  bytes: ({ region: s }) => {
    const [value, skip] = [bytesOfValue(s), Number(s.params.deltaBits) / 8];
    const partsOfRow = (row: readonly number[]): readonly number[] => {
      let zeros = 0;
      return entriesOfRow(row, reachOf(s)).flatMap((isZero, i) => {
        zeros += isZero ? 1 : 0;
        const parts = [(i + 1 - zeros) * value, zeros * value, (i + 1) * skip];
        return [...parts, sum(parts)];
      });
    };
    return [
      ...s.columns.flatMap(partsOfRow),
      // With column numbers of two bytes, by row and in a list of all rows.
      ...counts(s).flatMap((n) => [2 * n, n * (2 + value)]),
      s.nnz * (2 + value) + 4 * (s.rows + 1),
      4,
    ];
  },
  percent: regionAndMatrix((s) => [2 / (2 + bytesOfValue(s))]),
  bits: ({ region: s }) => [Number(s.params.deltaBits), 16, ...upTo(Number(s.params.deltaBits) + 1)],
  zeros: ({ region: s, matrix }) => [
    mackoZeros(s),
    mackoZeros(matrix),
    mackoPositions(s) - s.nnz - mackoZeros(s),
    // Two are drawn one by one, the others counted.
    ...s.columns.flatMap((row) => zerosOfRow(row, reachOf(s)).flatMap((n) => [n, n - 2])),
  ],
  filled: ({ region: s }) => [mackoPositions(s) - sum(entryCounts(s)), sum(entryCounts(s)), mackoPositions(s)],
  entry: ({ region: s }) => entryCounts(s).map((_, r, all) => sum(all.slice(0, r))),
  columns: ({ region: s }) =>
    lanesOf(s).flatMap(({ skipped, stored, before }) => [skipped + stored, before, skipped + stored + before]),
  skipped: ({ region: s }) => lanesOf(s).map(({ skipped }) => skipped),
  stored: ({ region: s }) => lanesOf(s).map(({ stored }) => stored),
  zero: ({ matrix: s }) => [max(s.columns.flatMap(gapsOf))],
  skip: ({ region: s, matrix }) => [
    reachOf(s) - 1,
    max(matrix.columns.flatMap(gapsOf)),
    ...s.columns.flatMap((row) => gapsOf(row).flatMap((gap) => [gap, gap % reachOf(s)])),
  ],
  numbers: ({ region: s }) => upTo(Number(s.params.deltaBits) + 1).flatMap((bits) => [2 ** bits, 2 ** bits - 1]),
};

/* EC-SpMV: lists of columns that rows share, as a plain extraction finds them. */

const extractions = new WeakMap<Scope, ReturnType<typeof extract>>();

function listsOf(s: Scope) {
  const extraction = extractions.get(s) ?? extract(s);
  extractions.set(s, extraction);
  return extraction;
}

/** How many columns each list has, level by level, and how many column numbers are left after each level. */
function extract(s: Scope) {
  const levels = extractLevels(s.columns, s.params as never);
  const size = (units: readonly { columns: readonly number[] }[]): number =>
    sum(units.map(({ columns }) => columns.length));
  const remainingCounts = levels.map(
    ({ units }, i) => sum(levels.slice(0, i).map(({ rest }) => size(rest))) + size(units),
  );
  const lists = levels.flatMap(({ units, rest }) => [...units, ...rest].map(({ columns }) => columns.length));
  const pairs = levels.flatMap(({ rounds }) =>
    rounds
      .flat()
      .map(({ shared, blocks }) => ({ shared: shared.length, taken: sum(blocks.map(({ length }) => length)) })),
  );
  return {
    levels,
    remainingCounts,
    lists,
    pairs,
    sizes: levels.flatMap(({ units, rest }) => [size(units), size(rest)]),
  };
}

/** Columns of the stored lists, by the ends of their blocks; with the zeros that fill them up. */
function storedLists(s: Scope): readonly { rows: number; columns: number }[] {
  const [sets, ends] = [elements(s, 'sets'), elements(s, 'blockPtr')];
  return upTo(sets.length / 9).flatMap((set) => {
    const [rows, blocks] = sets.slice(9 * set);
    const firstBlock = sets[9 * set + 4];
    return upTo(blocks).map((b) => ({ rows, columns: ends[firstBlock + b + 1] - ends[firstBlock + b] }));
  });
}

const columnBytes = ({ cols }: Scope): number => (cols <= 2 ** 16 ? 2 : 4);

/** Bytes of 8192 × 8192 random weights, 30 % left, with plain lists and as stored: the story's own example. */
const LARGE = [20_138_765 * 4 + 4 * 8193, 40_531_712 + 15_429_632 + 324_576, 40_531_712, 15_429_632, 324_576];

const ecCsr: Units = {
  bytes: (story) => {
    const s = story.region;
    const [index, value, lanes, delta] = [
      columnBytes(s),
      bytesOfValue(s),
      Number(s.params.lanes),
      Number(s.params.deltaBits) / 8,
    ];
    const lists = storedLists(s).map(({ rows, columns }) => ({ rows, bytes: lanes * index + columns * delta }));
    const last = listsOf(s).remainingCounts.at(-1) ?? 0;
    const columns = lengthOf(s, 'baseIndices') * index + (s.arrays?.get('deltaIndices')?.byteLength ?? 0);
    const fill = columns - sum(lists.map(({ bytes }) => bytes));
    const sideBySide = (scope: Scope): readonly number[] => {
      const plainBytes = scope.nnz * (value + columnBytes(scope)) + 4 * (scope.rows + 1);
      return [
        plainBytes,
        plainBytes - 4 * (scope.rows + 1),
        4 * (scope.rows + 1),
        Math.abs(plainBytes - totalOf(scope)),
        scope.nnz * columnBytes(scope),
      ];
    };
    const longEnough = 4 * lanes * Number(s.params.vectorSize);
    return [
      ...ecCsr.columnNumbers(story).flatMap((n) => [n * index, n * index + s.nnz * value]),
      (s.nnz - last) * index,
      Math.abs(last * index - columns),
      // Weights, stored zeros, and column numbers before they are steps.
      last * index + (s.arrays?.get('values')?.byteLength ?? 0),
      ...lists.flatMap(({ bytes }) => [bytes, bytes / lanes]),
      sum(lists.filter(({ rows }) => rows === 1).map(({ bytes }) => bytes)),
      sum(lists.filter(({ rows }) => rows > 1).map(({ bytes }) => bytes)),
      fill,
      columns - fill,
      ...sideBySide(s),
      ...sideBySide(story.matrix),
      ...LARGE,
      // Weights that a list repeats before they are shared.
      lanes * index + longEnough * delta,
      longEnough * index,
      index,
      ...upTo(s.cols + 1)
        .slice(0, 65)
        .map((n) => n * index),
    ];
  },
  difference: (story) =>
    [...scopes(story)].flatMap((s) => {
      const last = listsOf(story.region).remainingCounts.at(-1) ?? 0;
      const columns = lengthOf(s, 'baseIndices') * columnBytes(s) + (s.arrays?.get('deltaIndices')?.byteLength ?? 0);
      const plainBytes = s.nnz * (bytesOfValue(s) + columnBytes(s)) + 4 * (s.rows + 1);
      return [Math.abs(plainBytes - totalOf(s)), Math.abs(last * columnBytes(s) - columns)];
    }),
  columnNumbers: ({ region: s }) => {
    const { remainingCounts, lists, pairs, sizes } = listsOf(s);
    return [
      ...remainingCounts,
      ...lists,
      ...lists.map((n) => 2 * n),
      ...pairs.map(({ taken }) => s.nnz - taken),
      ...pairs.flatMap(({ taken }) => [taken, 2 * taken]),
      ...sizes,
    ];
  },
  numbers: (story) => {
    const { levels } = listsOf(story.region);
    const unitSizes = levels.flatMap(({ units }) =>
      units.flatMap(({ rows, columns }) => [columns.length, rows.length * columns.length]),
    );
    const lengths = ['rowIndices', 'blockPtr', 'sets'].map((array) => lengthOf(story.region, array));
    return [...unitSizes, ...lengths, sum(lengths), ...scopes(story).map(({ params }) => Number(params.vectorSize))];
  },
  rows: ({ region: s }) => [1, 2].map((drawn) => counts(s).filter((n) => n > 0).length - drawn),
  bookkeeping: ({ region: s }) => [s.rows + 1],
  threads: regionAndMatrix((s) => [Number(s.params.lanes)]),
  fetches: ({ region: s }) =>
    [1, Number(s.params.vectorSize)].flatMap((perLane) =>
      storedLists(s).flatMap(({ rows }) => [perLane * Number(s.params.lanes), rows * perLane * Number(s.params.lanes)]),
    ),
  weights: ({ region: s }) => listsOf(s).levels.map(({ rest }) => sum(rest.map(({ columns }) => columns.length))),
  columns: ({ region: s, matrix }) => [
    // The fewest columns of a shared list for as many threads as a GPU has.
    Number(matrix.params.lanes) * Number(matrix.params.vectorSize),
    ...sharedColumns(s),
    ...listsOf(s).pairs.map(({ shared, taken }) => shared - taken),
    ...listsOf(s).lists,
    4 * Number(s.params.lanes) * Number(s.params.vectorSize),
  ],
  // Lists of several rows, or their sum, and those of one row: their columns, or their bytes with steps.
  listed: (story) => {
    const { lists, sizes, remainingCounts } = listsOf(story.region);
    const [index, lanes, delta] = [
      columnBytes(story.region),
      Number(story.region.params.lanes),
      Number(story.region.params.deltaBits) / 8,
    ];
    const sizedLists = storedLists(story.region).map(({ rows, columns }) => ({
      rows,
      bytes: lanes * index + columns * delta,
    }));
    const bytesOfLists = (isAlone: boolean): readonly number[] =>
      sizedLists.filter(({ rows }) => (rows === 1) === isAlone).map(({ bytes }) => bytes);
    const alone = sizes[1] ?? 0;
    return [
      ...lists,
      ...sizes,
      ...remainingCounts.map((n) => n - alone),
      ...bytesOfLists(false),
      sum(bytesOfLists(false)),
      sum(bytesOfLists(true)),
    ];
  },
  sharedColumns: ({ region: s }) => sharedColumns(s),
};

/** How many columns every two rows share. */
const sharedColumns = ({ columns }: Scope): readonly number[] =>
  columns.flatMap((row, a) => columns.slice(a + 1).map((otherRow) => sharedCount(row, otherRow)));

/* TwELL: tiles of columns, each with its own cells. */

const tileWidth = ({ params }: Scope): number => Number(params.tileWidth);
/** Cells of a tile that are left for values: in the packed layout, one is its count. */
const capacityOf = (s: Scope): number =>
  tileWidth(s) / Number(s.params.compression) - (s.params.layout === 'packed' ? 1 : 0);
const rowFits = (s: Scope, row: number): boolean =>
  max(groupCounts({ ...s, columns: [s.columns[row]] }, tileWidth(s))) <= capacityOf(s);
/** The rows that are stored. */
const storedRows = (s: Scope): readonly (readonly number[])[] => s.columns.filter((_, row) => rowFits(s, row));
const workOf = (cells: number, fired: number): number => cells + 2 * fired;

/** How many neurons of a token fire if one tile of it has one more than fits. */
const firedIfTooMany = (s: Scope): readonly number[] =>
  s.columns.flatMap((row) =>
    groupCounts({ ...s, columns: [row] }, tileWidth(s)).map((n) => row.length + capacityOf(s) + 1 - n),
  );

/** Bytes of a tile, stored and dense. */
const tileBytes = (s: Scope): readonly number[] => {
  const cells = tileWidth(s) / Number(s.params.compression);
  return [s.params.layout === 'packed' ? 4 * cells : 6 * cells + 4, 2 * tileWidth(s)];
};

const twell: Units = {
  bytes: ({ region: s, matrix }) => {
    const rows = storedRows(s);
    const [tiles, fired] = [rows.length * ceil(s.cols, tileWidth(s)), rows.flat().length];
    const cellsPerTile = tileWidth(s) / Number(s.params.compression);
    const cellBytes = 4 * tiles * cellsPerTile;
    return [
      4 * tiles,
      2 * fired,
      cellBytes,
      cellBytes - 4 * tiles - 4 * fired,
      2 * rows.length * s.cols,
      2 * s.cols,
      ...tileBytes(matrix),
      2,
      4,
    ];
  },
  percent: (story) =>
    scopes(story).flatMap((s) => {
      const rows = storedRows(s);
      const [cells, fired] = [rows.length * s.cols, rows.flat().length];
      return [s.nnz / (s.rows * s.cols), fired / cells].flatMap((fires) => [(1 + 2 * fires) / 3]);
    }),
  values: ({ region: s, matrix }) => {
    const rows = storedRows(s);
    return [
      s.nnz,
      s.rows * s.cols,
      rows.length * s.cols,
      rows.length * s.cols - rows.flat().length,
      capacityOf(s),
      capacityOf(matrix),
      tileWidth(matrix),
      // Of a dense row.
      s.cols,
    ];
  },
  fired: ({ region: s }) => [
    s.nnz,
    capacityOf(s) + 1,
    ...groupCounts(s, tileWidth(s)),
    ...counts(s),
    ...firedIfTooMany(s),
  ],
  perCell: regionAndMatrix((s) => [Number(s.params.compression)]),
  // Up to two are imagined.
  before: ({ region: s }) => [0, 1, 2, ...s.columns.flatMap((row) => row.map((_, i) => i).concat(row.length))],
  zeros: ({ region: s }) => [s.rows * s.cols - s.nnz],
  work: ({ region: s }) => {
    const rows = storedRows(s);
    const [cells, fired] = [rows.length * s.cols, rows.flat().length];
    const out = (s.rows - rows.length) * s.cols;
    return [cells, fired, workOf(cells, fired), 3 * cells, out, workOf(cells, fired) + 3 * out, 3 * (cells + out)];
  },
  tokens: ({ region: s }) => [s.rows, storedRows(s).length, s.rows - storedRows(s).length],
  tiles: regionAndMatrix((s) => [
    ceil(s.cols, tileWidth(s)),
    s.rows * ceil(s.cols, tileWidth(s)),
    groupCounts(s, tileWidth(s)).filter((n) => n > capacityOf(s)).length,
    ...(tileWidth(s) === 8 ? [] : [s.rows * ceil(s.cols, 8), groupCounts(s, 8).filter((n) => n > 3).length]),
    max(groupCounts(s, 8)),
  ]),
  tile: ({ region: s, origin }) =>
    upTo(ceil(s.cols, tileWidth(s))).map((tile) => Math.floor(origin.col / tileWidth(s)) + tile),
  neurons: regionAndMatrix((s) => [s.cols, tileWidth(s), ...counts(s)]),
  ofTiles: regionAndMatrix((s) => [tileWidth(s)]),
  cells: regionAndMatrix((s) => [tileWidth(s) / Number(s.params.compression)]),
};

/* SlideSparse: groups of columns, whose windows have two boxes each. */

const groupWidth = ({ params }: Scope): number => 2 * Number(params.halfGroup);
const windowsOf = (s: Scope): number => Number(s.params.halfGroup) - 1;
const boxBytes = (s: Scope): number => bytesOfValue(s) + 0.25;
const rowWindows = (s: Scope): number => 8 * ceil(ceil(s.cols, groupWidth(s)) * windowsOf(s), 8);
/** How many weights of each group are left once the smallest are set to zero. */
const keptInGroups = (s: Scope): readonly number[] =>
  groupCounts(s, groupWidth(s)).map((n) => Math.min(n, 2 * windowsOf(s)));

const slideSparse: Units = {
  bytes: (story) => {
    const s = story.region;
    const group = 2 * windowsOf(s) * boxBytes(s);
    const ofRow = (scope: Scope): number => 2 * rowWindows(scope) * boxBytes(scope);
    const keptInRow = s.columns.map((row) => sum(keptInGroups({ ...s, columns: [row] })));
    const parts = (boxes: number, weightCount: number): readonly number[] => [
      weightCount * bytesOfValue(s),
      weightCount / 4,
      (boxes - weightCount) * boxBytes(s),
      boxes * boxBytes(s),
    ];
    return [
      group,
      0.25,
      bytesOfValue(s),
      2 * boxBytes(s),
      ...scopes(story).flatMap((scope) => [ofRow(scope), scope.cols * bytesOfValue(scope), scope.rows * ofRow(scope)]),
      ...upTo(groupWidth(s) + 1).map((columns) => columns * bytesOfValue(s)),
      ...keptInRow.flatMap((weightCount) => parts(2 * rowWindows(s), weightCount)),
      ...upTo(windowsOf(s) + 1).flatMap((windows) =>
        upTo(2 * windows + 1).flatMap((weightCount) => parts(2 * windows, weightCount)),
      ),
      ...scopes(story).flatMap((scope) => parts(2 * rowWindows(scope), 2 * rowWindows(scope))),
    ];
  },
  groups: regionAndMatrix((s) => [
    ceil(s.cols, groupWidth(s)),
    groupCounts(s, groupWidth(s)).filter((n) => n > 2 * windowsOf(s)).length,
    4,
  ]),
  weights: regionAndMatrix((s) => [...upTo(groupWidth(s) + 1), slides(s)]),
  columns: ({ region: s }) => upTo(groupWidth(s) + 1),
  ways: ({ region: s }) => [(groupWidth(s) * (groupWidth(s) - 1)) / 2],
  multiplications: ({ region: s }) => [2 * windowsOf(s), ...upTo(groupWidth(s) + 1), 4, 8],
  pruned: ({ region: s }) => [
    s.nnz - sum(keptInGroups(s)),
    ...groupCounts(s, groupWidth(s)).map((n) => n - 2 * windowsOf(s)),
  ],
  boxes: ({ region: s }) => [groupWidth(s), 2 * windowsOf(s)],
  patterns: () => [2, 4, 6, 8],
  difference: ({ region: s }) => [2 * windowsOf(s)],
};

/** How many weights are taken by a window after the first that covers them, in groups that fit. */
function slides(s: Scope): number {
  const [width, count] = [groupWidth(s), windowsOf(s)];
  return sum(
    s.columns.flatMap((row) =>
      upTo(ceil(s.cols, width)).map((group) => {
        const inGroup = row.filter((c) => Math.floor(c / width) === group).map((c) => c % width);
        if (inGroup.length > 2 * count) return 0;
        const room = Array.from({ length: count }, () => 2);
        return inGroup.filter((c) => {
          const first = Math.max(0, Math.ceil((c - 3) / 2));
          const taker = room.findIndex((free, w) => free > 0 && w >= first && 2 * w <= c);
          room[taker]--;
          return taker > first;
        }).length;
      }),
    ),
  );
}

/* Other formats. */

const slotsOfRow = ({ params, cols }: Scope): number => Math.min(Number(params.rowSlots), cols);
const blockSize = ({ params }: Scope): number => Number(params.blockSize);
const blocksOf = (s: Scope): number => {
  const blocks = new Set<number>();
  for (const [r, row] of s.columns.entries())
    for (const c of row) blocks.add(Math.floor(r / blockSize(s)) * 2 ** 20 + Math.floor(c / blockSize(s)));
  return blocks.size;
};

/** Cells of the matrix in blocks that are stored. */
const blockCells = (s: Scope): number => {
  const size = blockSize(s);
  const blocks = new Set<string>();
  for (const [r, row] of s.columns.entries())
    for (const c of row) blocks.add(`${Math.floor(r / size)} ${Math.floor(c / size)}`);
  return sum(
    [...blocks].map((block) => {
      const [r, c] = block.split(' ').map(Number);
      return Math.min(size, s.rows - r * size) * Math.min(size, s.cols - c * size);
    }),
  );
};

/** The units of single formats. */
const OF_FORMAT: Readonly<Record<string, Units>> = {
  macko,
  'ec-csr': ecCsr,
  twell,
  slidesparse: slideSparse,
  bitmask: {
    bytes: regionAndMatrix((s) => [(s.rows * s.cols) / 8, 4 * lengthOf(s, 'mask') - (s.rows * s.cols) / 8]),
    bits: regionAndMatrix((s) => [(32 * lengthOf(s, 'mask')) / s.nnz]),
  },
  bsr: {
    blocks: regionAndMatrix((s) => [blocksOf(s), ceil(s.rows, blockSize(s)) * ceil(s.cols, blockSize(s))]),
    weights: regionAndMatrix((s) => [s.nnz / blocksOf(s)]),
    multiplications: ({ region: s }) => [blockCells(s)],
    zeros: regionAndMatrix((s) => [blockCells(s) - s.nnz, blocksOf(s) * blockSize(s) ** 2 - s.nnz]),
    cells: regionAndMatrix((s) => [blockSize(s) ** 2]),
  },
  hybrid: {
    bytes: regionAndMatrix((s) => {
      const short = sum(counts(s).filter((n) => n <= slotsOfRow(s)));
      return [
        4 * (lengthOf(s, 'values') - short) +
          2 * (lengthOf(s, 'tail') - s.nnz + short) +
          4 * (lengthOf(s, 'tailRows') - counts(s).filter((n) => n > slotsOfRow(s)).length),
      ];
    }),
    slots: regionAndMatrix((s) => [slotsOfRow(s)]),
    tail: regionAndMatrix((s) => [lengthOf(s, 'tailRows')]),
    rows: regionAndMatrix((s) => [
      counts(s).filter((n) => n > Number(s.params.rowSlots)).length,
      lengthOf(s, 'tailRows'),
    ]),
    weights: regionAndMatrix((s) => [Number(s.params.rowSlots)]),
    multiplications: ({ region: s }) => [sum(counts(s).map((n) => (n > Number(s.params.rowSlots) ? s.cols : n)))],
    zeros: ({ region: s }) => [
      sum(counts(s).map((n) => (n > Number(s.params.rowSlots) ? s.cols - n : 0))),
      lengthOf(s, 'values') - sum(counts(s).filter((n) => n <= slotsOfRow(s))),
      lengthOf(s, 'tail') - sum(counts(s).filter((n) => n > Number(s.params.rowSlots))),
    ],
  },
};

/** Numbers as texts print them: whole ones in full, others with the digits that their unit has. */
function printed(unit: string, numbers: readonly number[]): ReadonlySet<string> {
  const textsOf = (n: number): readonly string[] => {
    if (unit === 'percent') return [shareText(n), densityText(n), `${Math.round(100 * n)}%`];
    if (unit === 'megabytes') return [bytesText(n), String(Math.round(n / 1e6))];
    if (unit === 'weights') return [meanText(n), n.toFixed(1)];
    if (unit === 'bits') return [String(Math.round(n)), n.toFixed(1)];
    if (Number.isInteger(n)) return [String(n)];
    if (unit === 'bytes') return [bytesNumber(n)];
    return [meanText(n), threeDigits(n), n.toFixed(1), n.toFixed(2)];
  };
  return new Set([...new Set(numbers)].flatMap((n) => (Number.isFinite(n) ? textsOf(n).map(bare) : [])));
}

/** Without spaces and signs of grouping, as `numbersIn` reads numbers. */
const bare = (text: string): string => text.replaceAll(/[\u202f\s%]|[A-Z]+$/g, '').replace('\u2212', '-');

const numbersOf = (format: string, unit: string, story: StoryData): readonly number[] =>
  [COMMON, OF_FORMAT[format]].flatMap((units) => (units as Partial<Units> | undefined)?.[unit]?.(story) ?? []);

/** The numbers of a format by unit, as texts print them. */
export function knownNumbers(format: string, story: StoryData): (unit: string) => ReadonlySet<string> {
  const textsByUnit = new Map<string, ReadonlySet<string>>();
  return (unit) => {
    const texts =
      textsByUnit.get(unit) ?? printed(unit, numbersOf(format, unit === 'megabytes' ? 'bytes' : unit, story));
    textsByUnit.set(unit, texts);
    return texts;
  };
}
