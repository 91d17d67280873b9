import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ReadError } from '../core/errors.ts';
import { readMatrix } from './read.ts';
import { npyFile, npyWithHeader } from '../../test/io/npy.ts';

const text = (content: string): Uint8Array => new TextEncoder().encode(content);
const latin1 = (content: string): Uint8Array => Uint8Array.from(content, (c) => c.charCodeAt(0));
const GENERAL = '%%MatrixMarket matrix coordinate real general\n';
const ARRAY = '%%MatrixMarket matrix array real general\n';
const npyOf = (descr: string, shape: string, dataBytes = 0): Uint8Array =>
  npyWithHeader(`{'descr': ${descr}, 'fortran_order': False, 'shape': ${shape}, }`, dataBytes);
const ONE_NUMBER = npyFile({ descr: '<f4', shape: [1, 1] }, [1], (v, at, x) => v.setFloat32(at, x, true));

/** Every file of the corpus: name, content, and the whole sentence that a person reads. */
type Case = readonly [name: string, bytes: Uint8Array, message: string];

const MTX: readonly Case[] = [
  ['empty.mtx', text(''), 'found an empty file'],
  ['no-banner.mtx', text('3 3 1\n1 1 1\n'), "line 1: found '3 3 1', expected '%%MatrixMarket matrix ...'"],
  [
    'object.mtx',
    text('%%MatrixMarket vector coordinate real general\n'),
    "line 1: found the object 'vector', expected matrix",
  ],
  [
    'layout.mtx',
    text('%%MatrixMarket matrix sparse real general\n'),
    "line 1: found the format 'sparse', expected coordinate or array",
  ],
  [
    'complex.mtx',
    text('%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 2\n'),
    'line 1: found complex values; save the real part or the magnitude',
  ],
  [
    'hermitian.mtx',
    text('%%MatrixMarket matrix coordinate complex hermitian\n1 1 1\n1 1 1 0\n'),
    'line 1: found complex values; save the real part or the magnitude',
  ],
  [
    'field.mtx',
    text('%%MatrixMarket matrix coordinate quaternion general\n'),
    "line 1: found the field 'quaternion', expected real, integer or pattern",
  ],
  [
    'symmetry.mtx',
    text('%%MatrixMarket matrix coordinate real\n'),
    'line 1: found no symmetry, expected general, symmetric, skew-symmetric or hermitian',
  ],
  [
    'pattern-array.mtx',
    text('%%MatrixMarket matrix array pattern general\n'),
    'line 1: found an array pattern matrix, expected real or integer values',
  ],
  ['banner-only.mtx', text(`${GENERAL}% nothing\n`), 'line 3: found the end, expected the size line'],
  ['sizes-two.mtx', text(`${GENERAL}3 3\n`), "line 2: found '3 3', expected rows, cols and entries as whole numbers"],
  [
    'sizes-negative.mtx',
    text(`${GENERAL}3 -3 1\n`),
    "line 2: found '3 -3 1', expected rows, cols and entries as whole numbers",
  ],
  ['sizes-word.mtx', text(`${ARRAY}3 x\n`), "line 2: found '3 x', expected rows and cols as whole numbers"],
  ['rows-2-31.mtx', text(`${GENERAL}2147483648 1 0\n`), 'line 2: found 2147483648 rows, expected at most 2147483647'],
  [
    'cols-lie.mtx',
    text(`${GENERAL}1 2000000000 0\n`),
    'line 2: found 2000000000 cols, expected at most 16777216 in this file',
  ],
  [
    'entries-lie.mtx',
    text(`${GENERAL}3 3 9007199254740993\n1 1 1\n`),
    'line 2: found 9007199254740992 entries, expected at most 12 in this file',
  ],
  [
    'array-lie.mtx',
    text(`${ARRAY}60000 60000\n1\n`),
    'line 2: found 3600000000 entries, expected at most 28 in this file',
  ],
  ['no-cells.mtx', text(`${GENERAL}0 5 1\n1 1 1\n`), 'line 2: found 1 entries of a 0 × 5 matrix, expected 0'],
  [
    'symmetric-rectangle.mtx',
    text('%%MatrixMarket matrix coordinate real symmetric\n2 3 0\n'),
    'line 2: found 2 × 3, expected as many rows as cols in a symmetric matrix',
  ],
  ['row-zero.mtx', text(`${GENERAL}3 3 1\n0 1 1\n`), "line 3, column 1: found '0', expected a row from 1 to 3"],
  ['row-large.mtx', text(`${GENERAL}3 3 1\n\n  4 1 1\n`), "line 4, column 3: found '4', expected a row from 1 to 3"],
  ['row-word.mtx', text(`${GENERAL}3 3 1\nx 1 1\n`), "line 3, column 1: found 'x', expected a row from 1 to 3"],
  ['row-real.mtx', text(`${GENERAL}3 3 1\n1.0 1 1\n`), "line 3, column 1: found '1.0', expected a row from 1 to 3"],
  ['col-large.mtx', text(`${GENERAL}3 3 1\n1 4 1\n`), "line 3, column 3: found '4', expected a column from 1 to 3"],
  [
    'col-negative.mtx',
    text(`${GENERAL}3 3 1\n1 -2 1\n`),
    "line 3, column 3: found '-2', expected a column from 1 to 3",
  ],
  [
    'col-missing.mtx',
    text(`${GENERAL}3 3 1\n1 \n`),
    'line 3, column 3: found the end of the line, expected a column from 1 to 3',
  ],
  [
    'value-missing.mtx',
    text(`${GENERAL}3 3 1\n1 1\n`),
    'line 3, column 4: found the end of the line, expected a number',
  ],
  ['value-word.mtx', text(`${GENERAL}3 3 1\n1 1 1.5x\n`), "line 3, column 5: found '1.5x', expected a number"],
  ['value-comma.mtx', text(`${GENERAL}3 3 1\n1 1 1,5\n`), "line 3, column 5: found '1,5', expected a number"],
  [
    'integer-real.mtx',
    text('%%MatrixMarket matrix coordinate integer general\n3 3 1\n1 1 1.5\n'),
    "line 3, column 5: found '1.5', expected a whole number",
  ],
  ['value-extra.mtx', text(`${GENERAL}3 3 1\n1 1 1 7\n`), "line 3, column 7: found '7', expected the end of the line"],
  [
    'pattern-value.mtx',
    text('%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 1 5\n'),
    "line 3, column 5: found '5', expected the end of the line",
  ],
  ['too-few.mtx', text(`${GENERAL}3 3 2\n1 1 1\n`), 'line 4: found the end after 1 of 2 entries'],
  [
    'too-many.mtx',
    text(`${GENERAL}3 3 1\n1 1 1\n2 2 2\n`),
    "line 4, column 1: found '2', expected the end after 1 entries",
  ],
  [
    'skew-diagonal.mtx',
    text('%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 1\n2 2 5\n'),
    'line 3: found 5 on the diagonal, expected 0 in a skew-symmetric matrix',
  ],
  ['array-few.mtx', text(`${ARRAY}2 2\n1\n2\n3\n`), 'line 6: found the end after 3 of 4 values for 2 × 2'],
  ['array-many.mtx', text(`${ARRAY}2 1\n1\n2\n3\n`), "line 5, column 1: found '3', expected the end after 2 values"],
  ['array-word.mtx', text(`${ARRAY}2 1\n1\nzwei\n`), "line 4, column 1: found 'zwei', expected a number"],
  [
    'one-line.mtx',
    text(`${GENERAL}3 3 1\n${'1'.repeat(3_000_000)}`),
    'text: found 2097100 bytes without a line end, expected at most 1048576',
  ],
];

const NPY: readonly Case[] = [
  [
    'name.npy',
    text('hello world'),
    "found text that begins with 'hello world', expected the bytes of a NumPy array file",
  ],
  ['short.npy', latin1('\u0093NUMPY\u0001'), 'byte 7: found the end, expected the length of the header'],
  [
    'version.npy',
    latin1('\u0093NUMPY\u0009\u0000\u0000\u0000\u0000\u0000'),
    'byte 6: found version 9, expected 1, 2 or 3',
  ],
  [
    'long-header.npy',
    latin1('\u0093NUMPY\u0002\u0000\u00ff\u00ff\u00ff\u007f'),
    'byte 8: found a header of 2147483647 bytes, expected at most 65536',
  ],
  [
    'header-one-too-long.npy',
    latin1('\u0093NUMPY\u0002\u0000\u0001\u0000\u0001\u0000'),
    'byte 8: found a header of 65537 bytes, expected at most 65536',
  ],
  ['cut-header.npy', ONE_NUMBER.slice(0, 50), 'byte 50: found the end, expected a header of 128 bytes'],
  ['no-dictionary.npy', npyWithHeader('[1, 2]', 0), "header: found '[1, 2]', expected a dictionary in braces"],
  [
    'no-descr.npy',
    npyWithHeader("{'fortran_order': False, 'shape': (1, 1)}", 4),
    "header: found no 'descr', expected the element type",
  ],
  [
    'no-order.npy',
    npyWithHeader("{'descr': '<f4', 'shape': (1, 1)}", 4),
    'header: found fortran_order missing, expected True or False',
  ],
  [
    'no-shape.npy',
    npyWithHeader("{'descr': '<f4', 'fortran_order': False}", 4),
    "header: found no 'shape', expected a tuple of whole numbers",
  ],
  [
    'twice.npy',
    npyWithHeader("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1), 'descr': '<i4', }", 4),
    "header: found 'descr' twice, expected it once",
  ],
  [
    'key.npy',
    npyWithHeader("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1), 'order': 'F', }", 4),
    "header: found the key 'order', expected descr, fortran_order, shape alone",
  ],
  [
    'inner.npy',
    npyWithHeader("{'shape': (\"'descr': '<f4'\"), 'fortran_order': False}", 4),
    "header: found no 'descr', expected the element type",
  ],
  [
    'no-comma.npy',
    npyWithHeader("{'descr': '<f4' 'fortran_order': False, 'shape': (1, 1)}", 4),
    "header: found ''descr': '<f4' 'fortran_order': False, '', expected a key of the dictionary and its value",
  ],
  ['negative.npy', npyOf("'<f4'", '(-1, 4)'), 'header: found shape (-1, 4), expected whole numbers'],
  ['scalar.npy', npyOf("'<f4'", '()', 4), 'header: found shape (), expected two dimensions'],
  [
    'cube.npy',
    npyOf("'<f4'", '(2, 2, 2)', 32),
    'header: found shape (2, 2, 2), expected two dimensions; reshape it, or save a slice',
  ],
  ['text.npy', npyOf("'|S3'", '(1, 1)', 3), 'header: found text (|S3), expected numbers'],
  [
    'complex.npy',
    npyOf("'<c8'", '(1, 1)', 8),
    "header: found elements of type '<c8' (complex numbers; save the real part or the magnitude), expected f2, f4, f8, i1 to i8, u1 to u8 or b1",
  ],
  [
    'objects.npy',
    npyOf("'|O'", '(1, 1)', 8),
    "header: found elements of type '|O' (Python objects; save a plain array of numbers), expected f2, f4, f8, i1 to i8, u1 to u8 or b1",
  ],
  [
    'long-double.npy',
    npyOf("'<f16'", '(1, 1)', 16),
    "header: found elements of type '<f16' (long double; save it with astype('f8'), or as .mtx with scipy.io.mmwrite), expected f2, f4, f8, i1 to i8, u1 to u8 or b1",
  ],
  ['records.npy', npyOf("[('a', '<f4')]", '(1,)', 4), 'header: found an array of records, expected plain numbers'],
  [
    'cut.npy',
    ONE_NUMBER.slice(0, 130),
    'header: found shape (1, 1) of <f4, which takes 4 bytes, expected at most 2 in this file',
  ],
  [
    'lie.npy',
    npyOf("'<f8'", '(100000, 100000)', 8),
    'header: found shape (100000, 100000) of <f8, which takes 80000000000 bytes, expected at most 8 in this file',
  ],
  [
    'overflow.npy',
    npyOf("'<f8'", '(9007199254740993, 1)', 8),
    'header: found 9007199254740992 rows, expected at most 2147483647',
  ],
  [
    'wide-empty.npy',
    npyOf("'<f8'", '(0, 2000000000)', 0),
    'header: found 2000000000 cols, expected at most 16777216 in this file',
  ],
];

const MATLAB =
  'found a MATLAB or Octave file; write its matrix as .mtx with mmwrite, or with scipy.io.loadmat and scipy.io.mmwrite';
const R_FILE = 'found an R file; write its matrix as .mtx with Matrix::writeMM';
const LFS = `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 548105171\n`;
const HTML = '\n<!DOCTYPE html>\n<html><head><title>Sign in, 3, 4</title></head></html>\n';

const GZIP: readonly Case[] = [
  ['empty.mtx.gz', gzipSync(''), 'found an empty file inside gzip'],
  ['few.mtx.gz', gzipSync(`${GENERAL}3 3 2\n1 1 1\n`), 'line 4: found the end after 1 of 2 entries'],
  ['cut.npy.gz', gzipSync(ONE_NUMBER.slice(0, 130)), 'byte 130: found the end after 2 of 4 bytes for 1 × 1 of <f4'],
  [
    'archive.tar.gz',
    gzipSync(latin1(`name/name.mtx${'\u0000'.repeat(244)}ustar\u000000`)),
    'tar, byte 0: found the end, expected a header',
  ],
];

const OTHERS: readonly Case[] = [
  ['a.mat', latin1('MATLAB 5.0 MAT-file, Platform'), MATLAB],
  ['octave.txt', text('# Created by Octave 8.4\n# name: a\n# type: sparse matrix\n1 1 5\n'), MATLAB],
  ['version-4.mat', latin1('\u0000\u0000\u0000\u0000\u0002\u0000\u0000\u0000'), MATLAB],
  ['a', latin1('\u0089HDF\r\n\u001a\n'), 'found an HDF5 file; write its matrix as .mtx with h5py and scipy.io.mmwrite'],
  [
    'a.pt',
    latin1('PK\u0003\u0004 ... archive/data.pkl ...'),
    'found a PyTorch checkpoint; save its arrays with numpy.save',
  ],
  ['a.zip', latin1('PK\u0003\u0004 ... a.txt'), 'byte 14: found the end, expected a zip directory'],
  ['old.pt', latin1('\u0080\u0002\u008a\u000a'), 'found a Python pickle; save its arrays with numpy.save'],
  ['a.mtx.bz2', latin1('BZh91AY'), 'found a bzip2, xz or Zstandard file; decompress it, or compress it with gzip'],
  [
    'bcsstk01',
    text('1SYMMETRIC STIFFNESS MATRIX     BCSSTK01\n   74   4   14   56   0\nRSA    48    48    224    0\n(16I5)\n'),
    'found a Rutherford-Boeing or Harwell-Boeing file; convert it to Matrix Market (.mtx)',
  ],
  ['a.txt', text('a,b\n'), 'found no line of numbers'],
  ['a.rds', gzipSync(latin1('X\n\u0000\u0000\u0000\u0003\u0000\u0004')), R_FILE],
  ['b', latin1('RDX3\nX\n\u0000\u0000\u0000\u0003'), R_FILE],
  ...['w.safetensors', 'w.npz', 'w.gguf', 'w.npy', 'w.mtx', 'w.csv', 'w.pt', 'w', 'w.zip'].flatMap((name): Case[] => [
    [name, text(LFS), 'found a pointer of Git LFS, not the file itself; fetch the file with git lfs pull'],
    [name, text(HTML), 'found a web page, not the file itself; download the file that the page is about'],
  ]),
  [
    'page.npz',
    text('<!-- made by hand -->\n<html lang="en">'),
    'found a web page, not the file itself; download the file that the page is about',
  ],
  [
    'e.safetensors',
    text('{"error":"Repository not found"}'),
    'found text that begins with \'{"error":"Repository not found"}\', expected the bytes of a safetensors file',
  ],
  [
    'e.gguf',
    text('\nEntry not found\nSorry'),
    "found text that begins with 'Entry not found', expected the bytes of a GGUF file",
  ],
  [
    'e.npz',
    text('<?xml version="1.0"?>\n<Error/>'),
    'found text that begins with \'<?xml version="1.0"?>\', expected the bytes of a NumPy archive file',
  ],
  [
    'e.mat',
    text('Not found'),
    "found text that begins with 'Not found', expected the bytes of a MATLAB or Octave file",
  ],
  [
    'a.jpg',
    latin1('\u00ff\u00d8\u00ff\u00e0'),
    'found a file of an unknown kind, expected Matrix Market, NumPy, safetensors, GGUF, .smtx, .csv, .tsv, .txt, or a tar of these',
  ],
];

describe('a broken file gets one sentence', () => {
  it.each([...MTX, ...NPY, ...GZIP, ...OTHERS])('%s', async (name, bytes, message) => {
    const error: unknown = await readMatrix({ name, bytes }).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(ReadError);
    expect(error).toHaveProperty('message', `${name}: ${message}`);
  });

  it('starts without a name if there is none', async () => {
    await expect(readMatrix(new Blob([]))).rejects.toThrow(new ReadError('found an empty file'));
  });
});

describe('gzip', () => {
  const mtxText = `${GENERAL}2 2 2\n1 1 1\n2 2 2\n`;

  it('opens Matrix Market and .npy inside, by content, whatever the name', async () => {
    const first = await readMatrix({ name: 'x', bytes: gzipSync(mtxText) });
    expect(first.format).toBe('mtx.gz');
    expect(first.matrix.nnz).toBe(2);
    const second = await readMatrix(new Blob([gzipSync(ONE_NUMBER)]));
    expect(second.format).toBe('npy.gz');
    expect(second.matrix.nnz).toBe(1);
  });

  it('opens more entries than were allocated at first', async () => {
    const n = 200_000;
    const lines = Array.from({ length: n }, (_, i) => `${i + 1} 1 2`).join('\n');
    const { matrix } = await readMatrix({ name: '', bytes: gzipSync(`${GENERAL}${n} 1 ${n}\n${lines}`) });
    expect(matrix.nnz).toBe(n);
  });

  it('refuses a stream that is cut off or damaged', async () => {
    const whole = gzipSync(mtxText);
    const damaged = whole.slice();
    damaged[12] ^= 0xff;
    for (const bytes of [whole.slice(0, -4), whole.slice(0, 20), damaged]) {
      await expect(readMatrix({ name: '', bytes })).rejects.toThrow(
        /^gzip: found a broken stream after \d+ decompressed bytes \(.*\), expected whole gzip members$/,
      );
    }
  });

  it('refuses what exceeds the limit, and names the limit', async () => {
    const bytes = gzipSync(`${GENERAL}%${' '.repeat(500_000)}\n1 1 0\n`);
    await expect(readMatrix({ name: 'bomb.mtx.gz', bytes }, { maxDecompressedBytes: 100_000 })).rejects.toMatchObject({
      name: 'DecompressionLimitError',
      message: 'bomb.mtx.gz: gzip: found more than 100000 bytes when decompressed',
    });
    const { matrix } = await readMatrix({ name: 'bomb.mtx.gz', bytes }, { maxDecompressedBytes: 1_000_000 });
    expect(matrix.rows).toBe(1);
  });

  it('allows exactly the limit, and refuses one byte more', async () => {
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
});
