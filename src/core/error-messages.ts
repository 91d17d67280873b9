// Messages of errors for the user: this application's own, and those of browsers, drivers and systems.

import { SparseScopeError, withVisibleSigns } from './errors.ts';

/** The message where code or data of the page could not be loaded. */
export const NO_NETWORK = 'the network did not answer';

/** Messages of browsers when code cannot be loaded, with an address of no use to a reader. */
const CODE_MISSING = /dynamically imported module|module script failed|unable to preload/i;

/**
 * The class names of this application's errors: an error that was sent from another thread has only its name.
 * `error-messages.test.ts` checks that the list is complete.
 */
const CLASS_NAMES =
  /^(?:SparseScope|Matrix|Format|Read|Kernel|Overflow|Cancelled|EngineDeath|NewerStorage|DeviceLost|NoDevice|Resource|DecompressionLimit|TensorChoice|UserFormat|Ended|Lesson|PartLoad)Error$|^(?:DraftFault|Refusal)$/;

/**
 * The form of messages that the code of the page throws as a plain Error or RangeError: 'rows: found 0, expected at
 * least 1'.
 */
const OWN_MESSAGE = /(?:^|: )(?:found|expected) |, expected /;

/** The advice after a GPU was lost. */
const AFTER_LOSS = 'run again, and close other programs that use the GPU if that fails too';

/** Errors of browsers, drivers and systems, by name and message: what happened, and what to do. The first match counts. */
const FOREIGN_ERRORS: readonly (readonly [pattern: RegExp, sentence: string])[] = [
  [
    /instance reference|instance dropped|gpu process/i,
    'the browser’s access to the GPU ended; run again, and reload the page if that fails too',
  ],
  [
    /device (?:is|was) lost|device.?lost|context lost|device (?:was )?(?:hung|removed|destroyed)|DXGI_ERROR/i,
    `the GPU was lost; ${AFTER_LOSS}`,
  ],
  [
    /allocat|out.?of.?(?:device.?|host.?)?memory|array (?:buffer )?length|length too large/i,
    'memory ran out; choose something smaller, or close other tabs and programs',
  ],
  [/^QuotaExceeded/, 'this browser’s storage is full; delete what is not needed, or save it as a file'],
  [
    /^NotReadable|^NotFound.*file|file or directory/,
    'a file can no longer be read, it was changed, moved or deleted; choose it again',
  ],
  [/^(?:Security|NotAllowed)/, 'the browser denied access; allow it in the settings of this site'],
  [
    /^DataClone|messageerror/,
    'data could not be passed between threads; try again, and reload the page if that fails too',
  ],
  [/failed to fetch|networkerror|load failed|^Network/i, `${NO_NETWORK}; try again once there is a network`],
  [
    /^GPU|^Operation|webgpu|mapasync|map(?:ping|ped)|\[(?:invalid )?[a-z]*(?:buffer|device|queue|pipeline|adapter|module|layout|encoder)\b|\bvk_|validation/i,
    'the GPU or its driver rejected the work; run again, and reload the page if that fails too',
  ],
];

/** The message for an error that matches nothing of `FOREIGN_ERRORS`. */
const UNKNOWN = 'the browser reported an error; try again, and reload the page if that fails too';

/** The most letters that are quoted of a foreign error. */
const MAX_QUOTED = 120;

/** Whether an error was worded by this application, and not by a browser, a driver or the system. */
export function isOwnError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof SparseScopeError || CLASS_NAMES.test(error.name)) return true;
  return /^(?:Range|Type)?Error$/.test(error.name) && OWN_MESSAGE.test(error.message);
}

/** The first sentence of an error of a browser or driver, to be quoted: one visible line without a full stop. */
export function quotedWords(error: unknown): string {
  // DOMException and GPUError are not an Error everywhere.
  const { name = '', message = String(error) } = (error ?? {}) as { readonly name?: string; readonly message?: string };
  // Messages of WebGPU go on with ' - While ...' lines, which name internals.
  const [first] = message.trim().split(/\n| - While/);
  const words = withVisibleSigns(first).trim().replace(/\.$/, '') || name || 'no message';
  return words.length > MAX_QUOTED ? `${words.slice(0, MAX_QUOTED)}…` : words;
}

/**
 * The message of a thrown value. Messages of this application's own errors are returned unchanged. For an error of the
 * browser, a driver or the system: what happened and what to do, with the original message in brackets.
 */
export function messageOf(error: unknown): string {
  if (isOwnError(error)) {
    const { name, message } = error as Error;
    return name === 'DeviceLostError' ? `${message}; ${AFTER_LOSS}` : message;
  }
  const { name = '', message = String(error) } = (error ?? {}) as { readonly name?: string; readonly message?: string };
  if (CODE_MISSING.test(message)) return NO_NETWORK;
  const match = FOREIGN_ERRORS.find(([pattern]) => pattern.test(name) || pattern.test(message));
  return `${match?.[1] ?? UNKNOWN} (${quotedWords(error)})`;
}

/**
 * Why work failed. `what`: the work, such as 'Encoding as MACKO'. It is named before the message of a browser or driver
 * and before a lost GPU; errors of the work itself already name their subject.
 */
export function failureOf(error: unknown, what: string): string {
  const message = messageOf(error);
  if (error instanceof Error && error.name === 'EngineDeathError') {
    // The sentence 'The engine stopped by itself.' becomes a clause, followed by what to do.
    return `${what} failed: ${message.replace(/^The /, 'the ').replace(/\.$/, '')}; start it again`;
  }
  const isComplete = isOwnError(error) && (error as Error).name !== 'DeviceLostError';
  return isComplete || message === NO_NETWORK ? message : `${what} failed: ${message}`;
}

/** Whether an error is due to the network; also true for errors from another thread, by their message. */
export function isNetworkError(error: unknown): boolean {
  return /the network did not answer|found no answer/.test(messageOf(error));
}

/** The message against an action that would spoil the times of a running benchmark; `what` follows 'before you'. */
export function busyText(what: string): string {
  return `A run is in progress: cancel it, or wait, before you ${what}.`;
}
