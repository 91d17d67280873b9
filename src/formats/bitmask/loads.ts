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
import { type BitmaskEncoded, lowestBit } from './layout.ts';
import { valueShares } from './shares.ts';

/** Arrays, and the sites that load from them, by number. */
const VALUES = 0;
const MASK = 1;
const ROW_PTR = 2;
const X = 3;
const COLUMNS = 4;
const COPY = 5;

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
  ];
}

/** The loads of bitmask/spmv_subgroup: a row to a subgroup, eight values to a lane and step. */
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

/** The loads of bitmask/spmv_staged: an equal share of the values to a subgroup, x in workgroup memory. */
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
      sites: { starts: ROW_PTR, copy: COPY },
      part: (begin, end, _passed, row) => walk(begin, end, row),
      store: () => {},
    }),
  };
};

/** The loads of walk_values in shaders/bitmask/walk.wgsl, for values of a row from `begin` to before `end`. */
function walkValues(e: BitmaskEncoded, at: LaneItems): (begin: number, end: number, row: number) => void {
  const { cols, mask, wordsPerRow, values } = e;
  const { items } = at;
  const lanes = items.length;
  const columns = groupColumns(e);
  const valuesPerGroup = eightOf(values.BYTES_PER_ELEMENT).perGroup;
  const columnsPerWord = 4 / columns.BYTES_PER_ELEMENT;
  /** per lane, of up to two groups that are walked together: set bits that are to come, and the first of their columns */
  const set = [0, 1].map(() => new Int32Array(lanes));
  const first = [0, 1].map(() => new Int32Array(lanes));
  /** where the row's mask begins, in words */
  let rowWord = 0;

  const maskWord = (i: number): number => mask[Math.min(i, mask.length - 1)];
  /** 32 bits of every lane that is `wanted`, from its column on. */
  const loadBits = (step: number, wanted: (lane: number) => boolean): void => {
    for (let next = 0; next < 2; next++) {
      for (let lane = 0; lane < lanes; lane++) {
        items[lane] = wanted(lane) ? rowWord + (first[step][lane] >>> 5) + next : ABSENT;
      }
      at.load(MASK);
    }
    for (let lane = 0; lane < lanes; lane++) {
      if (!wanted(lane)) continue;
      const column = first[step][lane];
      const at32 = rowWord + (column >>> 5);
      const shift = column & 31;
      set[step][lane] = (maskWord(at32) >>> shift) | ((maskWord(at32 + 1) << 1) << (31 - shift));
    }
  };
  const loadValues = (group: number): void => {
    for (let part = 0; part < valuesPerGroup; part++) {
      for (let lane = 0; lane < lanes; lane++) items[lane] = valuesPerGroup * (group + lane) + part;
      at.take(VALUES, items);
    }
  };
  /** Where a group begins in a row before, the row begins with its first column. */
  const loadColumns = (step: number, group: number, begin: number): void => {
    for (let lane = 0; lane < lanes; lane++) {
      items[lane] = Math.floor((group + lane) / columnsPerWord);
      first[step][lane] = GROUP * (group + lane) < begin ? 0 : (columns[group + lane] ?? 0);
    }
    at.take(COLUMNS, items);
  };
  /** The values of a group that are among those from `begin` to before `end`. */
  const multiply = (step: number, group: number, begin: number, end: number): void => {
    const bits = set[step];
    const base = first[step];
    for (let k = 0; k < GROUP; k++) {
      const isIn = (lane: number): boolean => {
        const value = GROUP * (group + lane) + k;
        return value >= begin && value < end;
      };
      const isOut = (lane: number): boolean => isIn(lane) && bits[lane] === 0 && base[lane] < cols;
      for (let any = true; any; ) {
        any = false;
        for (let lane = 0; lane < lanes; lane++) any ||= isOut(lane);
        if (!any) break;
        const out = Array.from({ length: lanes }, (_, lane) => isOut(lane));
        for (let lane = 0; lane < lanes; lane++) if (out[lane]) base[lane] += 32;
        loadBits(step, (lane) => out[lane]);
      }
      for (let lane = 0; lane < lanes; lane++) {
        items[lane] = isIn(lane) ? base[lane] + lowestBit(bits[lane]) : ABSENT;
        if (isIn(lane)) bits[lane] &= bits[lane] - 1;
      }
      at.load(X);
    }
  };
  const all = (): boolean => true;
  const some = (group: number, begin: number, end: number): void => {
    loadValues(group);
    loadColumns(0, group, begin);
    loadBits(0, all);
    multiply(0, group, begin, end);
  };

  return (begin, end, row) => {
    rowWord = row * wordsPerRow;
    let group = begin >>> 3;
    const behind = end >>> 3;
    if (GROUP * group < begin) {
      some(group, begin, end);
      group += lanes;
    }
    for (; group + 2 * lanes <= behind; group += 2 * lanes) {
      loadValues(group);
      loadValues(group + lanes);
      loadColumns(0, group, begin);
      loadColumns(1, group + lanes, begin);
      loadBits(0, all);
      loadBits(1, all);
      multiply(0, group, begin, end);
      multiply(1, group + lanes, begin, end);
    }
    if (group + lanes <= behind) {
      some(group, begin, end);
      group += lanes;
    }
    if (GROUP * group < end) some(group, begin, end);
  };
}
