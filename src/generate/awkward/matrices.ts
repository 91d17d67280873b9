import { csrMatrix, denseMatrix, type Matrix } from '../../core/matrix/index.ts';
import { Random } from '../../core/number/random.ts';
import { buildMatrix, type MatrixRecipe } from './recipes.ts';

/** A small matrix by its shape and pattern, stored dense. */
export const awkward = (
  shape: MatrixRecipe['shape'],
  pattern: MatrixRecipe['pattern'] = 'uniform',
  density = 0.3,
  values: MatrixRecipe['values'] = 'normal',
): Matrix => buildMatrix({ shape, pattern, values, density, seed: 1, storage: 'cells' });

/** 7 × 96 with 333 non-zeros, typical of awkward sizes. */
function with333(): Matrix {
  const random = new Random(333);
  const cells = new Float32Array(7 * 96);
  for (let placed = 0; placed < 333;) {
    const cell = random.below(cells.length);
    if (cells[cell] !== 0) continue;
    cells[cell] = random.normal() || 1;
    placed++;
  }
  return denseMatrix(7, 96, cells);
}

/** Few entries in very long rows: the first and last column, a crowd in the middle, and an empty row. */
function longRows(): Matrix {
  const crowd = Array.from({ length: 40 }, (_, i) => 35_000 + 3 * i);
  const columns = [0, 65_535, 65_536, 69_999, ...crowd, 69_999];
  return csrMatrix({
    rows: 3,
    cols: 70_000,
    indptr: Uint32Array.of(0, 4, 4, columns.length),
    indices: Uint32Array.from(columns),
    data: Float32Array.from(columns, (c, i) => (c % 7) - 3.5 + i / 64),
  });
}

/** More rows than workgroups in one dimension: the dispatch is folded. */
function manyRows(): Matrix {
  const rows = 70_001;
  const indptr = Uint32Array.from({ length: rows + 1 }, (_, r) => Math.ceil(r / 2));
  const nnz = indptr[rows];
  return csrMatrix({
    rows,
    cols: 3,
    indptr,
    indices: Uint32Array.from({ length: nnz }, (_, i) => i % 3),
    data: Float32Array.from({ length: nnz }, (_, i) => 1 + (i % 11)),
  });
}

/** A matrix with a property that kernels easily get wrong. */
export interface AwkwardMatrix {
  readonly name: string;
  build(): Matrix;
}

/** Few distinct shapes: a kernel that is compiled per shape is compiled once for all matrices of that shape. */
export const AWKWARD_MATRICES: readonly AwkwardMatrix[] = [
  { name: '1 × 1', build: () => awkward([1, 1], 'full') },
  { name: '1 × 1 without a non-zero', build: () => awkward([1, 1], 'empty') },
  { name: '1 column', build: () => awkward([9, 1], 'full') },
  { name: '7 × 96 with 333 non-zeros', build: with333 },
  { name: '11 × 55', build: () => awkward([11, 55]) },
  { name: '11 × 55, full', build: () => awkward([11, 55], 'full') },
  { name: '257 × 130, rows not a multiple of any workgroup', build: () => awkward([257, 130], 'uniform', 0.1) },
  { name: 'empty rows first', build: () => awkward([33, 70], 'empty first rows') },
  { name: 'empty rows last', build: () => awkward([33, 70], 'empty last rows') },
  { name: 'every other row empty', build: () => awkward([33, 70], 'every other row empty') },
  { name: 'empty rows everywhere', build: () => awkward([33, 70], 'empty') },
  { name: 'one of every sixteen columns', build: () => awkward([33, 70], 'one of sixteen') },
  { name: 'one dense row', build: () => awkward([40, 333], 'one dense row', 0.05) },
  { name: 'values at the borders of f16 and f32', build: () => awkward([7, 96], 'uniform', 0.3, 'edges') },
  { name: 'NaN and infinite values', build: () => awkward([7, 96], 'uniform', 0.05, 'not finite') },
];

/**
 * Concerns the dispatch more than the parameters, and costs a software GPU seconds of compiling or running: only tried
 * with the default parameters of a format.
 */
export const MORE_AWKWARD_MATRICES: readonly AwkwardMatrix[] = [
  { name: 'no rows', build: () => awkward([0, 7]) },
  { name: 'no columns', build: () => awkward([5, 0]) },
  { name: '300 × 65', build: () => awkward([300, 65]) },
  { name: '20 × 64', build: () => awkward([20, 64]) },
  { name: '5 × 4096', build: () => awkward([5, 4096], 'uniform', 0.5) },
  { name: '4 × 1031, nearly empty', build: () => awkward([4, 1031], 'uniform', 0.02) },
  { name: 'two of every four columns, 5 × 4500', build: () => awkward([5, 4500], 'two of four') },
  { name: 'six of every eight columns, 3 × 3004', build: () => awkward([3, 3004], 'six of eight') },
  { name: 'last column alone', build: () => awkward([17, 300], 'last column') },
  { name: 'first and last column', build: () => awkward([17, 300], 'first and last column') },
  { name: '3 × 70000', build: longRows },
  { name: '70001 × 3', build: manyRows },
];
