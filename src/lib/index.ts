/**
 * Sparse matrices, their formats, and verified WebGPU kernels: make or read a matrix, `encode` it, `openDevice`, `run`
 * a kernel, `bench` several, and take one by
 * `kernelOf` into a pipeline of your own. Other import paths are 'sparsescope/macko' and the like for one format each,
 * 'sparsescope/formats' for all of them, and 'sparsescope/files' to read and write files. `declare` makes a format of
 * your own; a `Codec` is the part of a format that stores a matrix and reads it back.
 */
export * from './core.ts';
// Instead of those that load nothing.
export { bench, encode, kernelOf, run } from './on-demand.ts';
