// Control characters but the tab, line and paragraph separators, marks of text direction, and lone surrogates.
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const UNSEEN = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]/gu;

/**
 * An untrusted text, safe to quote: each invisible character and line break is replaced by a visible sign, or by what
 * `signOf` gives for it.
 */
export function withVisibleSigns(text: string, signOf: (unseen: string) => string = visibleSign): string {
  return text.replaceAll(UNSEEN, (unseen) => signOf(unseen));
}

function visibleSign(unseen: string): string {
  const code = unseen.charCodeAt(0);
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : '\ufffd';
}

/**
 * Base of all errors that the page shows: one sentence that says what, where, found and expected.
 * `name` identifies the kind of error after it has crossed a thread, where classes are lost.
 */
export class SparseScopeError extends Error {
  override name = 'SparseScopeError';

  /** `message` may quote a file or an address verbatim. */
  constructor(message: string) {
    super(withVisibleSigns(message));
  }
}

/** The message where code or data of the page could not be loaded. */
export const NO_NETWORK = 'the network did not answer';

/** Messages of browsers when code cannot be loaded, with an address of no use to a reader. */
const CODE_MISSING = /dynamically imported module|module script failed|unable to preload/i;

/** The message of a thrown value. */
export function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return CODE_MISSING.test(message) ? NO_NETWORK : message;
}

/** Whether an error is due to the network; also true for errors from another thread, by their message. */
export function isNetworkError(error: unknown): boolean {
  return /the network did not answer|found no answer/.test(messageOf(error));
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

/** A kernel's output that does not fit its format, as the kernel itself detects. */
export class OverflowError extends KernelError {
  override name = 'OverflowError';
}

/** The refusal of an action that would spoil the times of a running benchmark; `what` follows 'before you'. */
export function busySentence(what: string): string {
  return `A run is in progress: cancel it, or wait, before you ${what}.`;
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
