import type { ArrayCounts } from '../../../core/kernel/load-counts.ts';
import type { LoadedArray } from '../../../core/kernel/loads.ts';

/** What loads are of: an array of x, of values, of what tells columns, of where rows begin. */
export const KINDS = ['x', 'values', 'indices', 'metadata'] as const satisfies readonly LoadedArray['of'][];
export type Kind = (typeof KINDS)[number];

/** What all loads of one kind cost a kernel. */
export interface KindCounts extends ArrayCounts {
  readonly arrays: readonly string[];
}

/** The counts of all arrays of a kind together; null where the kernel loads none. */
export function countsOf(arrays: readonly (LoadedArray & ArrayCounts)[], kind: Kind): KindCounts | null {
  const own = arrays.filter((array) => array.of === kind);
  if (own.length === 0) return null;
  const sum = (of: (one: ArrayCounts) => number): number => own.reduce((all, one) => all + of(one), 0);
  return {
    arrays: own.map(({ name }) => name),
    histogram: own[0].histogram.map((_, cost) => sum(({ histogram }) => histogram[cost] ?? 0)),
    loads: sum(({ loads }) => loads),
    asked: sum(({ asked }) => asked),
    cost: sum(({ cost }) => cost),
    usedBytes: sum(({ usedBytes }) => usedBytes),
  };
}
