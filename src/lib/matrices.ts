import { lengthProblem } from '../core/allocate.ts';
import { MatrixError } from '../core/errors.ts';
import type { Job } from '../core/job.ts';
import * as core from '../core/matrix/index.ts';
import type { CsrArrays, Matrix } from '../core/matrix/index.ts';
import { spmv } from '../core/oracle.ts';
import { generate as generated } from '../generate/generate.ts';
import type { GenerateSpec } from '../generate/spec.ts';
import {
  checkedJob,
  checkedMatrix,
  checkedOptions,
  checkedWhole,
  f32Numbers,
  isObject,
  type NumberArray,
  u32Numbers,
  wrong,
} from './arguments.ts';
import { vector, withLibraryError } from './codec.ts';

// Matrices of the package, and computations with them that need no format.

const MAX_SIZE = 2 ** 31 - 1;

/**
 * A rows × cols matrix of row-major cells: cell (i, j) is cells[i * cols + j]. Keeps a Float32Array without a copy, and
 * converts other numbers to f32 (see `NumberArray`). Throws SparseScopeError unless there are rows * cols numbers, and
 * rows and cols are whole numbers from 0 to 2^31 - 1. O(rows * cols).
 */
export function fromDense(rows: number, cols: number, cells: NumberArray): Matrix {
  checkedWhole('rows', rows, 0, MAX_SIZE);
  checkedWhole('cols', cols, 0, MAX_SIZE);
  const numbers = f32Numbers('cells', cells, (length) => {
    if (length === rows * cols) return;
    throw new MatrixError(`cells: found ${length} numbers, expected ${rows} × ${cols} = ${rows * cols}`);
  });
  return core.denseMatrix(rows, cols, numbers);
}

/**
 * The argument of `fromCsr`: CSR arrays of any numbers; row i occupies indices[indptr[i] .. indptr[i + 1]) and the same
 * range of data.
 */
export interface CsrNumbers {
  readonly rows: number;
  readonly cols: number;
  /** length rows + 1: whole numbers, as in `indices` */
  readonly indptr: NumberArray;
  /** length nnz; ascending inside a row, no column twice */
  readonly indices: NumberArray;
  /** length nnz: converted to f32 */
  readonly data: NumberArray;
}

/**
 * A rows × cols matrix of CSR arrays. Keeps a Uint32Array and a Float32Array without a copy unless explicit zeros have
 * to be dropped, and converts other numbers (see `NumberArray`). Throws SparseScopeError with position, found and
 * expected if the arrays contradict each other. O(rows + nnz).
 */
export function fromCsr(arrays: CsrNumbers): Matrix & CsrArrays {
  if (!isObject(arrays)) throw wrong('arrays', arrays, 'an object of rows, cols, indptr, indices and data');
  // Its values may be bits of f16.
  if ('checksums' in arrays) throw wrong('arrays', arrays, 'CSR arrays: decode() of a stored matrix returns a matrix');
  const { rows, cols, indptr, indices, data } = arrays as unknown as CsrNumbers;
  checkedWhole('rows', rows, 0, MAX_SIZE);
  checkedWhole('cols', cols, 0, MAX_SIZE);
  return core.csrMatrix({
    rows,
    cols,
    indptr: u32Numbers('indptr', indptr),
    indices: u32Numbers('indices', indices),
    data: f32Numbers('data', data),
  });
}

/**
 * The matrix as CSR arrays; the arrays of a matrix from `fromCsr` are returned, not copied. O(rows * cols) at worst.
 */
export function toCsr(matrix: Matrix): CsrArrays {
  return core.toCsr(checkedMatrix(matrix));
}

/**
 * The matrix as rows * cols row-major cells: cell (i, j) at i * cols + j. Throws SparseScopeError above 4 GiB.
 * O(rows * cols) time and memory.
 */
export function toDense(matrix: Matrix): Float32Array {
  const { rows, cols } = checkedMatrix(matrix);
  const problem = lengthProblem('cells', rows * cols, Float32Array.BYTES_PER_ELEMENT);
  if (problem !== null) throw new MatrixError(problem);
  return withLibraryError(() => core.toDense(matrix));
}

const SPEC: readonly (keyof GenerateSpec)[] = ['pattern', 'rows', 'cols', 'density', 'seed', 'options'];

/**
 * Generates a rows × cols matrix with normally distributed f32 values other than 0. The same spec generates the same
 * matrix on every machine. Throws SparseScopeError for an invalid spec, and CancelledError once `job` is cancelled.
 */
export function generate(spec: GenerateSpec, job?: Job): Matrix {
  if (!isObject(spec)) throw wrong('spec', spec, `an object with ${SPEC.join(', ')}`);
  const { pattern, density, options }: Readonly<Record<string, unknown>> = checkedOptions('spec', spec, SPEC);
  if (typeof pattern !== 'string') throw wrong('pattern', pattern, "the name of a pattern, such as 'uniform'");
  checkedWhole('rows', spec.rows, 0, MAX_SIZE);
  checkedWhole('cols', spec.cols, 0, MAX_SIZE);
  if (typeof density !== 'number' || !(density >= 0 && density <= 1)) {
    throw wrong('density', density, 'a number from 0 to 1');
  }
  checkedWhole('seed', spec.seed, 0, 2 ** 32 - 1);
  if (options !== undefined && !isObject(options)) throw wrong('options', options, 'an object of numbers by name');
  for (const [name, value] of Object.entries(options ?? {})) {
    if (typeof value !== 'number') throw wrong(`options.${name}`, value, 'a number');
  }
  return generated(spec, checkedJob(job));
}

/**
 * The oracle: y = A x with every product and sum in f64, in column order; one number per row. `x` has one number per
 * column, converted to f32 (see `NumberArray`). Throws SparseScopeError if `x` has another length. O(rows * cols) at
 * worst.
 */
export function referenceProduct(matrix: Matrix, x: NumberArray): Float64Array {
  const { cols } = checkedMatrix(matrix);
  return spmv(matrix, vector('x', x, cols, 'column'));
}
