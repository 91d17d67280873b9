import {
  ABSENT,
  type KernelLoads,
  LaneItems,
  type LoadsModel,
  neighbouringRows,
  paddedBytes,
} from '../../core/kernel/loads.ts';
import type { EllEncoded } from './layout.ts';

/** Indices of arrays and of the sites that load from them. */
const VALUES = 0;
const INDICES = 1;
const COUNTS = 2;
const X = 3;

const KERNEL_LANES = 64;
const SLOTS_PER_TURN = 8;

/** The loads of ell/spmv_scalar: a row per lane, eight slots per turn. */
export const scalarLoads: LoadsModel<EllEncoded> = (e, { subgroupMaxSize: lanes }): KernelLoads => {
  const { rows, values, indices, counts } = e;
  const at = new LaneItems(lanes);
  const { items } = at;
  /** from an entry to its word of 4 bytes */
  const valueShift = values.BYTES_PER_ELEMENT === 2 ? 1 : 0;
  const indexShift = indices.BYTES_PER_ELEMENT === 2 ? 1 : 0;
  const entries = new Int32Array(lanes);
  return {
    arrays: [
      { name: 'values', of: 'values', space: 'storage', bytes: paddedBytes(values) },
      { name: 'indices', of: 'indices', space: 'storage', bytes: paddedBytes(indices) },
      { name: 'counts', of: 'metadata', space: 'storage', bytes: counts.byteLength },
      { name: 'x', of: 'x', space: 'storage', bytes: 4 * e.cols },
    ],
    sites: [
      { array: VALUES, itemBytes: 4, elementBytes: 16 },
      { array: INDICES, itemBytes: 4, elementBytes: 16 },
      { array: COUNTS, itemBytes: 4, elementBytes: 4 },
      { array: X, itemBytes: 4, elementBytes: 4 },
    ],
    lanes,
    subgroupsPerWorkgroup: KERNEL_LANES / lanes,
    ...neighbouringRows(rows, lanes),
    walk(subgroup, take) {
      at.take = take;
      const first = subgroup * lanes;
      const there = Math.min(lanes, rows - first);
      let longest = 0;
      for (let lane = 0; lane < lanes; lane++) {
        items[lane] = lane < there ? first + lane : ABSENT;
        if (lane < there) longest = Math.max(longest, counts[first + lane]);
      }
      at.take(COUNTS, items);
      const slots = Math.ceil(longest / SLOTS_PER_TURN) * SLOTS_PER_TURN;
      for (let slot = 0; slot < slots; slot++) {
        for (let lane = 0; lane < lanes; lane++) {
          const count = lane < there ? counts[first + lane] : 0;
          // A row that ends in the middle of a turn loads its last entry again.
          const isIn = slot - (slot % SLOTS_PER_TURN) < count;
          entries[lane] = isIn ? Math.min(slot, count - 1) * rows + first + lane : ABSENT;
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
