import { type HalfGroup, KEPT, STRIDE, WINDOW } from './params.ts';

/**
 * For each slot of a group's windows, its column in the group. A group has 2N columns, N = `halfGroup`;
 * window w covers the columns 2w .. 2w + 3, so slot s, in window floor(s / 4), is column 2 floor(s / 4) + s % 4. For
 * 6:8: 0 1 2 3, 2 3 4 5, 4 5 6 7.
 */
export function indexMap(halfGroup: HalfGroup): readonly number[] {
  return Array.from({ length: (halfGroup - 1) * WINDOW }, (_, s) => Math.floor(s / WINDOW) * STRIDE + (s % WINDOW));
}

/**
 * Greedy assignment of one group's non-zeros to its windows (SlideSparse, algorithm 2): windows from left to right,
 * each stores at most two that no window has taken, the lowest columns first.
 *
 * `columns`: the group's non-zero columns, counted from the group's start, ascending. Fills `windowOf[i]` with the
 * window of columns[i], -1 where none could take it. Returns how many were taken: all, for at most 2N - 2 (theorem 1).
 */
export function assignWindows(
  columns: ArrayLike<number>,
  count: number,
  halfGroup: HalfGroup,
  windowOf: Int8Array,
): number {
  let taken = 0;
  for (let i = 0; i < count; i++) windowOf[i] = -1;
  for (let w = 0; w < halfGroup - 1; w++) {
    const start = w * STRIDE;
    let freeSlots = KEPT;
    // Only columns before the window's end that no earlier window took; the lists are at most 16 long.
    for (let i = 0; i < count && freeSlots > 0 && columns[i] < start + WINDOW; i++) {
      if (windowOf[i] !== -1 || columns[i] < start) continue;
      windowOf[i] = w;
      freeSlots--;
      taken++;
    }
  }
  return taken;
}

/** For each column of a group, the window that stores its weight; -1: a zero, or taken by no window. */
type Assignment = readonly number[];

/** The assignments of all groups with 2N - 2 non-zeros, one per choice of two zeros; and how many fail. O(N^4). */
export function fullestAssignments(halfGroup: HalfGroup) {
  const width = 2 * halfGroup;
  const assignments: Assignment[] = [];
  let failures = 0;
  const windowOf = new Int8Array(width);
  for (let first = width - 2; first >= 0; first--) {
    for (let second = width - 1; second > first; second--) {
      const columns = Array.from({ length: width }, (_, c) => c).filter((c) => c !== first && c !== second);
      if (assignWindows(columns, columns.length, halfGroup, windowOf) < columns.length) failures++;
      const taken = new Map(columns.map((c, i) => [c, windowOf[i]]));
      assignments.push(Array.from({ length: width }, (_, c) => taken.get(c) ?? -1));
    }
  }
  return { all: assignments, failures };
}
