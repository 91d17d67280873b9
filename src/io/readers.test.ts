import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { toCsr, toDense } from '../core/matrix/index.ts';
import { f16Bits } from '../core/number/index.ts';
import { listTensors, readMatrix } from './read.ts';
import { ggufFile } from '../../test/io/gguf.ts';
import { bytesOf, safetensorsFile, safetensorsWith } from '../../test/io/safetensors.ts';
import { tarFile } from '../../test/io/tar.ts';
import { archive, floats } from '../../test/io/zip.ts';

const text = (content: string): Uint8Array => new TextEncoder().encode(content);

/** Made on a Mac: w.npz, which is empty, and __MACOSX/._w.npz. */
const MAC_ZIP =
  'UEsDBBQAAAAAAAAAIQAAAAAAAAAAAAAAAAAFAAAAdy5ucHpQSwMEFAAAAAAAAAAhAIMW3IwBAAAAAQAAABAAAABfX01BQ09TWC8uX3cubnB6eFBLAQIUAxQAAAAAAAAAIQAAAAAAAAAAAAAAAAAFAAAAAAAAAAAAAACAAQAAAAB3Lm5welBLAQIUAxQAAAAAAAAAIQCDFtyMAQAAAAEAAAAQAAAAAAAAAAAAAACAASMAAABfX01BQ09TWC8uX3cubnB6UEsFBgAAAAACAAIAcQAAAFIAAAAAAA==';

describe('.smtx', () => {
  it('opens the pattern, notes that the values are drawn, and draws the same ones every time', async () => {
    const file = { name: 'a.smtx', bytes: text('3, 4, 4\n0 2 2 4\n1 3 0 2\n') };
    const { matrix, notes } = await readMatrix(file);
    const { indptr, indices, data } = toCsr(matrix);
    expect([...indptr]).toEqual([0, 2, 2, 4]);
    expect([...indices]).toEqual([1, 3, 0, 2]);
    expect(notes).toEqual(['A pattern without values: they are random (seed 1).']);
    expect(toCsr((await readMatrix(file)).matrix).data).toEqual(data);
  });

  it('sorts columns, which are not always sorted in the collection', async () => {
    const { matrix } = await readMatrix({ name: 'a.smtx', bytes: text('1,4,3\n0 3\n3 0 2') });
    expect([...toCsr(matrix).indices]).toEqual([0, 2, 3]);
  });
});

describe('tables of text', () => {
  const cellsOf = async (content: string, name = 'a.csv'): Promise<[string, number[], readonly string[]]> => {
    const { matrix, notes } = await readMatrix({ name, bytes: text(content) });
    return [`${matrix.rows} × ${matrix.cols}`, [...toDense(matrix)], notes];
  };

  it('reads cells between commas, semicolons and tabs, quoted or not, with any line ends', async () => {
    expect(await cellsOf('1,0,2.5\r\n0, -3e1,nan\r\n')).toEqual(['2 × 3', [1, 0, 2.5, 0, -30, Number.NaN], []]);
    expect(await cellsOf('1;2\n"3";4')).toEqual(['2 × 2', [1, 2, 3, 4], []]);
    expect(await cellsOf('\ufeff1\t2\n\n3\t4\n', 'a.tsv')).toEqual(['2 × 2', [1, 2, 3, 4], []]);
    expect(await cellsOf('5\n')).toEqual(['1 × 1', [5], []]);
  });

  it('begins with the first line that is not empty', async () => {
    expect(await cellsOf('\n1,2,3\n4,5,6\n')).toEqual(['2 × 3', [1, 2, 3, 4, 5, 6], []]);
    expect(await cellsOf('\ufeff\r\n  \r\n1;2\r\n')).toEqual(['1 × 2', [1, 2], []]);
    expect((await cellsOf('\n\na,b\n1,2\n')).slice(0, 2)).toEqual(['1 × 2', [1, 2]]);
  });

  it('reads whole numbers as names only above an index, as pandas writes them', async () => {
    expect((await cellsOf(',0,1\n0,1.5,2\n1,3,4\n')).slice(0, 2)).toEqual(['2 × 2', [1.5, 2, 3, 4]]);
    expect((await cellsOf('\t0\t1\nx\t5\t6\n', 'a.tsv')).slice(0, 2)).toEqual(['1 × 2', [5, 6]]);
    expect((await cellsOf('0,1\n5,6\n')).slice(0, 2)).toEqual(['2 × 2', [0, 1, 5, 6]]);
  });

  it('reads numbers of any length', async () => {
    const long = '9'.repeat(130_000);
    const [shape, cells, notes] = await cellsOf(`${long},1e-${long}\n0.${long},${long}e-130000\n`);
    expect([shape, cells]).toEqual(['2 × 2', [Infinity, 0, 1, 1]]);
    expect(notes).toEqual(['1 value was beyond f32: now infinite.', '1 value was too small for f32: now zero.']);
  });

  it('skips names and an index, and says so', async () => {
    expect(await cellsOf(',"x, y",z\nfirst,1,2\n"se,cond",3,4\n')).toEqual([
      '2 × 2',
      [1, 2, 3, 4],
      ['The first line holds names: not read.', 'The first column has no name: an index, not read.'],
    ]);
  });

  const ROW_NAMES = 'One name fewer than columns: the first holds the names of rows, not read.';
  const NAMES = 'The first line holds names: not read.';
  const counts = (from: number): string =>
    `The first column counts from ${from}: if it is an index, open the file without the first column.`;

  it.each<[string, string, string, number[], string[]]>([
    [
      'one name fewer than fields, as write.table of R does it',
      'V1\tV2\tV3\n1\t1\t0\t2.5\n2\t0\t3\t0\n',
      '2 × 3',
      [1, 0, 2.5, 0, 3, 0],
      [NAMES, ROW_NAMES],
    ],
    ['the same between commas', 'a,b\n1,2,3\n4,5,6\n', '2 × 2', [2, 3, 5, 6], [NAMES, ROW_NAMES]],
    ['the same with one column, its row in quotes', '"x"\n"1",2\n"2",4\n', '2 × 1', [2, 4], [NAMES, ROW_NAMES]],
    [
      'the same between spaces, with spaces in names',
      '"V 1" "V2"\n"row 1" 1 0\n"row 2" 0 -2\n',
      '2 × 2',
      [1, 0, 0, -2],
      [NAMES, ROW_NAMES],
    ],
    [
      'words below a name, as pandas writes an index with a name',
      'gene,a,b\nTP53,5,6\nMYC,7,8\n',
      '2 × 2',
      [5, 6, 7, 8],
      [NAMES, 'The first column holds the names of rows: not read.'],
    ],
  ])('passes over the names of rows, and says so: %s', async (_, content, shape, cells, notes) => {
    expect(await cellsOf(content)).toEqual([shape, cells, notes]);
  });

  it('reads a column that counts as values, and says that it may be an index', async () => {
    expect(await cellsOf('id,a,b\n0,5,6\n')).toEqual(['1 × 3', [0, 5, 6], [NAMES, counts(0)]]);
    expect(await cellsOf('Unnamed: 0,a\n0,5\n1,6\n')).toEqual(['2 × 2', [0, 5, 1, 6], [NAMES, counts(0)]]);
    expect(await cellsOf('id,a\n1,5\n2,6\n')).toEqual(['2 × 2', [1, 5, 2, 6], [NAMES, counts(1)]]);
    expect(await cellsOf('0,5\n1,6\n2,0\n')).toEqual(['3 × 2', [0, 5, 1, 6, 2, 0], [counts(0)]]);
    expect((await cellsOf('a,b\n1,5\n'))[2]).toEqual([NAMES]);
    expect((await cellsOf('a,b\n0,5\n2,6\n'))[2]).toEqual([NAMES]);
    expect((await cellsOf('a\n0\n1\n'))[2]).toEqual([NAMES]);
  });

  it('reads ordinals as names', async () => {
    expect(await cellsOf('1st,2nd\n5,6\n')).toEqual(['1 × 2', [5, 6], [NAMES]]);
  });

  it.each(['a.csv', 'a.txt', 'a.dat', 'a.npy', 'a.mat', 'a'])(
    'reads numbers between spaces, whatever the name: %s',
    async (name) => {
      expect(await cellsOf(' 1.5  2 -3e1 \r\n4\t5 6\n', name)).toEqual(['2 × 3', [1.5, 2, -30, 4, 5, 6], []]);
    },
  );

  it('passes over comments before a table, and says how many', async () => {
    const comments = (lines: string): string => `${lines} of comments before the table: not read.`;
    expect(await cellsOf('# a b\n1 2\n3 4\n', 'a.txt')).toEqual(['2 × 2', [1, 2, 3, 4], [comments('1 line')]]);
    expect(await cellsOf('# one, two\n\n % 3,4\na,b\n5,6\n')).toEqual(['1 × 2', [5, 6], [comments('2 lines'), NAMES]]);
    const long = `// ${'x'.repeat(600)}\n`;
    expect(await cellsOf(`${long}1;2\n`, 'a.txt')).toEqual(['1 × 2', [1, 2], [comments('1 line')]]);
  });

  it('reads decimal commas between semicolons and tabs, and says so', async () => {
    expect(await cellsOf('7;0,25\n-1,5e1;,5\n')).toEqual([
      '2 × 2',
      [7, 0.25, -15, 0.5],
      ['Commas are decimal: 0,25 is 0.25.'],
    ]);
    const long = '0,12345678901234567890123';
    expect(await cellsOf(`a\tb\n"1,5"\t${long}\n`, 'a.tsv')).toEqual([
      '1 × 2',
      [1.5, Math.fround(0.12345678901234568)],
      [NAMES, 'Commas are decimal: 1,5 is 1.5.', '1 value was rounded to f32.'],
    ]);
  });

  it.each([
    ['low byte first', [0xff, 0xfe], 0],
    ['high byte first', [0xfe, 0xff], 1],
  ])('reads UTF-16 with a byte order mark, as Excel saves "Unicode Text": %s', async (_, mark, high) => {
    const utf16 = (content: string): Uint8Array<ArrayBuffer> => {
      const bytes = new Uint8Array(2 + 2 * content.length);
      bytes.set(mark);
      for (let i = 0; i < content.length; i++) {
        bytes[2 + 2 * i + high] = content.charCodeAt(i) & 0xff;
        bytes[3 + 2 * i - high] = content.charCodeAt(i) >> 8;
      }
      return bytes;
    };
    const cells = async (name: string, bytes: Uint8Array): Promise<number[]> => [
      ...toDense((await readMatrix({ name, bytes })).matrix),
    ];
    for (const name of ['a.txt', 'a.tsv', 'a']) {
      expect(await cells(name, utf16('größe\tb\r\n1\t2.5\r\n0\t4\r\n'))).toEqual([1, 2.5, 0, 4]);
    }
    const mtx = utf16('%%MatrixMarket matrix coordinate real general\n1 2 1\n1 2 8\n');
    expect(await cells('a.mtx', mtx)).toEqual([0, 8]);
    expect(await cells('a.mtx.gz', gzipSync(mtx))).toEqual([0, 8]);
    expect(await cells('a.zip', archive({ 'b.mtx': mtx }))).toEqual([0, 8]);
    // Eight letters of the header's length may look like the mark.
    const header = `{"w":{"dtype":"U8","shape":[1,1],"data_offsets":[0,1]}}`.padEnd(high === 0 ? 0xfeff : 0xfffe);
    expect(await cells('a.safetensors', safetensorsWith(header, Uint8Array.of(3)))).toEqual([3]);
  });

  it('rounds the sum of entries of one cell once, as SciPy does, and not each of them', async () => {
    const [, cells] = await cellsOf('row,col,value\n1,0,0.3\n0,0,0.1\n1,0,0.6\n0,1,1\n0,1,5.9604644775390625e-08\n');
    expect(cells).toEqual([0.1, 1, 0.8999999761581421, 0].map(Math.fround));
  });

  it('reads entries under a header of row, column and value in any order', async () => {
    expect(await cellsOf('val,Row,col\n5,1,0\n6,0,2\n')).toEqual([
      '2 × 3',
      [0, 0, 6, 5, 0, 0],
      [
        'Every line is an entry: row in field 2, column in field 3, both from 0. The shape is one more than the largest of each.',
      ],
    ]);
    const [shape, cells, notes] = await cellsOf(',row,col,value\n0,1,0,5\n1,0,2,6\n');
    expect([shape, cells]).toEqual(['2 × 3', [0, 0, 6, 5, 0, 0]]);
    expect(notes[0]).toBe('The first column has no name: an index, not read.');
    expect(notes[1]).toMatch(/^Every line is an entry: row in field 2, column in field 3, /);
  });
});

describe('what only an operating system wrote', () => {
  const w = archive({ 'w.npy': floats([1, 2], [0, 5]) }, 'stored');
  const mtx = text('%%MatrixMarket matrix coordinate real general\n1 2 1\n1 2 8\n');
  const junk = text('\u0000\u0005\u0016\u0007');
  const SYSTEM = ['__MACOSX/._w.npz', 'a/._abc.mtx', '.DS_Store', 'a/.DS_Store', 'Thumbs.db', 'a/desktop.ini'];
  const UNPACKED = ['pax_global_header', 'PaxHeaders.42/abc.mtx', './PaxHeader/abc.mtx', '././@LongLink'];
  const others = Object.fromEntries([...SYSTEM, ...UNPACKED].map((name) => [name, junk]));

  it('is no member of a zip archive', async () => {
    for (const files of [
      { 'w.npz': w, ...others },
      { ...others, 'w.npz': w },
    ]) {
      const { matrix, notes } = await readMatrix({ name: 'w.zip', bytes: archive(files, 'stored') });
      expect([[...toDense(matrix)], notes]).toEqual([[0, 5], []]);
    }
    const one = await readMatrix({ name: 'a.zip', bytes: archive({ 'a/abc.mtx': mtx, ...others }) });
    expect([one.tensor, [...toDense(one.matrix)], one.notes]).toEqual(['a/abc.mtx', [0, 8], []]);
    const arrays = archive({ 'w.npy': floats([1, 2], [0, 5]), '__MACOSX/._w.npy': junk });
    expect((await readMatrix({ name: 'w.npz', bytes: arrays })).tensor).toBe('w');
  });

  it('is no member of a zip archive of an empty file, either', async () => {
    const bytes = Uint8Array.from(atob(MAC_ZIP), (letter) => letter.charCodeAt(0));
    await expect(readMatrix({ name: 'w.zip', bytes })).rejects.toThrow(
      'w.zip: byte 0: found the end, expected a zip directory',
    );
  });

  it('is no member of a tar archive', async () => {
    const files = Object.entries({ './._abc.mtx': junk, ...others, 'a/abc.mtx': mtx }).map(([name, bytes]) => ({
      name,
      bytes,
    }));
    const { matrix, tensor, notes } = await readMatrix({ name: 'a.tar.gz', bytes: gzipSync(tarFile(files)) });
    expect([tensor, [...toDense(matrix)], notes]).toEqual(['a/abc.mtx', [0, 8], []]);
  });

  it('are headers of tar about all files, or about the name of a link', async () => {
    const long = `${'long/'.repeat(30)}a.mtx`;
    const bytes = tarFile([
      { name: 'pax_global_header', bytes: text('52 comment=0123456789012345678901234567890123456789\n'), type: 'g' },
      { name: '././@LongLink', bytes: text(`${long}\0`), type: 'L' },
      { name: '././@LongLink', bytes: text('somewhere/else\0'), type: 'K' },
      { name: 'cut', bytes: mtx },
    ]);
    expect((await readMatrix({ name: 'a.tar', bytes })).tensor).toBe(long);
  });

  it.each([
    ['S', [{ name: 'a.mtx', bytes: mtx, type: 'S' }], 0],
    [
      'pax',
      [
        { name: 'PaxHeaders/a.mtx', bytes: text('22 GNU.sparse.major=1\n'), type: 'x' },
        { name: 'a.mtx', bytes: mtx },
      ],
      0,
    ],
  ])('is not how a file stored with holes is taken: %s', async (_kind, files, at) => {
    await expect(readMatrix({ name: 'a.tar', bytes: tarFile(files) })).rejects.toThrow(
      `a.tar: tar, byte ${at}: found a file stored with holes; pack it without --sparse`,
    );
  });
});

describe('.tar.gz', () => {
  const banner = '%%MatrixMarket matrix coordinate real general\n1 2 1\n';
  const files = [
    { name: 'web/', bytes: new Uint8Array(0), type: '5' },
    { name: 'web/web_b.mtx', bytes: text(`${banner}1 1 7\n`) },
    { name: 'web/web.mtx', bytes: text(`${banner}1 2 8\n`) },
    { name: 'web/readme.txt', bytes: text('x') },
  ];

  it.each([
    ['compressed', gzipSync(tarFile(files)), 'tar.gz'],
    ['plain', tarFile(files), 'tar'],
  ])('opens name/name.mtx and lists the other files: %s', async (_kind, bytes, opened) => {
    const { matrix, notes, tensor, format } = await readMatrix({ name: 'web.tar.gz', bytes });
    expect([format, tensor]).toEqual([opened, 'web/web.mtx']);
    expect([...toDense(matrix)]).toEqual([0, 8]);
    expect(notes).toEqual(['The archive has other matrices: web/web_b.mtx.']);
    const other = await readMatrix({ name: 'web.tar.gz', bytes }, { tensor: 'web/web_b.mtx' });
    expect([...toDense(other.matrix)]).toEqual([7, 0]);
  });

  it('follows long names of GNU and of pax', async () => {
    const long = `${'d'.repeat(120)}/m.mtx`;
    const pax = `${String(10 + long.length)} path=${long}\n`;
    for (const extension of [
      { name: '././@LongLink', bytes: text(`${long}\0`), type: 'L' },
      { name: 'pax', bytes: text(pax), type: 'x' },
    ]) {
      const bytes = tarFile([extension, { name: 'short', bytes: text(`${banner}1 1 1\n`) }]);
      expect((await readMatrix({ name: '', bytes })).tensor).toBe(long);
    }
  });

  it('lists names that lead out of the archive and refuses them', async () => {
    const bytes = tarFile([
      { name: '../../etc/a.mtx', bytes: text(banner) },
      { name: 'a.mtx', bytes: text(`${banner}1 1 1\n`) },
    ]);
    const { tensors } = await listTensors({ name: '', bytes });
    expect(tensors?.map((t) => t.refused)).toEqual(['found a path out of the archive', null]);
  });
});

describe('packed files of several tensors', () => {
  const bytes = safetensorsFile({
    a: { dtype: 'U8', shape: [1, 2], bytes: Uint8Array.of(0, 5) },
    b: { dtype: 'U8', shape: [1, 1], bytes: Uint8Array.of(7) },
  });

  it.each([
    ['w.safetensors.gz', gzipSync(bytes), 'safetensors.gz'],
    ['w.zip', archive({ 'model/w.safetensors': bytes, 'model/README.md': text('x') }), 'zip'],
    ['w.tar.gz', gzipSync(tarFile([{ name: 'w.safetensors', bytes }])), 'tar.gz'],
    ['w.npz.gz', gzipSync(archive({ 'a.npy': floats([1, 2], [0, 5]), 'b.npy': floats([1, 1], [7]) })), 'npz.gz'],
  ])('%s', async (name, packed, format) => {
    const listed = await listTensors({ name, bytes: packed });
    expect([listed.format, listed.tensors?.map((t) => t.name)]).toEqual([format, ['a', 'b']]);
    const { matrix } = await readMatrix({ name, bytes: packed }, { tensor: 'a' });
    expect([...toDense(matrix)]).toEqual([0, 5]);
  });

  it('a zip archive of matrix files is opened by choice', async () => {
    const mtx = text('%%MatrixMarket matrix coordinate real general\n1 2 1\n1 2 8\n');
    const packed = archive({ 'web/web.mtx': mtx, 'web/other.npy': floats([1, 1], [4]) });
    const { matrix, tensor } = await readMatrix({ name: 'web.zip', bytes: packed });
    expect([tensor, [...toDense(matrix)]]).toEqual(['web/web.mtx', [0, 8]]);
    const other = await readMatrix({ name: 'web.zip', bytes: packed }, { tensor: 'web/other.npy' });
    expect([...toDense(other.matrix)]).toEqual([4]);
  });

  it('a packed file that declares more than the limit can be opened with a higher one', async () => {
    const packed = gzipSync(floats([100, 100], Array<number>(10_000).fill(0)));
    const name = 'a.npy.gz';
    await expect(readMatrix({ name, bytes: packed }, { maxDecompressedBytes: 30_000 })).rejects.toMatchObject({
      name: 'DecompressionLimitError',
      message:
        'a.npy.gz: header: found shape (100, 100) of <f4, which takes 40000 bytes, expected at most 29872 in this file',
    });
    expect((await readMatrix({ name, bytes: packed })).matrix.rows).toBe(100);
  });
});

describe('tables are recognised by their lines, whatever the name', () => {
  it.each<[string, string, string, number]>([
    ['commas', '1,2\n3,0\n', 'csv', 3],
    ['tabs and Windows lines', '1\t2e-3\r\n-3\tnan\r\n', 'csv', 4],
    ['semicolons, spaces and quotes', '"1"; 2\n0; 4\n', 'csv', 3],
    ['a line of names', 'row,col,value\n0,1,2.5\n', 'csv', 1],
    ['one line', '1,2,3,4', 'csv', 4],
    ['a long line', `${'0.25,'.repeat(300)}1\n`, 'csv', 301],
    ['spaces', '  1 2\n 3  -0.5 \n', 'csv', 4],
    ['spaces below a comment', '# a b\n1 2\n3 4\n', 'csv', 4],
    ['spaces below names', '"V 1" V2\n1 2\n', 'csv', 2],
    ['decimal commas', '1,5;2,5\n3,5;4,5\n', 'csv', 4],
    ['names of rows, as R writes them', '"V1"\t"V2"\n"1"\t0\t2.5\n"2"\t3\t0\n', 'csv', 2],
    ['a pattern', '2, 3, 2\n0 1 2\n2 0\n', 'smtx', 2],
  ])('%s', async (_, content, format, nnz) => {
    for (const name of ['table', 'table.txt', 'table.bin']) {
      const opened = await readMatrix({ name, bytes: text(content) });
      expect([opened.format, opened.matrix.nnz]).toEqual([format, nnz]);
    }
  });

  it.each(['1,2', 'Dear Sir,\nhello, world\n', '{"a": [1,2],\n"b": 3}\n', '1\n2\n', '1,2\n3,x\n'])(
    'ambiguous: %j',
    async (content) => {
      await expect(readMatrix({ name: 'table', bytes: text(content) })).rejects.toThrow(
        /^table: found a file of an unknown kind/,
      );
    },
  );
});

describe('GGUF', () => {
  const half = bytesOf(Uint16Array.from([0, 1, 2, 3, 0, -1], f16Bits));
  const bytes = ggufFile([
    { name: 'blk.0.w', kind: 1, shape: [2, 3], bytes: half },
    { name: 'blk.1.w', kind: 12, shape: [2, 256], bytes: new Uint8Array(288) },
    { name: 'blk.2.w', kind: 30, shape: [1, 2], bytes: Uint8Array.of(0, 0, 0x80, 0x3f) },
    { name: 'norm', kind: 0, shape: [2], bytes: bytesOf(Float32Array.of(0, 4)) },
  ]);

  it('lists every tensor, rows first, and refuses quantised types other than Q4_0 and Q8_0', async () => {
    const { tensors, format } = await listTensors({ name: 'model.gguf', bytes });
    expect(format).toBe('gguf');
    expect(tensors?.map(({ name, dtype, shape, refused }) => [name, dtype, shape, refused])).toEqual([
      ['blk.0.w', 'f16', [2, 3], null],
      ['blk.1.w', 'q4_k', [2, 256], 'found quantised values (q4_k), expected F32, F16, BF16, Q8_0 or Q4_0'],
      ['blk.2.w', 'bf16', [1, 2], null],
      ['norm', 'f32', [2], null],
    ]);
  });

  it.each([
    ['blk.0.w', [0, 1, 2, 3, 0, -1]],
    ['blk.2.w', [0, 1]],
    ['norm', [0, 4]],
  ])('opens %s', async (tensor, cells) => {
    const { matrix } = await readMatrix(new Blob([bytes]), { tensor });
    expect([...toDense(matrix)]).toEqual(cells);
  });
});
