// The limit on decompressed bytes of a .npz: a bound against archives that decompress to far more than they weigh.

import { expect, it } from 'vitest';
import { archive, floats } from '../../../test/io/zip.ts';
import { Random } from '../../core/number/random.ts';
import { listTensors, readMatrix } from '../read.ts';

it('a .npz of nearly all zeros is rejected above an eighth of the limit, unless the user raises it; of random values up to the limit', async () => {
  const name = 'a.npz';
  // 10 000 f32 and a header of 128 bytes are 40 128 bytes. They compress to almost nothing, so only 80 000 / 8 are allowed.
  const decompressedBytes = 40_128;
  const zeros = archive({ 'a.npy': floats([100, 100], Array<number>(10_000).fill(0)) });
  await expect(listTensors({ name, bytes: zeros }, { maxDecompressedBytes: 80_000 })).rejects.toMatchObject({
    name: 'DecompressionLimitError',
    message: 'a.npz: zip, a.npy: found 40128 bytes decompressed, expected at most 10000',
  });
  for (const maxDecompressedBytes of [8 * decompressedBytes, 2 ** 33])
    expect((await readMatrix({ name, bytes: zeros }, { maxDecompressedBytes })).matrix.rows).toBe(100);
  // A twentieth of the cells are random numbers, which compress less: the whole limit of 80 000 is allowed.
  const random = new Random(1);
  const cells = Array.from({ length: 10_000 }, () => (random.below(20) === 0 ? random.normal() : 0));
  const sparse = archive({ 'a.npy': floats([100, 100], cells) });
  expect((await readMatrix({ name, bytes: sparse }, { maxDecompressedBytes: 80_000 })).matrix.rows).toBe(100);
});
