import {
  eightOf,
  type KernelLoads,
  LaneItems,
  type LoadsModel,
  neighbouringRows,
  paddedBytes,
} from '../../core/kernel/loads.ts';
import type { MackoEncoded } from './layout.ts';

/** Arrays, and the sites that load from them, by number. */
const VALUES = 0;
const DELTAS = 1;
const INDPTR = 2;
const X = 3;
const SCALES = 4;

const KERNEL_LANES = 128;
const GROUP = 8;

/** The loads of macko/spmv_subgroup: a row to a subgroup, eight entries to a lane and step. */
export const subgroupLoads: LoadsModel<MackoEncoded> = (e, { subgroupMaxSize: lanes }): KernelLoads => {
  const at = new LaneItems(lanes);
  const values = eightOf(e.values.BYTES_PER_ELEMENT).itemBytes;
  const walkRow = rowSum(e, at);
  return {
    arrays: [
      { name: 'values', of: 'values', space: 'storage', bytes: paddedBytes(e.values) },
      { name: 'deltas', of: 'indices', space: 'storage', bytes: paddedBytes(e.deltas) },
      { name: 'indptr', of: 'metadata', space: 'storage', bytes: e.indptr.byteLength },
      { name: 'x', of: 'x', space: 'storage', bytes: 4 * e.cols },
      ...(e.valueType === 'i8'
        ? [{ name: 'scales', of: 'metadata', space: 'storage', bytes: e.scales.byteLength } as const]
        : []),
    ],
    sites: [
      { array: VALUES, itemBytes: values, elementBytes: values },
      ...[DELTAS, INDPTR, X].map((array) => ({ array, itemBytes: 4, elementBytes: 4 })),
      ...(e.valueType === 'i8' ? [{ array: SCALES, itemBytes: 4, elementBytes: 4 }] : []),
    ],
    lanes,
    subgroupsPerWorkgroup: KERNEL_LANES / lanes,
    ...neighbouringRows(e.rows, 1),
    walk(row, take) {
      at.take = take;
      at.same(INDPTR, row);
      at.same(INDPTR, row + 1);
      walkRow(e.indptr[row], e.indptr[row + 1]);
      if (e.valueType === 'i8') at.first(SCALES, row);
    },
  };
};

/** The loads of row_sum in shaders/macko/row_by_subgroup.wgsl, for the entries of a row. */
function rowSum(e: MackoEncoded, at: LaneItems): (begin: number, end: number) => void {
  const { deltas, deltaBits } = e;
  const { items } = at;
  const lanes = items.length;
  const valuesPerGroup = eightOf(e.values.BYTES_PER_ELEMENT).perGroup;
  const perWord = 32 / deltaBits;
  const mask = 2 ** deltaBits - 1;
  /** per lane, of up to two steps that are walked together: the gaps of its group, and the column before its first entry */
  const gaps = [0, 1].map(() => new Uint8Array(lanes * GROUP));
  const bases = [0, 1].map(() => new Int32Array(lanes));
  /** gaps of the steps before */
  let walked = 0;

  const loadValues = (first: number): void => {
    for (let part = 0; part < valuesPerGroup; part++) {
      for (let lane = 0; lane < lanes; lane++) items[lane] = valuesPerGroup * (first + lane) + part;
      at.take(VALUES, items);
    }
  };
  /** The gaps of a group as load_gaps reads them: those of entries before `begin` as 0. */
  const loadGaps = (step: number, first: number, begin: number): void => {
    const wordsPerGroup = Math.max(1, GROUP / perWord);
    for (let part = 0; part < wordsPerGroup; part++) {
      for (let lane = 0; lane < lanes; lane++) {
        items[lane] = Math.floor(((first + lane) * GROUP) / perWord) + part;
      }
      at.take(DELTAS, items);
    }
    const own = gaps[step];
    const base = bases[step];
    for (let lane = 0; lane < lanes; lane++) {
      const entry = (first + lane) * GROUP;
      base[lane] = walked + entry - begin;
      for (let k = 0; k < GROUP; k++) {
        const word = Math.min(Math.floor((entry + k) / perWord), deltas.length - 1);
        const gap = entry + k < begin ? 0 : (deltas[word] >>> (((entry + k) % perWord) * deltaBits)) & mask;
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
        items[lane] = base[lane] + k;
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

  return (begin, end) => {
    walked = 0;
    let first = Math.floor(begin / GROUP);
    const whole = Math.floor(end / GROUP);
    if (GROUP * (first + lanes) < end) {
      two(first, begin);
      first += 2 * lanes;
    }
    // Four steps to a turn, then two: as far as loads go, two and two.
    for (; first + 2 * lanes <= whole; first += 2 * lanes) two(first, begin);
    if (GROUP * (first + lanes) < end) two(first, begin);
    else if (GROUP * first < end) one(first, begin);
  };
}
