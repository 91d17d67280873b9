// Files and progress for the command line.

import { closeSync, fstatSync, openAsBlob, openSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Job, Progress } from '../../src/core/job.ts';
import type { MatrixFile } from '../../src/io/index.ts';

/** Opens the file at a path for the readers. Only the parts that they request are read; a pipe is read whole. Throws the errors of Node. */
export async function matrixFile(path: string): Promise<MatrixFile> {
  const name = basename(path);
  const file = openSync(path, 'r');
  try {
    if (!fstatSync(file).isFile()) return { name, bytes: readFileSync(file) };
  } finally {
    closeSync(file);
  }
  return new File([await openAsBlob(path)], name);
}

/** Shows the progress of a job in one line on standard error, if that is a terminal; `clear` removes the line. */
export class ProgressLine implements Job {
  readonly cancelled = false;
  #shown = '';

  report({ what, done, total }: Progress): void {
    if (!process.stderr.isTTY) return;
    const line = `${what} ${total > 0 ? Math.floor((100 * done) / total) : 100} %`;
    if (line === this.#shown) return;
    this.#shown = line;
    process.stderr.write(`\r\u001B[K${line}`);
  }

  clear(): void {
    if (this.#shown !== '') process.stderr.write('\r\u001B[K');
    this.#shown = '';
  }
}
