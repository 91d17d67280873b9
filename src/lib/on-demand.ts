import { isObject } from './arguments.ts';
import { type bench as benchAlone, benchWith, run as runAlone } from './bench.ts';
import { mayLoadChecks, mayLoadKernels } from './codec.ts';
import { encode as encodeAlone } from './encode.ts';
import { checksById, kernelsById } from './loaders.ts';

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
  return encodeAlone(matrix, format, ...rest);
};

/**
 * Multiplies y = A x on a GPU, by the fastest kernel that fits: see `run` of 'sparsescope/core'. Loads the kernels of
 * the format, unless it has them.
 */
export const run: typeof runAlone = (device, stored, ...rest) => {
  const given: unknown = stored;
  if (isObject(given)) mayLoadKernels(given['format'], kernelsById);
  return runAlone(device, stored, ...rest);
};

/** Verifies and times kernels on one matrix: see `bench` of 'sparsescope/core'. Loads kernels, and accepts ids. */
export const bench: typeof benchAlone = (device, matrix, subjects, settings) => {
  for (const subject of Array.isArray(subjects) ? (subjects as readonly unknown[]) : []) {
    mayLoadKernels(isObject(subject) && 'format' in subject ? subject['format'] : subject, kernelsById);
  }
  return benchWith(kernelsById, device, matrix, subjects, settings);
};
