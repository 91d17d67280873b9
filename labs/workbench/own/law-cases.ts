// Matrices on which laws of formats, such as that decode undoes encode, are tested: awkward and small random ones.

import { CsrMatrix } from '../../../src/core/matrix/index.ts';
import { Random } from '../../../src/core/number/random.ts';

/** A matrix as a list for each row: columns with their values. */
export type RowLists = readonly (readonly (readonly [column: number, value: number])[])[];

/** A named matrix to test laws on. */
export interface LawCase {
  readonly name: string;
  readonly make: () => CsrMatrix;
}

/** The matrix of these rows. */
export function fromRows(rows: RowLists, cols: number): CsrMatrix {
  const entries = rows.flat();
  const indptr = new Uint32Array(rows.length + 1);
  rows.forEach((row, r) => {
    indptr[r + 1] = indptr[r] + row.length;
  });
  return new CsrMatrix({
    rows: rows.length,
    cols,
    indptr,
    indices: Uint32Array.from(entries, ([column]) => column),
    data: Float32Array.from(entries, ([, value]) => value),
  });
}

/** The rows of a matrix as lists, which are easier to change. */
export function toRows({ rows, indptr, indices, data }: CsrMatrix): (readonly [number, number])[][] {
  return Array.from({ length: rows }, (_, r) =>
    Array.from({ length: indptr[r + 1] - indptr[r] }, (_, i) => {
      const index = indptr[r] + i;
      return [indices[index], data[index]] as const;
    }),
  );
}

/** A matrix in which each cell is a non-zero with probability `density`; `value` draws its value. */
function randomMatrix(
  rows: number,
  cols: number,
  density: number,
  random: Random,
  value: (random: Random) => number = (r) => (r.uniform() + 0.01) * (r.uniform() < 0.5 ? -1 : 1),
): CsrMatrix {
  return fromRows(
    Array.from({ length: rows }, () =>
      Array.from({ length: cols }, (_, column) => column).flatMap((column) =>
        random.uniform() < density ? [[column, value(random)] as const] : [],
      ),
    ),
    cols,
  );
}

/** A function that draws one of the given values. */
function oneOf(values: readonly number[]): (random: Random) => number {
  return (random) => values[random.below(values.length)];
}

/** Values at the limits of f16: the largest, the first that rounds to infinity, the smallest, and some below it. */
const F16_LIMITS = [65504, 65520, 2 ** -24, 2 ** -25, 1.5 * 2 ** -25, -(2 ** -26), 6.1e-5, 1];

/** Rows with non-zeros in the first and the last column. */
const firstAndLast = (cols: number, rows = 1): CsrMatrix =>
  fromRows(
    Array.from({ length: rows }, () => [
      [0, 1],
      [cols - 1, 2],
    ]),
    cols,
  );

const AWKWARD_CASES: readonly LawCase[] = [
  { name: '0 × 7', make: () => fromRows([], 7) },
  { name: '5 × 0', make: () => fromRows([[], [], [], [], []], 0) },
  { name: '1 × 1', make: () => fromRows([[[0, 3]]], 1) },
  { name: '1 × 1, empty', make: () => fromRows([[]], 1) },
  {
    name: 'one column',
    make: () =>
      fromRows(
        [1, 0, 2, 3, 0, 4, 5, 6, 7].map((v) => (v === 0 ? [] : [[0, v]])),
        1,
      ),
  },
  {
    name: 'empty rows',
    make: () =>
      fromRows(
        [
          [],
          [[2, 1]],
          [],
          [],
          [
            [0, 5],
            [6, 2],
          ],
          [],
        ],
        7,
      ),
  },
  { name: 'no non-zero', make: () => fromRows([[], [], [], [], [], [], [], [], []], 12) },
  { name: 'full', make: () => randomMatrix(11, 17, 1, new Random(3)) },
  {
    name: 'one dense row',
    make: () =>
      fromRows(
        Array.from({ length: 10 }, (_, r) =>
          r === 6 ? Array.from({ length: 33 }, (_, c) => [c, c + 1] as const) : r % 2 === 1 ? [[r, 1] as const] : [],
        ),
        33,
      ),
  },
  {
    name: 'last column',
    make: () =>
      fromRows(
        Array.from({ length: 7 }, () => [[299, 2]]),
        300,
      ),
  },
  { name: 'first and last column', make: () => firstAndLast(300, 7) },
  { name: '11 × 55', make: () => randomMatrix(11, 55, 0.3, new Random(5)) },
  { name: '257 × 130', make: () => randomMatrix(257, 130, 0.1, new Random(6)) },
  {
    name: 'NaN and infinities',
    make: () => randomMatrix(7, 24, 0.3, new Random(7), oneOf([Number.NaN, Infinity, -Infinity, 1, -2])),
  },
  { name: 'borders of f16', make: () => randomMatrix(7, 24, 0.3, new Random(8), oneOf(F16_LIMITS)) },
  { name: '5 × 4 096', make: () => randomMatrix(5, 4096, 0.02, new Random(9)) },
  { name: '65 536 columns', make: () => firstAndLast(65_536) },
  { name: '65 537 columns', make: () => firstAndLast(65_537) },
  {
    name: '70 001 rows',
    make: () => {
      // Every second row contains a 1. Without lists, since it is the largest case.
      const nnz = 35_000;
      return new CsrMatrix({
        rows: 70_001,
        cols: 3,
        indptr: Uint32Array.from({ length: 70_002 }, (_, r) => r >> 1),
        indices: Uint32Array.from({ length: nnz }, (_, i) => (2 * i + 1) % 3),
        data: new Float32Array(nnz).fill(1),
      });
    },
  },
];

const RANDOM_CASES = 60;
/** Values that f16 does not represent, or that are not finite. */
const randomSpecialValue = oneOf([2 ** -25, Number.NaN, Infinity, 65_520]);

/** A random matrix of at most 9 x 12; of its values a fifth are special, the others multiples of 0.01. */
function randomCase(i: number): LawCase {
  return {
    name: `random ${i + 1}`,
    make: () => {
      const random = new Random(i + 1);
      const [rows, cols, density] = [1 + random.below(9), 1 + random.below(12), random.uniform()];
      return randomMatrix(rows, cols, density, random, (r) =>
        r.uniform() < 0.2 ? randomSpecialValue(r) : Math.round(200 * (r.uniform() - 0.5)) / 100 || 1,
      );
    },
  };
}

/** The case with its matrix made only once: laws are tested on it after every pause in typing. */
function memoized({ name, make }: LawCase): LawCase {
  let matrix: CsrMatrix | null = null;
  return { name, make: () => (matrix ??= make()) };
}

/** All matrices to test laws on, awkward ones first; the same on every run. */
export const LAW_CASES: readonly LawCase[] = [
  ...AWKWARD_CASES,
  ...Array.from({ length: RANDOM_CASES }, (_, i) => randomCase(i)),
].map(memoized);

/**
 * Matrices for the law that every stored element matters, whose test changes elements one by one. No row is empty: what
 * a format stores of an empty row may make no difference. There are only five values, which fit a small dictionary.
 */
export const FLIP_CASES: readonly LawCase[] = [1, 2].map((seed) => ({
  name: `8 × 12, seed ${seed}`,
  make: () => {
    const random = new Random(seed);
    const value = oneOf([1, 2, 3, 4, 5]);
    return fromRows(
      Array.from({ length: 8 }, (_, r) =>
        Array.from({ length: 12 }, (_, column) => column).flatMap((column) =>
          column === (5 * r) % 12 || random.uniform() < 0.35 ? [[column, value(random)] as const] : [],
        ),
      ),
      12,
    );
  },
}));
