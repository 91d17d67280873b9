import { expect, it } from 'vitest';
import { type VirtualFile, virtualBits, virtualSafetensors } from '../../test/virtual-file.ts';
import { f16Value } from '../core/number/index.ts';
import { toDense } from '../core/matrix/index.ts';
import { countMatrix, readMatrix } from './read.ts';

/** A blob of any size whose bytes are generated when they are read. */
class VirtualBlob extends Blob {
  /** the ranges of bytes that were read, shared by all slices */
  readonly read: (readonly [from: number, to: number])[];
  readonly #file: VirtualFile;
  readonly #from: number;
  readonly #to: number;

  constructor(file: VirtualFile, from = 0, to = file.size, read: (readonly [number, number])[] = []) {
    super([]);
    this.read = read;
    this.#file = file;
    this.#from = from;
    this.#to = to;
  }

  override get size(): number {
    return this.#to - this.#from;
  }

  override slice(from = 0, to = this.size): VirtualBlob {
    return new VirtualBlob(this.#file, this.#from + from, this.#from + Math.min(this.size, to), this.read);
  }

  override async arrayBuffer(): Promise<ArrayBuffer> {
    this.read.push([this.#from, this.#to]);
    return this.#file.bytes(this.#from, this.#to).buffer;
  }
}

it('a tensor beyond 2^32 bytes of a local file is read from its offset, and nothing else is', async () => {
  const file = virtualSafetensors([
    ['embed', 50_000, 45_000],
    ['high', 300, 500],
  ]);
  const tensorOffset = file.offsetOf('high');
  expect(tensorOffset).toBeGreaterThan(2 ** 32);
  const blob = new VirtualBlob(file);
  const { matrix } = await readMatrix(blob, { tensor: 'high' });
  const cells = toDense(matrix);
  expect(cells).toEqual(Float32Array.from({ length: 150_000 }, (_, i) => f16Value(virtualBits(tensorOffset + 2 * i))));
  const tensorReads = blob.read.filter(([from]) => from >= file.headerBytes && from !== 0);
  expect(tensorReads).toEqual([[tensorOffset, tensorOffset + 300_000]]);
  expect(blob.read.reduce((sum, [from, to]) => sum + to - from, 0)).toBeLessThan(300_000 + 2 * file.headerBytes + 600);
});

it('a tensor that is only counted is read in pieces, once, however large it is', async () => {
  const file = virtualSafetensors([['wide', 400, 8000]]);
  const blob = new VirtualBlob(file);
  const { rows, cols, nnz } = await countMatrix(blob, { tensor: 'wide' });
  const bits = Array.from({ length: 400 * 8000 }, (_, i) => virtualBits(file.offsetOf('wide') + 2 * i));
  expect([rows, cols, nnz]).toEqual([400, 8000, bits.filter((f16) => (f16 & 0x7fff) !== 0).length]);
  const pieces = blob.read.filter(([from]) => from >= file.offsetOf('wide'));
  expect(pieces.reduce((sum, [from, to]) => sum + to - from, 0)).toBe(2 * 400 * 8000);
  for (const [from, to] of pieces) expect(to - from).toBeLessThanOrEqual(2 ** 21);
});
