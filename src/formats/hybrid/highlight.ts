import { FIRST_REGION } from '../../core/cut.ts';
import { countWithin, type HighlightOfRows } from '../../core/highlight.ts';
import { type HybridParams, slotsOf, tailCapacityOf } from './params.ts';

/**
 * Returns a function that finds the window of a matrix in which a story starts: columns in which the first row has more
 * non-zeros than slots. The best windows are those in which the tail has space for all such rows.
 */
export function highlight(p: HybridParams, shape: { readonly cols: number }): HighlightOfRows {
  const cols = Math.min(FIRST_REGION.cols, shape.cols);
  const slots = slotsOf(cols, p);
  return (rowAndFollowing) => {
    const rows = rowAndFollowing.slice(0, FIRST_REGION.rows);
    const [row] = rows;
    for (let i = slots; i < row.length; i++) {
      const from = row[i - slots];
      if (row[i] - from >= cols) continue;
      const start = Math.min(from, shape.cols - cols);
      const long = rows.filter((columns) => countWithin(columns, start, start + cols) > slots);
      const fitsTail = rows.length > 1 && long.length <= tailCapacityOf(rows.length, cols, p);
      return { from, to: row[i], score: fitsTail ? Number.POSITIVE_INFINITY : 1, hasCase: true };
    }
    return null;
  };
}
