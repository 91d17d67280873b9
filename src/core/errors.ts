// Classes of errors that several parts of the application throw. Their messages, and those of browsers and drivers, are in
// error-messages.ts.

// Control characters but the tab, line and paragraph separators, marks of text direction, and lone surrogates.
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const HIDDEN = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]/gu;

/**
 * An untrusted text, safe to quote: each invisible character and line break is replaced by a visible sign, or by the
 * result of `signOf`.
 */
export function withVisibleSigns(text: string, signOf: (invisible: string) => string = visibleSign): string {
  return text.replaceAll(HIDDEN, (invisible) => signOf(invisible));
}

function visibleSign(invisible: string): string {
  const code = invisible.charCodeAt(0);
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : '\ufffd';
}

/**
 * Base of all errors that the page shows: the message is one sentence with what, where, found and expected.
 * `name` identifies the kind of error after it has crossed a thread, where classes are lost.
 */
export class SparseScopeError extends Error {
  override name = 'SparseScopeError';

  /** `message` may quote a file or an address verbatim. */
  constructor(message: string) {
    super(withVisibleSigns(message));
  }
}

/** A matrix that contradicts itself: wrong lengths, indices out of range, columns out of order. */
export class MatrixError extends SparseScopeError {
  override name = 'MatrixError';
}

/** A matrix that a format cannot store with the given parameters. */
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

/** A kernel's output that does not fit its format, as the kernel itself detects. */
export class OverflowError extends KernelError {
  override name = 'OverflowError';
}

/** A job that was cancelled. Existing results are unchanged. */
export class CancelledError extends SparseScopeError {
  override name = 'CancelledError';
  constructor(message = 'cancelled') {
    super(message);
  }
}

/** A call that the engine, a worker thread, could not answer because it died; a new one is started in its place. */
export class EngineDeathError extends SparseScopeError {
  override name = 'EngineDeathError';
}
