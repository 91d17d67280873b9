import { countWithin, FIRST_LOOK, type Highlight, type RowColumns, type Tally } from '../../core/highlight.ts';
import { fact } from '../../core/story/stated.ts';
import { capacityOf, type TwellParams } from './params.ts';

/** A tile without a free slot, rather beside tiles none of which overflows; else the fullest tile. */
export function highlight(rows: readonly RowColumns[], _: unknown, p: TwellParams): Highlight | null {
  const [row] = rows;
  const { tileWidth: step } = p;
  const capacity = capacityOf(p);
  let best: Highlight | null = null;
  for (let i = 0; i < row.length;) {
    const start = row[i] - (row[i] % step);
    const first = i;
    while (i < row.length && row[i] < start + step) i++;
    const count = i - first;
    const happens = count >= capacity;
    if (best && Math.min(count, capacity + 0.5) < best.amount) continue;
    const from = 2 * step > FIRST_LOOK.cols ? start : Math.max(0, start - step);
    const isHeld = count === capacity && !overflows(rows, from, p);
    const amount = isHeld ? Number.POSITIVE_INFINITY : Math.min(count, capacity + 0.5);
    if (best && amount <= best.amount) continue;
    best = { from, to: start + step - 1, amount, happens, step };
    if (isHeld) break;
  }
  return best;
}

/** Whether some tile of the cut that begins here has more non-zeros than slots. */
function overflows(rows: readonly RowColumns[], from: number, p: TwellParams): boolean {
  for (let start = from; start < from + FIRST_LOOK.cols; start += p.tileWidth) {
    if (rows.slice(0, FIRST_LOOK.rows).some((row) => countWithin(row, start, start + p.tileWidth) > capacityOf(p)))
      return true;
  }
  return false;
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
