import { type ShareCounts, WORDS } from './equal-shares.ts';
import type { KernelLoads, LaneItems, LoadedArray } from './loads.ts';

/** A kernel that takes equal shares, with x in workgroup memory. */
export interface SharedWalk {
  /** row starts, followed by the shares, as `withEqualShares` lays them out */
  readonly starts: Uint32Array;
  readonly rows: number;
  readonly counts: ShareCounts;
  /** words of x that are copied, and the number of lanes in the workgroup that copy them */
  readonly copied: number;
  readonly workgroupLanes: number;
  readonly at: LaneItems;
  /** the sites that load row starts, and x to be copied */
  readonly sites: { readonly starts: number; readonly copy: number };
  /** Emits the loads of entries of one row, of which some columns are passed already. */
  part(begin: number, end: number, passed: number, row: number): void;
  /** Emits the loads for storing the sum of a row. */
  store(row: number): void;
}

/**
 * The arrays of a kernel that multiplies with x in workgroup memory, from those of one that reads x in its buffer: the
 * shares after the row starts, which are in `starts`, and at the end the buffer that x is copied from.
 */
export function stagedArrays(
  arrays: readonly LoadedArray[],
  startBytes: number,
  starts = 'indptr',
): readonly LoadedArray[] {
  return [
    ...arrays.map((array): LoadedArray => {
      if (array.of === 'x') return { ...array, space: 'workgroup' };
      return array.name === starts ? { ...array, bytes: startBytes } : array;
    }),
    ...arrays.flatMap((array): readonly LoadedArray[] => (array.of === 'x' ? [{ ...array, of: 'copy' }] : [])),
  ];
}

/** Copies of x per lane and turn. */
const COPIES = 4;

/**
 * The loads of copy_x in shaders/common/staged_x.wgsl and staged_x16.wgsl by the lanes of one subgroup, of which
 * `firstLane` is the first in the workgroup. Beyond the `copied` words the last one is loaded again.
 */
export function copyLoads(
  at: LaneItems,
  site: number,
  copy: { readonly copied: number; readonly workgroupLanes: number; readonly firstLane: number },
): void {
  const { copied, workgroupLanes, firstLane } = copy;
  const { items } = at;
  for (let turn = 0; COPIES * turn * workgroupLanes < copied; turn++) {
    for (let i = 0; i < COPIES; i++) {
      for (let lane = 0; lane < items.length; lane++) {
        items[lane] = Math.min((COPIES * turn + i) * workgroupLanes + firstLane + lane, copied - 1);
      }
      at.take(site, items);
    }
  }
}

/**
 * The loads of shaders/common/staged.wgsl with whole rows. Reads of other lanes' sums at the end are left out.
 */
export function shareLoads(
  walked: SharedWalk,
): Pick<KernelLoads, 'lanes' | 'subgroups' | 'subgroupsPerWorkgroup' | 'rowsOf' | 'subgroupOf' | 'walk'> {
  const { starts, rows, counts, copied, workgroupLanes, at, sites, part, store } = walked;
  const { workgroups, shares, lanes } = counts;
  const first = rows + 1;
  const startOf = (share: number): number => first + WORDS * share;
  const loadStart = (share: number): void => {
    for (let word = 0; word < WORDS; word++) at.same(sites.starts, startOf(share) + word);
  };
  const loadBounds = (row: number): void => {
    at.same(sites.starts, Math.min(row, rows));
    at.same(sites.starts, Math.min(row + 1, rows));
  };
  /** The row in which a share ends, and whether it has entries of it. */
  const endOf = (share: number): { readonly row: number; readonly isIn: boolean } => {
    const row = starts[startOf(share + 1) + 1];
    return { row, isIn: row < rows && starts[startOf(share + 1)] > starts[row] };
  };
  return {
    lanes,
    subgroups: workgroups * shares,
    subgroupsPerWorkgroup: shares,
    rowsOf(share) {
      const { row, isIn } = endOf(share);
      const from = starts[startOf(share) + 1];
      return Array.from({ length: Math.max(0, row - from + (isIn ? 1 : 0)) }, (_, i) => from + i);
    },
    subgroupOf(row) {
      for (let share = 0; share < workgroups * shares; share++) {
        const end = endOf(share);
        if (row < end.row || (row === end.row && end.isIn)) return share;
      }
      return 0;
    },
    walk(share, take) {
      at.take = take;
      const [entry, startRow, startPassed] = starts.subarray(startOf(share), startOf(share) + 3);
      const [nextEntry, nextRow] = starts.subarray(startOf(share + 1), startOf(share + 1) + 2);
      const inside = starts[startOf(share) + 3] !== 0;
      loadStart(share);
      loadStart(share + 1);
      loadBounds(startRow);
      loadBounds(startRow + 1);
      const firstOfWorkgroup = startOf(Math.floor(share / shares) * shares) + 1;
      at.same(sites.starts, firstOfWorkgroup);
      copyLoads(at, sites.copy, { copied, workgroupLanes, firstLane: (share % shares) * lanes });
      at.same(sites.starts, firstOfWorkgroup);
      let begin = entry;
      let passed = startPassed;
      for (let row = startRow; row < nextRow || begin < nextEntry; row++) {
        part(begin, row === nextRow ? nextEntry : starts[Math.min(row + 1, rows)], passed, row);
        const isHead = row === startRow && inside;
        if (!isHead && row !== nextRow) store(row);
        if (row === nextRow) break;
        begin = starts[Math.min(row + 1, rows)];
        passed = 0;
        loadBounds(row + 2);
      }
    },
  };
}
