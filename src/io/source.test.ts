import { expect, it } from 'vitest';
import { ReadError } from '../core/errors.ts';
import { type FileSource, fileSource, readHead } from './source.ts';

const BYTES = Uint8Array.from({ length: 3_000_000 }, (_, i) => i % 251);

/** All bytes that a source yields. */
async function readWhole(source: FileSource): Promise<Uint8Array> {
  const parts: BlobPart[] = [];
  for await (const chunk of source.chunks()) parts.push(chunk.slice());
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

it.each([
  ['bytes', fileSource({ name: 'a', bytes: BYTES })],
  ['blob', fileSource(new Blob([BYTES]))],
])(
  'fileSource of %s yields all bytes any number of times, also while an earlier reading is pending',
  async (_kind, source) => {
    const abandoned = source.chunks()[Symbol.asyncIterator]();
    await abandoned.next();
    const pending = abandoned.next();
    const whole = await readWhole(source);
    await pending;
    expect(Buffer.compare(whole, BYTES)).toBe(0);
    expect(Buffer.compare(await readWhole(source), BYTES)).toBe(0);
    expect(source.position()).toEqual({ done: BYTES.length, total: BYTES.length });
    expect(source.size).toBe(BYTES.length);
  },
);

it('readHead returns the first bytes across pieces, or all', async () => {
  const source = fileSource({ name: 'a', bytes: BYTES });
  expect(Buffer.compare(await readHead(source, 2_000_000), BYTES.subarray(0, 2_000_000))).toBe(0);
  expect((await readHead(source, 4_000_000)).length).toBe(3_000_000);
});

it('readHead rejects a file that changed on disk with the range that could not be read', async () => {
  const blob = Object.assign(new Blob([BYTES]), {
    slice: () => ({ arrayBuffer: () => Promise.reject(new Error('not readable')) }),
  });
  await expect(readHead(fileSource(blob), 10)).rejects.toThrow(
    new ReadError('bytes 0 to 10: found them unreadable (not readable); has the file changed?'),
  );
});
