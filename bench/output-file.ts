// Writes the output files of the programs.

import { existsSync, closeSync, openSync, realpathSync, rmSync, statSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { ArgumentError } from '../scripts/command-line.ts';
import { quotedWords } from '../src/core/errors.ts';

const unwritable = (option: string, path: string, error: unknown): ArgumentError =>
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
    throw unwritable(option, path, error);
  }
}

/** Signals that end a process while it writes. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Writes all of a file or nothing: the old content stays until the new content is complete. A symbolic link stays a link. A
 * pipe or a device such as /dev/null is written directly. Throws ArgumentError.
 */
export async function writeWhole(option: string, path: string, pieces: Iterable<Uint8Array>): Promise<void> {
  let part: string | null = null;
  const removePart = (): void => {
    if (part !== null) rmSync(part, { force: true });
  };
  const ends = Object.entries(SIGNALS).map(([signal, code]) => {
    const end = (): void => {
      removePart();
      process.exit(code);
    };
    process.once(signal, end);
    return () => void process.off(signal, end);
  });
  try {
    const target = existsSync(path) ? realpathSync(path) : path;
    const before = statSync(target, { throwIfNoEntry: false });
    const isPlain = before === undefined || before.isFile();
    if (isPlain) part = `${target}.${process.pid}.part`;
    const file = await open(part ?? target, 'w', before?.isFile() ? before.mode : 0o666);
    try {
      for (const piece of pieces) await writeAll(file, piece);
    } finally {
      await file.close();
    }
    if (part !== null) await rename(part, target);
  } catch (error) {
    removePart();
    throw unwritable(option, path, error);
  } finally {
    for (const off of ends) off();
  }
}

/** Bytes of each write; between writes, signals are handled. */
const WRITE_BYTES = 2 ** 24;

async function writeAll(
  file: { write(bytes: Uint8Array): Promise<{ bytesWritten: number }> },
  bytes: Uint8Array,
): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    const { bytesWritten } = await file.write(bytes.subarray(at, at + WRITE_BYTES));
    at += bytesWritten;
  }
}

/** Where an option such as --json writes the results: in a file after every step, or for '-' on standard output at the end. */
export class OutputFile<T> {
  readonly #option: string;
  readonly #path: string | null;
  readonly #textOf: (found: T) => string;
  #last: T | null = null;
  #writing: Promise<void> = Promise.resolve();

  /** `textOf`: the text of the file. Throws ArgumentError for a file that cannot be written; `path` null: nothing is kept. */
  constructor(option: string, path: string | null, textOf: (found: T) => string) {
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
  say(text: string): void {
    if (this.isStandardOutput) console.error(text);
    else console.log(text);
  }

  /** Keeps all that was found so far. Throws ArgumentError if the file cannot be written; its earlier content stays. */
  keep(found: T): Promise<void> {
    this.#last = found;
    const path = this.#path;
    if (path !== null && path !== '-') {
      this.#writing = this.#writing.then(() =>
        writeWhole(this.#option, path, [new TextEncoder().encode(this.#textOf(found))]),
      );
      // If the caller does not await this, `end()` throws the error.
      this.#writing.catch(() => {});
    }
    return this.#writing;
  }

  /** Waits until all is written, and prints what is for standard output. Throws like `keep`. */
  async end(): Promise<void> {
    await this.#writing;
    if (this.isStandardOutput && this.#last !== null) process.stdout.write(this.#textOf(this.#last));
  }
}

/** The file of --json. */
export class JsonOutput extends OutputFile<unknown> {
  /** Throws ArgumentError for a file that cannot be written; null: nothing is kept. */
  constructor(path: string | null) {
    super('--json', path, (found) => `${JSON.stringify(found, null, 2)}\n`);
  }
}
