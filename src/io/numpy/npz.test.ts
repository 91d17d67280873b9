import { expect, it } from 'vitest';
import { archive, floats } from '../../../test/io/zip.ts';
import { Random } from '../../core/number/random.ts';
import { listTensors, readMatrix } from '../read.ts';

it('rejects at once nearly all zeros that would use an eighth of the limit, unless the user raises it', async () => {
  const name = 'a.npz';
  const zeros = archive({ 'a.npy': floats([100, 100], Array<number>(10_000).fill(0)) });
  await expect(listTensors({ name, bytes: zeros }, { maxDecompressedBytes: 80_000 })).rejects.toMatchObject({
    name: 'DecompressionLimitError',
    message: 'a.npz: zip, a.npy: found 40128 bytes decompressed, expected at most 10000',
  });
  for (const maxDecompressedBytes of [8 * 40_128, 2 ** 33])
    expect((await readMatrix({ name, bytes: zeros }, { maxDecompressedBytes })).matrix.rows).toBe(100);
  const random = new Random(1);
  const cells = Array.from({ length: 10_000 }, () => (random.below(20) === 0 ? random.normal() : 0));
  const sparse = archive({ 'a.npy': floats([100, 100], cells) });
  expect((await readMatrix({ name, bytes: sparse }, { maxDecompressedBytes: 80_000 })).matrix.rows).toBe(100);
});
