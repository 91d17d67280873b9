import { expect, it } from 'vitest';
import { tarFile } from '../../../test/io/tar.ts';
import { readMatrix } from '../read.ts';

const text = (content: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(content);
const MATRIX = text('%%MatrixMarket matrix array real general\n1 1\n7\n');

/** The header at `at` as Version 7 of Unix has it: nothing after the name of a link, and another checksum. */
function asVersion7(bytes: Uint8Array<ArrayBuffer>, at: number): void {
  const header = bytes.subarray(at, at + 512);
  header.fill(0, 257);
  header.set(text('\0'), 156);
  header.set(text('        '), 148);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.set(text(`${sum.toString(8).padStart(6, '0')}\0 `), 148);
}

/** An archive of Version 7: a folder, and a matrix in it. */
function version7(): Uint8Array<ArrayBuffer> {
  const bytes = tarFile([
    { name: 'a/', bytes: new Uint8Array(0) },
    { name: 'a/a.mtx', bytes: MATRIX },
  ]);
  asVersion7(bytes, 0);
  asVersion7(bytes, 512);
  return bytes;
}

it.each(['a.tar', 'a', 'a.csv'])('reads an archive of Version 7, whose headers have no mark, as %s', async (name) => {
  const { matrix, tensor } = await readMatrix({ name, bytes: version7() });
  expect([matrix.rows, matrix.cols, tensor]).toEqual([1, 1, 'a/a.mtx']);
});

it('of Version 7 with a damaged header is reported as such', async () => {
  const bytes = version7();
  bytes[512 + 2]++;
  await expect(readMatrix({ name: 'a.tar', bytes })).rejects.toThrow('a.tar: tar, byte 512: found a wrong checksum');
});
