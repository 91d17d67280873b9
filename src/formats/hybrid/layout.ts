import type { Counts, Layout, PaddingDeclaration } from '../../core/declared/declaration.ts';
import type { EncodedMatrix } from '../../core/format.ts';
import { counted } from '../../core/text/words.ts';
import { type HybridParams, slotsOf, tailCapacityOf } from './params.ts';

/** In tailMap: the row is in its slots; in tailRows: the tail row is free. */
export const NONE = 0xffffffff;

/**
 * The hybrid of a compact ELL and a dense tail. A row with at most W (`rowSlots`) non-zeros is stored in its slots, row
 * by row; a longer one is stored with all its cells in a row of the tail, and its slots stay empty.
 *
 * slots = min(W, cols); the tail has rows for a fixed share of the rows, and none where no row can be long. Columns
 * ascend inside a row; empty slots and free tail rows are 0. A value that rounds to 0 keeps its slot.
 * Source: TwELL paper, section 3.4 and listings 4 to 7. Differences: columns are unsigned 16-bit numbers in ascending
 * order, counts include the non-zeros of long rows, and a matrix that overflows the tail is rejected.
 */
export interface HybridEncoded extends EncodedMatrix, HybridParams {
  readonly slots: number; // per row
  /** capacity of the tail, in rows */
  readonly tailCapacity: number;
  readonly tailUsed: number; // rows in the tail
  readonly values: Uint16Array;
  readonly indices: Uint16Array;
  readonly counts: Uint32Array;
  readonly tailMap: Uint32Array;
  readonly tailRows: Uint32Array;
  readonly tail: Uint16Array;
}

/** Number of a hybrid's entries, empty ones included: the slots of all rows, and the cells of the tail. */
export function entryCount({ rows, cols, slots, tailCapacity }: HybridEncoded): number {
  return rows * slots + tailCapacity * cols;
}

/** Non-zeros of the rows in the tail. O(tail rows). */
export function tailNonZeros({ counts, tailRows, tailUsed }: HybridEncoded): number {
  return tailRows.subarray(0, tailUsed).reduce((sum, row) => sum + counts[row], 0);
}

/** A declaration of padding elements: their number, and in words '3 slots of shorter rows'. */
function padding(ofWhat: string, noun: string, count: (e: HybridEncoded) => number): PaddingDeclaration {
  const countIn = (e: EncodedMatrix): number => count(e as HybridEncoded);
  return { says: (e) => `${counted(countIn(e), noun)} ${ofWhat}`, count: countIn };
}

export type HybridArray = 'values' | 'indices' | 'counts' | 'tailMap' | 'tailRows' | 'tail';

/** The arrays of the hybrid: type, length, and what their bytes are for. */
export const arrays: Layout<HybridArray, HybridParams>['arrays'] = (p) => {
  const inSlots = {
    length: ({ rows, cols }: Counts) => rows * slotsOf(cols, p),
    lengthSays: 'rows * slots',
    padding: [
      padding('of shorter rows', 'slot', (e) => (e.rows - e.tailUsed) * e.slots - e.nnz + tailNonZeros(e)),
      padding('of rows in the tail', 'slot', (e) => e.tailUsed * e.slots),
    ],
  };
  const byRow = { length: ({ rows }: Counts) => rows, lengthSays: 'rows' };
  const tailRows = ({ rows, cols }: Counts): number => tailCapacityOf(rows, cols, p);
  return {
    values: { type: 'bf16', role: 'values', ...inSlots, meaning: 'non-zeros of row r from element r * slots on' },
    indices: {
      type: 'u16',
      role: 'indices',
      ...inSlots,
      columns: { remedy: 'Choose the split layout of TwELL, or a part of the matrix.' },
      meaning: 'column of each',
    },
    counts: { type: 'u32', role: 'metadata', ...byRow, meaning: 'non-zeros of every row, of the long ones as well' },
    tailMap: {
      type: 'u32',
      role: 'metadata',
      ...byRow,
      meaning: 'row of the tail; 0xffffffff for a row in its slots',
    },
    tailRows: {
      type: 'u32',
      role: 'metadata',
      length: tailRows,
      lengthSays: 'tailCapacity',
      padding: { count: (e) => e.length - (e as EncodedMatrix as HybridEncoded).tailUsed },
      meaning: 'the row of each tail row; 0xffffffff for a free one',
    },
    tail: {
      type: 'bf16',
      role: 'values',
      length: (counts) => tailRows(counts) * counts.cols,
      lengthSays: 'tailCapacity * cols',
      padding: [
        padding('of rows in the tail', 'zero', (e) => e.tailUsed * e.cols - tailNonZeros(e)),
        padding('of free tail rows', 'cell', (e) => (e.tailCapacity - e.tailUsed) * e.cols),
      ],
      meaning: 'all cells of the long rows, in the order of the rows',
    },
  };
};
