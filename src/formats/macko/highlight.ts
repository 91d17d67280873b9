import { REGION_BOUNDS } from '../../core/bounds/bounds.ts';
import { FIRST_REGION } from '../../core/cut.ts';
import type { Highlight, HighlightOfRows, RowColumns } from '../../core/highlight.ts';
import type { Tally } from '../../core/tally.ts';
import { fact } from '../../core/text/stated.ts';
import { type MackoParams, reachOf } from './params.ts';

/** Weights with short skips to show before a long skip. */
const SHORT_SKIPS = 3;

/**
 * Finds the columns of a row that show best what is special about MACKO: a skip that needs a stored zero, after weights
 * with short skips; else the skip with most stored zeros, else the longest skip. A skip: the zeros before a weight.
 */
export function highlight({ deltaBits }: MackoParams): HighlightOfRows {
  const reach = reachOf(deltaBits);
  return ([row]) => longestSkip(row, reach);
}

function longestSkip(row: RowColumns, reach: number): Highlight | null {
  let best: Highlight | null = null;
  for (let i = 0; i < row.length; i++) {
    const skipped = i === 0 ? row[0] : row[i] - row[i - 1] - 1;
    const zeros = Math.floor(skipped / reach);
    if (skipped >= REGION_BOUNDS.cells) continue;
    // Without stored zeros, only a longer skip is better; the weights before it do not count.
    if (zeros === 0 && best && skipped / reach <= best.score) continue;
    let first = i;
    const isWide = skipped >= FIRST_REGION.cols;
    const maxCols = isWide ? Math.min(REGION_BOUNDS.cells, skipped + FIRST_REGION.cols) : FIRST_REGION.cols;
    while (first > 0 && i - first < SHORT_SKIPS && row[i] - row[first - 1] < maxCols) first--;
    // Orders skips by stored zeros, then by weights before them (at most SHORT_SKIPS); without stored zeros by length.
    const score = zeros > 0 ? (SHORT_SKIPS + 1) * zeros + i - first : skipped / reach;
    const isClear = zeros > 0 && i - first === SHORT_SKIPS && !isWide;
    if (best && !isClear && score <= best.score) continue;
    // Begin right after the previous weight, so that the first skip is shown at full length.
    const start = first === 0 ? 0 : row[first - 1] + 1;
    const from = row[i] - start < maxCols ? start : row[first];
    best = { from, to: row[i], score: isClear ? Number.POSITIVE_INFINITY : score, hasCase: zeros > 0 };
    if (isClear) break;
  }
  return best;
}

/** Counts non-zeros and stored zeros of all rows, and the longest skip. */
export function tally({ deltaBits }: MackoParams): Tally {
  const reach = reachOf(deltaBits);
  let [zeros, longest, nnz] = [0, 0, 0];
  return {
    row(columns) {
      let next = 0;
      nnz += columns.length;
      for (let i = 0; i < columns.length; i++) {
        const skipped = columns[i] - next;
        next = columns[i] + 1;
        if (skipped > longest) longest = skipped;
        if (skipped >= reach) zeros += Math.floor(skipped / reach);
      }
    },
    facts: () => [fact('non-zeros', nnz), fact('padding', zeros), fact('longest skip of all', longest)],
  };
}
