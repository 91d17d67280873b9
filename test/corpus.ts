import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The matrix that NumPy, SciPy or PyTorch read from a file of test/corpus, or words of the message that rejects the file. */
export interface CorpusCase {
  /** path below test/corpus, such as 'npy/f8-big-c-1.npy' */
  readonly file: string;
  /** the function and options that wrote it */
  readonly about: string;
  /** which matrix of a file that contains several */
  readonly tensor?: string;
  readonly answer: CorpusCells | { readonly refused: string };
}

/** The matrix as row-major f32, converted by NumPy from the file's own type. */
export interface CorpusCells {
  readonly rows: number;
  readonly cols: number;
  readonly cells: Float32Array;
}

/** A line of answers.json. */
interface Answer extends Omit<CorpusCase, 'answer'> {
  readonly rows?: number;
  readonly cols?: number;
  /** little-endian f32 as base64 */
  readonly cells?: string;
  readonly refused?: string;
}

const FOLDER = fileURLToPath(new URL('corpus/', import.meta.url));

/** Every case of the corpus, in the order in which scripts/write-corpus.py and scripts/write-torch-files.py write them. */
export function corpusCases(): readonly CorpusCase[] {
  const answers = ['answers.json', 'torch/answers.json'].flatMap((file) => {
    const { cases } = JSON.parse(readFileSync(FOLDER + file, 'utf8')) as { cases: readonly Answer[] };
    return cases;
  });
  return answers.map(({ rows = 0, cols = 0, cells = '', refused: rejection, ...known }) => ({
    ...known,
    answer: rejection === undefined ? { rows, cols, cells: floatsOf(cells) } : { refused: rejection },
  }));
}

/** The bytes of a file of the corpus. */
export function corpusBytes(file: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(FOLDER + file));
}

/** The first index at which two arrays differ in a bit, treating all NaNs as equal; -1 if they agree. */
export function firstDifference(found: Float32Array, expected: Float32Array): number {
  if (found.length !== expected.length) return Math.min(found.length, expected.length);
  return found.findIndex((value, i) => !Object.is(value, expected[i]));
}

function floatsOf(base64: string): Float32Array {
  return new Float32Array(new Uint8Array(Buffer.from(base64, 'base64')).buffer);
}
