import { FIRST_LOOK, type Highlight, type RowColumns } from '../../core/highlight.ts';
import { blockColumns, type EcCsrParams } from './params.ts';

/** Most columns that the first row shares with another one, where they are enough for a block; half of the cut is plain. */
export function highlight([row, ...others]: readonly RowColumns[], _: unknown, p: EcCsrParams): Highlight | null {
  const enough = p.maxGranularity === 1 ? Number.POSITIVE_INFINITY : blockColumns(p);
  let best: Highlight | null = null;
  for (const other of others) {
    const shared = row.length < enough || other.length < enough ? [] : sharedColumns(row, other);
    for (let first = 0, last = 0; last < shared.length; last++) {
      while (shared[last] - shared[first] >= FIRST_LOOK.cols) first++;
      const amount = last + 1 - first;
      if (amount < Math.max(enough, (best?.amount ?? 0) + 1)) continue;
      const isPlain = 2 * amount >= FIRST_LOOK.cols;
      best = {
        from: shared[first],
        to: shared[last],
        amount: isPlain ? Number.POSITIVE_INFINITY : amount,
        happens: true,
      };
      if (isPlain) return best;
    }
  }
  return best;
}

function sharedColumns(a: RowColumns, b: RowColumns): readonly number[] {
  const shared: number[] = [];
  for (let i = 0, k = 0; i < a.length && k < b.length;) {
    if (a[i] === b[k]) shared.push(a[i]);
    if (a[i] < b[k]) i++;
    else if (a[i] > b[k]) k++;
    else {
      i++;
      k++;
    }
  }
  return shared;
}
