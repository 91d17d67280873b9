// Random matrices and vectors for the fuzzer: shapes, structures and values at which encoders tend to fail.

import type { Random } from '../../src/core/number/random.ts';
import type { Table } from '../oracle/matrix.ts';
import { pick } from '../pieces.ts';
import { BF16, F16, type FloatType } from '../oracle/numbers.ts';

/** Sizes next to multiples of a word, tile, group or workgroup: one less, equal, one more. */
const BORDERS = [0, 1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257];
/** Sizes around the limit of 16-bit indices; the other dimension is 1 or 2. */
const LONG = [65535, 65536, 65537, 70001];

/** A matrix with more cells keeps one of 64 of its filled cells. */
const LONG_CELLS = 50_000;
/** Maximum cells of an ordinary matrix, so that a case takes milliseconds. */
const MAX_CELLS = 3000;

function randomShape(random: Random): readonly [rows: number, cols: number] {
  // 0.3 % of the matrices are very long, 5.7 % wide and 3 % tall; the others are small.
  const kind = random.below(1000);
  if (kind < 3) {
    const long = pick(random, LONG);
    const short = 1 + random.below(2);
    return random.below(2) === 0 ? [short, long] : [long, short];
  }
  if (kind < 60) return [1 + random.below(6), 300 + random.below(1800)];
  if (kind < 90) return [200 + random.below(1200), 1 + random.below(6)];
  const extent = (): number => (random.below(3) === 0 ? pick(random, BORDERS) : 1 + random.below(48));
  const [rows, cols] = [extent(), extent()];
  return rows * cols <= MAX_CELLS ? [rows, cols] : [Math.max(1, Math.floor(MAX_CELLS / cols)), cols];
}

/** Returns whether a cell is filled; one function per matrix. */
type Structure = (row: number, col: number) => boolean;

const STRUCTURES: readonly ((random: Random, rows: number, cols: number) => Structure)[] = [
  // Uniform.
  (random) => {
    const density = pick(random, [0.01, 0.05, 0.1, 0.3, 0.5, 0.7, 0.95]);
    return () => random.uniform() < density;
  },
  // Full, empty, and a single cell.
  () => () => true,
  () => () => false,
  (random, rows, cols) => {
    const cell = random.below(Math.max(1, rows * cols));
    return (row, col) => row * cols + col === cell;
  },
  // Equal gaps between columns: the largest gap that a narrow delta can store, one less, or one more.
  (random) => {
    const gap = Math.max(1, 2 ** (1 + random.below(8)) + random.below(3) - 1);
    const start = random.below(gap);
    return (_, col) => col % gap === start;
  },
  // All rows have nearly the same columns.
  (random, _, cols) => {
    const density = pick(random, [0.1, 0.3, 0.6]);
    const shared = Uint8Array.from({ length: cols }, () => (random.uniform() < density ? 1 : 0));
    const noise = pick(random, [0, 0.05, 0.3]);
    return (_row, col) => (shared[col] === 1) !== random.uniform() < noise;
  },
  // N of every M columns (N:M sparsity), drawn without replacement.
  (random) => {
    const group = pick(random, [2, 4, 6, 8, 10, 12, 14, 16, 32]);
    const count = 1 + random.below(group);
    let chosen = 0;
    return (_, col) => {
      const position = col % group;
      if (position === 0) chosen = 0;
      const isChosen = random.uniform() * (group - position) < count - chosen;
      if (isChosen) chosen++;
      return isChosen;
    };
  },
  // Rows of very different lengths.
  (random, rows) => {
    const densities = Float64Array.from({ length: rows }, () => random.uniform() ** 6);
    return (row) => random.uniform() < densities[row];
  },
  // A band around the diagonal.
  (random) => {
    const width = random.below(4);
    return (row, col) => Math.abs(row - col) <= width;
  },
  // The outermost rows and columns.
  (_, rows, cols) => (row, col) => row === 0 || col === 0 || row === rows - 1 || col === cols - 1,
  // One interval of filled columns in every row, shifted from row to row.
  (random, _, cols) => {
    const length = random.below(cols + 1);
    const shift = random.below(7);
    return (row, col) => (col + row * shift) % Math.max(1, cols) < length;
  },
  // The first or the last rows are empty.
  (random, rows) => {
    const from = random.below(rows + 1);
    const isFirst = random.below(2) === 0;
    return (row) => row < from === isFirst && random.uniform() < 0.4;
  },
];

const bits = new Uint32Array(1);
const float = new Float32Array(bits.buffer);

/** The f32 with these bits. */
export function fromBits(word: number): number {
  bits[0] = word;
  return float[0];
}

/** Returns an f32 at the middle between two neighbours of a narrow type, where rounding changes, or next to it. */
function nearMiddle(random: Random, { magnitudes, overflow }: FloatType): number {
  const index = random.below(magnitudes.length);
  const middle = index + 1 < magnitudes.length ? (magnitudes[index] + magnitudes[index + 1]) / 2 : overflow;
  float[0] = middle;
  bits[0] += random.below(3) - 1;
  return random.below(2) === 0 ? float[0] : -float[0];
}

/** Zeros, the least subnormals and normals, and values at the overflow of f16, bf16 and f32. */
const SPECIAL = [
  0,
  -0,
  1,
  -1,
  2 ** -149,
  -(2 ** -149),
  2 ** -126,
  2 ** -25,
  2 ** -24,
  65504,
  65520,
  -65536,
  3.3895313892515355e38,
  3.4028234663852886e38,
  -3.4028234663852886e38,
];
const NOT_FINITE = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];

type Values = () => number;

const VALUES: readonly ((random: Random) => Values)[] = [
  (random) => () => random.normal(),
  // Whole numbers from -4 to 4.
  (random) => () => random.below(9) - 4,
  (random) => () => nearMiddle(random, F16),
  (random) => () => nearMiddle(random, BF16),
  (random) => () => pick(random, SPECIAL),
  (random) => () => (random.below(4) === 0 ? pick(random, NOT_FINITE) : random.normal()),
  // Any f32.
  (random) => () => fromBits(random.u32()),
  // Subnormals.
  (random) => () => fromBits(random.u32() & 0x807fffff),
  // Multiples of half a quantisation step in rows whose largest magnitude is 127 steps (i8 with a scale per row).
  (random) => {
    const step = 2 ** (random.below(200) - 120);
    return () => (random.below(3) === 0 ? 127 * step : (random.below(255) - 127) * 0.5 * step);
  },
  // Small enough to become subnormal or zero in f16 or bf16.
  (random) => {
    const scale = 2 ** -(20 + random.below(120));
    return () => (random.uniform() - 0.5) * scale;
  },
  // Most values are much smaller than the largest value of their row.
  (random) => () => (random.below(8) === 0 ? 1e6 : random.normal() * 1e-3),
  // The same value in every cell.
  (random) => {
    const value = random.normal();
    return () => value;
  },
  // Values up to the largest of f32, whose sums overflow.
  (random) => () => 3e38 * (random.uniform() - 0.5) * 2,
];

/** Returns a matrix of random shape, structure and kind of values. O(cells). */
export function randomTable(random: Random): Table {
  const [rows, cols] = randomShape(random);
  const structure = pick(random, STRUCTURES)(random, rows, cols);
  // A long matrix gets few entries: it tests large indices, and would be slow if it were filled.
  const isLong = rows * cols > LONG_CELLS;
  const isFilled: Structure = (row, col) => structure(row, col) && (!isLong || random.below(64) === 0);
  const value = pick(random, VALUES)(random);
  const cells = new Float32Array(rows * cols);
  for (let row = 0; row < rows; row++) {
    for (let col = 0; col < cols; col++) if (isFilled(row, col)) cells[row * cols + col] = value();
  }
  return { rows, cols, cells };
}

/** A vector to multiply with: of ordinary values or, in half of the cases, also of unusual ones, as many as a random share. */
export function randomVector(random: Random, length: number): Float32Array {
  // 0 is for small whole numbers, 3 for non-finite values, 4 for special values, 5 for any f32; 1 and 2 are normal numbers only.
  const kind = random.below(6);
  const unusualShare = pick(random, [0, 0.02, 0.3]);
  return Float32Array.from({ length }, () => {
    if (kind < 3 || random.uniform() >= unusualShare) return kind === 0 ? random.below(7) - 3 : random.normal();
    return kind === 3 ? pick(random, NOT_FINITE) : kind === 4 ? pick(random, SPECIAL) : fromBits(random.u32());
  });
}
