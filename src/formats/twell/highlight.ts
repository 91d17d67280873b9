import { countWithin, FIRST_LOOK, type Highlight, type RowColumns, type Tally } from '../../core/highlight.ts';
import { fact } from '../../core/story/stated.ts';
import { capacityOf, type TwellParams } from './params.ts';

/** The one tile of a cut that overflows; else a full one beside tiles none of which overflows; else the fullest. */
export function highlight(below: readonly RowColumns[], _: unknown, p: TwellParams): Highlight | null {
  const rows = below.slice(0, FIRST_LOOK.rows);
  const [row] = rows;
  const { tileWidth: step } = p;
  const capacity = capacityOf(p);
  let best: Highlight | null = null;
  /** where the tile before ends, and what it holds */
  let [before, beforeCount] = [0, 0];
  for (let i = 0; i < row.length;) {
    const start = row[i] - (row[i] % step);
    const first = i;
    while (i < row.length && row[i] < start + step) i++;
    const count = i - first;
    const min = Math.min(count, capacity + 0.25);
    // Beside a tile that overflows, which is seen with it, it is neither the only one nor held.
    const isPlain = count < capacity || (2 * step <= FIRST_LOOK.cols && before === start && beforeCount > capacity);
    [before, beforeCount] = [start + step, count];
    if (best && isPlain && min <= best.amount) continue;
    const from = 2 * step > FIRST_LOOK.cols ? start : Math.max(0, start - step);
    const over = count < capacity ? 0 : overflowing(rows, from, p);
    const isOne = count > capacity && over === 1 && capacity > 0;
    const isHeld = count === capacity && over === 0;
    const amount = isOne ? Number.POSITIVE_INFINITY : isHeld ? capacity + 0.5 : min;
    if (best && amount <= best.amount) continue;
    best = { from, to: start + step - 1, amount, happens: count >= capacity, step };
    if (isOne) break;
  }
  return best;
}

/** How many tiles of the cut that begins here have more non-zeros than slots. */
function overflowing(rows: readonly RowColumns[], from: number, p: TwellParams): number {
  let over = 0;
  for (let start = from; start < from + FIRST_LOOK.cols; start += p.tileWidth) {
    for (const row of rows) if (countWithin(row, start, start + p.tileWidth) > capacityOf(p)) over++;
  }
  return over;
}

/** The fullest tile of all, and how many hold more than fits. */
export function tally(p: TwellParams): Tally {
  const capacity = capacityOf(p);
  let [fullest, over] = [0, 0];
  return {
    row(columns) {
      for (let i = 0; i < columns.length;) {
        const end = columns[i] - (columns[i] % p.tileWidth) + p.tileWidth;
        const first = i;
        while (i < columns.length && columns[i] < end) i++;
        if (i - first > fullest) fullest = i - first;
        if (i - first > capacity) over++;
      }
    },
    facts: () => [fact('fullest tile', fullest), fact('tiles that overflow', over)],
  };
}
