/**
 * `encode`, `run` and `bench` that load nothing: 'sparsescope/core', for programs in one file. Kernels are those of the
 * format that a program passes: the one of 'sparsescope/macko/kernels', or 'sparsescope/formats'. All else is the same as
 * in 'sparsescope'.
 */
export { bench, run } from './bench.ts';
export { encode } from './encode.ts';
