// Writes the output files of programs, so that an interrupted program leaves either the old file or the whole new one.

import { existsSync, closeSync, openSync, realpathSync, rmSync, statSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { ArgumentError } from '../scripts/command-line.ts';
import { quotedWords } from '../src/core/error-messages.ts';

const unwritableError = (option: string, path: string, error: unknown): ArgumentError =>
  new ArgumentError(`${option}: found '${path}', expected a file that can be written (${quotedWords(error)})`);

/**
 * Opens a file that will be written after minutes of measuring, without changing it. Throws ArgumentError if it cannot
 * be written.
 */
export function checkOutput(option: string, path: string): void {
  const isNew = !existsSync(path);
  try {
    closeSync(openSync(path, 'a'));
    if (isNew) rmSync(path);
  } catch (error) {
    throw unwritableError(option, path, error);
  }
}

/** Signals that may end a process while it writes, and the exit codes that a shell reports after them. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Writes all of a file or nothing: the new content is written next to the file, and replaces it when it is complete. A symbolic
 * link stays a link. A pipe or a device such as /dev/null is written directly. Throws ArgumentError.
 */
export async function writeAtomically(option: string, path: string, chunks: Iterable<Uint8Array>): Promise<void> {
  /** The file next to the target, until it replaces it. */
  let partPath: string | null = null;
  const removePart = (): void => {
    if (partPath !== null) rmSync(partPath, { force: true });
  };
  const removeListeners = Object.entries(SIGNALS).map(([signal, code]) => {
    const onSignal = (): void => {
      removePart();
      process.exit(code);
    };
    process.once(signal, onSignal);
    return () => void process.off(signal, onSignal);
  });
  try {
    const target = existsSync(path) ? realpathSync(path) : path;
    const oldFile = statSync(target, { throwIfNoEntry: false });
    const isReplaced = oldFile === undefined || oldFile.isFile();
    if (isReplaced) partPath = `${target}.${process.pid}.part`;
    const file = await open(partPath ?? target, 'w', oldFile?.isFile() ? oldFile.mode : 0o666);
    try {
      for (const chunk of chunks) await writeAll(file, chunk);
    } finally {
      await file.close();
    }
    if (partPath !== null) await rename(partPath, target);
  } catch (error) {
    removePart();
    throw unwritableError(option, path, error);
  } finally {
    for (const removeListener of removeListeners) removeListener();
  }
}

/** Maximum bytes of each write; between writes, signals are handled. */
const MAX_WRITE_BYTES = 2 ** 24;

async function writeAll(
  file: { write(bytes: Uint8Array): Promise<{ bytesWritten: number }> },
  bytes: Uint8Array,
): Promise<void> {
  for (let offset = 0; offset < bytes.length;) {
    const { bytesWritten } = await file.write(bytes.subarray(offset, offset + MAX_WRITE_BYTES));
    offset += bytesWritten;
  }
}

/** The output of an option such as --json: a file, written after every step, or for '-' standard output, written at the end. */
export class OutputFile<T> {
  readonly #option: string;
  readonly #path: string | null;
  readonly #textOf: (results: T) => string;
  #lastResults: T | null = null;
  #writing: Promise<void> = Promise.resolve();

  /**
   * `path`: null if nothing is to be written; `textOf`: returns the text of the file. Throws ArgumentError for a file that
   * cannot be written.
   */
  constructor(option: string, path: string | null, textOf: (results: T) => string) {
    this.#option = option;
    this.#path = path;
    this.#textOf = textOf;
    if (path !== null && path !== '-') checkOutput(option, path);
  }

  /** Whether it is standard output. */
  get isStandardOutput(): boolean {
    return this.#path === '-';
  }

  /** Prints for the user: on stderr if standard output is for the results. */
  print(text: string): void {
    if (this.isStandardOutput) console.error(text);
    else console.log(text);
  }

  /** Writes all results so far. Throws ArgumentError if the file cannot be written; its earlier content stays. */
  save(results: T): Promise<void> {
    this.#lastResults = results;
    const path = this.#path;
    if (path !== null && path !== '-') {
      this.#writing = this.#writing.then(() =>
        writeAtomically(this.#option, path, [new TextEncoder().encode(this.#textOf(results))]),
      );
      // If the caller does not await this, `end()` throws the error.
      this.#writing.catch(() => {});
    }
    return this.#writing;
  }

  /** Waits until the file is written, or prints the last results on standard output. Throws like `save`. */
  async end(): Promise<void> {
    await this.#writing;
    if (this.isStandardOutput && this.#lastResults !== null) process.stdout.write(this.#textOf(this.#lastResults));
  }
}

/** The file of --json. */
export class JsonOutput extends OutputFile<unknown> {
  /** `path`: null if nothing is to be written. Throws ArgumentError for a file that cannot be written. */
  constructor(path: string | null) {
    super('--json', path, (results) => `${JSON.stringify(results, null, 2)}\n`);
  }
}
