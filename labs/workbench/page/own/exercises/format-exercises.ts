// The exercises about formats: tasks, hints, goals and solutions.

import type { Matrix } from '../../../../../src/core/matrix/index.ts';
import { generate, type GenerateSpec } from '../../../../../src/generate/generate.ts';
import { userFormatAddress, type WorkbenchFields } from '../../address.ts';
import ell from './texts/ell.js?raw';
import firstZero from './texts/first-zero.js?raw';
import shared from './texts/shared.js?raw';
import sharedSolution from './texts/shared.solution.js?raw';
import { LARGE_MATRIX } from '../starter-figure.ts';

/** The condition that an answer has to satisfy. */
export type Goal =
  /** a format that satisfies all laws (own/laws.ts), and stores the matrix in at most `max` bytes */
  | { readonly kind: 'bytes'; readonly matrix: GenerateSpec; readonly max: number; readonly matrixName: string }
  /** a matrix of this size that decode does not return */
  | { readonly kind: 'matrix'; readonly rows: number; readonly cols: number };

/** An exercise about formats: one to write, or a matrix to find that decode does not return. */
export interface FormatExercise {
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  /** paragraphs */
  readonly task: readonly string[];
  readonly hints: readonly string[];
  readonly goal: Goal;
  readonly start: string;
  /** null if a matrix is the answer */
  readonly solution: string | null;
}

/** Rows of 256 columns at density 0.3, of which groups of eight, anywhere in the matrix, have the same columns. */
const SHARED_COLUMNS: GenerateSpec = {
  pattern: 'shared-columns',
  rows: 128,
  cols: 256,
  density: 0.3,
  seed: 1,
  options: { groupRows: 8, noise: 0 },
};

/** The four lines that the first exercise changes, and how. */
const ELL_TO_SELL = [
  ['const chunkOf = (rows) => Math.max(1, rows);', 'const chunkOf = () => 8;'],
  ['const rows = A.slice(0, A.rows);', 'const rows = A.slice(0, A.rows).sort((a, b) => b.length - a.length);'],
  ['    // 3. Remember', '    for (const row of chunk) out.order.push(row.index); // 3. Remember'],
  ['const row = place;', 'const row = arrays.order[place];'],
] as const;

/** The exercises about formats, in order. */
export const FORMAT_EXERCISES: readonly FormatExercise[] = [
  {
    id: '1',
    title: 'SELL-C-σ from ELL in four lines',
    summary: 'sort, divide, and remember the order',
    task: [
      'ELL pads every row to the longest. In chunks of rows of similar length, little is padded.',
      'Four lines are marked. Change them so that all laws are satisfied and 256 × 384 skewed rows need at most 48 000 bytes.',
    ],
    hints: [
      'First divide the rows: with 8 rows in each chunk, all laws are still satisfied, and the bytes fall.',
      'Once rows are sorted, decode no longer knows which row is at a position: order has to store it.',
    ],
    goal: { kind: 'bytes', matrix: LARGE_MATRIX, max: 48_000, matrixName: '256 × 384 skewed rows' },
    start: ell,
    solution: ELL_TO_SELL.reduce((text, [from, to]) => text.replace(from, to), ell),
  },
  {
    id: '2',
    title: 'Every law but one is green',
    summary: 'find the matrix that breaks it, 1 × 2 or smaller',
    task: [
      'This format pads rows to multiples of four, and decode ends a row at the first zero.',
      'Find a matrix of one row and two columns that does not come back.',
    ],
    hints: ['Values are stored as f16.', 'The least f16 above 0 is about 6e-8. What becomes of a smaller number?'],
    goal: { kind: 'matrix', rows: 1, cols: 2 },
    start: firstZero,
    solution: null,
  },
  {
    id: '3',
    title: 'Fewer bytes than MACKO with 30 % left',
    summary: 'on rows that share their columns',
    task: [
      'This matrix of 128 × 256 has sixteen sets of columns; every row has one of them. MACKO needs 25 156 bytes.',
    ],
    hints: [
      'The values alone take 19 648 bytes, so columns may take at most half a byte each.',
      'Store each set of columns once, and for each row which set it has.',
    ],
    goal: { kind: 'bytes', matrix: SHARED_COLUMNS, max: 25_155, matrixName: 'the matrix with shared columns' },
    start: shared,
    solution: sharedSolution,
  },
];

const generated = new Map<string, Matrix>();

/** The matrix on which an exercise measures bytes, generated once; null if a matrix is the answer. */
export function goalMatrixOf({ id, goal }: FormatExercise): Matrix | null {
  if (goal.kind !== 'bytes') return null;
  const cached = generated.get(id);
  if (cached) return cached;
  const matrix = generate(goal.matrix);
  generated.set(id, matrix);
  return matrix;
}

/** The exercise of this name in an address; null if it is the name of a format. */
export function formatExerciseAt(name: string): FormatExercise | null {
  return FORMAT_EXERCISES.find(({ id }) => name === formatExerciseName(id)) ?? null;
}

/** The key under which an exercise's progress is stored; the kernel exercise with the same number has another key. */
export function progressKey(id: string): string {
  return `own ${id}`;
}

/** The address of an exercise. */
export function exerciseAddress(id: string): Pick<WorkbenchFields, 'kernel'> {
  return userFormatAddress(formatExerciseName(id));
}

/** The name of an exercise in an address; no custom format has such a name. */
function formatExerciseName(id: string): string {
  return `exercise:${id}`;
}
