import { REGION_BOUNDS } from '../../core/bounds/bounds.ts';
import {
  regionAround,
  densestColumns,
  type FindHighlight,
  type Highlight,
  HIGHLIGHT_ROWS,
  type RowColumns,
} from '../../core/highlight.ts';
import type { Tally } from '../../core/tally.ts';
import { rowsPerYield, type Steps } from '../../core/job.ts';
import { type Region, rowBuffer, type Rows } from '../../core/matrix/index.ts';
import type { NamedFact } from '../../core/text/stated.ts';

// Searches a matrix for the region that best shows what is characteristic of a format.

/** A region found by the search, and whether a format's characteristic case happens in it. */
export interface FoundRegion {
  readonly region: Region;
  readonly hasCase: boolean;
}

type RowHighlight = Highlight & { readonly row: number };

/**
 * The region of `m` that best shows the highlight (characteristic case) of a format; the first of equally good regions.
 * If the format has no highlight, or none is found: the region around the densest row if the matrix is larger than the
 * default window of a whole matrix, else null. With `after`: the next region below this row in which the case happens,
 * continuing at the top after the last row.
 * O(rows × cols) at worst; memory: one row, and the columns of HIGHLIGHT_ROWS rows.
 */
export function* highlightSteps<P>(
  m: Rows,
  findHighlight: FindHighlight<P> | undefined,
  params: P,
  after: number | null,
): Steps<FoundRegion | null> {
  const { rows } = m;
  const buffer = rowBuffer(m.cols);
  const highlightOf = findHighlight?.(params, m);
  const pause = rowsPerYield(m.cols);
  const first = after === null ? 0 : (after + 1) % Math.max(1, rows);
  // A matrix is first shown whole only up to 64 × 64 (`defaultWindow`), though a region of fewer rows may be wider.
  const isLarge = rows > REGION_BOUNDS.rows || m.cols > REGION_BOUNDS.rows;
  let nextRows: RowColumns[] = [];
  let best: RowHighlight | null = null;
  let fullest: RowHighlight | null = null;
  for (let i = 0; i < rows; i++) {
    const row = (first + i) % rows;
    // The search continues at the top: the rows below are others.
    if (row === 0) nextRows = [];
    while (nextRows.length < HIGHLIGHT_ROWS && row + nextRows.length < rows) {
      nextRows.push(buffer.columns.slice(0, m.readRow(row + nextRows.length, buffer)));
    }
    const highlightHere = highlightOf?.(nextRows);
    if (after === null && isLarge && !best) fullest = fuller(nextRows, row, m, fullest);
    nextRows.shift();
    const isBetter =
      highlightHere && (after === null ? highlightHere.score > (best?.score ?? 0) : highlightHere.hasCase);
    if (isBetter) best = { ...highlightHere, row };
    if (isBetter && (after !== null || highlightHere.score === Infinity)) break;
    if (!findHighlight && fullest?.score === Infinity) break;
    if (i % pause === pause - 1) yield { what: 'searching for a window to show', done: i + 1, total: rows };
  }
  const highlight = best ?? fullest;
  return highlight && { region: regionAround(highlight, highlight.row, m), hasCase: highlight.hasCase };
}

/** The denser of `fullest` and row `row`, the first of `nextRows`. `score` Infinity: full, so nothing is denser. */
function fuller(nextRows: readonly RowColumns[], row: number, m: Rows, fullest: RowHighlight | null) {
  const densest = fullest?.score === Infinity ? null : densestColumns(nextRows, m);
  return densest && densest.score > (fullest?.score ?? 0) ? { ...densest, row } : fullest;
}

/** The counts of a format's `tally` over all rows. O(rows × cols) at worst, with one row in memory. */
export function* tallySteps(m: Rows, tally: Tally): Steps<readonly NamedFact[]> {
  const buffer = rowBuffer(m.cols);
  const pause = rowsPerYield(m.cols);
  for (let r = 0; r < m.rows; r++) {
    tally.row(buffer.columns.subarray(0, m.readRow(r, buffer)));
    if (r % pause === pause - 1) yield { what: 'counting', done: r + 1, total: m.rows };
  }
  return tally.facts();
}
