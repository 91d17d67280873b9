import { describe, expect, it } from 'vitest';
import { ReadError } from '../core/errors.ts';
import { readMatrix } from './read.ts';
import { ggufFile } from '../../test/io/gguf.ts';
import { int64, safetensorsFile, safetensorsWith } from '../../test/io/safetensors.ts';
import { tarFile } from '../../test/io/tar.ts';
import { archive, floats, integers, sparseFiles } from '../../test/io/zip.ts';

/** Every file of the corpus: name, content, and the whole sentence that a person reads. */
type Case = readonly [name: string, bytes: Uint8Array, message: string];

const text = (content: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(content);

/** A copy with some bytes replaced. */
function patched(bytes: Uint8Array<ArrayBuffer>, at: number, ...values: readonly number[]): Uint8Array<ArrayBuffer> {
  const copy = bytes.slice();
  copy.set(values, at < 0 ? bytes.length + at : at);
  return copy;
}

const csr = (indptr: readonly number[], indices: readonly number[], shape: readonly number[] = [2, 3]): Uint8Array =>
  archive(
    sparseFiles('csr', shape, floats([2], [1, 2]), {
      'indptr.npy': integers(indptr),
      'indices.npy': integers(indices),
    }),
  );
const npzOfOne = archive({ 'a.npy': floats([1, 1], [1]) }, 'stored');
/** where the directory of that archive begins */
const directoryAt = npzOfOne.length - 22 - (46 + 5);

const NPZ: readonly Case[] = [
  ['cut.npz', npzOfOne.slice(0, -30), `byte ${npzOfOne.length - 30}: found the end, expected a zip directory`],
  [
    'damaged.npz',
    patched(npzOfOne, directoryAt - 1, 1),
    'zip, a.npy: found the checksum 578055767, expected 3809833980',
  ],
  [
    'bomb.npz',
    patched(npzOfOne, directoryAt + 24, 0, 0, 0, 0x7f),
    'zip, a.npy: found 2130706432 bytes decompressed, expected at most 132',
  ],
  [
    'outside.npz',
    patched(npzOfOne, directoryAt + 42, 0, 0, 0, 0x7f),
    `zip, a.npy: found 132 bytes at byte 2130706432, expected them within the file of ${npzOfOne.length}`,
  ],
  ['encrypted.npz', patched(npzOfOne, directoryAt + 8, 1), 'zip, a.npy: found an encrypted file'],
  [
    'bzip2.npz',
    patched(npzOfOne, directoryAt + 10, 12),
    'zip, a.npy: found compression method 12, expected 0 (stored) or 8 (deflate)',
  ],
  ['indptr-short.npz', csr([0, 2], [0, 1]), 'indptr.npy: found 2 entries, expected 3'],
  ['indptr-first.npz', csr([1, 1, 2], [0, 1]), 'indptr.npy: found 1 at index 0, expected 0'],
  ['indptr-falls.npz', csr([0, 2, 1], [0, 1]), 'indptr.npy: found 1 at index 2, expected a whole number from 2 to 2'],
  ['column.npz', csr([0, 1, 2], [0, 3]), 'indices.npy: found column 3 at index 1, expected below 3'],
  [
    'negative.npz',
    csr([0, 1, 2], [0, -1]),
    'indices.npy: found -1 at index 1, expected a whole number from 0 to 4294967295',
  ],
  ['cube.npz', csr([0], [], [2, 2, 2]), 'shape.npy: found (2, 2, 2), expected two dimensions'],
  [
    'wide.npz',
    csr([0, 1, 2], [0, 1], [2, 2_000_000_000]),
    'shape.npy: found 2000000000 cols, expected at most 16777216 in this file',
  ],
  [
    'kind.npz',
    archive(sparseFiles('lil', [1, 1], floats([1], [1]), {})),
    "format.npy: found 'lil', expected one of csr, csc, coo, bsr, dia",
  ],
  ['no-row.npz', archive(sparseFiles('coo', [1, 1], floats([1], [1]), {})), 'found no row.npy beside format.npy'],
  [
    'blocks.npz',
    archive(
      sparseFiles('bsr', [3, 3], floats([1, 2, 2], [1, 2, 3, 4]), {
        'indptr.npy': integers([0, 1]),
        'indices.npy': integers([0]),
      }),
    ),
    'data.npy: found blocks of 2 × 2, expected ones that divide 3 × 3',
  ],
  [
    'diagonals.npz',
    archive(sparseFiles('dia', [2, 2], floats([2, 2], [1, 2, 3, 4]), { 'offsets.npy': integers([0, 0]) })),
    'offsets.npy: found the same diagonal twice',
  ],
];

const one = { dtype: 'F32', shape: [1, 1], bytes: new Uint8Array(4) };
const tensor = (fields: string, data = 4): Uint8Array => safetensorsWith(`{"w":{${fields}}}`, new Uint8Array(data));

const SAFETENSORS: readonly Case[] = [
  [
    'cut.safetensors',
    safetensorsFile({ w: one }).slice(0, 20),
    'header: found 12 of 87 bytes: the file ends 75 bytes early',
  ],
  [
    'length-2-53.safetensors',
    patched(safetensorsFile({ w: one }), 0, 0, 0, 0, 0, 0, 0, 0x20, 0),
    'byte 0: found a header of 9007199254740992 bytes, expected at most 91',
  ],
  ['short.safetensors', text('{}'), "found text that begins with '{}', expected the bytes of a safetensors file"],
  ['text.safetensors', safetensorsWith('{"w":'), 'byte 8: found no JSON, expected an object of tensors'],
  ['list.safetensors', safetensorsWith('[]'), 'byte 8: found a list, expected an object of tensors'],
  ['none.safetensors', safetensorsWith('{ }'), 'found no tensor'],
  [
    'dtype.safetensors',
    tensor('"shape":[1],"data_offsets":[0,4]'),
    'w: found dtype missing, expected the name of a type',
  ],
  [
    'shape.safetensors',
    tensor('"dtype":"F32","shape":[-1,1],"data_offsets":[0,4]'),
    'w: found shape [-1,1], expected a list of whole numbers',
  ],
  [
    'shape-2-53.safetensors',
    tensor('"dtype":"F32","shape":[9007199254740992,1],"data_offsets":[0,4]'),
    'w: found shape [9007199254740992,1], expected a list of whole numbers',
  ],
  [
    'offsets.safetensors',
    tensor('"dtype":"F32","shape":[1,1],"data_offsets":[4,0]'),
    'w: found data_offsets [4,0], expected begin and end',
  ],
  [
    'backwards.safetensors',
    tensor('"dtype":"U4","shape":[1,1],"data_offsets":[4,3]'),
    'w: found data_offsets [4,3], expected begin and end',
  ],
  [
    'outside.safetensors',
    tensor('"dtype":"F32","shape":[1,2],"data_offsets":[0,8]'),
    'w: found 4 of 8 bytes: the file ends 4 bytes early',
  ],
  [
    'size.safetensors',
    tensor('"dtype":"F32","shape":[1,2],"data_offsets":[0,4]'),
    'w: found 4 bytes for shape (1, 2) of F32, expected 8',
  ],
  [
    'overlap.safetensors',
    safetensorsWith(
      '{"a":{"dtype":"U8","shape":[1,3],"data_offsets":[0,3]},"b":{"dtype":"U8","shape":[1,2],"data_offsets":[2,4]}}',
      new Uint8Array(4),
    ),
    'b: found its bytes inside those of a',
  ],
  [
    'twice.safetensors',
    safetensorsWith(
      '{"a":{"dtype":"U8","shape":[1,1],"data_offsets":[0,1]},"\\u0061":{"dtype":"U8","shape":[1,1],"data_offsets":[0,1]}}',
      new Uint8Array(1),
    ),
    "header: found 'a' twice, expected each name once",
  ],
  [
    'type.safetensors',
    tensor('"dtype":"F4","shape":[1,8],"data_offsets":[0,4]'),
    'w: found elements of F4, expected F64 to F8, I, U or BOOL',
  ],
  [
    'bits.safetensors',
    safetensorsFile({
      'w.compressed': { dtype: 'U8', shape: [1], bytes: Uint8Array.of(1) },
      'w.bitmask': { dtype: 'U8', shape: [1, 1], bytes: Uint8Array.of(3) },
      'w.shape': int64(1, 8),
    }),
    'w.bitmask: found more than 1 bits, expected 1, one for each compressed value',
  ],
  [
    'mask-column.safetensors',
    safetensorsFile({
      'w.compressed': { dtype: 'U8', shape: [1], bytes: Uint8Array.of(1) },
      'w.bitmask': { dtype: 'U8', shape: [1, 1], bytes: Uint8Array.of(0x80) },
      'w.shape': int64(1, 7),
    }),
    'w.bitmask: found a bit for column 7, expected below 7',
  ],
  [
    'row-offsets.safetensors',
    safetensorsFile({
      'w.compressed': { dtype: 'U8', shape: [2], bytes: Uint8Array.of(1, 2) },
      'w.bitmask': { dtype: 'U8', shape: [2, 1], bytes: Uint8Array.of(1, 1) },
      'w.shape': int64(2, 8),
      'w.row_offsets': int64(0, 2),
    }),
    'w.row_offsets: found 2 for row 1, expected 1 by the bitmask',
  ],
  [
    'packed-shape.safetensors',
    safetensorsFile({
      'w.compressed': { dtype: 'U8', shape: [1], bytes: Uint8Array.of(1) },
      'w.bitmask': { dtype: 'U8', shape: [1, 1], bytes: Uint8Array.of(1) },
      'w.shape': int64(1, 80),
    }),
    'w: w: found shape (1, 80) with a bitmask of (1, 1), expected as many rows, and a bit for each column',
  ],
  [
    'model.safetensors.index.json',
    text('{"weight_map": {"a": "../x.safetensors"}}'),
    'a: found file "../x.safetensors", expected a name without folders',
  ],
  ['map.safetensors.index.json', text('{"weight_map": []'), 'found no JSON, expected an index'],
];

const gguf = ggufFile([{ name: 'w', kind: 0, shape: [1, 1], bytes: new Uint8Array(4) }]);

const GGUF: readonly Case[] = [
  ['old.gguf', patched(gguf, 4, 1), 'byte 4: found version 1, expected 2 or 3, little-endian'],
  [
    'big.gguf',
    patched(gguf, 4, 0, 0, 0, 3),
    'byte 4: found version 3 in big-endian order, expected 2 or 3, little-endian',
  ],
  ['tensors-lie.gguf', patched(gguf, 8, 0, 0, 0, 1), 'byte 8: found 16777216 tensors, expected at most 131072'],
  ['cut.gguf', gguf.slice(0, 60), 'byte 60: found the end, expected 8 bytes more from byte 56'],
  ['data-cut.gguf', gguf.slice(0, -64), 'w: found 4 bytes at byte 256, expected them within the file of 256'],
];

const tar = tarFile([{ name: 'a/a.mtx', bytes: text('%%MatrixMarket matrix coordinate real general\n1 1 0\n') }]);

const TAR: readonly Case[] = [
  ['checksum.tar', patched(tar, 3, 0x62), 'tar, byte 0: found a wrong checksum'],
  ['cut.tar', tar.slice(0, 530), 'tar, a/a.mtx: found the end, expected 52 bytes'],
  [
    'none.tar',
    tarFile([{ name: 'readme', bytes: text('x') }]),
    'tar: found 1 file such as readme, expected one that ends in .mtx, .npy or .safetensors',
  ],
  [
    'twice.tar',
    tarFile([
      { name: 'a.mtx', bytes: text('x') },
      { name: 'a.mtx', bytes: text('x') },
    ]),
    "tar, byte 1024: found 'a.mtx' twice",
  ],
  ['path.tar', tarFile([{ name: '/etc/a.mtx', bytes: text('x') }]), '/etc/a.mtx: found a path out of the archive'],
];

const ZIP: readonly Case[] = [
  [
    'none.zip',
    archive({ readme: text('x') }),
    'zip: found 1 file such as readme, expected one that ends in .mtx, .npy or .safetensors',
  ],
  ['path.zip', archive({ '../a.mtx': text('x') }), '../a.mtx: found a path out of the archive'],
  [
    'two.zip',
    archive({ 'a.safetensors': safetensorsFile({ w: one }), 'b.npz': archive({ 'w.npy': floats([1, 1], [1]) }) }),
    'a.safetensors: found several tensors beside other files; unpack them first',
  ],
  [
    'nested.zip',
    archive({ 'a.npz': archive({ 'a.mtx': text('x') }) }),
    'a.npz: found a zip archive inside an archive, expected what its name says',
  ],
];

const TEXT: readonly Case[] = [
  ['word.smtx', text('2, 2, x\n'), "byte 6: found 'x', expected whole numbers from 0"],
  ['cut.smtx', text('2, 2, 1\n0 1 1\n'), 'byte 14: found the end after 6 numbers, expected 7'],
  ['head.smtx', text('2, 2'), 'byte 4: found the end after 2 numbers, expected 3'],
  ['more.smtx', text('1, 2, 1\n0 1\n0 1\n'), 'before byte 15: found a number after 1 columns, expected the end'],
  ['column.smtx', text('1, 2, 1\n0 1\n2\n'), 'before byte 13: found column 2, expected below 2'],
  [
    'offset.smtx',
    text('2, 2, 1\n0 2 1\n0\n'),
    'before byte 11: found the offset 2 of row 1, expected a number from 0 to 1',
  ],
  ['last.smtx', text('2, 2, 2\n0 1 1\n0 1\n'), 'before byte 13: found the offset 1 of row 2, expected 2'],
  [
    'lie.smtx',
    text('2, 2, 9007199254740993\n0\n'),
    'line 1: found 2 rows and 9007199254740992 entries, expected at most 13 numbers in this file',
  ],
  ['twice.smtx', text('1, 2, 2\n0 2\n1 1\n'), 'columns: found 1 cells more than once, expected each once'],
  ['names.csv', text('a,b\n'), 'found no line of numbers'],
  [
    'control.csv',
    text('\u00003,4\n5,6\n'),
    'line 1, column 1: found the control character 0x00, expected a number, or a line of names alone',
  ],
  ['bell.csv', text('1,2\n3,\u00074\n'), 'line 2, column 3: found the control character 0x07, expected a number'],
  ['odd.csv', text('1,x2,3\n4,5,6\n'), "line 1, column 3: found 'x2', expected a number, or a line of names alone"],
  ['flawed.csv', text('1#\n2\n3\n'), "line 1, column 1: found '1#', expected a number, or a line of names alone"],
  ['year.csv', text('name,2020\nx,1\n'), "line 1, column 1: found 'name', expected a number, or a line of names alone"],
  [
    'hole-first.csv',
    text(',2.5,3\n4,5,6\n'),
    'line 1, column 1: found an empty field, expected a number, or a line of names alone',
  ],
  ['control.smtx', text('1, 4, 1\n0 1\n3\u0000\n'), "byte 13: found '\u2400', expected whole numbers from 0"],
  ['ragged.csv', text('1,2\n3\n'), 'line 2: found 1 field, expected 2'],
  ['hole.csv', text('1,2\n3,\n'), 'line 2, column 3: found the end of the line, expected a number'],
  ['word.csv', text('1,2\n3,x\n'), "line 2, column 3: found 'x', expected a number"],
  ['index.csv', text('row,col,value\n0,-1,2\n'), "line 2, column 3: found '-1', expected a column from 0 to 16777215"],
  [
    'more-names.csv',
    text('a,b,c\n1,2\n'),
    'line 2: found 2 fields under 3 names, expected 3, or 4 with the name of the row first',
  ],
  [
    'fewer-names.tsv',
    text('a\tb\n1\t2\t3\t4\n'),
    'line 2: found 4 fields under 2 names, expected 2, or 3 with the name of the row first',
  ],
  [
    'title.csv',
    text('Weights of the layer\n1,2\n'),
    'line 2: found 2 fields under 1 name, expected 1, or 2 with the name of the row first',
  ],
  ['row-names.tsv', text('a\tb\nx\t1\t2\ny\t1\n'), 'line 3: found 2 fields, expected 3'],
  ['missing.csv', text('a,b\nNA,1\n3,4\n'), "line 3, column 1: found '3', expected the name of a row, as in line 2"],
  [
    'only-name.csv',
    text('a,b\nx,1\ny\n'),
    'line 3, column 2: found the end of the line, expected a number after the name of the row',
  ],
  ['spaces.txt', text('1 2\n3\n'), 'line 2: found 1 field, expected 2'],
  ['spaces-word.txt', text('1 2\n3 x 4\n'), "line 2, column 3: found 'x', expected a number"],
  ['open-quote.csv', text('"1\n2\n'), "line 1, column 1: found '\"1', expected a number, or a line of names alone"],
  ['late-comment.csv', text('1,2\n# 3,4\n'), "line 2, column 1: found '# 3', expected a number"],
  [
    'thousands.csv',
    text('a,b\n1,"2,980"\n'),
    'line 2, column 3: found \'"2,980"\', expected a number without a thousands separator',
  ],
  [
    'times.tsv',
    text('1\t2,980 times\n'),
    "line 1, column 3: found '2,980 times', expected a number, or a line of names alone",
  ],
  [
    'times-quoted.csv',
    text('1,"2,980 times"\n'),
    'line 1, column 3: found \'"2,980 times"\', expected a number without a thousands separator',
  ],
  [
    'millions.csv',
    text('1;2,980,000\n'),
    "line 1, column 3: found '2,980,000', expected a number without a thousands separator",
  ],
  ['prose.txt', text('readme\nThis is text.\n'), "line 2, column 6: found 'is', expected a number"],
  [
    'groups.csv',
    text('1.234,5;2\n'),
    "line 1, column 1: found '1.234,5', expected a number without a thousands separator",
  ],
  [
    'german.csv',
    text('1,5;2.980,5\n'),
    "line 1, column 5: found '2.980,5', expected a number without a thousands separator",
  ],
  [
    'dot-then-comma.csv',
    text('1.5;2\n3;4,5\n'),
    "line 2, column 3: found '4,5', expected a number with '.' before its fraction",
  ],
  [
    'comma-then-dot.csv',
    text('1,5;2\n3;4.5\n'),
    "line 2, column 3: found '4.5', expected a number with ',' before its fraction",
  ],
  [
    'quoted-comma.csv',
    text('"1,5","2,5"\n'),
    "line 1, column 1: found '\"1,5\"', expected a number with '.' before its fraction",
  ],
  [
    'minus.csv',
    text('\u22121,\u22122\n3,4\n'),
    "line 1, column 1: found '???1', expected a number, or a line of names alone",
  ],
  [
    'json.csv',
    text('{"error": "not found"}\n'),
    'line 1, column 1: found \'{"error":\', expected a number, or a line of names alone',
  ],
  ['half.csv', text('row,col,value\n0.5,1,2\n'), "line 2, column 1: found '0.5', expected a row from 0 to 16777215"],
];

describe('a broken container or table gets one sentence', () => {
  it.each([...NPZ, ...SAFETENSORS, ...GGUF, ...TAR, ...ZIP, ...TEXT])('%s', async (name, bytes, message) => {
    const error: unknown = await readMatrix({ name, bytes }).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(ReadError);
    expect(error).toHaveProperty('message', `${name}: ${message}`);
  });

  it('refuses two files of one name in an archive', async () => {
    const two = archive({ 'a.npy': floats([1, 1], [1]), 'b.npy': floats([1, 1], [1]) }, 'stored');
    const at = two.lastIndexOf('b'.charCodeAt(0));
    await expect(readMatrix({ name: '', bytes: patched(two, at, 'a'.charCodeAt(0)) })).rejects.toThrow(
      "zip: found two members named 'a.npy'",
    );
  });

  it('names the tensors that are missing', async () => {
    const bytes = safetensorsFile({ w: one });
    await expect(readMatrix({ name: 'a', bytes }, { tensor: 'v' })).rejects.toThrow(
      "a: found no tensor 'v', expected the only one in the file",
    );
    const mtx = text('%%MatrixMarket matrix coordinate real general\n1 1 0\n');
    await expect(readMatrix({ name: 'a', bytes: mtx }, { tensor: 'v' })).rejects.toThrow(
      "a: found one matrix (mtx), not several to choose 'v' from",
    );
  });
});
