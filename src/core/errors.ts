/**
 * Every error that a person can meet has one sentence that says what, where, found and expected.
 * `name` tells callers which kind it is after it has crossed a thread, where classes are lost.
 */
export class SparseScopeError extends Error {
  override name = 'SparseScopeError';
}

/** A matrix that contradicts itself: wrong lengths, indices out of range, columns out of order. */
export class MatrixError extends SparseScopeError {
  override name = 'MatrixError';
}

/** A matrix that a format cannot hold with the given parameters. */
export class FormatError extends SparseScopeError {
  override name = 'FormatError';
}

/** A file that is broken or of an unsupported kind. */
export class ReadError extends SparseScopeError {
  override name = 'ReadError';
}

/** A kernel that does not compile, does not fit the device, or is dispatched wrongly. */
export class KernelError extends SparseScopeError {
  override name = 'KernelError';
}

/** A kernel's output that its format has no room for: found out by the kernel, which is right to refuse. */
export class OverflowError extends KernelError {
  override name = 'OverflowError';
}

/** A job that was cancelled. Nothing that existed before it has changed. */
export class CancelledError extends SparseScopeError {
  override name = 'CancelledError';
  constructor(message = 'cancelled') {
    super(message);
  }
}

/** A call that the engine could not answer since its thread has died; another engine is started in its place. */
export class EngineDeathError extends SparseScopeError {
  override name = 'EngineDeathError';
}
