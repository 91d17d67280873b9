/**
 * The names of 'sparsescope' for programs in one file: 'sparsescope/core' loads nothing later. `run` and `bench` use the
 * kernels of the format that a program passes: the one of 'sparsescope/macko/kernels', or of 'sparsescope/formats'.
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
export type { Codec, KernelFormat } from './codec.ts';
export { openDevice, type OpenDeviceOptions } from './device.ts';
export { bench, type BenchSettings, type BenchSubject } from './bench.ts';
export {
  type KernelBuffer,
  type KernelOfOptions,
  type KernelDescription,
  type KernelPass,
  kernelOf,
  run,
  type RunOptions,
} from './run.ts';
export { encode, type Stored } from './encode.ts';
