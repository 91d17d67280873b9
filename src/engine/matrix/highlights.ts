import { cutAround, FIRST_LOOK, type FindHighlight, type Highlight, type RowColumns } from '../../core/highlight.ts';
import { rowsPerYield, type Steps } from '../../core/job.ts';
import { type Region, rowBuffer, type Rows } from '../../core/matrix/index.ts';

/** A part of a matrix, and whether what was looked for happens in it. */
export interface Cut {
  readonly region: Region;
  readonly happens: boolean;
}

/**
 * The part of `m` that shows a highlight best, of equal ones that of the lowest row; null where there is none. `after`: the
 * next one behind this row that happens, from the top again after the last row. O(rows × cols) at worst, with one row and
 * the columns of five others in memory.
 */
export function* highlightSteps<P>(m: Rows, find: FindHighlight<P>, p: P, after: number | null): Steps<Cut | null> {
  const { rows } = m;
  const buffer = rowBuffer(m.cols);
  const pause = rowsPerYield(m.cols);
  const first = after === null ? 0 : (after + 1) % Math.max(1, rows);
  let seen: RowColumns[] = [];
  let best: (Highlight & { readonly row: number }) | null = null;
  for (let i = 0; i < rows; i++) {
    const row = (first + i) % rows;
    if (row === 0) seen = [];
    while (seen.length < FIRST_LOOK.rows && row + seen.length < rows) {
      seen.push(buffer.columns.slice(0, m.readRow(row + seen.length, buffer)));
    }
    const found = find(seen, m, p);
    seen.shift();
    const isBetter = found && (after === null ? found.amount > (best?.amount ?? 0) : found.happens);
    if (isBetter) best = { ...found, row };
    if (isBetter && (after !== null || found.amount === Number.POSITIVE_INFINITY)) break;
    if (i % pause === pause - 1) yield { what: 'looking for a place to show', done: i + 1, total: rows };
  }
  return best && { region: cutAround(best, best.row, m), happens: best.happens };
}
