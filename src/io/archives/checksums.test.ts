import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { corpusBytes, type CorpusCells, corpusCases, firstDifference } from '../../../test/corpus.ts';
import { tarFile } from '../../../test/io/tar.ts';
import { SparseScopeError } from '../../core/errors.ts';
import { toDense } from '../../core/matrix/index.ts';
import { readMatrix } from '../read.ts';
import { cases } from '../../../test/scheduled.ts';

function answerOf(file: string): CorpusCells {
  const answer = corpusCases().find((each) => each.file === file)?.answer;
  if (!answer || 'refused' in answer) throw new Error(`found no cells for ${file} in the corpus, expected them`);
  return answer;
}

/** What the user gets: the message of a refusal, the position of the first wrong cell, or null if all are right. */
async function harm(bytes: Uint8Array, expected: CorpusCells): Promise<string | number | null> {
  try {
    const { matrix } = await readMatrix({ name: 'm', bytes });
    if (matrix.rows !== expected.rows || matrix.cols !== expected.cols) return 0;
    const at = firstDifference(toDense(matrix), expected.cells);
    return at < 0 ? null : at;
  } catch (error) {
    if (!(error instanceof SparseScopeError)) throw error;
    return error.message;
  }
}

describe('a checksum in an archive', () => {
  it('is also compared for the name of the kind: CSR changed to CSC in the bytes is rejected, not transposed', async () => {
    const file = 'sparse/csr-square-stored.npz';
    const bytes = corpusBytes(file);
    const at = Buffer.from(bytes).indexOf('csr');
    bytes[at + 2] = 'c'.charCodeAt(0);
    expect(await harm(bytes, answerOf(file))).toMatch(/^m: zip, format\.npy: found the checksum \d+, expected \d+$/);
  });

  it('is compared for a whole .tar.gz, although what follows the matrix is not needed', async () => {
    const mtx = new TextEncoder().encode('%%MatrixMarket matrix array real general\n1 1\n7\n');
    const tar = tarFile([{ name: 'a/a.mtx', bytes: mtx }]);
    const padded = new Uint8Array(2 ** 22);
    padded.set(tar);
    const bytes = new Uint8Array(gzipSync(padded, { level: 0 }));
    const expected = { rows: 1, cols: 1, cells: Float32Array.of(7) };
    expect(await harm(bytes, expected)).toBeNull();
    bytes[Buffer.from(bytes).indexOf('\n7\n') + 1] = '8'.charCodeAt(0);
    expect(await harm(bytes, expected)).toMatch(/^m: gzip: found a broken stream after/);
  });

  it('is joined by the count of files: one that is too low leaves out no array', async () => {
    const file = 'sparse/csr-float32-deflated.npz';
    const bytes = corpusBytes(file);
    bytes[Buffer.from(bytes).lastIndexOf('PK\u0005\u0006') + 10] = 1;
    expect(await harm(bytes, answerOf(file))).toBe(
      'm: zip: found 1 entry in a directory of 278 bytes, which ends at byte 57 of it, expected them to fill it',
    );
  });

  it.each([
    ['sparse/csr-square-stored.npz', 7],
    ['sparse/dia-array-deflated.npz', 7],
    ['npz/one-deflated.npz', 1],
    ['packed/ustar.tar.gz', 1],
    ['packed/real.mtx.gz', 1],
  ])('in %s lets no changed bit change a cell', async (file, every) => {
    const step = every * cases(3, 1);
    const original = corpusBytes(file);
    const expected = answerOf(file);
    expect(await harm(original, expected)).toBeNull();
    let refused = 0;
    for (let at = 0; at < original.length; at += step) {
      const bytes = original.slice();
      bytes[at] ^= 1 << (at & 7);
      const found = await harm(bytes, expected);
      expect(typeof found, `byte ${at}: cell ${found}`).not.toBe('number');
      if (found !== null) refused++;
    }
    expect(refused).toBeGreaterThan(original.length / step / 3);
  });
});
