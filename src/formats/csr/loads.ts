import { stagedShares, withEqualShares } from '../../core/kernel/equal-shares.ts';
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
import type { CsrEncoded } from './layout.ts';

/** Indices of arrays and of the sites that load from them. */
const VALUES = 0;
const INDICES = 1;
const INDPTR = 2;
const X = 3;
const COPY = 4;

const SUBGROUP_KERNEL_LANES = 128;
const SCALAR_KERNEL_LANES = 64;

function arraysOf(e: CsrEncoded): readonly LoadedArray[] {
  return [
    { name: 'data', of: 'values', space: 'storage', bytes: paddedBytes(e.data) },
    { name: 'indices', of: 'indices', space: 'storage', bytes: paddedBytes(e.indices) },
    { name: 'indptr', of: 'metadata', space: 'storage', bytes: e.indptr.byteLength },
    { name: 'x', of: 'x', space: 'storage', bytes: 4 * e.cols },
  ];
}

function word(array: number, elementBytes = 4): LoadSite {
  return { array, itemBytes: 4, elementBytes };
}

/** Those of kernels with eight entries per lane. */
function sitesOf(e: CsrEncoded): readonly LoadSite[] {
  const values = eightOf(e.data.BYTES_PER_ELEMENT).itemBytes;
  const indices = eightOf(e.indices.BYTES_PER_ELEMENT).itemBytes;
  return [
    { array: VALUES, itemBytes: values, elementBytes: values },
    { array: INDICES, itemBytes: indices, elementBytes: indices },
    word(INDPTR),
    word(X),
  ];
}

/** The loads of csr/spmv_subgroup: a row per subgroup. */
export const subgroupLoads: LoadsModel<CsrEncoded> = (e, { subgroupMaxSize: lanes }): KernelLoads => {
  const at = new LaneItems(lanes);
  const walkEntries = entriesPart(e, at);
  return {
    arrays: arraysOf(e),
    sites: sitesOf(e),
    lanes,
    subgroupsPerWorkgroup: SUBGROUP_KERNEL_LANES / lanes,
    ...neighbouringRows(e.rows, 1),
    walk(row, take) {
      at.take = take;
      at.same(INDPTR, row);
      at.same(INDPTR, row + 1);
      walkEntries(e.indptr[row], e.indptr[row + 1]);
    },
  };
};

/** The loads of csr/spmv_staged: an equal share of the entries per subgroup, x in workgroup memory. */
export const stagedLoads: LoadsModel<CsrEncoded> = (e, device): KernelLoads => {
  const { counts, lanes: workgroupLanes } = stagedShares(e.cols, 'f32', device);
  const at = new LaneItems(counts.lanes);
  const starts = withEqualShares(e.indptr, counts);
  return {
    arrays: stagedArrays(arraysOf(e), starts.byteLength),
    sites: [...sitesOf(e), word(COPY)],
    ...shareLoads({
      starts,
      rows: e.rows,
      counts,
      copied: Math.max(1, e.cols),
      workgroupLanes,
      at,
      sites: { starts: INDPTR, copy: COPY },
      part: entriesPart(e, at),
      store: () => {},
    }),
  };
};

/** The loads of entries_part in shaders/csr/row.wgsl, for the entries from `begin` to before `end`. */
function entriesPart(e: CsrEncoded, at: LaneItems): (begin: number, end: number) => void {
  const { items } = at;
  const lanes = items.length;
  const valuesPerGroup = eightOf(e.data.BYTES_PER_ELEMENT).perGroup;
  const indicesPerGroup = eightOf(e.indices.BYTES_PER_ELEMENT).perGroup;
  const { indices } = e;
  /** the current group of eight of each lane, and whether the lane is active */
  const group = new Int32Array(lanes);
  const takes = new Uint8Array(lanes);

  /** Loads a group of eight per lane, `ahead` groups ahead. */
  const loadGroup = (site: number, perGroup: number, ahead: number): void => {
    for (let part = 0; part < perGroup; part++) {
      for (let lane = 0; lane < lanes; lane++) {
        items[lane] = takes[lane] === 1 ? perGroup * (group[lane] + ahead) + part : ABSENT;
      }
      at.take(site, items);
    }
  };
  const gather = (ahead: number): void => {
    for (let k = 0; k < 8; k++) {
      for (let lane = 0; lane < lanes; lane++) {
        const entry = 8 * (group[lane] + ahead) + k;
        // Past the last entry the buffer holds zeros.
        items[lane] = takes[lane] === 0 ? ABSENT : entry < indices.length ? indices[entry] : 0;
      }
      at.take(X, items);
    }
  };
  const loadOne = (): void => {
    loadGroup(VALUES, valuesPerGroup, 0);
    loadGroup(INDICES, indicesPerGroup, 0);
    gather(0);
  };
  /** Updates which lanes are active; returns whether any is. */
  const taking = (test: (group: number) => boolean): boolean => {
    let any = false;
    for (let lane = 0; lane < lanes; lane++) {
      const takesPart = test(group[lane]);
      takes[lane] = takesPart ? 1 : 0;
      any ||= takesPart;
    }
    return any;
  };
  const advance = (by: number): void => {
    for (let lane = 0; lane < lanes; lane++) group[lane] += by * takes[lane];
  };

  return (begin, end) => {
    for (let lane = 0; lane < lanes; lane++) group[lane] = (begin >>> 3) + lane;
    if (taking((g) => 8 * g < begin)) {
      loadOne();
      advance(lanes);
    }
    while (taking((g) => 8 * (g + lanes) + 8 <= end)) {
      loadGroup(VALUES, valuesPerGroup, 0);
      loadGroup(VALUES, valuesPerGroup, lanes);
      loadGroup(INDICES, indicesPerGroup, 0);
      loadGroup(INDICES, indicesPerGroup, lanes);
      gather(0);
      gather(lanes);
      advance(2 * lanes);
    }
    if (taking((g) => 8 * g + 8 <= end)) {
      loadOne();
      advance(lanes);
    }
    if (taking((g) => 8 * g < end)) loadOne();
  };
}

/** The loads of csr/spmv_scalar: a row per lane. */
export const scalarLoads: LoadsModel<CsrEncoded> = (e, { subgroupMaxSize: lanes }): KernelLoads => {
  const { rows, indptr, indices, data } = e;
  const at = new LaneItems(lanes);
  const { items } = at;
  /** from an entry to its word of 4 bytes */
  const valueShift = data.BYTES_PER_ELEMENT === 2 ? 1 : 0;
  const indexShift = indices.BYTES_PER_ELEMENT === 2 ? 1 : 0;
  const entries = new Int32Array(lanes);
  return {
    arrays: arraysOf(e),
    sites: [word(VALUES, 16), word(INDICES, 16), word(INDPTR), word(X)],
    lanes,
    subgroupsPerWorkgroup: SCALAR_KERNEL_LANES / lanes,
    ...neighbouringRows(rows, lanes),
    walk(subgroup, take) {
      at.take = take;
      const first = subgroup * lanes;
      const count = Math.min(lanes, rows - first);
      let longest = 0;
      for (let next = 1; next >= 0; next--) {
        for (let lane = 0; lane < lanes; lane++) items[lane] = lane < count ? first + lane + next : ABSENT;
        at.take(INDPTR, items);
      }
      for (let row = first; row < first + count; row++) longest = Math.max(longest, indptr[row + 1] - indptr[row]);
      for (let i = 0; i < longest; i++) {
        for (let lane = 0; lane < lanes; lane++) {
          const isIn = lane < count && indptr[first + lane] + i < indptr[first + lane + 1];
          entries[lane] = isIn ? indptr[first + lane] + i : ABSENT;
        }
        for (let lane = 0; lane < lanes; lane++) {
          items[lane] = entries[lane] === ABSENT ? ABSENT : entries[lane] >> valueShift;
        }
        at.take(VALUES, items);
        for (let lane = 0; lane < lanes; lane++) {
          items[lane] = entries[lane] === ABSENT ? ABSENT : entries[lane] >> indexShift;
        }
        at.take(INDICES, items);
        for (let lane = 0; lane < lanes; lane++) {
          items[lane] = entries[lane] === ABSENT ? ABSENT : indices[entries[lane]];
        }
        at.take(X, items);
      }
    },
  };
};
