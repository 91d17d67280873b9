import { FIRST_REGION } from '../../core/cut.ts';
import type { Highlight, HighlightOfRows, RowColumns } from '../../core/highlight.ts';
import type { Tally } from '../../core/tally.ts';
import { lowerBound } from '../../core/matrix/index.ts';
import { fact } from '../../core/text/stated.ts';
import { capacityOf, type TwellParams } from './params.ts';

/* Tiles of TwELL that overflow: the one that a story shows first, and counts for its texts. */

/** `score` of a tile that overflows, if no other of the shown tiles does. */
const ONLY_OVERFLOW = Number.POSITIVE_INFINITY;
/** What the `score` of a full tile adds to the capacity, if no shown tile overflows. */
const FULL = 0.5;
/** What the `score` of one of several overflowing tiles adds to the capacity. */
const ONE_OF_SEVERAL = 0.25;

/** Finds the tile of a row to show first: the only one shown that overflows, else a full one, else the fullest. */
export function highlight(p: TwellParams): HighlightOfRows {
  return (rows) => bestTile(rows.slice(0, FIRST_REGION.rows), p);
}

function bestTile(rows: readonly RowColumns[], p: TwellParams): Highlight | null {
  const [row] = rows;
  const { tileWidth } = p;
  const capacity = capacityOf(p);
  let best: Highlight | null = null;
  let [previousEnd, previousCount] = [0, 0];
  for (let i = 0; i < row.length;) {
    const start = row[i] - (row[i] % tileWidth);
    const first = i;
    while (i < row.length && row[i] < start + tileWidth) i++;
    const count = i - first;
    const isAdjacent = previousEnd === start;
    const from = 2 * tileWidth > FIRST_REGION.cols ? start : Math.max(0, start - tileWidth);
    const nextEnd = start + 2 * tileWidth;
    // The tile before or after is shown, too, and overflows.
    const neighbourOverflows =
      (from < start && isAdjacent && previousCount > capacity) ||
      (nextEnd <= from + FIRST_REGION.cols && row[i + capacity] < nextEnd);
    const firstShown = from < start && isAdjacent ? first - previousCount : first;
    [previousEnd, previousCount] = [start + tileWidth, count];
    const isOrdinary = count < capacity || capacity === 0 || neighbourOverflows;
    const scoreByCount = Math.min(count, capacity + ONE_OF_SEVERAL);
    const maxScore = isOrdinary ? scoreByCount : count > capacity ? ONLY_OVERFLOW : capacity + FULL;
    if (best && maxScore <= best.score) continue;
    // The highest score requires that no other shown tile overflows; counting those last, since it reads all shown rows.
    const limit = count > capacity ? 1 : 0;
    const score = isOrdinary || overflows(rows, from, firstShown, p, limit) > limit ? scoreByCount : maxScore;
    if (best && score <= best.score) continue;
    best = { from, to: start + tileWidth - 1, score, hasCase: count >= capacity, step: tileWidth };
    if (score === ONLY_OVERFLOW) break;
  }
  return best;
}

/**
 * How many tiles overflow in the columns shown, FIRST_REGION.cols from `from` on; at most `limit` + 1. `first`: index of
 * the first non-zero of rows[0] in them.
 */
function overflows(rows: readonly RowColumns[], from: number, first: number, p: TwellParams, limit: number): number {
  const capacity = capacityOf(p);
  const end = from + FIRST_REGION.cols;
  let count = 0;
  for (const row of rows) {
    for (let i = row === rows[0] ? first : lowerBound(row, row.length, from); i < row.length && row[i] < end;) {
      const tileEnd = row[i] - (row[i] % p.tileWidth) + p.tileWidth;
      const tileStart = i;
      while (i < row.length && row[i] < tileEnd) i++;
      if (i - tileStart > capacity && ++count > limit) return count;
    }
  }
  return count;
}

/** Counts tiles, those that overflow, and the non-zeros of the fullest tile. */
export function tally(p: TwellParams, { cols }: { readonly cols: number }): Tally {
  const capacity = capacityOf(p);
  const tilesOfRow = Math.ceil(cols / p.tileWidth);
  let [fullest, overflowing, tiles] = [0, 0, 0];
  return {
    row(columns) {
      tiles += tilesOfRow;
      for (let i = 0; i < columns.length;) {
        const end = columns[i] - (columns[i] % p.tileWidth) + p.tileWidth;
        const first = i;
        while (i < columns.length && columns[i] < end) i++;
        if (i - first > fullest) fullest = i - first;
        if (i - first > capacity) overflowing++;
      }
    },
    facts: () => [fact('fullest tile', fullest), fact('tiles that overflow', overflowing), fact('tiles', tiles)],
  };
}
