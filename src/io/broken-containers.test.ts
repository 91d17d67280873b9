import { describe, expect, it } from 'vitest';
import { NO_JOB } from '../core/job.ts';
import { readMatrix, readMatrixFrom } from './read.ts';
import type { FileSource } from './source.ts';
import { rejections } from '../../test/io/rejections.ts';
import { ggufFile } from '../../test/io/gguf.ts';
import { int64, safetensorsFile, safetensorsWith } from '../../test/io/safetensors.ts';
import { tarFile } from '../../test/io/tar.ts';
import { archive, floats, integers, sparseFiles } from '../../test/io/zip.ts';

/** A broken file: name and content. */
type Case = readonly [name: string, bytes: Uint8Array];

const text = (content: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(content);

/** A copy with the bytes from position `at` on replaced by `values`; a negative position counts from the end. */
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
/** an .npz archive with one array */
const npzOfOne = archive({ 'a.npy': floats([1, 1], [1]) }, 'stored');
/** Where its central directory begins: before the end record of 22 bytes, an entry of 46 bytes and the name 'a.npy'. */
const directoryStart = npzOfOne.length - 22 - (46 + 5);

// The patched positions of a directory entry: 8 flags, 10 method, 24 size, 42 position of the local header.
const NPZ: readonly Case[] = [
  ['cut.npz', npzOfOne.slice(0, -30)],
  ['damaged.npz', patched(npzOfOne, directoryStart - 1, 1)],
  ['bomb.npz', patched(npzOfOne, directoryStart + 24, 0, 0, 0, 0x7f)],
  ['outside.npz', patched(npzOfOne, directoryStart + 42, 0, 0, 0, 0x7f)],
  ['encrypted.npz', patched(npzOfOne, directoryStart + 8, 1)],
  ['bzip2.npz', patched(npzOfOne, directoryStart + 10, 12)],
  ['indptr-short.npz', csr([0, 2], [0, 1])],
  ['indptr-first.npz', csr([1, 1, 2], [0, 1])],
  ['indptr-falls.npz', csr([0, 2, 1], [0, 1])],
  ['column.npz', csr([0, 1, 2], [0, 3])],
  ['negative.npz', csr([0, 1, 2], [0, -1])],
  ['cube.npz', csr([0], [], [2, 2, 2])],
  ['wide.npz', csr([0, 1, 2], [0, 1], [2, 2_000_000_000])],
  ['kind.npz', archive(sparseFiles('lil', [1, 1], floats([1], [1]), {}))],
  ['no-row.npz', archive(sparseFiles('coo', [1, 1], floats([1], [1]), {}))],
  [
    'blocks.npz',
    archive(
      sparseFiles('bsr', [3, 3], floats([1, 2, 2], [1, 2, 3, 4]), {
        'indptr.npy': integers([0, 1]),
        'indices.npy': integers([0]),
      }),
    ),
  ],
  [
    'diagonals.npz',
    archive(sparseFiles('dia', [2, 2], floats([2, 2], [1, 2, 3, 4]), { 'offsets.npy': integers([0, 0]) })),
  ],
];

const oneCell = { dtype: 'F32', shape: [1, 1], bytes: new Uint8Array(4) };
const tensor = (fields: string, data = 4): Uint8Array => safetensorsWith(`{"w":{${fields}}}`, new Uint8Array(data));

const SAFETENSORS: readonly Case[] = [
  ['cut.safetensors', safetensorsFile({ w: oneCell }).slice(0, 20)],
  ['length-2-53.safetensors', patched(safetensorsFile({ w: oneCell }), 0, 0, 0, 0, 0, 0, 0, 0x20, 0)],
  ['length-beyond-2-53.safetensors', patched(safetensorsFile({ w: oneCell }), 0, 1, 0, 0, 0, 0, 0, 0x20, 0)],
  ['short.safetensors', text('{}')],
  ['text.safetensors', safetensorsWith('{"w":')],
  ['list.safetensors', safetensorsWith('[]')],
  ['none.safetensors', safetensorsWith('{ }')],
  ['dtype.safetensors', tensor('"shape":[1],"data_offsets":[0,4]')],
  ['shape.safetensors', tensor('"dtype":"F32","shape":[-1,1],"data_offsets":[0,4]')],
  ['shape-2-53.safetensors', tensor('"dtype":"F32","shape":[9007199254740992,1],"data_offsets":[0,4]')],
  ['offsets.safetensors', tensor('"dtype":"F32","shape":[1,1],"data_offsets":[4,0]')],
  ['backwards.safetensors', tensor('"dtype":"U4","shape":[1,1],"data_offsets":[4,3]')],
  ['outside.safetensors', tensor('"dtype":"F32","shape":[1,2],"data_offsets":[0,8]')],
  ['size.safetensors', tensor('"dtype":"F32","shape":[1,2],"data_offsets":[0,4]')],
  [
    'overlap.safetensors',
    safetensorsWith(
      '{"a":{"dtype":"U8","shape":[1,3],"data_offsets":[0,3]},"b":{"dtype":"U8","shape":[1,2],"data_offsets":[2,4]}}',
      new Uint8Array(4),
    ),
  ],
  [
    'twice.safetensors',
    safetensorsWith(
      '{"a":{"dtype":"U8","shape":[1,1],"data_offsets":[0,1]},"\\u0061":{"dtype":"U8","shape":[1,1],"data_offsets":[0,1]}}',
      new Uint8Array(1),
    ),
  ],
  ['type.safetensors', tensor('"dtype":"F4","shape":[1,8],"data_offsets":[0,4]')],
  [
    'bits.safetensors',
    safetensorsFile({
      'w.compressed': { dtype: 'U8', shape: [1], bytes: Uint8Array.of(1) },
      'w.bitmask': { dtype: 'U8', shape: [1, 1], bytes: Uint8Array.of(3) },
      'w.shape': int64(1, 8),
    }),
  ],
  [
    'mask-column.safetensors',
    safetensorsFile({
      'w.compressed': { dtype: 'U8', shape: [1], bytes: Uint8Array.of(1) },
      'w.bitmask': { dtype: 'U8', shape: [1, 1], bytes: Uint8Array.of(0x80) },
      'w.shape': int64(1, 7),
    }),
  ],
  [
    'row-offsets.safetensors',
    safetensorsFile({
      'w.compressed': { dtype: 'U8', shape: [2], bytes: Uint8Array.of(1, 2) },
      'w.bitmask': { dtype: 'U8', shape: [2, 1], bytes: Uint8Array.of(1, 1) },
      'w.shape': int64(2, 8),
      'w.row_offsets': int64(0, 2),
    }),
  ],
  [
    'packed-shape.safetensors',
    safetensorsFile({
      'w.compressed': { dtype: 'U8', shape: [1], bytes: Uint8Array.of(1) },
      'w.bitmask': { dtype: 'U8', shape: [1, 1], bytes: Uint8Array.of(1) },
      'w.shape': int64(1, 80),
    }),
  ],
  ['model.safetensors.index.json', text('{"weight_map": {"a": "../x.safetensors"}}')],
  ['map.safetensors.index.json', text('{"weight_map": []')],
];

const gguf = ggufFile([{ name: 'w', kind: 0, shape: [1, 1], bytes: new Uint8Array(4) }]);

const GGUF: readonly Case[] = [
  ['old.gguf', patched(gguf, 4, 1)],
  ['big.gguf', patched(gguf, 4, 0, 0, 0, 3)],
  ['tensors-lie.gguf', patched(gguf, 8, 0, 0, 0, 1)],
  ['tensors-beyond-2-53.gguf', patched(gguf, 8, 1, 0, 0, 0, 0, 0, 0x20)],
  ['cut.gguf', gguf.slice(0, 60)],
  ['data-cut.gguf', gguf.slice(0, -64)],
];

const tar = tarFile([{ name: 'a/a.mtx', bytes: text('%%MatrixMarket matrix coordinate real general\n1 1 0\n') }]);

const TAR: readonly Case[] = [
  ['checksum.tar', patched(tar, 3, 0x62)],
  ['cut.tar', tar.slice(0, 530)],
  ['none.tar', tarFile([{ name: 'readme', bytes: text('x') }])],
  [
    'twice.tar',
    tarFile([
      { name: 'a.mtx', bytes: text('x') },
      { name: 'a.mtx', bytes: text('x') },
    ]),
  ],
  ['path.tar', tarFile([{ name: '/etc/a.mtx', bytes: text('x') }])],
];

const ZIP: readonly Case[] = [
  ['none.zip', archive({ readme: text('x') })],
  ['path.zip', archive({ '../a.mtx': text('x') })],
  [
    'two.zip',
    archive({ 'a.safetensors': safetensorsFile({ w: oneCell }), 'b.npz': archive({ 'w.npy': floats([1, 1], [1]) }) }),
  ],
  ['nested.zip', archive({ 'a.npz': archive({ 'a.mtx': text('x') }) })],
];

const TEXT: readonly Case[] = [
  ['word.smtx', text('2, 2, x\n')],
  ['cut.smtx', text('2, 2, 1\n0 1 1\n')],
  ['head.smtx', text('2, 2')],
  ['more.smtx', text('1, 2, 1\n0 1\n0 1\n')],
  ['column.smtx', text('1, 2, 1\n0 1\n2\n')],
  ['offset.smtx', text('2, 2, 1\n0 2 1\n0\n')],
  ['last.smtx', text('2, 2, 2\n0 1 1\n0 1\n')],
  ['lie.smtx', text('2, 2, 9007199254740993\n0\n')],
  ['twice.smtx', text('1, 2, 2\n0 2\n1 1\n')],
  ['names.csv', text('a,b\n')],
  ['control.csv', text('\u00003,4\n5,6\n')],
  ['bell.csv', text('1,2\n3,\u00074\n')],
  ['odd.csv', text('1,x2,3\n4,5,6\n')],
  ['flawed.csv', text('1!\n2\n3\n')],
  ['percent.csv', text('1 %,2 %\n')],
  ['comma-then-remark.csv', text('1,2, # a\n')],
  ['remark-in-field.csv', text('1,# 2\n3,4\n')],
  ['year.csv', text('name,2020\nx,1\n')],
  ['hole-first.csv', text(',2.5,3\n4,5,6\n')],
  ['control.smtx', text('1, 4, 1\n0 1\n3\u0000\n')],
  ['ragged.csv', text('1,2\n3\n')],
  ['hole.csv', text('1,2\n3,\n')],
  ['word.csv', text('1,2\n3,x\n')],
  ['index.csv', text('row,col,value\n0,-1,2\n')],
  ['more-names.csv', text('a,b,c\n1,2\n')],
  ['fewer-names.tsv', text('a\tb\n1\t2\t3\t4\n')],
  ['title.csv', text('Weights of the layer\n1,2\n')],
  ['row-names.tsv', text('a\tb\nx\t1\t2\ny\t1\n')],
  ['missing.csv', text('a,b\nNA,1\n3,4\n')],
  ['only-name.csv', text('a,b\nx,1\ny\n')],
  ['spaces.txt', text('1 2\n3\n')],
  ['spaces-word.txt', text('1 2\n3 x 4\n')],
  ['late-quote.csv', text('1,2\n3,"4\n5,6\n')],
  ['names-quote.csv', text('a,"b\n1,2\n')],
  ['row-quote.csv', text('a,b\nx,1\n"y,2\n')],
  ['truth.csv', text('True,False\nTrue,Falsely\n')],
  ['open-quote.csv', text('"1\n2\n')],
  ['thousands.csv', text('a,b\n1,"2,980"\n')],
  ['times.tsv', text('1\t2,980 times\n')],
  ['times-quoted.csv', text('1,"2,980 times"\n')],
  ['millions.csv', text('1;2,980,000\n')],
  ['prose.txt', text('readme\nThis is text.\n')],
  ['groups.csv', text('1.234,5;2\n')],
  ['german.csv', text('1,5;2.980,5\n')],
  ['dot-then-comma.csv', text('1.5;2\n3;4,5\n')],
  ['comma-then-dot.csv', text('1,5;2\n3;4.5\n')],
  ['quoted-comma.csv', text('"1,5","2,5"\n')],
  ['minus.csv', text('\u22121,\u22122\n3,4\n')],
  ['json.csv', text('{"error": "not found"}\n')],
  ['half.csv', text('row,col,value\n0.5,1,2\n')],
  ['both-orders.txt', Uint8Array.from('1\0,\u00002\0\n\0\u00003\0,\u00004\0\n', (c) => c.charCodeAt(0))],
  ['utf-32.txt', Uint8Array.of(0xff, 0xfe, 0, 0, 0x31, 0, 0, 0)],
  // Lines that end in carriage returns only, which count as spaces nowhere else.
  ...['1 2\r3 4\r', '1,2\r3,4\r', 'a\tb\r1\t2\r', '5\r6\r', '1 2\r\n3\r4\r\n'].map(
    (lines) => ['returns.txt', text(lines)] as const,
  ),
];

describe('readMatrix rejects a broken container or table', () => {
  it('with the message in words/broken-containers.txt', async () => {
    await expect(await rejections([...NPZ, ...SAFETENSORS, ...GGUF, ...TAR, ...ZIP, ...TEXT])).toMatchFileSnapshot(
      'words/broken-containers.txt',
    );
  });

  it('with two files of one name in an archive', async () => {
    const two = archive({ 'a.npy': floats([1, 1], [1]), 'b.npy': floats([1, 1], [1]) }, 'stored');
    // The last 'b' is in the central directory: 'b.npy' becomes a second 'a.npy'.
    const lastB = two.lastIndexOf('b'.charCodeAt(0));
    await expect(readMatrix({ name: '', bytes: patched(two, lastB, 'a'.charCodeAt(0)) })).rejects.toThrow(
      "zip: found two members named 'a.npy'",
    );
  });

  it('and stops reading the stream of a damaged tar, so that its request is closed', async () => {
    let openStreams = 0;
    const [damaged] = TAR;
    const source: FileSource = {
      name: 'a.tar',
      size: null,
      maxSize: damaged[1].length,
      position: () => ({ done: 0, total: 1 }),
      async *chunks() {
        openStreams++;
        try {
          yield damaged[1];
          yield damaged[1];
        } finally {
          openStreams--;
        }
      },
    };
    await expect(readMatrixFrom({ source, sibling: () => Promise.resolve(null) }, {}, NO_JOB)).rejects.toThrow(
      'found a wrong checksum',
    );
    await expect.poll(() => openStreams).toBe(0);
  });

  it('with the name of a chosen tensor that the file does not contain', async () => {
    const bytes = safetensorsFile({ w: oneCell });
    await expect(readMatrix({ name: 'a', bytes }, { tensor: 'v' })).rejects.toThrow(
      "a: found no tensor 'v', expected the only one in the file",
    );
    const mtx = text('%%MatrixMarket matrix coordinate real general\n1 1 0\n');
    await expect(readMatrix({ name: 'a', bytes: mtx }, { tensor: 'v' })).rejects.toThrow(
      "a: found one matrix (mtx), not several to choose 'v' from",
    );
  });
});
