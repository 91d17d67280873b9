import { describe, expect, it } from 'vitest';
import { READ, REJECTED } from '../../../test/io/gzip.ts';
import { toDense } from '../../core/matrix/index.ts';
import { readMatrix } from '../read.ts';
import { gunzipMembers } from './gzip-members.ts';

/** The bytes in pieces of this size. */
async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array, void> {
  for (let offset = 0; offset < bytes.length; offset += size) yield bytes.slice(offset, offset + size);
}

/** Decompresses bytes that arrive in pieces of this size. */
async function unpackedBy(bytes: Uint8Array, size: number): Promise<Uint8Array> {
  const parts: number[] = [];
  for await (const chunk of gunzipMembers(inPieces(bytes, size))) parts.push(...chunk);
  return Uint8Array.from(parts);
}

describe('members of gzip', () => {
  it.each(READ)('are read one after the other: %s', async (_what, bytes, cells) => {
    // Node reads members by itself; the behaviour of browsers is tested in gzip.gpu.test.ts.
    const content = await unpackedBy(bytes, 16_384);
    const { matrix } = await readMatrix({ name: 'a.mtx', bytes: content });
    expect([...toDense(matrix)]).toEqual(cells);
    for (const size of [13, 1000]) expect(await unpackedBy(bytes, size)).toEqual(content);
  });

  it.each(REJECTED)('are rejected with %s', async (_what, bytes, why) => {
    for (const size of [1000, 16_384]) {
      await expect(unpackedBy(bytes, size)).rejects.toThrow(
        /^gzip: found a broken stream after \d+ decompressed bytes \(.*\), expected whole gzip members$/,
      );
    }
    await expect(unpackedBy(bytes, 16_384)).rejects.toThrow(`(${why}`);
  });
});
