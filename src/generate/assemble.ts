import type { Steps } from '../core/job.ts';
import { CsrMatrix } from '../core/matrix/index.ts';
import { Random } from '../core/number/random.ts';
import { ColumnSampler } from './column-sampler.ts';
import type { CheckedSpec } from './pattern.ts';
import { STREAM, streamSeed } from './seeds.ts';

// Assembles a random matrix of a pattern: columns drawn row by row, then normal values.

/** Draws the columns of a row into `into`, ascending, and returns how many. `into` has room for a row and one more. */
export type DrawRow = (row: number, sampler: ColumnSampler, into: Uint32Array) => number;

/** How many columns or values are drawn between two reports of progress: about 10 ms. */
const SLICE = 2 ** 21;

/** How the normal values of a matrix are changed. */
export interface ValueOptions {
  /** factor of each column; default: 1 */
  readonly scales?: Float32Array;
  /** whether each value becomes its magnitude */
  readonly isPositive?: boolean;
}

/** A random matrix with columns from `drawRow`, called twice for each row, and normal values changed by `values`. */
export function* assemble(spec: CheckedSpec, drawRow: DrawRow, values: ValueOptions = {}): Steps<CsrMatrix> {
  const { rows, cols } = spec;
  const { scales, isPositive } = values;
  const indptr = new Uint32Array(rows + 1);
  const total = 3 * rows;
  function* drawRows(pass: number, visit: (row: number, columns: Uint32Array) => void): Steps<void> {
    const sampler = new ColumnSampler(streamSeed(spec.seed, STREAM.columns));
    const columns = new Uint32Array(cols + 1);
    const rowsPerReport = Math.ceil(SLICE / (cols + 64));
    for (let r = 0; r < rows; r++) {
      visit(r, columns.subarray(0, drawRow(r, sampler, columns)));
      if (r % rowsPerReport === rowsPerReport - 1) yield { what: 'Generating', done: pass * rows + r, total };
    }
  }
  yield* drawRows(0, (row, columns) => (indptr[row + 1] = indptr[row] + columns.length));
  const nnz = indptr[rows];
  const indices = new Uint32Array(nnz);
  yield* drawRows(1, (row, columns) => indices.set(columns, indptr[row]));

  const data = new Float32Array(nnz);
  const random = new Random(streamSeed(spec.seed, STREAM.values));
  for (let start = 0; start < nnz; start += SLICE / 2) {
    const end = Math.min(nnz, start + SLICE / 2);
    random.fillNormal(data.subarray(start, end));
    if (isPositive) for (let i = start; i < end; i++) data[i] = Math.abs(data[i]);
    if (scales) for (let i = start; i < end; i++) data[i] *= scales[indices[i]];
    yield { what: 'Generating', done: 2 * rows + Math.floor((rows * end) / nnz), total };
  }
  return new CsrMatrix({ rows, cols, indptr, indices, data });
}
