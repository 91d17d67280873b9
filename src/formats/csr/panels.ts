import { type PanelCuts, panelColsOf } from '../../core/kernel/panel-shares.ts';
import type { CsrEncoded } from './layout.ts';

/**
 * Where each row crosses the edges of `panels` panels. Columns are stored directly, so the columns passed before a
 * piece only turn a column into an offset in its panel: minus the panel's first. O(panels * rows * log entries of a
 * row).
 */
export function panelCuts({ rows, cols, indices, indptr }: CsrEncoded, panels: number): PanelCuts {
  const panelCols = panelColsOf(cols, panels);
  const begins = new Uint32Array((panels + 1) * rows);
  const passed = new Uint32Array(panels * rows);
  for (let panel = 0; panel < panels; panel++) passed.fill(-panel * panelCols, panel * rows, (panel + 1) * rows);
  for (let row = 0; row < rows; row++) {
    let entry = indptr[row];
    for (let panel = 0; panel < panels; panel++) {
      entry = firstFrom(indices, entry, indptr[row + 1], panel * panelCols);
      begins[panel * rows + row] = entry;
    }
    begins[panels * rows + row] = indptr[row + 1];
  }
  return { rows, panels, panelCols, begins, passed };
}

/** The first of these entries whose column is at least `column`; `end` if there is none. */
function firstFrom(indices: CsrEncoded['indices'], begin: number, end: number, column: number): number {
  let low = begin;
  let high = end;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (indices[middle] < column) low = middle + 1;
    else high = middle;
  }
  return low;
}
