// Matrix files for browser tests: Matrix Market, NumPy, safetensors and gzip, valid and damaged.

import { gzipSync } from 'node:zlib';

/** A file in the form that Playwright passes to an input. */
export interface TestFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

function file(name: string, content: string | Buffer): TestFile {
  return { name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) };
}

/** A Matrix Market file with the given entries, rows and columns from 0. */
export function mtx(
  name: string,
  rows: number,
  cols: number,
  entries: readonly (readonly [number, number, number])[],
): TestFile {
  const lines = entries.map(([row, col, value]) => `${row + 1} ${col + 1} ${value}`);
  const head = `%%MatrixMarket matrix coordinate real general\n${rows} ${cols} ${entries.length}\n`;
  return file(name, `${head}${lines.join('\n')}\n`);
}

/** The same file, compressed with gzip. */
export function gzipped(plain: TestFile): TestFile {
  return file(`${plain.name}.gz`, gzipSync(plain.buffer));
}

/** A NumPy file of f4 values in row-major order. */
export function npy(name: string, rows: number, cols: number, values: readonly number[]): TestFile {
  const dictionary = `{'descr': '<f4', 'fortran_order': False, 'shape': (${rows}, ${cols}), }`;
  const prefix = 10;
  const header = dictionary.padEnd(Math.ceil((prefix + dictionary.length + 1) / 64) * 64 - prefix - 1) + '\n';
  const length = Buffer.alloc(2);
  length.writeUInt16LE(header.length);
  const magic = Buffer.from([0x93, ...Buffer.from('NUMPY'), 1, 0]);
  return file(name, Buffer.concat([magic, length, Buffer.from(header), Buffer.from(Float32Array.from(values).buffer)]));
}

/** A safetensors file of f32 tensors: two matrices, the second within 2:4, and one of three dimensions. */
export function safetensors(name: string): TestFile {
  const pattern = Float32Array.from({ length: 32 * 64 }, (_, i) => (i % 4 < 2 ? 0.5 + (i % 7) : 0));
  const tensors = [
    { tensor: 'layers.0.up.weight', shape: [16, 16], data: new Float32Array(256).fill(1) },
    { tensor: 'layers.0.down.weight', shape: [32, 64], data: pattern },
    { tensor: 'layers.0.conv.weight', shape: [2, 2, 2], data: new Float32Array(8) },
  ];
  const header: Record<string, unknown> = {};
  let end = 0;
  for (const { tensor, shape, data } of tensors) {
    header[tensor] = { dtype: 'F32', shape, data_offsets: [end, end + data.byteLength] };
    end += data.byteLength;
  }
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  return file(name, Buffer.concat([length, text, ...tensors.map(({ data }) => Buffer.from(data.buffer))]));
}

/** A diagonal of ones with a second band, as Matrix Market. */
export function bandedMtx(name: string, n: number): TestFile {
  const entries = Array.from({ length: n }, (_, i) => [
    [i, i, 1] as const,
    ...(i + 3 < n ? [[i, i + 3, -0.5] as const] : []),
  ]).flat();
  return mtx(name, n, n, entries);
}

/** A file that declares more entries than it has. */
export const TRUNCATED_MTX: TestFile = file(
  'truncated.mtx',
  '%%MatrixMarket matrix coordinate real general\n4 4 3\n1 1 1.0\n2 2 2.0\n',
);

/** A file whose second entry is outside the matrix. */
export const OUT_OF_RANGE_MTX: TestFile = file(
  'outside.mtx',
  '%%MatrixMarket matrix coordinate real general\n4 4 2\n1 1 1.0\n2 7 2.0\n',
);

/** Something that is not a matrix at all. */
export const NO_MATRIX: TestFile = file('picture.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0]));

/** A Matrix Market file with `nnz` distinct entries, spread evenly over a square matrix. */
export function largeMtx(name: string, n: number, nnz: number): TestFile {
  const lines = [`%%MatrixMarket matrix coordinate real general`, `${n} ${n} ${nnz}`];
  const stride = Math.floor((n * n) / nnz);
  for (let i = 0; i < nnz; i++) {
    const cell = i * stride + (i % Math.max(1, stride));
    lines.push(`${Math.floor(cell / n) + 1} ${(cell % n) + 1} ${((i % 200) - 100) / 64 + 1 / 128}`);
  }
  return file(name, `${lines.join('\n')}\n`);
}
