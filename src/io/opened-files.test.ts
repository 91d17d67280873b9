import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { corpusBytes } from '../../test/corpus.ts';
import { ggufFile } from '../../test/io/gguf.ts';
import { npyFile, type NpyWriter } from '../../test/io/npy.ts';
import { type NamedContent, openedFiles } from '../../test/io/opened.ts';
import { bytesOf, int64, safetensorsFile, safetensorsWith, type TestTensor } from '../../test/io/safetensors.ts';
import { tarFile } from '../../test/io/tar.ts';
import { archive, floats, integers, sparseFiles } from '../../test/io/zip.ts';
import { StoredDenseMatrix } from '../core/matrix/index.ts';
import { f16Bits } from '../core/number/index.ts';
import { listTensors, readMatrix } from './read.ts';
import { windows1252Text } from './source.ts';

const text = (content: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(content);
const gzipped = (content: string | Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(gzipSync(content));
/** a number with more digits than readers usually process at once */
const LONG = '9'.repeat(130_000);

const TABLES: readonly NamedContent[] = [
  ['a.csv', '1,0,2.5\r\n0, -3e1,nan\r\n'],
  ['a.csv', '1;2\n"3";4'],
  ['a.tsv', '\ufeff1\t2\n\n3\t4\n'],
  ['a.csv', '5\n'],
  // Masks of pandas, NumPy and Excel; True and False above numbers are names, as are numbers in quotes.
  ['a.csv', 'True,False\nFalse,True\n'],
  ['a.csv', ',a,b\n0,True,False\n1,FALSE,TRUE\n'],
  ['a.csv', 'a,b\nTrue,False\n'],
  ['a.txt', 'True False\nfalse 0.5\n'],
  ['a.csv', 'True,False\n'],
  ['a.csv', 'True,False\n0.5,2\n'],
  ['a.csv', 'Truely,False\n0.5,2\n'],
  ['a.csv', 'class,true,false\n0,5,2\n'],
  ['a.csv', ',False,True\n0,True,False\n'],
  ['a.csv', 'x,True,False\ny,False,True\n'],
  ['a.csv', '"1","2"\n3,4\n5,6\n'],
  ['a.csv', '"1","2"\n"3","4"\n'],
  ['a.csv', '"1","2"\n"a",3,4\n'],
  ['a.csv', 'sep=;\r\n1,5;2\r\n3;4\r\n'],
  ['a', 'sep=;\na;b\n3;4\n5;6\n'],
  ['a.csv', '"sep=,"\n1,2\n'],
  // Empty lines before a table are skipped.
  ['a.csv', '\n1,2,3\n4,5,6\n'],
  ['a.csv', '\ufeff\r\n  \r\n1;2\r\n'],
  ['a.csv', '\n\na,b\n1,2\n'],
  ['a.csv', '1,2\r\r\n3,4 \r \r\n'],
  // A first row of whole numbers contains names only if the first column is an index, as pandas writes it.
  ['a.csv', ',0,1\n0,1.5,2\n1,3,4\n'],
  ['a.tsv', '\t0\t1\nx\t5\t6\n'],
  ['a.csv', '0,1\n5,6\n'],
  ['long.csv', text(`${LONG},1e-${LONG}\n0.${LONG},${LONG}e-130000\n`)],
  ['a.csv', ',"x, y",z\nfirst,1,2\n"se,cond",3,4\n'],
  // One name fewer than fields, as write.table of R does it.
  ['a.csv', 'V1\tV2\tV3\n1\t1\t0\t2.5\n2\t0\t3\t0\n'],
  ['a.csv', 'a,b\n1,2,3\n4,5,6\n'],
  ['a.csv', '"x"\n"1",2\n"2",4\n'],
  ['a.csv', '"V 1" "V2"\n"row 1" 1 0\n"row 2" 0 -2\n'],
  // Words below a name, as pandas writes an index with a name.
  ['a.csv', 'gene,a,b\nTP53,5,6\nMYC,7,8\nFOS,9,1\n'],
  // A first column that counts rows could be an index, but is read as data.
  ['a.csv', 'id,a,b\n0,5,6\n'],
  ['a.csv', 'Unnamed: 0,a\n0,5\n1,6\n'],
  ['a.csv', 'id,a\n1,5\n2,6\n'],
  ['a.csv', '0,5\n1,6\n2,0\n'],
  ['a.csv', 'a,b\n1,5\n'],
  ['a.csv', 'a,b\n0,5\n2,6\n'],
  ['a.csv', 'a\n0\n1\n'],
  ['a.csv', '1st,2nd\n5,6\n'],
  ...['a.csv', 'a.txt', 'a.npy', 'a.mat', 'a'].map((name) => [name, ' 1.5  2 -3e1 \r\n4\t5 6\n'] as const),
  ['a.txt', '# a b\n1 2\n3 4\n'],
  ['a.csv', '# one, two\n\n % 3,4\na,b\n5,6\n'],
  ['a.txt', `// ${'x'.repeat(600)}\n1;2\n`],
  ['a.csv', '7;0,25\n-1,5e1;,5\n'],
  ['a.tsv', 'a\tb\n"1,5"\t0,12345678901234567890123\n'],
  // The sum of entries of one cell is rounded once, as SciPy does it.
  ['a.csv', 'row,col,value\n1,0,0.3\n0,0,0.1\n1,0,0.6\n0,1,1\n0,1,5.9604644775390625e-08\n'],
  ['a.csv', 'val,Row,col\n5,1,0\n6,0,2\n'],
  ['a.csv', 'row,col,value\n0,1,2e38\n0,1,2e38\n'],
  ['a.csv', ',row,col,value\n0,1,0,5\n1,0,2,6\n'],
  // Remarks among numbers, as numpy.savetxt writes its footer and numpy.loadtxt reads them.
  ['a.txt', '# a\n1 2 # 3\n4 5#6\n  # 7 8\n9 1e1\t# x\n# the end\n'],
  ['a.csv', '1,2\n# 3,4\n'],
  ['a.txt', '% a\n1 2 % 3\n4 5\n% the end'],
  ['a.txt', '// a\n1 2 // 3\n4 5\n'],
  ['a.csv', 'name,a\nC#,1\n#1,2 # remark\n# the end\n#\n# 3\n'],
  ['a.csv', '// a\n1,2 // b\n//c\n3,4\n'],
  ['a.csv', '// a\n1,2 / b\n'],
  ['a.csv', '1,2\n/ 3,4\n'],
  ['a.csv', 'x,y\nsep=;\n1;2\n'],
  ['a.csv', 'name,a,b\nx,0,5\ny,1,6\nz,2,7\n'],
  ['a.csv', '5,1\n6,2\n7,3\n'],
  // Lists of entries: recognised by names, comments or the ending.
  ['a.txt', '# Directed graph: a.txt\n# Nodes: 4 Edges: 3\n# FromNodeId\tToNodeId\n0\t2\n0\t3\r\n2\t0\n'],
  ['a.txt', '# Undirected graph: a.txt\n# Nodes: 3 Edges: 5\n# FromNodeId\tToNodeId\n7\t2\n2\t7\n7\t2\n'],
  ['a.txt', '# FromNodeId\tToNodeId\tSign\n0\t1\t-1\n'],
  ['out.a', '% sym weighted\n% 3 4 4\n1 2\t1.5 \n2 \t4 -1\n4 4 3\n'],
  ['out.a', '% bip unweighted\n1 3\n2 1\n'],
  ['out.a', '% asym positive\n1 2 1 1082040961\n2 1 3 1082040962\n'],
  ['a.edges', '1,3,0.5\n2,1,2\n'],
  ['a.edges', '0 2\n1 0\n'],
  ['a.edges', '% about\n1 2\n'],
  ['a.csv', 'Source,Target,Weight\n0,2,1.5\n1,0,-2\n'],
  ['a.csv', 'Source,Target,Type,Id,Label,Weight\n1,2,Directed,0,"a, b",1.5\n2,3,Undirected,1,,2\n'],
  ['a.csv', 'SRC;dst\n3;4\n'],
  ['a.tsv', 'from\tto\tweight\n1\t2\t0,5\n'],
  ['a.txt', '"i" "j" "x"\n"1" 1 1 5\n"2" 2 3 6\n'],
  ['a.csv', '"","i","j","x"\n"1",1,1,5\n"2",2,3,6\n'],
  ['a', '2 x 3 sparse Matrix of class "dgCMatrix", with 2 entries \n  i j x\n1 1 1 5\n2 2 2 6\n'],
  ['a.txt', '3 x 3 sparse Matrix of class "dsCMatrix", with 2 entries \n  i j x\n1 1 1 5\n2 1 3 6\n'],
  [
    'a.txt',
    '3 x 3 sparse Matrix of class "dsTMatrix", with 6 entries \n  i j x\n1 1 2 0.1\n2 1 2 0.2\n3 3 3 0.1\n4 3 3 0.2\n5 1 3 2e38\n6 1 3 2e38\n',
  ],
  ['a.txt', '2 x 2 sparse Matrix of class "ngCMatrix", with 1 entry \n  i j\n1 2 1\n'],
  ['a.csv', 'Row Index,Col Index,Value\n1,2,0.5\n'],
  ['a.csv', 'i,j,v\n1,2,0.5\n'],
  ['a.txt', '# shape: (4, 5)\n# row col value\n0 1 2.5\n3 0 1\n'],
  ['a.csv', 'row,col\n1,1\n1,1\n'],
  // Names like those of a list of entries, but the lines are rows of cells.
  ['a.csv', 'rows,cols\n4096,14336\n'],
  ['a.csv', 'from,to,price\n1,2,3\n'],
  ['a.csv', 'row,col,value,other\n1,2,3,4\n'],
  ['a.txt', '# i j x\n1 2 3 4\n'],
  // Nothing indicates their kind.
  ['a.txt', '0 1\n1 2\n2 0\n'],
  ['a.txt', '1 1 0.5\n2 3 -1\n'],
  ['a.txt', '1 2\n3 4\n'],
  ['a.txt', '0.5 1\n1 2\n2 0\n'],
  ['a.txt', '1 2 3 4\n5 6 7 8\n9 1 2 3\n'],
  // Recognised by their lines alone, or not at all.
  ...[
    '1\t2e-3\r\n-3\tnan\r\n',
    '"1"; 2\n0; 4\n',
    'row,col,value\n0,1,2.5\n',
    '1,2,3,4',
    `${'0.25,'.repeat(300)}1\n`,
    '  1 2\n 3  -0.5 \n',
    '# a b\n1 2\n3 4\n',
    '"V 1" V2\n1 2\n',
    '1,5;2,5\n3,5;4,5\n',
    '"V1"\t"V2"\n"1"\t0\t2.5\n"2"\t3\t0\n',
    '2, 3, 2\n0 1 2\n2 0\n',
    '1,2',
    'Dear Sir,\nhello, world\n',
    '{"a": [1,2],\n"b": 3}\n',
    '1\n2\n',
    '1,2\n3,x\n',
  ].map((content) => ['table', content] as const),
  // Patterns: values are drawn, the same ones every time; columns are sorted, which the collection does not guarantee.
  ['a.smtx', '3, 4, 4\n0 2 2 4\n1 3 0 2\n'],
  ['a.smtx', '1,4,3\n0 3\n3 0 2'],
];

const GENERAL = '%%MatrixMarket matrix coordinate real general\n';
const MTX: readonly NamedContent[] = [
  '%%matrixmarket MATRIX Coordinate REAL General\r\n% a\r\n\r\n%b\r\n  2\t2  2 \r\n\r\n% c\r\n 1\t1  1d1 \r\n2 2 -2.5D-1',
  // A banner of one percent sign, as the Network Repository writes it.
  '%MatrixMarket matrix coordinate pattern symmetric\n4 4 3\n2 1\n3 2\n4 4\n',
  '%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 2\n2 1\n',
  `${GENERAL}1 2 4\n1 2 1e8\n1 1 5\n1 2 0.5\n1 2 -1e8\n`,
  `${GENERAL}1 3 3\n1 1 0\n1 2 -0.0\n1 3 7\n`,
  `${GENERAL}1 6 6\n1 1 1e39\n1 2 1e-50\n1 3 0.123456789012\n1 4 0.1\n1 5 nan\n1 6 -inf\n`,
  // A value beyond f32 is not reported as infinite if the sum with its duplicates is within f32.
  `${GENERAL}2 5 7\n1 1 1e39\n1 1 -1e39\n1 1 2\n1 2 1e39\n1 2 1e39\n1 3 1e39\n1 3 -0.9e39\n`,
  '%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n2 1 1e39\n2 1 -1e39\n1 1 4\n',
  // A sum beyond f32 is reported as infinite, once for two mirrored cells; if one of its values is beyond f32, it is not
  // counted a second time.
  `${GENERAL}1 2 4\n1 1 2e38\n1 1 2e38\n1 2 3e38\n1 2 -2e38\n`,
  `${GENERAL}1 4 8\n1 1 2e38\n1 1 2.00000000001e38\n1 2 4e38\n1 2 3e38\n1 3 inf\n1 3 1\n1 4 1e400\n1 4 1\n`,
  '%%MatrixMarket matrix coordinate real symmetric\n3 3 6\n3 1 2e38\n3 1 2e38\n2 2 2e38\n2 2 2e38\n2 1 5\n3 3 5\n',
  '%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 2\n2 1 2.000000000001e38\n2 1 2e38\n',
  // An f32 that was printed as an f64, and nine digits, which identify an f32.
  `${GENERAL}1 2 2\n1 1 0.10000000149011612\n1 2 0.123456787\n`,
  // Sums are rounded once, as scipy.io.mmread does.
  `${GENERAL}1 1 2\n1 1 16777216\n1 1 1.000000000000000000001\n`,
  `${GENERAL}2 2 5\n2 1 0.3\n1 1 0.1\n2 1 0.6\n1 2 1\n1 2 5.9604644775390625e-08\n`,
  '%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n2 1 0.3\n2 1 0.6\n1 1 7\n',
  '%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 2\n2 1 0.3\n2 1 0.6\n',
  ...['0 0 0', '0 5 0', '5 0 0', '3 3 0'].map((shape) => `${GENERAL}${shape}\n`),
].map((content) => ['a.mtx', content] as const);

/** Text as Excel saves "Unicode Text", or without a byte order mark, as Windows PowerShell and SQL Server may. */
function utf16(content: string, isLowFirst: boolean, mark = '\ufeff'): Uint8Array<ArrayBuffer> {
  const marked = `${mark}${content}`;
  const bytes = new Uint8Array(2 * marked.length);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < marked.length; i++) view.setUint16(2 * i, marked.charCodeAt(i), isLowFirst);
  return bytes;
}
const UTF_16: readonly NamedContent[] = [true, false].flatMap((isLowFirst) => {
  const table = utf16('größe\tb\r\n1\t2.5\r\n0\t4\r\n', isLowFirst);
  const mtx = utf16(`${GENERAL}1 2 1\n1 2 8\n`, isLowFirst);
  // Eight letters of the header's length may resemble the mark.
  const header = `{"w":{"dtype":"U8","shape":[1,1],"data_offsets":[0,1]}}`.padEnd(isLowFirst ? 0xfeff : 0xfffe);
  return [
    ['a.txt', table],
    ['a', table],
    ['without a mark.txt', utf16('größe\tb\r\n1\t2.5\r\n0\t4\r\n', isLowFirst, '')],
    ['without a mark', utf16('1,2,3,4\n', isLowFirst, '')],
    ['without a mark.mtx', utf16(`${GENERAL}1 2 1\n1 2 8\n`, isLowFirst, '')],
    ['without a mark.zip', archive({ 'b.mtx': utf16(`${GENERAL}1 2 1\n1 2 8\n`, isLowFirst, '') })],
    ['a.mtx', mtx],
    ['a.mtx.gz', gzipped(mtx)],
    ['a.zip', archive({ 'b.mtx': mtx })],
    ['a.safetensors', safetensorsWith(header, Uint8Array.of(3))],
  ];
});

const MATRIX = text(`${GENERAL}1 2 1\n1 2 8\n`);
const W_NPZ = archive({ 'w.npy': floats([1, 2], [0, 5]) }, 'stored');
const IGNORED_BYTES = text('\u0000\u0005\u0016\u0007');
/** Files that operating systems and archivers add to archives, and that are ignored. */
const IGNORED_FILES = Object.fromEntries(
  [
    '__MACOSX/._w.npz a/._abc.mtx .DS_Store a/.DS_Store Thumbs.db a/desktop.ini',
    'pax_global_header PaxHeaders.42/abc.mtx ./PaxHeader/abc.mtx ././@LongLink',
  ].flatMap((names) => names.split(' ').map((name) => [name, IGNORED_BYTES])),
);
/** Made on a Mac: w.npz, which is empty, and __MACOSX/._w.npz. */
const MAC_ZIP =
  'UEsDBBQAAAAAAAAAIQAAAAAAAAAAAAAAAAAFAAAAdy5ucHpQSwMEFAAAAAAAAAAhAIMW3IwBAAAAAQAAABAAAABfX01BQ09TWC8uX3cubnB6eFBLAQIUAxQAAAAAAAAAIQAAAAAAAAAAAAAAAAAFAAAAAAAAAAAAAACAAQAAAAB3Lm5welBLAQIUAxQAAAAAAAAAIQCDFtyMAQAAAAEAAAAQAAAAAAAAAAAAAACAASMAAABfX01BQ09TWC8uX3cubnB6UEsFBgAAAAACAAIAcQAAAFIAAAAAAA==';
const LONG_NAME = `${'long/'.repeat(30)}a.mtx`;
const webFiles = [
  { name: 'web/', bytes: new Uint8Array(0), type: '5' },
  { name: 'web/web_b.mtx', bytes: text(`${GENERAL}1 2 1\n1 1 7\n`) },
  { name: 'web/web.mtx', bytes: MATRIX },
  { name: 'web/readme.txt', bytes: text('x') },
];
const two = safetensorsFile({
  a: { dtype: 'U8', shape: [1, 2], bytes: Uint8Array.of(0, 5) },
  b: { dtype: 'U8', shape: [1, 1], bytes: Uint8Array.of(7) },
});

const ARCHIVES: readonly NamedContent[] = [
  ['w.zip', archive({ 'w.npz': W_NPZ, ...IGNORED_FILES }, 'stored')],
  ['w.zip', archive({ ...IGNORED_FILES, 'w.npz': W_NPZ }, 'stored')],
  ['a.zip', archive({ 'a/abc.mtx': MATRIX, ...IGNORED_FILES })],
  ['w.npz', archive({ 'w.npy': floats([1, 2], [0, 5]), '__MACOSX/._w.npy': IGNORED_BYTES })],
  ['mac.zip', new Uint8Array(Buffer.from(MAC_ZIP, 'base64'))],
  [
    'a.tar.gz',
    gzipped(
      tarFile(
        Object.entries({ './._abc.mtx': IGNORED_BYTES, ...IGNORED_FILES, 'a/abc.mtx': MATRIX }).map(
          ([name, bytes]) => ({
            name,
            bytes,
          }),
        ),
      ),
    ),
  ],
  [
    'headers-of-all.tar',
    tarFile([
      { name: 'pax_global_header', bytes: text('52 comment=0123456789012345678901234567890123456789\n'), type: 'g' },
      { name: '././@LongLink', bytes: text(`${LONG_NAME}\0`), type: 'L' },
      { name: '././@LongLink', bytes: text('somewhere/else\0'), type: 'K' },
      { name: 'cut', bytes: MATRIX },
    ]),
  ],
  [
    'name-of-pax.tar',
    tarFile([
      { name: 'pax', bytes: text(`${String(10 + LONG_NAME.length)} path=${LONG_NAME}\n`), type: 'x' },
      { name: 'short', bytes: MATRIX },
    ]),
  ],
  ['holes.tar', tarFile([{ name: 'a.mtx', bytes: MATRIX, type: 'S' }])],
  [
    'holes-of-pax.tar',
    tarFile([
      { name: 'PaxHeaders/a.mtx', bytes: text('22 GNU.sparse.major=1\n'), type: 'x' },
      { name: 'a.mtx', bytes: MATRIX },
    ]),
  ],
  ['web.tar.gz', gzipped(tarFile(webFiles))],
  ['web.tar.gz', tarFile(webFiles)],
  [
    'leads-out.tar',
    tarFile([
      { name: '../../etc/a.mtx', bytes: MATRIX },
      { name: 'a.mtx', bytes: MATRIX },
    ]),
  ],
  ['w.safetensors.gz', gzipped(two)],
  ['w.zip', archive({ 'model/w.safetensors': two, 'model/README.md': text('x') })],
  ['w.tar.gz', gzipped(tarFile([{ name: 'w.safetensors', bytes: two }]))],
  ['w.npz.gz', gzipped(archive({ 'a.npy': floats([1, 2], [0, 5]), 'b.npy': floats([1, 1], [7]) }))],
  ['web.zip', archive({ 'web/web.mtx': MATRIX, 'web/other.npy': floats([1, 1], [4]) })],
  [
    'model.gguf',
    ggufFile([
      { name: 'blk.0.w', kind: 1, shape: [2, 3], bytes: bytesOf(Uint16Array.from([0, 1, 2, 3, 0, -1], f16Bits)) },
      { name: 'blk.1.w', kind: 12, shape: [2, 256], bytes: new Uint8Array(288) },
      { name: 'blk.2.w', kind: 30, shape: [1, 2], bytes: Uint8Array.of(0, 0, 0x80, 0x3f) },
      { name: 'norm', kind: 0, shape: [2], bytes: bytesOf(Float32Array.of(0, 4)) },
    ]),
  ],
];

const F8: NpyWriter = (view, at, value, le) => view.setFloat64(at, value, le);
const I8: NpyWriter = (view, at, value, le) => view.setBigInt64(at, BigInt(value), le);
const doubles = (shape: readonly number[], cells: readonly number[], isFortranOrder = false, descr = '<f8') =>
  npyFile({ descr, shape, isFortranOrder }, cells, F8);
// Block row 0 is empty; blocks of 1 × 2 at block columns 1, 1 and 0 of row 1, and one of row 2.
const BLOCKS = { 'indptr.npy': integers([0, 0, 3, 4]), 'indices.npy': integers([1, 1, 0, 0]) };
/** Entries in which 0.3 and 0.6 belong to one cell: SciPy rounds their sum to f32 once. */
const SUMS = [
  ['csr', { 'indptr.npy': integers([0, 2, 4]), 'indices.npy': integers([1, 0, 0, 0]) }, [1, 0.1, 0.3, 0.6]],
  ['csc', { 'indptr.npy': integers([0, 3, 4]), 'indices.npy': integers([1, 0, 1, 0]) }, [0.3, 0.1, 0.6, 1]],
  ['coo', { 'row.npy': integers([1, 0, 1, 0]), 'col.npy': integers([0, 1, 0, 0]) }, [0.3, 1, 0.6, 0.1]],
] as const;

const NUMPY: readonly NamedContent[] = [
  ['losses.npy', doubles([1, 4], [0.1, 1e300, 1e-300, Number.NaN])],
  ['wholes.npy', npyFile({ descr: '<i8', shape: [1, 2] }, [2 ** 24 + 1, 2 ** 25 + 2], I8)],
  ['longer.npy', new Uint8Array([...floats([1, 1], [1]), 0])],
  ['much longer.npy', new Uint8Array([...floats([1, 1], [1]), 0, 0])],
  [
    'unsorted.npz',
    archive(
      sparseFiles('csr', [2, 3], floats([5], [1, 2, 3, -2, 0]), {
        'indptr.npy': integers([0, 4, 5]),
        'indices.npy': integers([2, 0, 2, 0, 1]),
      }),
      'stored',
    ),
  ],
  ...SUMS.flatMap(([format, indices, values]) =>
    ['<f8', '>f8'].map((descr): NamedContent => [
      `${format}, ${descr}.npz`,
      archive(sparseFiles(format, [2, 2], doubles([4], values, false, descr), indices)),
    ]),
  ),
  ['blocks.npz', archive(sparseFiles('bsr', [3, 4], doubles([4, 1, 2], [0.3, 1, 0.6, 2, 5, 7, 8, 9]), BLOCKS))],
  [
    'blocks by columns.npz',
    archive(sparseFiles('bsr', [3, 4], doubles([4, 1, 2], [0.3, 0.6, 5, 8, 1, 2, 7, 9], true), BLOCKS)),
  ],
  [
    'sum beyond 2^53.npz',
    archive(
      sparseFiles('coo', [1, 1], npyFile({ descr: '<i8', shape: [3] }, [2 ** 53 - 1, 1 - 2 ** 53, 7], I8), {
        'row.npy': integers([0, 0, 0]),
        'col.npy': integers([0, 0, 0]),
      }),
    ),
  ],
  ['listed as blocks.npz', corpusBytes('sparse/bsr-3x4-stored.npz')],
  ['several.npz', corpusBytes('npz/several-stored.npz')],
];

const CELLS = [0, 1, -2, 0.5, 0, -0.25];
const INTEGERS = [0, 1, -2, 3, 0, 4];
const NATURALS = [0, 1, 2, 3, 0, 4];
const TYPES: readonly (readonly [string, Uint8Array])[] = [
  ['F64', bytesOf(Float64Array.from(CELLS))],
  ['F32', bytesOf(Float32Array.from(CELLS))],
  ['F16', bytesOf(Uint16Array.from(CELLS, f16Bits))],
  ['BF16', bytesOf(Uint16Array.from(new Uint32Array(Float32Array.from(CELLS).buffer), (bits) => bits >>> 16))],
  ['F8_E4M3', Uint8Array.of(0, 0x38, 0xc0, 0x30, 0x80, 0xa8)],
  ['F8_E5M2', Uint8Array.from(CELLS, (value) => f16Bits(value) >>> 8)],
  ['I64', bytesOf(BigInt64Array.from(INTEGERS, BigInt))],
  ['I32', bytesOf(Int32Array.from(INTEGERS))],
  ['I16', bytesOf(Int16Array.from(INTEGERS))],
  ['I8', bytesOf(Int8Array.from(INTEGERS))],
  ['U64', bytesOf(BigUint64Array.from(NATURALS, BigInt))],
  ['U32', bytesOf(Uint32Array.from(NATURALS))],
  ['U16', bytesOf(Uint16Array.from(NATURALS))],
  ['U8', Uint8Array.from(NATURALS)],
  ['BOOL', Uint8Array.of(0, 1, 1, 0, 0, 1)],
];
// From 2^62 on, f32 numbers are 2^39 apart and f64 numbers 2^10. MIDDLE is halfway between two f32 numbers: a value 1
// above or below, rounded to f64 first, would become MIDDLE and then round to f32 as a tie.
const MIDDLE = 2n ** 62n + 2n ** 38n;
const AROUND = [MIDDLE, MIDDLE + 1n, MIDDLE - 1n];
const tensors = (all: Readonly<Record<string, TestTensor>>): Uint8Array<ArrayBuffer> => safetensorsFile(all);

const SAFETENSORS: readonly NamedContent[] = [
  ...TYPES.map(([dtype, bytes]) => [dtype, tensors({ w: { dtype, shape: [2, 3], bytes } })] as const),
  [
    'I64 beyond 2^53',
    tensors({
      w: {
        dtype: 'I64',
        shape: [2, 3],
        bytes: bytesOf(BigInt64Array.from([...AROUND, ...AROUND.map((value) => -value)])),
      },
    }),
  ],
  ['U64 beyond 2^53', tensors({ w: { dtype: 'U64', shape: [1, 3], bytes: bytesOf(BigUint64Array.from(AROUND)) } })],
  [
    'in natural order',
    tensors({
      'layers.10.w': { dtype: 'F32', shape: [1, 1], bytes: new Uint8Array(4) },
      'layers.9.w': { dtype: 'C64', shape: [1, 1], bytes: new Uint8Array(8) },
      'layers.1.w': { dtype: 'U8', shape: [2, 2, 2], bytes: new Uint8Array(8) },
    }),
  ],
  [
    'ends early',
    safetensorsWith(
      '{"a":{"dtype":"U8","shape":[1,4],"data_offsets":[0,4]},"b":{"dtype":"U8","shape":[1,10],"data_offsets":[4,14]},"c":{"dtype":"U8","shape":[2,5],"data_offsets":[14,24]}}',
      Uint8Array.of(1, 0, 2, 3, 9, 9, 9, 9, 9, 9),
    ),
  ],
  [
    'parts end early',
    tensors({
      'w.bitmask': { dtype: 'U8', shape: [1, 1], bytes: Uint8Array.of(3) },
      'w.shape': int64(1, 8),
      'w.compressed': { dtype: 'U8', shape: [2], bytes: Uint8Array.of(1, 2) },
    }).slice(0, -1),
  ],
  [
    'sparse-bitmask',
    tensors({
      'm.weight.compressed': { dtype: 'F16', shape: [3], bytes: bytesOf(Uint16Array.from([1, 2, 3], f16Bits)) },
      'm.weight.bitmask': { dtype: 'U8', shape: [2, 2], bytes: Uint8Array.of(0b100, 0b10, 0, 0b1) },
      'm.weight.shape': int64(2, 10),
      'm.weight.row_offsets': int64(0, 2),
    }),
  ],
  [
    'sparse-24-bitmask',
    tensors({
      'w.compressed': { dtype: 'F32', shape: [2, 2], bytes: bytesOf(Float32Array.of(1, 2, 3, 0)) },
      'w.bitmask': { dtype: 'U8', shape: [2, 1], bytes: Uint8Array.of(0b1001, 0b0110) },
      'w.shape': int64(2, 4),
    }),
  ],
];

describe('the matrices and notes that readMatrix returns', () => {
  it.each([
    ['tables', TABLES],
    ['mtx', MTX],
    ['utf-16', UTF_16],
    ['archives', ARCHIVES],
    ['numpy', NUMPY],
    ['safetensors', SAFETENSORS],
  ])('equal the snapshot: %s', async (topic, files) => {
    await expect(await openedFiles(files)).toMatchFileSnapshot(`words/opened-${topic}.txt`);
  });

  it('contain control characters of names in a visible form', async () => {
    const bytes = archive({ 'a.mtx': MATRIX, 'b\0\u001b-c.npy': floats([1, 1], [4]) });
    const { notes } = await readMatrix({ name: 'a.zip', bytes }, { tensor: 'a.mtx' });
    expect(notes).toEqual(['The archive has other matrices: b\u2400\u241b-c.npy.']);
  });

  // Names in code page 437, invalid as UTF-8. Decoded as UTF-8, both would be the same replacement character.
  const names = [0x84, 0x94].map((letter) => Uint8Array.of(letter, ...text('.csv')));
  const [a, b] = ['1,2\n', '3,4\n'].map(text);
  it.each([
    [
      'zip',
      // Replaces X and Y in the names: neither headers nor checksums contain these bytes.
      archive({ 'X.csv': a, 'Y.csv': b }, 'stored').map((byte) => ({ 0x58: 0x84, 0x59: 0x94 })[byte] ?? byte),
    ],
    [
      'tar',
      tarFile([
        { name: names[0], bytes: a },
        { name: names[1], bytes: b },
      ]),
    ],
    [
      'tar with long names',
      tarFile([
        { name: 'long', bytes: Uint8Array.of(...names[0], 0, 0x84), type: 'L' },
        { name: 'cut', bytes: a },
        { name: 'long', bytes: Uint8Array.of(...names[1], 0), type: 'L' },
        { name: 'cut', bytes: b },
      ]),
    ],
    [
      'tar with names of pax',
      tarFile([
        { name: 'pax', bytes: Uint8Array.of(...text('15 path='), ...names[0], 0x0a), type: 'x' },
        { name: 'cut', bytes: a },
        { name: 'pax', bytes: Uint8Array.of(...text('15 path='), ...names[1], 0x0a), type: 'x' },
        { name: 'cut', bytes: b },
      ]),
    ],
  ])('keep names in an older encoding distinct: %s', async (_, bytes) => {
    const { tensors: listed } = await listTensors({ name: 'a', bytes });
    expect(listed?.map(({ name }) => name)).toEqual(names.map(windows1252Text));
  });

  it('keep cells of 8 and 16 bits in their type', async () => {
    const bytes = tensors({ w: { dtype: 'BF16', shape: [1, 2], bytes: Uint8Array.of(0x80, 0x3f, 0, 0) } });
    expect((await readMatrix({ name: 'a', bytes })).matrix).toBeInstanceOf(StoredDenseMatrix);
  });
});
