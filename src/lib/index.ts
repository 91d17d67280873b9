/**
 * Sparse matrices, their formats, and verified WebGPU kernels: a matrix in, encode, device, run, bench. One format is
 * 'sparsescope/macko' and the like, all of them 'sparsescope/formats', files 'sparsescope/files'.
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
export { run } from './run.ts';
export { bench, type BenchSettings, type BenchSubject } from './bench.ts';
