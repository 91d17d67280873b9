import { type Steps, rowsPerYield } from '../job.ts';
import { type Matrix, rowBuffer } from '../matrix/index.ts';
import type { ExpectedWith, Operation } from '../operation.ts';
import { sampleOf } from './sample.ts';

/** Outputs that are compared; beyond them a part of the rows is. */
const AFFORDABLE = 2 ** 24;

/** The cells of the matrix, row by row or, transposed, column by column; every one of them exact. */
function* cellSteps(m: Matrix, transposed: boolean): Steps<ExpectedWith> {
  const rows = sampleOf(m.rows, Math.floor(AFFORDABLE / Math.max(1, m.cols)));
  const output = new Float64Array(rows.length * m.cols);
  // Columns of the transposed matrix that are not sampled leave gaps, so that places are listed row by row there too.
  const place = (i: number, c: number): number => (transposed ? c * rows.length + i : i * m.cols + c);
  const { columns, values } = rowBuffer(m.cols);
  const slice = rowsPerYield(m.cols);
  for (let i = 0; i < rows.length; i++) {
    const n = m.readRow(rows[i], { columns, values });
    for (let k = 0; k < n; k++) output[place(i, columns[k])] = values[k];
    if (i % slice === slice - 1) yield { what: 'rows of the oracle', done: i + 1, total: rows.length };
  }
  const at = (i: number): number =>
    transposed
      ? Math.floor(i / rows.length) * m.rows + rows[i % rows.length]
      : rows[Math.floor(i / m.cols)] * m.cols + (i % m.cols);
  const sample =
    rows.length === m.rows ? undefined : { at: Uint32Array.from(output, (_, i) => at(i)), of: m.rows * m.cols };
  const expected = { output, bound: new Float64Array(output.length), ...(sample ? { sample } : {}) };
  return () => expected;
}

/** The matrix from a dense one, h, into the arrays of the format. Outputs: the cells that the arrays then hold. */
export const CONVERT: Operation = {
  id: 'convert',
  title: 'dense → format',
  summary: 'Activations that lie there in full, packed into the format in a pass of their own.',
  sizes: {},
  inputs(m) {
    const h = new Float32Array(m.rows * m.cols);
    const { columns, values } = rowBuffer(m.cols);
    for (let r = 0; r < m.rows; r++) {
      const n = m.readRow(r, { columns, values });
      for (let i = 0; i < n; i++) h[r * m.cols + columns[i]] = values[i];
    }
    return { h };
  },
  expectedSteps: (m) => cellSteps(m, false),
};

/** The matrix out of the arrays of the format. Outputs: its cells, row by row. */
export const UNPACK: Operation = {
  id: 'unpack',
  title: 'format → dense',
  summary: 'What the format stores, written out in full again.',
  sizes: {},
  inputs: () => ({}),
  expectedSteps: (m) => cellSteps(m, false),
};

/** The transposed matrix in the format, out of the arrays of the format. Outputs: its cells, one column of A after the other. */
export const TRANSPOSE: Operation = {
  id: 'transpose',
  title: 'hᵀ',
  summary: 'Rows become columns without leaving the format: the gradients of weights read activations by neuron.',
  sizes: {},
  inputs: () => ({}),
  expectedSteps: (m) => cellSteps(m, true),
};
