/**
 * Sparse matrices, their formats, and verified WebGPU kernels: make or read a matrix, `encode` it, `openDevice`, `run`
 * a kernel, `bench` several, and take one by
 * `kernelOf` into a pipeline of your own. Other import paths are 'sparsescope/macko' and the like for one format each,
 * 'sparsescope/formats' for all of them, and 'sparsescope/files' to read and write files. `declare` makes a format of
 * your own; a `Codec` is the part of a format that stores a matrix and reads it back.
 */
export { fromDense, fromCsr, toCsr, toDense, generate, referenceProduct, type CsrNumbers } from './matrices.ts';
export type { NumberArray } from './arguments.ts';
export type { CsrArrays, Matrix } from '../core/matrix/index.ts';
export type { GenerateSpec } from '../generate/spec.ts';
export {
  CancelledError,
  FormatError,
  KernelError,
  MatrixError,
  OverflowError,
  ReadError,
  SparseScopeError,
} from '../core/errors.ts';
export { DeviceLostError, NoDeviceError } from '../gpu/index.ts';
export type { Job } from '../core/job.ts';
export type { BenchReport } from '../core/report.ts';
export { declare } from './declare.ts';
export type { Codec } from './codec.ts';
export { encode, type Stored } from './encode.ts';
export { openDevice, type OpenDeviceOptions } from './device.ts';
export {
  type KernelBuffer,
  type KernelOfOptions,
  type KernelDescription,
  type KernelPass,
  kernelOf,
  run,
  type RunOptions,
} from './run.ts';
export { bench, type BenchSettings, type BenchSubject } from './bench.ts';
