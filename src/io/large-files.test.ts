import { expect, it } from 'vitest';
import { type VirtualFile, virtualBits, virtualSafetensors } from '../../test/virtual-file.ts';
import { dict, storage, tensor, torchFile } from '../../test/io/torch.ts';
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

/** A file of the given parts; a number stands for that many zeros, which are generated when they are read. */
function virtualParts(parts: readonly (Uint8Array | number)[]): VirtualFile {
  const sizes = parts.map((part) => (typeof part === 'number' ? part : part.length));
  const starts = sizes.map((_, i) => sizes.slice(0, i).reduce((sum, size) => sum + size, 0));
  return {
    size: sizes.reduce((sum, size) => sum + size, 0),
    bytes(from, to) {
      const out = new Uint8Array(to - from);
      for (const [i, part] of parts.entries()) {
        if (typeof part === 'number' || starts[i] >= to || starts[i] + part.length <= from) continue;
        out.set(part.subarray(Math.max(0, from - starts[i]), to - starts[i]), Math.max(0, starts[i] - from));
      }
      return out;
    },
  };
}

it('of a PyTorch checkpoint of 3 GB only the pickle, the directory and the chosen tensor are read', async () => {
  const large = 3e9;
  const storages = dict({
    embed: tensor(storage('0', large / 4), 0, [30_000, 25_000], [25_000, 1]),
    small: tensor(storage('1', 40), 4, [3, 4], [8, 2]),
  });
  const archive = torchFile(storages, { 0: new Float32Array(0), 1: Float32Array.from({ length: 40 }, (_, i) => i) });
  // Enlarges the first storage in the directory of the archive: its sizes (at 20 and 24 of its entry), and the positions of
  // the second storage (at 42) and of the directory (at 16 of the end record), which follow it.
  const view = new DataView(archive.buffer);
  const text = new TextDecoder('latin1').decode(archive);
  const directory = text.indexOf('PK\u0001\u0002');
  const dataStart = text.indexOf('m/data/0') + 8;
  for (let at = directory; at >= 0; at = text.indexOf('PK\u0001\u0002', at + 1)) {
    const name = text.slice(at + 46, at + 46 + view.getUint16(at + 28, true));
    if (name === 'm/data/0') for (const field of [20, 24]) view.setUint32(at + field, large, true);
    if (name === 'm/data/1') view.setUint32(at + 42, view.getUint32(at + 42, true) + large, true);
  }
  const end = text.indexOf('PK\u0005\u0006');
  view.setUint32(end + 16, directory + large, true);
  const blob = new VirtualBlob(virtualParts([archive.slice(0, dataStart), large, archive.slice(dataStart)]));
  const { matrix } = await readMatrix(blob, { tensor: 'small' });
  expect([...toDense(matrix)]).toEqual([4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26]);
  // The end record is searched in the last 64 KiB.
  expect(blob.read.reduce((sum, [from, to]) => sum + to - from, 0)).toBeLessThan(70_000);
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
