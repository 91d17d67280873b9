import { describe, expect, it } from 'vitest';
import { READ, REJECTED } from '../../../test/io/gzip.ts';
import { toDense } from '../../core/matrix/index.ts';
import { readMatrix } from '../read.ts';

describe('gzip of several members in a browser, whose decompressor supports one', () => {
  it('gzip of several members in a browser, whose decompressor supports one is read', async () => {
    const found: unknown[] = [];
    for (const [what, bytes] of READ) {
      const { matrix, format } = await readMatrix({ name: 'a.mtx.gz', bytes });
      found.push([what, format, [...toDense(matrix)]]);
    }
    expect(found).toEqual(READ.map(([what, , cells]) => [what, 'mtx.gz', cells]));
  });

  it('gzip of several members in a browser, whose decompressor supports one is rejected with a message', async () => {
    for (const [what, bytes] of REJECTED) {
      await expect(readMatrix({ name: 'a.mtx.gz', bytes }), what).rejects.toThrow(
        /^a\.mtx\.gz: gzip: found a broken stream after \d+ decompressed bytes/,
      );
    }
  });
});
