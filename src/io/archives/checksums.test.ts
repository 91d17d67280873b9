import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { corpusBytes, type CorpusCells, corpusCases, firstDifference } from '../../../test/corpus.ts';
import { tarFile } from '../../../test/io/tar.ts';
import { SparseScopeError } from '../../core/errors.ts';
import { toDense } from '../../core/matrix/index.ts';
import { readMatrix } from '../read.ts';
import { cases } from '../../../test/scheduled.ts';

/** The cells of a file of the corpus. */
function answerOf(file: string): CorpusCells {
  const answer = corpusCases().find((corpusCase) => corpusCase.file === file)?.answer;
  if (!answer || 'refused' in answer) throw new Error(`found no cells for ${file} in the corpus, expected them`);
  return answer;
}

/** The result of reading a damaged file: the error message, the position of the first wrong cell, or null if all are right. */
async function readingResult(bytes: Uint8Array, expected: CorpusCells): Promise<string | number | null> {
  try {
    const { matrix } = await readMatrix({ name: 'm', bytes });
    if (matrix.rows !== expected.rows || matrix.cols !== expected.cols) return 0;
    const wrongCell = firstDifference(toDense(matrix), expected.cells);
    return wrongCell < 0 ? null : wrongCell;
  } catch (error) {
    if (!(error instanceof SparseScopeError)) throw error;
    return error.message;
  }
}

describe('readMatrix of an archive', () => {
  it('checks the checksum of the kind of matrix: CSR changed to CSC in the bytes is rejected, not transposed', async () => {
    const file = 'sparse/csr-square-stored.npz';
    const bytes = corpusBytes(file);
    const kindStart = Buffer.from(bytes).indexOf('csr');
    bytes[kindStart + 2] = 'c'.charCodeAt(0);
    expect(await readingResult(bytes, answerOf(file))).toMatch(
      /^m: zip, format\.npy: found the checksum \d+, expected \d+$/,
    );
  });

  it('checks the checksum of a whole .tar.gz, although bytes after the matrix are not needed', async () => {
    const mtx = new TextEncoder().encode('%%MatrixMarket matrix array real general\n1 1\n7\n');
    const tar = tarFile([{ name: 'a/a.mtx', bytes: mtx }]);
    const padded = new Uint8Array(2 ** 22);
    padded.set(tar);
    const bytes = new Uint8Array(gzipSync(padded, { level: 0 }));
    const expected = { rows: 1, cols: 1, cells: Float32Array.of(7) };
    expect(await readingResult(bytes, expected)).toBeNull();
    bytes[Buffer.from(bytes).indexOf('\n7\n') + 1] = '8'.charCodeAt(0);
    expect(await readingResult(bytes, expected)).toMatch(/^m: gzip: found a broken stream after/);
  });

  it('rejects a zip directory whose count of files is too low', async () => {
    const file = 'sparse/csr-float32-deflated.npz';
    const bytes = corpusBytes(file);
    bytes[Buffer.from(bytes).lastIndexOf('PK\u0005\u0006') + 10] = 1;
    expect(await readingResult(bytes, answerOf(file))).toBe(
      'm: zip: found 1 entry in a directory of 278 bytes, which ends at byte 57 of it, expected them to fill it',
    );
  });

  it.each([
    ['sparse/csr-square-stored.npz', 7],
    ['sparse/dia-array-deflated.npz', 7],
    ['npz/one-deflated.npz', 1],
    ['packed/ustar.tar.gz', 1],
    ['packed/real.mtx.gz', 1],
  ])('returns no wrong cell after any bit of %s was changed', async (file, every) => {
    const step = every * cases(3, 1);
    const original = corpusBytes(file);
    const expected = answerOf(file);
    expect(await readingResult(original, expected)).toBeNull();
    let rejected = 0;
    for (let i = 0; i < original.length; i += step) {
      const bytes = original.slice();
      bytes[i] ^= 1 << (i & 7);
      const result = await readingResult(bytes, expected);
      expect(typeof result, `byte ${i}: cell ${result}`).not.toBe('number');
      if (result !== null) rejected++;
    }
    // Most bytes matter: names and times in headers do not.
    expect(rejected).toBeGreaterThan(original.length / step / 3);
  });
});
