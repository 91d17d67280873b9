import { exp, ln } from '../core/number/elementary.ts';
import { Random } from '../core/number/random.ts';
import type { CheckedSpec, PatternSteps } from './patterns.ts';
import { rowSeed, STREAM, streamSeed } from './seeds.ts';
import { MatrixError } from '../core/errors.ts';
import { chooseExactly, assemble } from './column-sampler.ts';
import type { Matrix, RowBuffer, CsrMatrix } from '../core/matrix/index.ts';
import { keepLargestSteps } from './prune.ts';
import type { Steps } from '../core/job.ts';

// The generators of `patterns`: each makes a random matrix of a checked spec, as a task in steps (core/job.ts).

/** Every cell is a non-zero with the same probability. */
const uniform: PatternSteps = (spec) =>
  assemble(spec, (_row, sampler, into) => sampler.choose(0, spec.cols, spec.density, into, 0));

/** The densities of rows fall as a power of the row's rank. */
const rowSkewed: PatternSteps = (spec) => {
  const { rows, cols, options } = spec;
  const densities = powerLaw(rows, options.exponent, spec.density);
  if (options.sorted === 0) shuffle(densities, new Random(streamSeed(spec.seed, STREAM.arrangement)));
  return assemble(spec, (row, sampler, into) => sampler.choose(0, cols, densities[row], into, 0));
};

/** Returns the probabilities min(1, c k^-exponent) for the ranks k = 1 .. n, with c such that their mean is `mean`. */
export function powerLaw(n: number, exponent: number, mean: number): Float64Array {
  return densitiesByWeight(
    Float64Array.from({ length: n }, (_, i) => exp(-exponent * ln(i + 1))),
    mean,
  );
}

/** Row densities proportional to positive weights, capped at 1, and scaled so that their mean is `mean`. */
function densitiesByWeight(weights: Float64Array, mean: number): Float64Array {
  const n = weights.length;
  const descending = weights.toSorted().reverse();
  /** sums[i]: sum of the descending weights from i on */
  const sums = new Float64Array(n + 1);
  for (let i = n - 1; i >= 0; i--) sums[i] = sums[i + 1] + descending[i];
  // The rows with the largest weights are full: their density is capped at 1. The others share the remaining sum.
  let fullRows = 0;
  while (fullRows < n && (mean * n - fullRows) * descending[fullRows] >= sums[fullRows]) fullRows++;
  if (fullRows === n) return new Float64Array(n).fill(1);
  const scale = (mean * n - fullRows) / sums[fullRows];
  return weights.map((w) => Math.min(1, w * scale));
}

/** Non-zeros near the diagonal only. */
const banded: PatternSteps = (spec) => {
  const { rows, cols, density } = spec;
  const { fill } = spec.options;
  checkFill(spec);
  const nonZeros = density * rows * cols;
  const halfWidth = narrowestBand(spec, nonZeros / fill);
  const bandDensity = nonZeros === 0 ? 0 : nonZeros / bandCells(spec, halfWidth);
  return assemble(spec, (row, sampler, into) => {
    const centre = bandCentre(spec, row);
    return sampler.choose(
      Math.max(0, centre - halfWidth),
      Math.min(cols, centre + halfWidth + 1),
      bandDensity,
      into,
      0,
    );
  });
};

type Shape = Pick<CheckedSpec, 'rows' | 'cols'>;

/** Throws MatrixError if the density is above `fill`, the share of non-zeros in a band or in blocks. */
function checkFill({ density, options: { fill } }: CheckedSpec): void {
  if (density > fill) throw new MatrixError(`fill: found ${fill}, expected at least the density, ${density}`);
}

/** The column where the diagonal of the shape crosses the middle of `row`. */
function bandCentre({ rows, cols }: Shape, row: number): number {
  return Math.floor(((2 * row + 1) * cols) / (2 * rows));
}

/** The number of cells at most `halfWidth` columns away from the diagonal. */
function bandCells(shape: Shape, halfWidth: number): number {
  let cells = 0;
  for (let r = 0; r < shape.rows; r++) {
    const centre = bandCentre(shape, r);
    cells += Math.min(shape.cols, centre + halfWidth + 1) - Math.max(0, centre - halfWidth);
  }
  return cells;
}

/** The smallest half-width whose band has at least `cells` cells. O(rows log cols). */
function narrowestBand(shape: Shape, cells: number): number {
  let low = 0;
  let high = shape.cols;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (bandCells(shape, middle) >= cells) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Maximum number of blocks of a grid: their random order needs 256 MiB. */
const MAX_BLOCKS = 2 ** 26;

/** Non-zeros clustered in square blocks on a grid. */
const blocks: PatternSteps = (spec) => {
  const { rows, cols, density } = spec;
  const { fill, blockSize } = spec.options;
  checkFill(spec);
  const nonZeros = density * rows * cols;
  const { chosenBlocks, cells } = chooseBlocks(spec, blockSize, nonZeros / fill);
  const across = Math.ceil(cols / blockSize);
  const blockDensity = cells === 0 ? 0 : nonZeros / cells;
  return assemble(spec, (row, sampler, into) => {
    const firstBlock = Math.floor(row / blockSize) * across;
    let n = 0;
    for (let b = 0; b < across; b++) {
      if (chosenBlocks[firstBlock + b] === 0) continue;
      n = sampler.choose(b * blockSize, Math.min(cols, (b + 1) * blockSize), blockDensity, into, n);
    }
    return n;
  });
};

/** Chooses random blocks with at least `minCells` cells in all; `chosenBlocks` has a 1 for each, row by row of the grid. */
function chooseBlocks({ rows, cols, seed }: CheckedSpec, blockSize: number, minCells: number) {
  const across = Math.ceil(cols / blockSize);
  const count = across * Math.ceil(rows / blockSize);
  if (count > MAX_BLOCKS) {
    throw new MatrixError(
      `blockSize: found ${blockSize}, which makes ${count} blocks; expected a size that makes at most ${MAX_BLOCKS}`,
    );
  }
  const order = shuffledOrder(count, new Random(streamSeed(seed, STREAM.arrangement)));
  const chosenBlocks = new Uint8Array(count);
  let cells = 0;
  for (let i = 0; i < count && cells < minCells; i++) {
    const block = order[i];
    const row = Math.floor(block / across) * blockSize;
    const col = (block % across) * blockSize;
    cells += Math.min(blockSize, rows - row) * Math.min(blockSize, cols - col);
    chosenBlocks[block] = 1;
  }
  return { chosenBlocks, cells };
}

/** Exactly N non-zeros in every M consecutive cells of a row. */
const nOfM: PatternSteps = (spec) => {
  const { cols, density } = spec;
  const { m } = spec.options;
  const n = Math.round(density * m);
  if (Math.abs(density * m - n) > 1e-9 * m) {
    throw new MatrixError(
      `density: found ${density}, expected N / ${m} with a whole N, such as ${Math.floor(density * m)} / ${m} or ${Math.ceil(density * m)} / ${m}`,
    );
  }
  const remainder = cols % m; // columns after the last whole group
  return assemble(spec, (_row, sampler, into) => {
    let count = 0;
    for (let from = 0; from + m <= cols; from += m) count = chooseExactly(n, from, m, sampler.random, into, count);
    // As many non-zeros as the density requires: a whole number, rounded up or down at random.
    const expected = (n * remainder) / m;
    const whole = Math.floor(expected);
    const inRemainder = whole + (sampler.random.uniform() < expected - whole ? 1 : 0);
    return chooseExactly(inRemainder, cols - remainder, remainder, sampler.random, into, count);
  });
};

/** Maximum number of cells for magnitude pruning, which reads each three times: that takes minutes. */
const MAX_CELLS = 2 ** 32;

/** Normal weights, of which only the largest by magnitude stay. */
const magnitude: PatternSteps = (spec) => {
  const cells = spec.rows * spec.cols;
  if (cells > MAX_CELLS) {
    throw new MatrixError(`rows x cols: found ${cells} cells to prune, expected at most ${MAX_CELLS}`);
  }
  return keepLargestSteps(normalCells(spec.rows, spec.cols, spec.seed), Math.round(spec.density * cells));
};

/** A matrix full of normal numbers that are generated when they are read, each row from its own seed. */
function normalCells(rows: number, cols: number, seed: number): Matrix {
  return {
    rows,
    cols,
    nnz: rows * cols,
    readRow(row: number, into: RowBuffer): number {
      new Random(rowSeed(seed, row)).fillNormal(into.values.subarray(0, cols));
      for (let c = 0; c < cols; c++) into.columns[c] = c;
      return cols;
    },
  };
}

/** A few columns that are denser and have larger values than the rest, as in the layers of language models. */
const outlierColumns: PatternSteps = (spec) => {
  const { cols, options } = spec;
  const order = shuffledOrder(cols, new Random(streamSeed(spec.seed, STREAM.arrangement)));
  const outliers = order.slice(0, Math.ceil(options.share * cols)).sort();
  const { inOutlier, elsewhere } = columnDensities(spec, outliers.length);
  const scales = new Float32Array(cols).fill(1);
  for (const c of outliers) scales[c] = options.larger;
  return assemble(
    spec,
    (_row, sampler, into) => {
      let n = 0;
      let from = 0;
      for (const c of outliers) {
        n = sampler.choose(from, c, elsewhere, into, n);
        n = sampler.choose(c, c + 1, inOutlier, into, n);
        from = c + 1;
      }
      return sampler.choose(from, cols, elsewhere, into, n);
    },
    { scales },
  );
};

/** The densities of outlier columns and of the others; their mean over all columns is the density of the spec. */
function columnDensities(spec: CheckedSpec, outliers: number): { inOutlier: number; elsewhere: number } {
  const otherColumns = spec.cols - outliers;
  if (otherColumns === 0) return { inOutlier: spec.density, elsewhere: 0 };
  const nonZeros = spec.density * spec.cols;
  const { denser } = spec.options;
  const elsewhere = nonZeros / (outliers * denser + otherColumns);
  if (elsewhere * denser <= 1) return { inOutlier: elsewhere * denser, elsewhere };
  return { inOutlier: 1, elsewhere: (nonZeros - outliers) / otherColumns };
}

/** Dense blocks of a few rows and many columns, with noise between them. */
const plantedBlocks: PatternSteps = (spec) => {
  const { granularity, width, noise } = spec.options;
  return assembleGroups(spec, {
    groupRows: granularity,
    isScattered: false,
    noise,
    chooseColumns: (count, random) => blockColumns(spec.cols, width, count, random),
  });
};

/** `count` ascending columns in random blocks on a grid of `width`; of the last block drawn, as many as are missing. */
function blockColumns(cols: number, width: number, count: number, random: Random): Uint32Array {
  const columns = new Uint32Array(count);
  let n = 0;
  for (const block of shuffledOrder(Math.ceil(cols / width), random)) {
    for (let c = block * width; c < Math.min(cols, (block + 1) * width) && n < count; c++) columns[n++] = c;
  }
  return columns.sort();
}

/** Rows that have the same columns as other rows, anywhere in the matrix. */
const sharedColumns: PatternSteps = (spec) => {
  const { groupRows, noise } = spec.options;
  return assembleGroups(spec, {
    groupRows,
    isScattered: true,
    noise,
    chooseColumns(count, random) {
      const columns = new Uint32Array(count);
      chooseExactly(count, 0, spec.cols, random, columns, 0);
      return columns;
    },
  });
};

/**
 * ReLU outputs of a language model, tokens x neurons: TwELL paper, section 4.3 and appendix D. A token fires each
 * neuron that is not dead with the same probability, which differs from token to token. The depth of a layer in the
 * model is not an option: in one matrix it only changes the mean, which is the density.
 */
const activations: PatternSteps = (spec) => {
  const { cols, density, options } = spec;
  if (density > 1 - options.dead) {
    throw new MatrixError(
      `dead: found ${options.dead}, expected at most ${Number((1 - density).toPrecision(12))}, the share of zeros where ${density} is not zero`,
    );
  }
  const aliveNeurons = aliveColumns(spec);
  const densities = densitiesByWeight(
    tokenWeights(spec),
    aliveNeurons.length === 0 ? 0 : (density * cols) / aliveNeurons.length,
  );
  return assemble(
    spec,
    (row, sampler, into) => {
      const n = sampler.choose(0, aliveNeurons.length, densities[row], into, 0);
      for (let i = 0; i < n; i++) into[i] = aliveNeurons[into[i]];
      return n;
    },
    { isPositive: true },
  );
};

/** The columns that are not dead, in ascending order. */
function aliveColumns({ cols, seed, options }: CheckedSpec): Uint32Array {
  const order = shuffledOrder(cols, new Random(streamSeed(seed, STREAM.arrangement)));
  return order.subarray(Math.floor(options.dead * cols)).sort();
}

/** The density of each token relative to the others: log-normal, times a power of its position from 1. */
function tokenWeights({ rows, seed, options }: CheckedSpec): Float64Array {
  const { tokenSkew, positionDecay } = options;
  const random = new Random(streamSeed(seed, STREAM.rows));
  return Float64Array.from({ length: rows }, (_, row) =>
    exp(tokenSkew * random.normal() - positionDecay * ln(row + 1)),
  );
}

/** The generators by the ids of `patterns`. */
export const generators: Readonly<Record<string, PatternSteps>> = {
  uniform,
  magnitude,
  'n-of-m': nOfM,
  'row-skewed': rowSkewed,
  banded,
  blocks,
  'planted-blocks': plantedBlocks,
  'shared-columns': sharedColumns,
  'outlier-columns': outlierColumns,
  activations,
};

/** How rows form groups, whose rows have non-zeros in the same columns. */
interface RowGroups {
  /** rows of a group; the last group may have fewer */
  readonly groupRows: number;
  /** whether the rows of a group are scattered over the matrix, or adjacent */
  readonly isScattered: boolean;
  /** share of the non-zeros that belong to no group, from 0 to 1 */
  readonly noise: number;
  /** chooses the `count` columns that all rows of one group have, ascending */
  chooseColumns(count: number, random: Random): Uint32Array;
}

/** A random matrix in which the rows of a group share columns, with further non-zeros in random columns (`noise`). */
function assembleGroups(spec: CheckedSpec, groups: RowGroups): Steps<CsrMatrix> {
  const { rows, cols, density, seed } = spec;
  const { groupRows, isScattered, noise } = groups;
  const random = new Random(streamSeed(seed, STREAM.arrangement));
  const order = isScattered ? shuffledOrder(rows, random) : Uint32Array.from({ length: rows }, (_, row) => row);
  const groupOf = new Uint32Array(rows);
  order.forEach((row, position) => (groupOf[row] = Math.floor(position / groupRows)));

  const sharedPerRow = density * (1 - noise) * cols;
  const noiseDensity = cols > sharedPerRow ? (density * noise * cols) / (cols - sharedPerRow) : 0;
  /** by group: its columns, once a row of it was generated */
  const cache: Uint32Array[] = [];
  const columnsOf = (group: number): Uint32Array => {
    // Rounded so that the counts of all groups add up to the exact number.
    const count = Math.floor((group + 1) * sharedPerRow) - Math.floor(group * sharedPerRow);
    cache[group] ??= groups.chooseColumns(count, new Random(rowSeed(seed, group)));
    return cache[group];
  };
  const noiseColumns = new Uint32Array(cols + 1);
  return assemble(spec, (row, sampler, into) => {
    const noiseCount = sampler.choose(0, cols, noiseDensity, noiseColumns, 0);
    return union(columnsOf(groupOf[row]), noiseColumns.subarray(0, noiseCount), into);
  });
}

/** Writes the union of `a` and `b`, both ascending, to `into`, and returns its size. */
function union(a: Uint32Array, b: Uint32Array, into: Uint32Array): number {
  let n = 0;
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    const next = Math.min(a[i], b[j]);
    if (a[i] === next) i++;
    if (b[j] === next) j++;
    into[n++] = next;
  }
  while (i < a.length) into[n++] = a[i++];
  while (j < b.length) into[n++] = b[j++];
  return n;
}

/** Shuffles the elements in place (Fisher-Yates; Durstenfeld). */
export function shuffle(array: Float64Array | Uint32Array, random: Random): void {
  for (let i = 0; i < array.length; i++) {
    const other = i + random.below(array.length - i);
    [array[i], array[other]] = [array[other], array[i]];
  }
}

/** The numbers below `count` in random order. */
function shuffledOrder(count: number, random: Random): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  shuffle(order, random);
  return order;
}
