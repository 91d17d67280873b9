import type { ArrayCounts } from '../../../core/kernel/load-counts.ts';
import type { LoadedArray } from '../../../core/kernel/loads.ts';

/** What loads are of: x, values, what tells columns, where rows begin, and x on its way into workgroup memory. */
export const KINDS = ['x', 'values', 'indices', 'metadata', 'copy'] as const satisfies readonly LoadedArray['of'][];
export type Kind = (typeof KINDS)[number];

/** What all loads of one kind cost a kernel. */
export interface KindCounts extends ArrayCounts {
  readonly arrays: readonly string[];
  /** where they are: no kernel has arrays of one kind in both */
  readonly space: LoadedArray['space'];
}

/** What a load of a kind is called, and what is said of a kernel without any. */
export const KIND_WORDS: Readonly<
  Record<Kind, { readonly label: string; readonly loads: string; readonly none: string }>
> = {
  x: { label: 'x', loads: 'gathers of x', none: 'loads no x' },
  values: { label: 'values', loads: 'loads of values', none: 'loads no values' },
  indices: { label: 'indices', loads: 'loads of indices', none: 'loads no indices' },
  metadata: { label: 'metadata', loads: 'loads of metadata', none: 'loads no metadata' },
  copy: { label: 'copy of x', loads: 'copies of x', none: 'makes no copy of x' },
};

/** What loads cost: lines of a buffer, turns of workgroup memory. */
export function unitOf({ space }: Pick<KindCounts, 'space'>): 'line' | 'turn' {
  return space === 'storage' ? 'line' : 'turn';
}

/** The counts of all arrays of a kind together; null where the kernel loads none. */
export function countsOf(arrays: readonly (LoadedArray & ArrayCounts)[], kind: Kind): KindCounts | null {
  const own = arrays.filter((array) => array.of === kind);
  if (own.length === 0) return null;
  const sum = (of: (one: ArrayCounts) => number): number => own.reduce((all, one) => all + of(one), 0);
  return {
    arrays: own.map(({ name }) => name),
    space: own[0].space,
    histogram: own[0].histogram.map((_, cost) => sum(({ histogram }) => histogram[cost] ?? 0)),
    loads: sum(({ loads }) => loads),
    asked: sum(({ asked }) => asked),
    cost: sum(({ cost }) => cost),
    usedBytes: sum(({ usedBytes }) => usedBytes),
  };
}
