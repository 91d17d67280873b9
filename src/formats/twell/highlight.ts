import { FIRST_CUT, type Highlight, type HighlightOfRows, type RowColumns, type Tally } from '../../core/highlight.ts';
import { lowerBound } from '../../core/matrix/index.ts';
import { fact } from '../../core/story/stated.ts';
import { capacityOf, type TwellParams } from './params.ts';

/** Added to the `amount` of a tile: one of several that overflow; a full one, if none does; the only one. */
const OF_SEVERAL = 0.25;
const FULL = 0.5;
const ONLY = Number.POSITIVE_INFINITY;

/**
 * Finds the tile of a row that shows TwELL best: the only one to overflow in the cut around it (the part of the matrix
 * on show), else a full one, else the fullest.
 */
export function highlight(p: TwellParams): HighlightOfRows {
  return (rows) => bestTile(rows.slice(0, FIRST_CUT.rows), p);
}

function bestTile(rows: readonly RowColumns[], p: TwellParams): Highlight | null {
  const [row] = rows;
  const { tileWidth: step } = p;
  const capacity = capacityOf(p);
  let best: Highlight | null = null;
  /** where the previous tile ends, and how many non-zeros it holds */
  let [before, beforeCount] = [0, 0];
  for (let i = 0; i < row.length;) {
    const start = row[i] - (row[i] % step);
    const first = i;
    while (i < row.length && row[i] < start + step) i++;
    const count = i - first;
    const isNext = before === start;
    const from = 2 * step > FIRST_CUT.cols ? start : Math.max(0, start - step);
    const nextEnd = start + 2 * step;
    // A tile that overflows is seen beside it: then it is not the only one, nor does everything fit.
    const isBeside =
      (from < start && isNext && beforeCount > capacity) ||
      (nextEnd <= from + FIRST_CUT.cols && row[i + capacity] < nextEnd);
    const firstInCut = from < start && isNext ? first - beforeCount : first;
    [before, beforeCount] = [start + step, count];
    const isOrdinary = count < capacity || capacity === 0 || isBeside;
    const min = Math.min(count, capacity + OF_SEVERAL);
    const max = isOrdinary ? min : count > capacity ? ONLY : capacity + FULL;
    if (best && max <= best.amount) continue;
    const own = count > capacity ? 1 : 0;
    const amount = isOrdinary || overflowing(rows, from, firstInCut, p, own) > own ? min : max;
    if (best && amount <= best.amount) continue;
    best = { from, to: start + step - 1, amount, happens: count >= capacity, step };
    if (amount === ONLY) break;
  }
  return best;
}

/** Tiles that overflow in the cut from `from`, up to `enough` + 1; `first`: the first row's first non-zero in it. */
function overflowing(rows: readonly RowColumns[], from: number, first: number, p: TwellParams, enough: number): number {
  const capacity = capacityOf(p);
  const end = from + FIRST_CUT.cols;
  let over = 0;
  for (const row of rows) {
    for (let i = row === rows[0] ? first : lowerBound(row, row.length, from); i < row.length && row[i] < end;) {
      const tileEnd = row[i] - (row[i] % p.tileWidth) + p.tileWidth;
      const at = i;
      while (i < row.length && row[i] < tileEnd) i++;
      if (i - at > capacity && ++over > enough) return over;
    }
  }
  return over;
}

/** Counts tiles, those that overflow, and the non-zeros of the fullest tile. */
export function tally(p: TwellParams, { cols }: { readonly cols: number }): Tally {
  const capacity = capacityOf(p);
  const tilesOfRow = Math.ceil(cols / p.tileWidth);
  let [fullest, over, all] = [0, 0, 0];
  return {
    row(columns) {
      all += tilesOfRow;
      for (let i = 0; i < columns.length;) {
        const end = columns[i] - (columns[i] % p.tileWidth) + p.tileWidth;
        const first = i;
        while (i < columns.length && columns[i] < end) i++;
        if (i - first > fullest) fullest = i - first;
        if (i - first > capacity) over++;
      }
    },
    facts: () => [fact('fullest tile', fullest), fact('tiles that overflow', over), fact('tiles', all)],
  };
}
