import { type Cell, csrMatrix, CsrMatrix, denseMatrix, type Matrix, toCsr } from '../../core/matrix/index.ts';
import { Random } from '../../core/number/random.ts';

// Small matrices that kernels and encoders easily get wrong, for tests and for trying kernels edited in the page.

/** Patterns of non-zeros by name: whether a cell is non-zero, from its position and a uniform random number `u`. */
export const RECIPE_PATTERNS = {
  uniform: (cell, s) => cell.u < s.density,
  empty: () => false,
  full: () => true,
  'one entry': (cell, s) => cell.row === s.pick % s.rows && cell.col === s.pick % s.cols,
  'empty first rows': (cell, s) => cell.row >= s.rows >> 1 && cell.u < s.density,
  'empty last rows': (cell, s) => cell.row < s.rows >> 1 && cell.u < s.density,
  'every other row empty': (cell, s) => cell.row % 2 === 1 && cell.u < s.density,
  'one dense row': (cell, s) => cell.row === s.pick % s.rows || cell.u < s.density / 8,
  'last column': (cell, s) => cell.col === s.cols - 1,
  'first and last column': (cell, s) => cell.col === 0 || cell.col === s.cols - 1,
  band: (cell) => Math.abs(cell.row - cell.col) <= 1,
  // Two of every four columns, at positions that change from group to group: the most for 2:4.
  'two of four': (cell, s) => (cell.col + s.pick + cell.row + (cell.col >> 2)) % 4 < 2,
  // Six of every eight: the most for 6:8.
  'six of eight': (cell, s) => (5 * (cell.col + s.pick + cell.row + (cell.col >> 3))) % 8 > 1,
  // One of every sixteen, at a changing position: few enough for TwELL tiles with few slots, of any width.
  'one of sixteen': (cell, s) => cell.col % 16 === (s.pick + 7 * cell.row + 5 * (cell.col >> 4)) % 16,
  // One of every eight: the most for TwELL tiles of 8 columns with one slot.
  'one of eight': (cell, s) => cell.col % 8 === (s.pick + 3 * cell.row + (cell.col >> 3)) % 8,
  // Seven of every 64: nearly the most for wide TwELL tiles at the highest compression.
  'seven of 64': (cell, s) => (29 * (cell.col + s.pick + cell.row)) % 64 < 7,
  // An occasional long row, and few non-zeros in the others, as in activations.
  activations: (cell, s) =>
    (cell.row + s.pick) % 8 === 0 ? cell.u < Math.max(s.density, 0.3) : (cell.col + 5 * cell.row + s.pick) % s.cols < 4,
  // Groups of four rows share their columns.
  'shared columns': (cell, s) => (Math.imul(cell.col + 1, 0x9e3779b1 + 2 * (cell.row >> 2)) >>> 24) / 256 < s.density,
  // Full blocks of 4 × 4 at random positions.
  blocks: (cell, s) =>
    (Math.imul((cell.row >> 2) * 0x9e3779b1 + (cell.col >> 2), 0x85ebca6b ^ (s.pick | 1)) >>> 24) / 256 < s.density,
} satisfies Record<string, (cell: DrawnCell, spec: Spec) => boolean>;

/** A cell with its random number. */
interface DrawnCell extends Cell {
  readonly u: number;
}

/** The data that a pattern depends on, in addition to the cell. */
interface Spec {
  readonly rows: number;
  readonly cols: number;
  readonly density: number;
  /** a random number of 32 bits, the same for all cells */
  readonly pick: number;
}

const LARGEST_F32 = (2 - 2 ** -23) * 2 ** 127;

/** Finite values at the limits of f16 and f32; -0 and 0 leave the cell empty. */
const EDGE_VALUES = [
  -0,
  0,
  2 ** -149,
  -(2 ** -126),
  1e-40,
  2 ** -24,
  2 ** -25,
  2 ** -25 * 1.0001,
  -(2 ** -26),
  2 ** -14,
  1 + 2 ** -11,
  65504,
  65519,
  65520,
  -70000,
  3e38,
];

/** Random values by name of their distribution. */
export const RECIPE_VALUES = {
  normal: (random: Random) => random.normal(),
  'small integers': (random: Random) => random.below(7) - 3,
  edges: (random: Random) => EDGE_VALUES[random.below(EDGE_VALUES.length)],
  'all round to 0': (random: Random) => (random.uniform() - 0.5) * 2 ** -25,
  largest: (random: Random) => [LARGEST_F32, -LARGEST_F32, 3.4e38, 1][random.below(4)],
  'not finite': (random: Random) =>
    [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1][random.below(4)],
} satisfies Record<string, (random: Random) => number>;

/** Everything that `buildMatrix` needs to build a small matrix. */
export interface MatrixRecipe {
  readonly shape: readonly [rows: number, cols: number];
  readonly pattern: keyof typeof RECIPE_PATTERNS;
  readonly values: keyof typeof RECIPE_VALUES;
  readonly density: number;
  readonly seed: number;
  /** cells: dense; entries: CSR */
  readonly storage: 'cells' | 'entries';
}

/** The matrix of a recipe; always the same for the same recipe. */
export function buildMatrix(recipe: MatrixRecipe): Matrix {
  const [rows, cols] = recipe.shape;
  const random = new Random(recipe.seed);
  const spec = { rows, cols, density: recipe.density, pick: random.u32() };
  const cells = new Float32Array(rows * cols);
  const valueOf = RECIPE_VALUES[recipe.values];
  const isNonZero: (cell: DrawnCell, spec: Spec) => boolean = RECIPE_PATTERNS[recipe.pattern];
  // One object for all cells: tests build thousands of matrices.
  const cell = { row: 0, col: 0, u: 0 };
  for (let index = 0; cell.row < rows; cell.row++) {
    for (cell.col = 0; cell.col < cols; cell.col++, index++) {
      const value = valueOf(random);
      cell.u = random.uniform();
      if (isNonZero(cell, spec)) cells[index] = value;
    }
  }
  const dense = denseMatrix(rows, cols, cells);
  return recipe.storage === 'cells' ? dense : new CsrMatrix(toCsr(dense));
}

/** A small dense matrix with the given shape and pattern. */
export const awkwardMatrix = (
  shape: MatrixRecipe['shape'],
  pattern: MatrixRecipe['pattern'] = 'uniform',
  density = 0.3,
  values: MatrixRecipe['values'] = 'normal',
): Matrix => buildMatrix({ shape, pattern, values, density, seed: 1, storage: 'cells' });

/** 7 × 96 with exactly 333 non-zeros at random positions. */
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

/** Few entries in very long rows: the first and last column, a cluster in the middle, and an empty row. */
function longRows(): Matrix {
  const cluster = Array.from({ length: 40 }, (_, i) => 35_000 + 3 * i);
  const columns = [0, 65_535, 65_536, 69_999, ...cluster, 69_999];
  return csrMatrix({
    rows: 3,
    cols: 70_000,
    indptr: Uint32Array.of(0, 4, 4, columns.length),
    indices: Uint32Array.from(columns),
    data: Float32Array.from(columns, (c, i) => (c % 7) - 3.5 + i / 64),
  });
}

/** More rows than workgroups fit in one dimension of a dispatch (65535): the others need its second dimension. */
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

/** Matrices to test kernels with; of few shapes, since some kernels are compiled for each shape. */
export const AWKWARD_MATRICES: readonly AwkwardMatrix[] = [
  { name: '1 × 1', build: () => awkwardMatrix([1, 1], 'full') },
  { name: '1 × 1 without a non-zero', build: () => awkwardMatrix([1, 1], 'empty') },
  { name: '1 column', build: () => awkwardMatrix([9, 1], 'full') },
  { name: '7 × 96 with 333 non-zeros', build: with333 },
  { name: '11 × 55', build: () => awkwardMatrix([11, 55]) },
  { name: '11 × 55, full', build: () => awkwardMatrix([11, 55], 'full') },
  { name: '257 × 130, rows not a multiple of any workgroup', build: () => awkwardMatrix([257, 130], 'uniform', 0.1) },
  { name: 'empty rows first', build: () => awkwardMatrix([33, 70], 'empty first rows') },
  { name: 'empty rows last', build: () => awkwardMatrix([33, 70], 'empty last rows') },
  { name: 'every other row empty', build: () => awkwardMatrix([33, 70], 'every other row empty') },
  { name: 'empty rows everywhere', build: () => awkwardMatrix([33, 70], 'empty') },
  { name: 'one of every sixteen columns', build: () => awkwardMatrix([33, 70], 'one of sixteen') },
  { name: 'one dense row', build: () => awkwardMatrix([40, 333], 'one dense row', 0.05) },
  { name: 'values at the borders of f16 and f32', build: () => awkwardMatrix([7, 96], 'uniform', 0.3, 'edges') },
  { name: 'NaN and infinite values', build: () => awkwardMatrix([7, 96], 'uniform', 0.05, 'not finite') },
];

/** Further matrices, which take a software GPU seconds: tried only with a format's default parameters. */
export const MORE_AWKWARD_MATRICES: readonly AwkwardMatrix[] = [
  { name: 'no rows', build: () => awkwardMatrix([0, 7]) },
  { name: 'no columns', build: () => awkwardMatrix([5, 0]) },
  { name: '300 × 65', build: () => awkwardMatrix([300, 65]) },
  { name: '20 × 64', build: () => awkwardMatrix([20, 64]) },
  { name: '5 × 4096', build: () => awkwardMatrix([5, 4096], 'uniform', 0.5) },
  { name: '4 × 1031, nearly empty', build: () => awkwardMatrix([4, 1031], 'uniform', 0.02) },
  { name: 'two of every four columns, 5 × 4500', build: () => awkwardMatrix([5, 4500], 'two of four') },
  { name: 'six of every eight columns, 3 × 3004', build: () => awkwardMatrix([3, 3004], 'six of eight') },
  { name: 'last column alone', build: () => awkwardMatrix([17, 300], 'last column') },
  { name: 'first and last column', build: () => awkwardMatrix([17, 300], 'first and last column') },
  { name: '3 × 70000', build: longRows },
  { name: '70001 × 3', build: manyRows },
];
