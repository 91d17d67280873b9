import { cutColumns } from '../../core/bounds/bounds.ts';
import { FIRST_LOOK, type Highlight, LOOKED_AT, type RowColumns, type Tally } from '../../core/highlight.ts';
import { fact } from '../../core/story/stated.ts';
import { lowerBound } from '../../core/matrix/index.ts';
import { blockColumns, type EcCsrParams } from './params.ts';

/** Columns with a weight in any row that can be read in a wide cut. */
const MAX_SEEN = 64;

/**
 * The columns that a row shares with those below it, where they are enough for a block: close together, or wherever they are
 * if there is little besides. Half of what is seen is plain.
 */
export function highlight([row, ...below]: readonly RowColumns[], _: unknown, p: EcCsrParams): Highlight | null {
  const enough = p.maxGranularity === 1 ? Number.POSITIVE_INFINITY : blockColumns(p);
  if (row.length < enough) return null;
  const others = below.filter(({ length }) => length >= enough);
  /** by weights of the row: how many of the others have its column */
  const sharedBy = new Uint8Array(row.length);
  let best: Highlight | null = null;
  for (const other of others) {
    const shared = sharedColumns(row, other, sharedBy);
    for (let first = 0, last = 0; last < shared.length; last++) {
      while (row[shared[last]] - row[shared[first]] >= FIRST_LOOK.cols) first++;
      const amount = last + 1 - first;
      if (amount < Math.max(enough, (best?.amount ?? 0) + 1)) continue;
      const isPlain = 2 * amount >= FIRST_LOOK.cols;
      best = {
        from: row[shared[first]],
        to: row[shared[last]],
        amount: isPlain ? Number.POSITIVE_INFINITY : amount,
        happens: true,
        rows: LOOKED_AT,
      };
      if (isPlain) return best;
    }
  }
  const spread = sharedWithin([row, ...below], sharedBy, Math.max(enough, (best?.amount ?? 0) + 1));
  if (!spread) return best;
  // Shared by several rows, a few by each, is no block.
  const inCut = (i: number): boolean => row[i] >= spread.from && row[i] <= spread.to;
  const isBlock = others.some((other) => sharedColumns(row, other, sharedBy).filter(inCut).length >= enough);
  return isBlock ? spread : best;
}

/** The columns of a cut with max that other rows have, too: at least so many, and few enough columns besides. */
function sharedWithin(rows: readonly RowColumns[], sharedBy: Uint8Array, min: number): Highlight | null {
  const [row] = rows;
  const wide = cutColumns(LOOKED_AT);
  let [sum, max, from, to] = [0, min - 1, 0, -1];
  for (let first = 0, last = 0; last < row.length; last++) {
    sum += sharedBy[last];
    while (row[last] - row[first] >= wide) sum -= sharedBy[first++];
    if (sum > max && last - first < MAX_SEEN) [max, from, to] = [sum, row[first], row[last]];
  }
  if (to < 0) return null;
  const columns = new Set<number>();
  for (const one of rows) {
    for (let i = lowerBound(one, one.length, from); i < one.length && one[i] <= to; i++) columns.add(one[i]);
    if (columns.size > MAX_SEEN) return null;
  }
  const isPlain = max > (row.length * (LOOKED_AT - 1)) / 2;
  return { from, to, amount: isPlain ? Number.POSITIVE_INFINITY : max, happens: true, rows: LOOKED_AT };
}

/** Where in `a` the columns are that `b` has, too; they are counted in `sharedBy`. */
function sharedColumns(a: RowColumns, b: RowColumns, sharedBy: Uint8Array): readonly number[] {
  const shared: number[] = [];
  for (let i = 0, k = 0; i < a.length && k < b.length;) {
    if (a[i] < b[k]) i++;
    else if (a[i] > b[k]) k++;
    else {
      shared.push(i);
      sharedBy[i]++;
      i++;
      k++;
    }
  }
  return shared;
}

/** Columns in which more than one row has a weight: the only ones that a list can be shared for. */
export function tally(_: EcCsrParams, { cols }: { readonly cols: number }): Tally {
  const seen = new Uint8Array(cols);
  let shared = 0;
  return {
    row(columns) {
      for (let i = 0; i < columns.length; i++) {
        const column = columns[i];
        if (seen[column] === 1) shared++;
        if (seen[column] < 2) seen[column]++;
      }
    },
    facts: () => [fact('columns of several rows', shared)],
  };
}
