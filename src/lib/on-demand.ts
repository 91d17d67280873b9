import { isObject } from './arguments.ts';
import { type bench as benchAlone, benchWith } from './bench.ts';
import { mayLoadChecks, mayLoadKernels } from './codec.ts';
import { encode as encodeAlone } from './encode.ts';
import { checksById, kernelsById } from './loaders.ts';
import { kernelOf as kernelOfAlone, run as runAlone } from './run.ts';

// The calls of 'sparsescope': those of 'sparsescope/core', for which kernels and checks of a format are loaded on demand.

/**
 * Stores a matrix in a format, on this thread. The format's defaults complete `params`. Throws SparseScopeError for a
 * parameter that the format does not have or allow, FormatError if the format cannot store the matrix, and
 * CancelledError once `job` is cancelled. O(cells read); EC-CSR by default needs longer.
 *
 * ```js
 * const stored = encode(a, macko, { deltaBits: 4 });
 * stored.arrays.deltas; // a Uint32Array
 * ```
 */
export const encode: typeof encodeAlone = (matrix, format, ...rest) => {
  mayLoadChecks(format, checksById);
  return encodeAlone(matrix, format, ...rest); // bounded: arguments of one call
};

/** Lets the kernels of the format of a stored matrix be loaded. */
function mayLoadKernelsOf(stored: unknown): void {
  if (isObject(stored)) mayLoadKernels(stored['format'], kernelsById);
}

/**
 * Multiplies on a GPU by the fastest kernel: y = A x, with `tokens` Y = X Aᵀ, or with `transposed` the same with Aᵀ on
 * this thread. `run` of 'sparsescope/core', which first loads the kernels of the format unless it has them. The first call
 * with a stored matrix and a number of tokens verifies its kernels against the f64 oracle and times them. Throws
 * SparseScopeError for a wrong argument and for a format without kernels, KernelError with the reasons if no kernel is
 * correct on this device, CancelledError once `job` is cancelled, and DeviceLostError.
 */
export const run: typeof runAlone = (device, stored, ...rest) => {
  mayLoadKernelsOf(stored);
  return runAlone(device, stored, ...rest); // bounded: arguments of one call
};

/**
 * The kernel that `run` uses for a stored matrix on this device, for a pipeline of one's own: `kernelOf` of
 * 'sparsescope/core', which first loads the kernels of the format unless it has them. Throws like `run`.
 */
export const kernelOf: typeof kernelOfAlone = (device, stored, ...rest) => {
  mayLoadKernelsOf(stored);
  return kernelOfAlone(device, stored, ...rest); // bounded: arguments of one call
};

/**
 * Verifies and times kernels on one matrix, and reports times in nanoseconds: `bench` of 'sparsescope/core', which first
 * loads the kernels of formats that have none, and of those named by their ids. Throws SparseScopeError for an unknown
 * format, parameter, setting or operation and for a format without a kernel for the operation, and DeviceLostError.
 *
 * ```js
 * const report = await bench(device, a, ['dense', 'macko']);
 * ```
 */
export const bench: typeof benchAlone = (device, matrix, subjects, settings) => {
  for (const subject of Array.isArray(subjects) ? (subjects as readonly unknown[]) : []) {
    mayLoadKernels(isObject(subject) && 'format' in subject ? subject['format'] : subject, kernelsById);
  }
  return benchWith(kernelsById, device, matrix, subjects, settings);
};
