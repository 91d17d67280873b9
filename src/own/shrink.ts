import type { CsrMatrix } from '../core/matrix/index.ts';
import { fromRows, type RowLists, toRows } from './cases.ts';

/** What is made smaller, and until when. */
interface Task<B> {
  readonly matrix: CsrMatrix;
  readonly broken: B;
  readonly now: () => number;
  readonly forMs: number;
}

/** The smallest matrix found, what is broken on it, and the matrices tried. */
interface Shrunk<B> {
  readonly best: CsrMatrix;
  readonly why: B;
  readonly tries: number;
}

/**
 * Makes a matrix smaller for as long as the same is broken on it: leaves out halves of the rows, then of the columns, then
 * fewer, then single non-zeros, and makes values 1; again and again until nothing more can go, or the time is over.
 */
export async function shrunk<B>(
  { matrix, broken, now, forMs }: Task<B>,
  breaks: (matrix: CsrMatrix) => Promise<B | null>,
): Promise<Shrunk<B>> {
  const end = now() + forMs;
  let best = { rows: toRows(matrix) as RowLists, cols: matrix.cols };
  let why = broken;
  let tries = 0;
  const isLate = (): boolean => now() >= end;
  const attempt = async (rows: RowLists, cols: number): Promise<boolean> => {
    tries++;
    const found = await breaks(fromRows(rows, cols));
    if (found === null) return false;
    best = { rows, cols };
    why = found;
    return true;
  };
  for (let isSmaller = true; isSmaller && !isLate();) {
    const before = best;
    for (let step = best.rows.length >> 1 || 1; step >= 1 && !isLate(); step >>= 1) {
      for (let r = 0; r + step <= best.rows.length && best.rows.length > step && !isLate();) {
        if (!(await attempt(best.rows.toSpliced(r, step), best.cols))) r += step;
      }
    }
    for (let step = best.cols >> 1 || 1; step >= 1 && !isLate(); step >>= 1) {
      for (let c = 0; c + step <= best.cols && best.cols > step && !isLate();) {
        if (!(await attempt(withoutColumns(best.rows, c, step), best.cols - step))) c += step;
      }
    }
    for (let r = 0; r < best.rows.length && !isLate(); r++) {
      for (let i = 0; i < best.rows[r].length && !isLate();) {
        if (!(await attempt(best.rows.with(r, best.rows[r].toSpliced(i, 1)), best.cols))) i++;
      }
    }
    for (let r = 0; r < best.rows.length && !isLate(); r++) {
      for (let i = 0; i < best.rows[r].length && !isLate(); i++) {
        const row = best.rows[r];
        if (row[i][1] !== 1) await attempt(best.rows.with(r, row.with(i, [row[i][0], 1])), best.cols);
      }
    }
    isSmaller = best !== before;
  }
  return { best: fromRows(best.rows, best.cols), why, tries };
}

function withoutColumns(rows: RowLists, first: number, count: number): RowLists {
  return rows.map((row) =>
    row.flatMap(([column, value]) => {
      if (column < first) return [[column, value] as const];
      return column >= first + count ? [[column - count, value] as const] : [];
    }),
  );
}
