// The corpus of matrix files that NumPy and SciPy wrote, with the matrices that they read from them.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pick } from '../pieces.ts';
import type { Random } from '../../src/core/number/random.ts';

/** A matrix as read by NumPy, SciPy or PyTorch: row-major f32, -0 as 0. */
export interface Cells {
  readonly rows: number;
  readonly cols: number;
  readonly cells: Float32Array;
}

/** A file written by NumPy, SciPy or PyTorch, with the matrix that they read from it; null if it must be rejected. */
export interface CorpusFile {
  readonly file: string;
  readonly tensor: string | undefined;
  readonly answer: Cells | null;
}

interface Answer {
  readonly file: string;
  readonly tensor?: string;
  readonly rows?: number;
  readonly cols?: number;
  readonly cells?: string;
}

/** Folder of the corpus; `npm run` starts in the folder of the project. */
const FOLDER = join('test', 'corpus');

let cached: readonly CorpusFile[] | null = null;
const contents = new Map<string, Uint8Array>();

/** Every file with its answer, read once. */
export function corpus(): readonly CorpusFile[] {
  if (cached) return cached;
  const answers = ['answers.json', 'torch/answers.json'].flatMap((file) => {
    const { cases } = JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as { cases: readonly Answer[] };
    return cases;
  });
  cached = answers.map(({ file, tensor, rows = 0, cols = 0, cells }) => ({
    file,
    tensor,
    answer: cells === undefined ? null : { rows, cols, cells: floatsOf(cells) },
  }));
  return cached;
}

export function randomFile(random: Random): CorpusFile {
  return pick(random, corpus());
}

/** The bytes of a file, which must not be modified. */
export function bytesOf(file: string): Uint8Array {
  let bytes = contents.get(file);
  if (!bytes) {
    bytes = new Uint8Array(readFileSync(join(FOLDER, file)));
    contents.set(file, bytes);
  }
  return bytes;
}

export function floatsOf(base64: string): Float32Array {
  return new Float32Array(new Uint8Array(Buffer.from(base64, 'base64')).buffer);
}
