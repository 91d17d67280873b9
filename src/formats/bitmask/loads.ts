import {
  ABSENT,
  type KernelLoads,
  LaneItems,
  type LoadsModel,
  neighbouringRows,
  paddedBytes,
} from '../../core/kernel/loads.ts';
import { type BitmaskEncoded, popcount } from './layout.ts';

/** Arrays, and the sites that load from them, by number. */
const VALUES = 0;
const MASK = 1;
const ROW_PTR = 2;
const X = 3;

const KERNEL_LANES = 128;

/** The loads of bitmask/spmv_subgroup: a row to a subgroup, a word of the mask to a lane, which all share out by bytes. */
export const subgroupLoads: LoadsModel<BitmaskEncoded> = (e, { subgroupMaxSize: lanes }): KernelLoads => {
  const { rows, wordsPerRow, values, mask, rowPtr } = e;
  const at = new LaneItems(lanes);
  const { items } = at;
  /** from a value to its word of 4 bytes */
  const valueShift = values.BYTES_PER_ELEMENT === 2 ? 1 : 0;
  const words = new Int32Array(lanes);
  /** values before the word of a lane, and before the cell that a lane is at */
  const wordBefore = new Int32Array(lanes);
  const before = new Int32Array(lanes);

  /** Four cells of a byte, from bit `from` on, then the x of all four. */
  const half = (turn: number, first: number, from: number): void => {
    for (let k = from; k < from + 4; k++) {
      for (let lane = 0; lane < lanes; lane++) items[lane] = before[lane] >> valueShift;
      at.take(VALUES, items);
      for (let lane = 0; lane < lanes; lane++) {
        const byte = turn * lanes + lane;
        before[lane] += (words[byte >> 2] >>> (8 * (byte & 3) + k)) & 1;
      }
    }
    for (let lane = 0; lane < lanes; lane++) {
      const byte = turn * lanes + lane;
      items[lane] = 8 * (first + (byte >> 2)) + 2 * (byte & 3) + from / 4;
    }
    at.take(X, items);
  };

  return {
    arrays: [
      { name: 'values', of: 'values', space: 'storage', bytes: paddedBytes(values) },
      { name: 'mask', of: 'indices', space: 'storage', bytes: mask.byteLength },
      { name: 'rowPtr', of: 'metadata', space: 'storage', bytes: rowPtr.byteLength },
      { name: 'x', of: 'x', space: 'storage', bytes: paddedBytes({ byteLength: 4 * e.cols }) },
    ],
    sites: [
      { array: VALUES, itemBytes: 4, elementBytes: 16 },
      { array: MASK, itemBytes: 4, elementBytes: 4 },
      { array: ROW_PTR, itemBytes: 4, elementBytes: 4 },
      { array: X, itemBytes: 16, elementBytes: 16 },
    ],
    lanes,
    subgroupsPerWorkgroup: KERNEL_LANES / lanes,
    ...neighbouringRows(rows, 1),
    walk(row, take) {
      at.take = take;
      at.same(ROW_PTR, row);
      let sum = rowPtr[row];
      for (let first = 0; first < wordsPerRow; first += lanes) {
        for (let lane = 0; lane < lanes; lane++) {
          const isIn = first + lane < wordsPerRow;
          const word = row * wordsPerRow + first + lane;
          items[lane] = isIn ? word : ABSENT;
          words[lane] = isIn ? mask[word] : 0;
          wordBefore[lane] = sum;
          sum += popcount(words[lane]);
        }
        at.take(MASK, items);
        for (let turn = 0; turn < 4; turn++) {
          for (let lane = 0; lane < lanes; lane++) {
            const byte = turn * lanes + lane;
            const below = words[byte >> 2] & ((1 << (8 * (byte & 3))) - 1);
            before[lane] = wordBefore[byte >> 2] + popcount(below);
          }
          half(turn, first, 0);
          half(turn, first, 4);
        }
      }
    },
  };
};
