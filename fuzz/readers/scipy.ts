// Reads matrix files with SciPy in a Python process, as an independent reader to compare with.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { SparseScopeError } from '../../src/core/errors.ts';
import { type Cells, floatsOf } from './corpus.ts';

type Reply = { readonly rows: number; readonly cols: number; readonly cells: string } | null;

/** A python3 process with NumPy and SciPy that reads one file after the other. If a file crashes it, a new one is started. */
export class SciPy {
  #python: ChildProcessWithoutNullStreams | null = null;
  #answer: (reply: Reply) => void = () => {};
  #answered = 0;

  /**
   * The matrix that SciPy reads; null if it rejects the file, dies, or has no reader for it. Throws if there is no
   * python3 with SciPy. A call must wait for the previous one.
   */
  async read(file: string, bytes: Uint8Array, tensor: string | undefined): Promise<Cells | null> {
    const reply = await new Promise<Reply>((resolve, reject) => {
      this.#answer = resolve;
      this.#python ??= this.#started(reject);
      const request = { file, tensor: tensor ?? null, bytes: Buffer.from(bytes).toString('base64') };
      this.#python.stdin.write(`${JSON.stringify(request)}\n`);
    });
    return reply === null ? null : { rows: reply.rows, cols: reply.cols, cells: floatsOf(reply.cells) };
  }

  #started(reject: (error: Error) => void): ChildProcessWithoutNullStreams {
    const python = spawn(process.env['PYTHON'] ?? 'python3', [join('fuzz', 'readers', 'scipy_read.py')]);
    const end = (why: string): void => {
      this.#python = null;
      if (this.#answered > 0) this.#answer(null);
      else reject(new SparseScopeError(`--against-scipy: ${why}, expected python3 with NumPy and SciPy`));
    };
    python.on('error', (error) => end(error.message));
    python.on('exit', (code, signal) => end(`python3 ended with ${code ?? signal}`));
    python.stdin.on('error', () => {});
    python.stderr.on('data', (text: Buffer) => process.stderr.write(text));
    createInterface({ input: python.stdout }).on('line', (line) => {
      this.#answered++;
      this.#answer(JSON.parse(line) as Reply);
    });
    return python;
  }
}
