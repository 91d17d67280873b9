import { mostLanes, stagedShares, withEqualShares } from '../../core/kernel/equal-shares.ts';
import {
  eightOf,
  type KernelLoads,
  LaneItems,
  type LoadedArray,
  type LoadSite,
  type LoadsModel,
  neighbouringRows,
  paddedBytes,
} from '../../core/kernel/loads.ts';
import { copyLoads, shareLoads, stagedArrays } from '../../core/kernel/share-loads.ts';
import { type MackoEncoded, passedColumns } from './layout.ts';

/** Indices of arrays and of the sites that load from them. */
const VALUES = 0;
const DELTAS = 1;
const INDPTR = 2;
const X = 3;
/** Arrays that only some kernels have: scales of rows, or the source that x is copied from. */
const MORE = 4;

const KERNEL_LANES = 128;
const GROUP = 8;

function word(array: number): LoadSite {
  return { array, itemBytes: 4, elementBytes: 4 };
}

/** The gaps of a group in one load: a word, which may hold those of several groups, or a pair of words. */
function gapsItemBytes({ deltaBits }: MackoEncoded): number {
  return Math.max(4, deltaBits);
}

function sitesOf(e: MackoEncoded): readonly LoadSite[] {
  const { itemBytes } = eightOf(e.values.BYTES_PER_ELEMENT);
  const gaps = gapsItemBytes(e);
  return [
    { array: VALUES, itemBytes, elementBytes: itemBytes },
    { array: DELTAS, itemBytes: gaps, elementBytes: gaps },
    word(INDPTR),
    word(X),
  ];
}

function arraysOf(e: MackoEncoded, xType: 'f32' | 'f16'): readonly LoadedArray[] {
  return [
    { name: 'values', of: 'values', space: 'storage', bytes: paddedBytes(e.values) },
    { name: 'deltas', of: 'indices', space: 'storage', bytes: paddedBytes(e.deltas) },
    { name: 'indptr', of: 'metadata', space: 'storage', bytes: e.indptr.byteLength },
    {
      name: 'x',
      of: 'x',
      space: 'storage',
      bytes: 4 * wordsOf(e, xType),
      columnsPerWord: xType === 'f32' ? 1 : 2,
    },
  ];
}

function scalesOf(e: MackoEncoded): readonly LoadedArray[] {
  if (e.valueType !== 'i8') return [];
  return [{ name: 'scales', of: 'metadata', space: 'storage', bytes: e.scales.byteLength }];
}

/** Words of 4 bytes that x takes. */
function wordsOf({ cols }: MackoEncoded, xType: 'f32' | 'f16'): number {
  return Math.max(1, xType === 'f32' ? cols : Math.ceil(cols / 2));
}

/** The loads of macko/spmv_subgroup and its twin with x as f16: a row per subgroup, eight entries per lane and step. */
export function subgroupLoads(xType: 'f32' | 'f16'): LoadsModel<MackoEncoded> {
  return (e, { subgroupMaxSize: lanes }): KernelLoads => {
    const at = new LaneItems(lanes);
    const walkRow = rowSum(e, at, xType);
    const scales = scalesOf(e);
    return {
      arrays: [...arraysOf(e, xType), ...scales],
      sites: [...sitesOf(e), ...scales.map(() => word(MORE))],
      lanes,
      subgroupsPerWorkgroup: KERNEL_LANES / lanes,
      ...neighbouringRows(e.rows, 1),
      walk(row, take) {
        at.take = take;
        at.same(INDPTR, row);
        at.same(INDPTR, row + 1);
        walkRow(e.indptr[row], e.indptr[row + 1], 0);
        if (scales.length > 0) at.first(MORE, row);
      },
    };
  };
}

/** The loads of macko/spmv_staged and its twin with x as f16: an equal share of the entries per subgroup. */
export function stagedLoads(xType: 'f32' | 'f16'): LoadsModel<MackoEncoded> {
  return (e, device): KernelLoads => {
    const { counts, lanes: workgroupLanes } = stagedShares(e.cols, xType, device);
    const at = new LaneItems(counts.lanes);
    const starts = withEqualShares(e.indptr, counts, (row, entry) => passedColumns(e, e.indptr[row], entry));
    const copied = wordsOf(e, xType);
    const scales = scalesOf(e);
    return {
      arrays: [...stagedArrays(arraysOf(e, xType), starts.byteLength), ...scales],
      sites: [...sitesOf(e), word(MORE), ...scales.map(() => word(MORE + 1))],
      ...shareLoads({
        starts,
        rows: e.rows,
        counts,
        copied,
        workgroupLanes,
        at,
        sites: { starts: INDPTR, copy: MORE },
        part: rowSum(e, at, xType),
        store(row) {
          if (scales.length > 0) at.first(MORE + 1, row);
        },
      }),
    };
  };
}

/** The loads of macko/spmv_rows and its twin with x as f16: a row per subgroup, x copied by every workgroup. */
export function rowLoads(xType: 'f32' | 'f16'): LoadsModel<MackoEncoded> {
  return (e, device): KernelLoads => {
    const lanes = device.subgroupMaxSize;
    const workgroupLanes = mostLanes(device);
    const subgroupsPerWorkgroup = workgroupLanes / lanes;
    const at = new LaneItems(lanes);
    const walkRow = rowSum(e, at, xType);
    const copied = wordsOf(e, xType);
    const scales = scalesOf(e);
    return {
      arrays: [...stagedArrays(arraysOf(e, xType), e.indptr.byteLength), ...scales],
      sites: [...sitesOf(e), word(MORE), ...scales.map(() => word(MORE + 1))],
      lanes,
      subgroupsPerWorkgroup,
      subgroupOf: (row) => row,
      // Subgroups past the last row copy their range of x as well.
      subgroups: subgroupsPerWorkgroup * Math.ceil(e.rows / subgroupsPerWorkgroup),
      rowsOf: (subgroup) => (subgroup < e.rows ? [subgroup] : []),
      walk(row, take) {
        at.take = take;
        at.same(INDPTR, Math.min(row, e.rows));
        at.same(INDPTR, Math.min(row + 1, e.rows));
        copyLoads(at, MORE, { copied, workgroupLanes, firstLane: (row % subgroupsPerWorkgroup) * lanes });
        if (row >= e.rows) return;
        walkRow(e.indptr[row], e.indptr[row + 1], 0);
        if (scales.length > 0) at.first(MORE + 1, row);
      },
    };
  };
}

/**
 * The loads of row_sum in shaders/macko/row_by_subgroup.wgsl, for entries of a row before which `passed` columns are
 * passed.
 */
function rowSum(
  e: MackoEncoded,
  at: LaneItems,
  xType: 'f32' | 'f16',
): (begin: number, end: number, passed: number) => void {
  const { deltas, deltaBits } = e;
  const { items } = at;
  const lanes = items.length;
  const valuesPerGroup = eightOf(e.values.BYTES_PER_ELEMENT).perGroup;
  const gapsBytes = gapsItemBytes(e);
  const perWord = 32 / deltaBits;
  const perWordShift = Math.log2(perWord);
  const mask = 2 ** deltaBits - 1;
  /** from a column, as u32, to the word that holds it */
  const perX = xType === 'f32' ? 0 : 1;
  /**
   * per lane, for up to two steps that are walked together: the gaps of its group, and the column before its first
   * entry
   */
  const gaps = [0, 1].map(() => new Uint8Array(lanes * GROUP));
  const bases = [0, 1].map(() => new Int32Array(lanes));
  /** gaps of earlier steps, and columns that are passed before the first entry */
  let walked = 0;

  const loadValues = (first: number): void => {
    for (let part = 0; part < valuesPerGroup; part++) {
      for (let lane = 0; lane < lanes; lane++) items[lane] = valuesPerGroup * (first + lane) + part;
      at.take(VALUES, items);
    }
  };
  /** The gaps of a group as load_gaps reads them: those of entries before `begin` as 0. */
  const loadGaps = (step: number, first: number, begin: number): void => {
    for (let lane = 0; lane < lanes; lane++) items[lane] = Math.floor(((first + lane) * deltaBits) / gapsBytes);
    at.take(DELTAS, items);
    const own = gaps[step];
    const base = bases[step];
    for (let lane = 0; lane < lanes; lane++) {
      const entry = (first + lane) * GROUP;
      base[lane] = walked + entry - begin;
      for (let k = 0; k < GROUP; k++) {
        const word = Math.min((entry + k) >>> perWordShift, deltas.length - 1);
        const gap = entry + k < begin ? 0 : (deltas[word] >>> (((entry + k) & (perWord - 1)) * deltaBits)) & mask;
        own[lane * GROUP + k] = gap;
        walked += gap;
      }
    }
  };
  const gather = (step: number): void => {
    const own = gaps[step];
    const base = bases[step];
    for (let k = 0; k < GROUP; k++) {
      for (let lane = 0; lane < lanes; lane++) {
        base[lane] += own[lane * GROUP + k];
        items[lane] = (base[lane] + k) >>> perX;
      }
      at.take(X, items);
    }
  };
  const one = (first: number, begin: number): void => {
    loadValues(first);
    loadGaps(0, first, begin);
    gather(0);
  };
  const two = (first: number, begin: number): void => {
    loadValues(first);
    loadValues(first + lanes);
    loadGaps(0, first, begin);
    loadGaps(1, first + lanes, begin);
    gather(0);
    gather(1);
  };

  return (begin, end, passed) => {
    walked = passed;
    let first = Math.floor(begin / GROUP);
    const whole = Math.floor(end / GROUP);
    if (GROUP * (first + lanes) < end) {
      two(first, begin);
      first += 2 * lanes;
    }
    // Four steps per turn, then two: for loads this equals two and two.
    for (; first + 2 * lanes <= whole; first += 2 * lanes) two(first, begin);
    if (GROUP * (first + lanes) < end) two(first, begin);
    else if (GROUP * first < end) one(first, begin);
  };
}
