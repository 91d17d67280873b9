// Finds a small matrix on which a format breaks a law, from a large one.

import type { CsrMatrix } from '../../../src/core/matrix/index.ts';
import { fromRows, type RowLists, toRows } from './law-cases.ts';

/** The matrix to shrink, how the format breaks a law on it (such as: decode undoes encode), and the time limit. */
interface ShrinkTask<B> {
  readonly matrix: CsrMatrix;
  readonly broken: B;
  readonly now: () => number;
  readonly limitMs: number;
}

/** The smallest matrix found, how it breaks the law, and the number of tries. */
interface ShrunkMatrix<B> {
  readonly best: CsrMatrix;
  readonly why: B;
  readonly tries: number;
}

/** Maximum number of candidates that are requested together. */
const MAX_BATCH = 16;

/** A matrix as lists of rows, while it is being shrunk. */
interface MatrixRows {
  readonly rows: RowLists;
  readonly cols: number;
}

/**
 * Shrinks a matrix as long as a format still breaks the same law on it: removes halves of the rows, then smaller parts,
 * the same for columns, then single non-zeros, and sets values to 1; repeatedly until nothing changes or time is up.
 * Several candidates are requested at once, since an answer needs much longer to arrive than to compute: twice as many
 * after each round without a smaller matrix, one after a success. The first that breaks the law counts.
 */
export async function shrinkMatrix<B>(
  { matrix, broken, now, limitMs }: ShrinkTask<B>,
  breaks: (matrix: CsrMatrix) => Promise<B | null>,
): Promise<ShrunkMatrix<B>> {
  const end = now() + limitMs;
  let best: MatrixRows = { rows: toRows(matrix), cols: matrix.cols };
  let why = broken;
  let tries = 0;
  /** number of candidates that are requested together */
  let batchSize = 1;
  const isLate = (): boolean => now() >= end;
  /**
   * Tries what `next` makes of the current matrix at positions 0, step, 2 step, ... until 'end'; null is skipped.
   * `afterSuccess`: whether a position that led to a smaller matrix is tried again, since it now has other contents.
   */
  const tryPositions = async (
    step: number,
    afterSuccess: 'try again' | 'go on',
    next: (current: MatrixRows, position: number) => MatrixRows | null | 'end',
  ) => {
    for (let position = 0; !isLate();) {
      const candidates: { readonly position: number; readonly matrix: MatrixRows }[] = [];
      let nextPosition = position;
      let candidate = next(best, nextPosition);
      for (; candidate !== 'end' && candidates.length < batchSize; candidate = next(best, nextPosition)) {
        if (candidate) candidates.push({ position: nextPosition, matrix: candidate });
        nextPosition += step;
      }
      if (candidates.length === 0) return;
      const answers = await Promise.all(candidates.map(({ matrix: { rows, cols } }) => breaks(fromRows(rows, cols))));
      const i = answers.findIndex((answer) => answer !== null);
      tries += i < 0 ? candidates.length : i + 1;
      if (i < 0) {
        batchSize = Math.min(MAX_BATCH, 2 * batchSize);
        position = nextPosition;
      } else {
        batchSize = 1;
        best = candidates[i].matrix;
        why = answers[i] ?? why;
        position = candidates[i].position + (afterSuccess === 'try again' ? 0 : step);
      }
    }
  };
  for (let isSmaller = true; isSmaller && !isLate();) {
    const before = best;
    // Removes rows: half of them at a time, then a quarter, and so on.
    for (let step = best.rows.length >> 1 || 1; step >= 1 && !isLate(); step >>= 1) {
      await tryPositions(step, 'try again', ({ rows, cols }, r) =>
        r + step <= rows.length && rows.length > step ? { rows: rows.toSpliced(r, step), cols } : 'end',
      );
    }
    // The same for columns.
    for (let step = best.cols >> 1 || 1; step >= 1 && !isLate(); step >>= 1) {
      await tryPositions(step, 'try again', ({ rows, cols }, c) =>
        c + step <= cols && cols > step ? { rows: withoutColumns(rows, c, step), cols: cols - step } : 'end',
      );
    }
    // Removes single non-zeros.
    for (let r = 0; r < best.rows.length && !isLate(); r++) {
      await tryPositions(1, 'try again', ({ rows, cols }, i) =>
        i < rows[r].length ? { rows: rows.with(r, rows[r].toSpliced(i, 1)), cols } : 'end',
      );
    }
    // Sets values to 1.
    for (let r = 0; r < best.rows.length && !isLate(); r++) {
      await tryPositions(1, 'go on', ({ rows, cols }, i) => {
        if (i >= rows[r].length) return 'end';
        const [column, value] = rows[r][i];
        return value === 1 ? null : { rows: rows.with(r, rows[r].with(i, [column, 1])), cols };
      });
    }
    isSmaller = best !== before;
  }
  return { best: fromRows(best.rows, best.cols), why, tries };
}

/** The rows without `count` columns from `first` on; later columns move to the left. */
function withoutColumns(rows: RowLists, first: number, count: number): RowLists {
  return rows.map((row) =>
    row.flatMap(([column, value]) => {
      if (column < first) return [[column, value] as const];
      return column >= first + count ? [[column - count, value] as const] : [];
    }),
  );
}
