/**
 * Sparse matrices, their formats, and verified WebGPU kernels: make or read a matrix, `encode` it, `openDevice`, `run`
 * a kernel, `bench` several. Other import paths are 'sparsescope/macko' and the like for one format each,
 * 'sparsescope/formats' for all of them, and 'sparsescope/files' to read and write files. `declare` makes a format of
 * your own; a `Codec` is the part of a format that stores a matrix and reads it back.
 */
export { csrMatrix as fromCsr, denseMatrix as fromDense, toCsr, toDense } from '../core/matrix/index.ts';
export type { CsrArrays, Matrix } from '../core/matrix/index.ts';
export { generate } from '../generate/generate.ts';
export type { GenerateSpec } from '../generate/spec.ts';
export { spmv as referenceProduct } from '../core/oracle.ts';
export { SparseScopeError } from '../core/errors.ts';
export type { Job } from '../core/job.ts';
export type { BenchReport } from '../core/report.ts';
export { declare } from './declare.ts';
export type { Codec } from './codec.ts';
export { encode, type Stored } from './encode.ts';
export { openDevice, type OpenDeviceOptions } from './device.ts';
export { run } from './bench.ts';
export { bench, type BenchSettings, type BenchSubject } from './bench.ts';
