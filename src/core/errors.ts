// Controls but the tab, ends of lines and paragraphs, marks that turn the direction of what follows, and halves of letters.
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const UNSEEN = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ud800-\udfff]/gu;

/** Text of somebody else as it can stand in a sentence: characters that cannot be seen, or break the line, as a picture. */
export function seen(text: string): string {
  return text.replaceAll(UNSEEN, (unseen) => {
    const code = unseen.charCodeAt(0);
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : '\ufffd';
  });
}

/**
 * Every error that a person can meet has one sentence that says what, where, found and expected.
 * `name` tells callers which kind it is after it has crossed a thread, where classes are lost.
 */
export class SparseScopeError extends Error {
  override name = 'SparseScopeError';

  /** `message` may quote a file or an address as it is. */
  constructor(message: string) {
    super(seen(message));
  }
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
