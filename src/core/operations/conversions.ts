import { type Steps, rowsPerYield } from '../job.ts';
import { type Matrix, rowBuffer, toDense } from '../matrix/index.ts';
import type { ExpectedWith, Operation } from './operation.ts';
import { Random } from '../number/random.ts';
import { sampleOf, type Sampling } from './sample.ts';

/* Operations between the arrays of a format and a dense matrix: CONVERT, FILL and UNPACK; and TRANSPOSE. */

/** Maximum number of outputs that are compared. Of more outputs, only the outputs of sampled rows are compared. */
const MAX_COMPARED = 2 ** 24;

/** Share of the cells of `FILL`'s input that are 0. */
const ZERO_SHARE = 1 / 16;

/** The values of the expected cells, and the order in which the cells are listed. */
interface CellOptions {
  /** column by column */
  readonly transposed?: boolean;
  /**
   * a dense matrix, row by row, whose values replace the matrix's non-zeros at the same positions; absent: the
   * non-zeros keep their values
   */
  readonly filling?: Float32Array;
}

/** The expected cells of a conversion, row by row or, transposed, column by column; no error is allowed. */
function* cellSteps(
  m: Matrix,
  sampling: Sampling | undefined,
  { transposed = false, filling }: CellOptions = {},
): Steps<ExpectedWith> {
  const rows = sampleOf(m.rows, Math.floor(MAX_COMPARED / Math.max(1, m.cols)), sampling);
  const output = new Float64Array(rows.length * m.cols);
  // Sampled rows of m are columns of the transposed matrix, whose cells are listed row by row without all other columns.
  const outputIndex = (i: number, c: number): number => (transposed ? c * rows.length + i : i * m.cols + c);
  const { columns, values } = rowBuffer(m.cols);
  const rowsInStep = rowsPerYield(m.cols);
  for (let i = 0; i < rows.length; i++) {
    const n = m.readRow(rows[i], { columns, values });
    const first = rows[i] * m.cols;
    for (let k = 0; k < n; k++) output[outputIndex(i, columns[k])] = filling ? filling[first + columns[k]] : values[k];
    if (i % rowsInStep === rowsInStep - 1) yield { what: 'computing the reference', done: i + 1, total: rows.length };
  }
  const positionOf = (i: number): number =>
    transposed
      ? Math.floor(i / rows.length) * m.rows + rows[i % rows.length]
      : rows[Math.floor(i / m.cols)] * m.cols + (i % m.cols);
  const sample =
    rows.length === m.rows ? undefined : { at: Uint32Array.from(output, (_, i) => positionOf(i)), of: m.rows * m.cols };
  const expected = { output, bound: new Float64Array(output.length), ...(sample ? { sample } : {}) };
  return () => expected;
}

/** Packs a dense matrix h into the arrays of the format. Outputs: the cells that the arrays then contain. */
export const CONVERT: Operation = {
  id: 'convert',
  title: 'dense → format',
  summary: 'A dense matrix, packed into the format.',
  sizes: {},
  inputsAreStored: true, // h is rounded to the format's value type
  inputs: (m) => ({ h: toDense(m) }),
  expectedSteps: (m, _inputs, _sizes, sampling) => cellSteps(m, sampling),
};

/** A random gradient g. */
function gradient(m: Pick<Matrix, 'rows' | 'cols'>, seed: number): Float32Array {
  const random = new Random(seed);
  const g = new Float32Array(m.rows * m.cols);
  for (let i = 0; i < g.length; i++) if (random.uniform() >= ZERO_SHARE) g[i] = random.normal();
  return g;
}

/**
 * Packs the cells of a dense matrix g at the non-zeros of the matrix h into a format's arrays, which already contain h:
 * all positions stay. Outputs: the cells of the result, row by row. A zero of g at a non-zero of h is a stored 0; a
 * cell of g anywhere else is left out by definition, and the output is 0.
 *
 * g is normal with a share of zeros. Source: TwELL paper, listing 5, without the product that computes g.
 */
export const FILL: Operation = {
  id: 'fill',
  title: 'dense → pattern of h',
  summary: 'A dense gradient, packed where activations are non-zero.',
  sizes: {},
  inputs: (m, _sizes, seed) => ({ g: gradient(m, seed) }),
  varied: (m, _inputs, _sizes, seed) => ({ g: gradient(m, seed) }), // g has no weights, so all of it is drawn anew
  expectedSteps: (m, { g }, _sizes, sampling) => cellSteps(m, sampling, { filling: g }),
};

/** Unpacks the matrix from the arrays of the format. Outputs: its cells, row by row. */
export const UNPACK: Operation = {
  id: 'unpack',
  title: 'format → dense',
  summary: 'What the format stores, in full.',
  sizes: {},
  inputs: () => ({}),
  expectedSteps: (m, _inputs, _sizes, sampling) => cellSteps(m, sampling),
};

/** Transposes the matrix h from its arrays into the same format. Outputs: its cells, one column of h after the other. */
export const TRANSPOSE: Operation = {
  id: 'transpose',
  title: 'hᵀ',
  summary: 'Rows become columns within the format.',
  sizes: {},
  inputs: () => ({}),
  expectedSteps: (m, _inputs, _sizes, sampling) => cellSteps(m, sampling, { transposed: true }),
};
