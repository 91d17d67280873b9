import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ReadError } from '../core/errors.ts';
import { toDense } from '../core/matrix/index.ts';
import { readMatrix } from './read.ts';
import { npyFile, npyWithHeader } from '../../test/io/npy.ts';
import { rejections } from '../../test/io/rejections.ts';

const text = (content: string): Uint8Array => new TextEncoder().encode(content);
const latin1 = (content: string): Uint8Array => Uint8Array.from(content, (c) => c.charCodeAt(0));
const GENERAL = '%%MatrixMarket matrix coordinate real general\n';
const ARRAY = '%%MatrixMarket matrix array real general\n';
const npyOf = (descr: string, shape: string, dataBytes = 0): Uint8Array =>
  npyWithHeader(`{'descr': ${descr}, 'fortran_order': False, 'shape': ${shape}, }`, dataBytes);
const ONE_NUMBER = npyFile({ descr: '<f4', shape: [1, 1] }, [1], (v, at, x) => v.setFloat32(at, x, true));

/** A broken file: name and content. */
type Case = readonly [name: string, bytes: Uint8Array];

const MTX: readonly Case[] = [
  ['empty.mtx', text('')],
  ['no-banner.mtx', text('3 3 1\n1 1 1\n')],
  ['symmetry.mtx', text('%%MatrixMarket matrix coordinate real\n')],
  ['entries-lie.mtx', text(`${GENERAL}3 3 9007199254740993\n1 1 1\n`)],
  ['row-large.mtx', text(`${GENERAL}3 3 1\n\n  4 1 1\n`)],
  ['too-few.mtx', text(`${GENERAL}3 3 2\n1 1 1\n`)],
  ['array-few.mtx', text(`${ARRAY}2 2\n1\n2\n3\n`)],
  ['array-many.mtx', text(`${ARRAY}2 1\n1\n2\n3\n`)],
  ['array-symmetric.mtx', text('%%MatrixMarket matrix array real symmetric\n2 2\n1\n2\n2\n3\n')],
  ['array-skew.mtx', text('%%MatrixMarket matrix array real skew-symmetric\n2 2\n0\n2\n-2\n0\n')],
  ['array-word.mtx', text(`${ARRAY}2 1\n1\nzwei\n`)],
  ['one-line.mtx', text(`${GENERAL}3 3 1\n${'1'.repeat(3_000_000)}`)],
];

const NPY: readonly Case[] = [
  ['name.npy', text('hello world')],
  ['short.npy', latin1('\u0093NUMPY\u0001')],
  ['version.npy', latin1('\u0093NUMPY\u0009\u0000\u0000\u0000\u0000\u0000')],
  ['long-header.npy', latin1('\u0093NUMPY\u0002\u0000\u00ff\u00ff\u00ff\u007f')],
  ['header-one-too-long.npy', latin1('\u0093NUMPY\u0002\u0000\u0001\u0000\u0001\u0000')],
  ['cut-header.npy', ONE_NUMBER.slice(0, 50)],
  ['no-dictionary.npy', npyWithHeader('[1, 2]', 0)],
  ['no-descr.npy', npyWithHeader("{'fortran_order': False, 'shape': (1, 1)}", 4)],
  ['no-order.npy', npyWithHeader("{'descr': '<f4', 'shape': (1, 1)}", 4)],
  ['no-shape.npy', npyWithHeader("{'descr': '<f4', 'fortran_order': False}", 4)],
  ['twice.npy', npyWithHeader("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1), 'descr': '<i4', }", 4)],
  ['key.npy', npyWithHeader("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1), 'order': 'F', }", 4)],
  ['inner.npy', npyWithHeader("{'shape': (\"'descr': '<f4'\"), 'fortran_order': False}", 4)],
  ['no-comma.npy', npyWithHeader("{'descr': '<f4' 'fortran_order': False, 'shape': (1, 1)}", 4)],
  ['negative.npy', npyOf("'<f4'", '(-1, 4)')],
  ['scalar.npy', npyOf("'<f4'", '()', 4)],
  ['cube.npy', npyOf("'<f4'", '(2, 2, 2)', 32)],
  ['text.npy', npyOf("'|S3'", '(1, 1)', 3)],
  ['complex.npy', npyOf("'<c8'", '(1, 1)', 8)],
  ['objects.npy', npyOf("'|O'", '(1, 1)', 8)],
  ['long-double.npy', npyOf("'<f16'", '(1, 1)', 16)],
  ['records.npy', npyOf("[('a', '<f4')]", '(1,)', 4)],
  ['cut.npy', ONE_NUMBER.slice(0, 130)],
  ['lie.npy', npyOf("'<f8'", '(100000, 100000)', 8)],
  ['overflow.npy', npyOf("'<f8'", '(9007199254740993, 1)', 8)],
  ['wide-empty.npy', npyOf("'<f8'", '(0, 2000000000)', 0)],
];

const LFS = `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 548105171\n`;
const HTML = '\n<!DOCTYPE html>\n<html><head><title>Sign in, 3, 4</title></head></html>\n';

const GZIP: readonly Case[] = [
  ['empty.mtx.gz', gzipSync('')],
  ['few.mtx.gz', gzipSync(`${GENERAL}3 3 2\n1 1 1\n`)],
  ['cut.npy.gz', gzipSync(ONE_NUMBER.slice(0, 130))],
  ['archive.tar.gz', gzipSync(latin1(`name/name.mtx${'\u0000'.repeat(244)}ustar\u000000`))],
];

const OTHERS: readonly Case[] = [
  ['a.mat', latin1('MATLAB 5.0 MAT-file, Platform')],
  ['octave.txt', text('# Created by Octave 8.4\n# name: a\n# type: sparse matrix\n1 1 5\n')],
  ['version-4.mat', latin1('\u0000\u0000\u0000\u0000\u0002\u0000\u0000\u0000')],
  ['a', latin1('\u0089HDF\r\n\u001a\n')],
  ['a.pt', latin1('PK\u0003\u0004 ... archive/data.pkl ...')],
  ['a.zip', latin1('PK\u0003\u0004 ... a.txt')],
  ['old.pt', latin1('\u0080\u0002\u008a\u000a')],
  ['a.mtx.bz2', latin1('BZh91AY')],
  [
    'bcsstk01',
    text('1SYMMETRIC STIFFNESS MATRIX     BCSSTK01\n   74   4   14   56   0\nRSA    48    48    224    0\n(16I5)\n'),
  ],
  ['a.txt', text('a,b\n')],
  ['a.rds', gzipSync(latin1('X\n\u0000\u0000\u0000\u0003\u0000\u0004'))],
  ['b', latin1('RDX3\nX\n\u0000\u0000\u0000\u0003')],
  ...['w.safetensors', 'w.npz', 'w.gguf', 'w.npy', 'w.mtx', 'w.csv', 'w.pt', 'w', 'w.zip'].flatMap((name): Case[] => [
    [name, text(LFS)],
    [name, text(HTML)],
  ]),
  ['page.npz', text('<!-- made by hand -->\n<html lang="en">')],
  ['e.safetensors', text('{"error":"Repository not found"}')],
  ['e.gguf', text('\nEntry not found\nSorry')],
  ['e.npz', text('<?xml version="1.0"?>\n<Error/>')],
  ['e.mat', text('Not found')],
  ['a.jpg', latin1('\u00ff\u00d8\u00ff\u00e0')],
];

describe('readMatrix rejects a broken file', () => {
  it('with the message in words/broken-files.txt', async () => {
    await expect(await rejections([...MTX, ...NPY, ...GZIP, ...OTHERS])).toMatchFileSnapshot('words/broken-files.txt');
  });

  it('with a message that begins without a name if the file has none', async () => {
    await expect(readMatrix(new Blob([]))).rejects.toThrow(new ReadError('found an empty file'));
  });
});

describe('readMatrix of a gzip file', () => {
  const mtxText = `${GENERAL}2 2 2\n1 1 1\n2 2 2\n`;

  it('reads more entries than were allocated at first', async () => {
    const n = 200_000;
    const lines = Array.from({ length: n }, (_, i) => `${i + 1} 1 2`).join('\n');
    const { matrix } = await readMatrix({ name: '', bytes: gzipSync(`${GENERAL}${n} 1 ${n}\n${lines}`) });
    expect(matrix.nnz).toBe(n);
    const cells = Float32Array.from({ length: 5000 }, (_, i) => 1 + i);
    const table = await readMatrix({ name: 'a.csv', bytes: text(cells.join('\n')) });
    expect(toDense(table.matrix)).toEqual(cells);
  });

  it('rejects a stream that is truncated or damaged', async () => {
    const whole = gzipSync(mtxText);
    const damaged = whole.slice();
    damaged[12] ^= 0xff;
    for (const bytes of [whole.slice(0, -4), whole.slice(0, 20), damaged]) {
      await expect(readMatrix({ name: '', bytes })).rejects.toThrow(
        /^gzip: found a broken stream after \d+ decompressed bytes \(.*\), expected whole gzip members$/,
      );
    }
  });

  it('allows exactly the limit, and rejects one byte more', async () => {
    const content = `${GENERAL}%${' '.repeat(200_000)}\n1 1 0\n`;
    const bytes = gzipSync(content);
    const limits = { maxDecompressedBytes: content.length };
    expect((await readMatrix({ name: 'full.mtx.gz', bytes }, limits)).matrix.rows).toBe(1);
    await expect(
      readMatrix({ name: 'over.mtx.gz', bytes }, { maxDecompressedBytes: content.length - 1 }),
    ).rejects.toMatchObject({
      name: 'DecompressionLimitError',
      message: `over.mtx.gz: gzip: found more than ${content.length - 1} bytes when decompressed`,
    });
  });

  it('rejects an array that declares more bytes than the limit, and opens it with a higher limit', async () => {
    const cells = Array.from({ length: 10_000 }, () => 0);
    const bytes = gzipSync(npyFile({ descr: '<f4', shape: [100, 100] }, cells, (v, at, x) => v.setFloat32(at, x)));
    const name = 'a.npy.gz';
    await expect(readMatrix({ name, bytes }, { maxDecompressedBytes: 30_000 })).rejects.toMatchObject({
      name: 'DecompressionLimitError',
      message:
        'a.npy.gz: header: found shape (100, 100) of <f4, which takes 40000 bytes, expected at most 29872 in this file',
    });
    expect((await readMatrix({ name, bytes })).matrix.rows).toBe(100);
  });
});
