import { expect, it } from 'vitest';
import { EMPTY_NIBBLE, groupTable } from './group-table.ts';
import { HALF_GROUPS } from './params.ts';

/** Windows of a set of columns by the rule itself: each takes the next two that it covers. Null if some are left. */
function byRule(columns: readonly number[], windows: number): { nibbles: number; filled: number } | null {
  const left = [...columns];
  let nibbles = 0;
  let filled = 0;
  for (let w = 0; w < windows; w++) {
    const slots: number[] = [];
    while (slots.length < 2 && left.length > 0 && left[0] < 2 * w + 4) slots.push((left.shift() ?? 0) - 2 * w);
    const [i0, i1] = slots.length === 2 ? slots : slots.length === 1 && slots[0] > 0 ? [0, slots[0]] : [0, 1];
    if (slots.includes(i0)) filled |= 1 << (2 * w);
    if (slots.includes(i1)) filled |= 2 << (2 * w);
    nibbles |= (i0 | (i1 << 2)) << (4 * w);
  }
  return left.length === 0 ? { nibbles, filled } : null;
}

it('has the windows of every set of columns, for every N', () => {
  for (const halfGroup of HALF_GROUPS) {
    const { nibbles, filled } = groupTable(halfGroup);
    const wrong: number[] = [];
    for (let set = 0; set < 4 ** halfGroup; set++) {
      const columns = Array.from({ length: 2 * halfGroup }, (_, c) => c).filter((c) => (set >>> c) & 1);
      const expected = byRule(columns, halfGroup - 1) ?? { nibbles: 0, filled: 0 };
      if (nibbles[set] !== expected.nibbles || filled[set] !== expected.filled) wrong.push(set);
    }
    expect(wrong).toEqual([]);
    expect(nibbles[0]).toBe(Array.from({ length: halfGroup - 1 }).reduce((n: number) => n * 16 + EMPTY_NIBBLE, 0));
  }
});
