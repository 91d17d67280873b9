import { stagedShares } from '../../core/kernel/equal-shares.ts';
import {
  ABSENT,
  eightOf,
  type KernelLoads,
  LaneItems,
  type LoadedArray,
  type LoadSite,
  type LoadsModel,
  neighbouringRows,
  paddedBytes,
} from '../../core/kernel/loads.ts';
import { shareLoads, stagedArrays } from '../../core/kernel/share-loads.ts';
import { groupColumns } from './group-columns.ts';
import { type BitmaskEncoded, lowestBit, WORD_BITS } from './layout.ts';
import { valueShares } from './shares.ts';

/** Indices of arrays and of the sites that load from them. */
const VALUES = 0;
const MASK = 1;
const ROW_PTR = 2;
const X = 3;
const COLUMNS = 4;
/** Values one at a time. */
const VALUE = 5;
/** As arrays, x is the sixth, where it is copied from. */
const COPY = 5;
const COPY_SITE = 6;

const KERNEL_LANES = 128;
const GROUP = 8;

function word(array: number): LoadSite {
  return { array, itemBytes: 4, elementBytes: 4 };
}

function arraysOf(e: BitmaskEncoded): readonly LoadedArray[] {
  return [
    { name: 'values', of: 'values', space: 'storage', bytes: paddedBytes(e.values) },
    { name: 'mask', of: 'indices', space: 'storage', bytes: e.mask.byteLength },
    { name: 'rowPtr', of: 'metadata', space: 'storage', bytes: e.rowPtr.byteLength },
    { name: 'x', of: 'x', space: 'storage', bytes: 4 * e.cols },
    { name: 'groupColumns', of: 'metadata', space: 'storage', bytes: paddedBytes(groupColumns(e)) },
  ];
}

function sitesOf(e: BitmaskEncoded): readonly LoadSite[] {
  const { itemBytes } = eightOf(e.values.BYTES_PER_ELEMENT);
  return [
    { array: VALUES, itemBytes, elementBytes: itemBytes },
    word(MASK),
    word(ROW_PTR),
    word(X),
    word(COLUMNS),
    { array: VALUES, itemBytes: 4, elementBytes: 16 },
  ];
}

/** The loads of bitmask/spmv_subgroup: a row per subgroup, eight values per lane and step. */
export const subgroupLoads: LoadsModel<BitmaskEncoded> = (e, { subgroupMaxSize: lanes }): KernelLoads => {
  const at = new LaneItems(lanes);
  const walk = walkValues(e, at);
  return {
    arrays: arraysOf(e),
    sites: sitesOf(e),
    lanes,
    subgroupsPerWorkgroup: KERNEL_LANES / lanes,
    ...neighbouringRows(e.rows, 1),
    walk(row, take) {
      at.take = take;
      at.same(ROW_PTR, row);
      at.same(ROW_PTR, row + 1);
      walk(e.rowPtr[row], e.rowPtr[row + 1], row);
    },
  };
};

/** The loads of bitmask/spmv_staged: an equal share of the values per subgroup, x in workgroup memory. */
export const stagedLoads: LoadsModel<BitmaskEncoded> = (e, device): KernelLoads => {
  const { counts, lanes: workgroupLanes } = stagedShares(e.cols, 'f32', device);
  const at = new LaneItems(counts.lanes);
  const starts = valueShares(e, counts);
  const walk = walkValues(e, at);
  return {
    arrays: stagedArrays(arraysOf(e), starts.byteLength, 'rowPtr'),
    sites: [...sitesOf(e), word(COPY)],
    ...shareLoads({
      starts,
      rows: e.rows,
      counts,
      copied: Math.max(1, e.cols),
      workgroupLanes,
      at,
      sites: { starts: ROW_PTR, copy: COPY_SITE },
      part: (begin, end, _passed, row) => walk(begin, end, row),
      store: () => {},
    }),
  };
};

/** The loads of walk_values in shaders/bitmask/walk.wgsl, for values of a row from `begin` to before `end`. */
function walkValues(e: BitmaskEncoded, at: LaneItems): (begin: number, end: number, row: number) => void {
  const { mask, wordsPerRow, values } = e;
  const { items } = at;
  const lanes = items.length;
  const columns = groupColumns(e);
  const valuesPerGroup = eightOf(values.BYTES_PER_ELEMENT).perGroup;
  const columnsPerWord = 4 / columns.BYTES_PER_ELEMENT;
  /** from a value to its word of 4 bytes */
  const valueShift = values.BYTES_PER_ELEMENT === 2 ? 1 : 0;
  /**
   * per lane, for up to three groups that are walked together: the bits of 32 columns, and the first of these columns
   */
  const bits = [0, 1, 2].map(() => new Int32Array(lanes));
  const first = [0, 1, 2].map(() => new Int32Array(lanes));
  /** the columns of the next turns */
  const next = [0, 1, 2].map(() => new Int32Array(lanes));
  /** per lane, a bit for each of these groups that needs another turn */
  const missed = new Uint8Array(lanes);

  /** A number from a buffer padded to 16 bytes: 0 in the padding, and beyond it the last one again. */
  const at16 = (array: ArrayLike<number>, i: number, bytes: number): number =>
    array[Math.min(i, paddedBytes({ byteLength: array.length * bytes }) / bytes - 1)] ?? 0;
  const maskWord = (i: number): number => at16(mask, i, 4);
  const columnOf = (group: number): number => {
    const column = group % columnsPerWord;
    const word = Math.min(group - column, paddedBytes(columns) / columns.BYTES_PER_ELEMENT - columnsPerWord);
    return columns[word + column] ?? 0;
  };
  const loadValues = (group: number): void => {
    for (let part = 0; part < valuesPerGroup; part++) {
      for (let lane = 0; lane < lanes; lane++) items[lane] = valuesPerGroup * (group + lane) + part;
      at.take(VALUES, items);
    }
  };
  const loadColumns = (into: Int32Array, group: number): void => {
    for (let lane = 0; lane < lanes; lane++) {
      items[lane] = Math.floor((group + lane) / columnsPerWord);
      into[lane] = columnOf(group + lane);
    }
    at.take(COLUMNS, items);
  };
  const loadBits = (step: number, rowWord: number): void => {
    for (let word = 0; word < 2; word++) {
      for (let lane = 0; lane < lanes; lane++) items[lane] = rowWord + (first[step][lane] >>> 5) + word;
      at.take(MASK, items);
    }
    for (let lane = 0; lane < lanes; lane++) bits[step][lane] = bitsFrom(rowWord, first[step][lane]);
  };
  /** 32 bits of the row from a column on. */
  const bitsFrom = (rowWord: number, column: number): number => {
    const word = rowWord + (column >>> 5);
    const shift = column & 31;
    return (maskWord(word) >>> shift) | ((maskWord(word + 1) << 1) << (31 - shift));
  };
  /** The eight columns of each lane's group. If all bits are used up, a column is made up. */
  const gather = (step: number): void => {
    const own = bits[step];
    for (let k = 0; k < GROUP; k++) {
      for (let lane = 0; lane < lanes; lane++) {
        items[lane] = first[step][lane] + lowestOf(own[lane]);
        // The last one tells whether there were eight.
        if (k < GROUP - 1) own[lane] &= own[lane] - 1;
      }
      at.take(X, items);
    }
    for (let lane = 0; lane < lanes; lane++) if (own[lane] === 0) missed[lane] |= 1 << step;
  };
  /** One lane after the other, since its loads depend on each other; lanes that need another turn take it together. */
  const again = (steps: number, group: number, begin: number, end: number, rowWord: number): void => {
    for (let lane = 0; lane < lanes; lane++) {
      for (let step = 0; step < steps; step++) {
        if ((missed[lane] & (1 << step)) === 0) continue;
        const own = group + step * lanes + lane;
        if (!walkWide(lane, own, rowWord)) walkSlowly(lane, own, begin, end, rowWord);
      }
    }
    missed.fill(0);
  };
  const one = (site: number, lane: number, item: number): void => {
    items.fill(ABSENT);
    items[lane] = item;
    at.take(site, items);
  };
  /** Whether 64 columns hold the eight values of the group. */
  const walkWide = (lane: number, group: number, rowWord: number): boolean => {
    for (let part = 0; part < valuesPerGroup; part++) one(VALUES, lane, valuesPerGroup * group + part);
    one(COLUMNS, lane, Math.floor(group / columnsPerWord));
    const column = columnOf(group);
    for (const word of [0, 1, 1, 2]) one(MASK, lane, rowWord + (column >>> 5) + word);
    let low = bitsFrom(rowWord, column);
    let high = bitsFrom(rowWord, column + WORD_BITS);
    for (let k = 1; ; k++) {
      const isLow = low !== 0;
      one(X, lane, column + (isLow ? lowestBit(low) : WORD_BITS + lowestOf(high)));
      // The last one tells whether there were eight.
      if (k === GROUP) return (low | high) !== 0;
      if (isLow) low &= low - 1;
      else high &= high - 1;
    }
  };
  const walkSlowly = (lane: number, group: number, begin: number, end: number, rowWord: number): void => {
    one(COLUMNS, lane, Math.floor(group / columnsPerWord));
    const column = GROUP * group < begin ? 0 : columnOf(group);
    let word = column >>> 5;
    one(MASK, lane, rowWord + word);
    let left = maskWord(rowWord + word) & (-1 << (column & 31));
    for (let i = Math.max(begin, GROUP * group); i < Math.min(end, GROUP * (group + 1)); i++) {
      while (left === 0 && word + 1 < wordsPerRow) {
        word++;
        one(MASK, lane, rowWord + word);
        left = maskWord(rowWord + word) | 0;
      }
      one(VALUE, lane, i >> valueShift);
      one(X, lane, WORD_BITS * word + lowestOf(left));
      left &= left - 1;
    }
  };
  /** A step at an edge of the row: groups may be shared with neighbouring rows, or be past its end. */
  const edge = (group: number, begin: number, end: number, rowWord: number): void => {
    loadValues(group);
    loadColumns(first[0], group);
    // Values of an earlier row, which lane 0 may have, each get a bit before the row's own.
    const foreign = Math.max(0, begin - GROUP * group);
    if (foreign > 0) first[0][0] = 0;
    loadBits(0, rowWord);
    bits[0][0] = (bits[0][0] << foreign) | ((1 << foreign) - 1);
    first[0][0] -= foreign;
    gather(0);
    for (let lane = 0; lane < lanes; lane++) {
      if (missed[lane] !== 0 && GROUP * (group + lane) < end) walkSlowly(lane, group + lane, begin, end, rowWord);
    }
    missed.fill(0);
  };

  return (begin, end, row) => {
    const rowWord = row * wordsPerRow;
    let group = begin >>> 3;
    const whole = end >>> 3;
    if (GROUP * group < begin) {
      edge(group, begin, end, rowWord);
      group += lanes;
    }
    for (let step = 0; step < 3; step++) loadColumns(next[step], group + step * lanes);
    for (; group + 3 * lanes <= whole; group += 3 * lanes) {
      for (let step = 0; step < 3; step++) loadValues(group + step * lanes);
      for (let step = 0; step < 3; step++) {
        first[step].set(next[step]);
        loadBits(step, rowWord);
      }
      for (let step = 0; step < 3; step++) loadColumns(next[step], group + (3 + step) * lanes);
      for (let step = 0; step < 3; step++) gather(step);
      again(3, group, begin, end, rowWord);
    }
    for (; group + lanes <= whole; group += lanes) {
      loadValues(group);
      first[0].set(next[0]);
      next[0].set(next[1]);
      next[1].set(next[2]);
      loadBits(0, rowWord);
      gather(0);
      again(1, group, begin, end, rowWord);
    }
    if (GROUP * group < end) edge(group, begin, end, rowWord);
  };
}

/** Like lowest_bit of the shader: 32 if no bit is set. */
function lowestOf(bits: number): number {
  return bits === 0 ? WORD_BITS : lowestBit(bits);
}
