import { closeSync, fstatSync, openAsBlob, openSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Job, Progress } from '../../src/core/job.ts';
import type { MatrixFile } from '../../src/io/index.ts';

/** A file at a path. Only the requested parts are read; a pipe is read whole. Throws what Node throws. */
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

/** Shows on standard error how far a job is, in one line that `clear` removes; nothing where that is no terminal. */
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
