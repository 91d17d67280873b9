import { type HalfGroup, KEPT, METADATA_BITS, STRIDE } from './params.ts';
import { assignWindows } from './slide.ts';

/** Metadata of a window without non-zeros: slots 0 and 1. */
export const EMPTY_NIBBLE = 0b0100;

/**
 * The encoding of every possible group of 2N columns, by the set of its non-zero columns (bit c: column c). N - 1
 * windows of 4 columns cover a group: they begin every 2 columns, and keep 2 values each.
 */
export interface GroupTable {
  /** by set: the nibbles of the group's windows, the first window's in the lowest bits; 2^2N elements */
  readonly nibbles: Int32Array;
  /** by set: bit 2 l + k is 1 if kept slot k of window l is a non-zero; 0 if the windows cannot store all */
  readonly filled: Uint16Array;
}

const tables = new Map<HalfGroup, GroupTable>();

/** The table of (2N-2):2N, N = `halfGroup`, cached, by greedy assignment. O(4^N * N^2) once, 30 ms for N = 8. */
export function groupTable(halfGroup: HalfGroup): GroupTable {
  const cached = tables.get(halfGroup);
  if (cached) return cached;
  const group = 2 * halfGroup;
  const nibbles = new Int32Array(2 ** group);
  const filled = new Uint16Array(2 ** group);
  const columns = new Uint8Array(group);
  const windowOf = new Int8Array(group);
  for (let set = 0; set < 2 ** group; set++) {
    let count = 0;
    for (let c = 0; c < group; c++) if ((set >>> c) & 1) columns[count++] = c;
    if (assignWindows(columns, count, halfGroup, windowOf) < count) continue;
    let next = 0;
    for (let window = 0; window < halfGroup - 1; window++) {
      const first = columns[next] - window * STRIDE;
      const second = columns[next + 1] - window * STRIDE;
      let nibble = EMPTY_NIBBLE;
      if (next + 1 < count && windowOf[next + 1] === window) {
        nibble = first | (second << 2);
        filled[set] |= 3 << (KEPT * window);
        next += 2;
      } else if (next < count && windowOf[next] === window) {
        // A single non-zero shares its window with a zero: slot 0 before it or, if it is in slot 0, slot 1 after it.
        if (first > 0) nibble = first << 2;
        filled[set] |= (first > 0 ? 2 : 1) << (KEPT * window);
        next++;
      }
      nibbles[set] |= nibble << (KEPT * METADATA_BITS * window);
    }
  }
  const table = { nibbles, filled };
  tables.set(halfGroup, table);
  return table;
}
