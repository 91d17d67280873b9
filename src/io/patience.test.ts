import { describe, expect, it } from 'vitest';
import { ggufFile } from '../../test/io/gguf.ts';
import { safetensorsWith } from '../../test/io/safetensors.ts';
import { CancelledError, SparseScopeError } from '../core/errors.ts';
import { listTensors, readMatrix } from './read.ts';
import { cases } from '../../test/scheduled.ts';

const text = (content: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(content);

describe('a file that invites quadratic time, or a long time without a pause', () => {
  it.each(['%%MatrixMarket matrix coordinate real general\n', '1,2\n'])(
    // A scan from the first line end for each of them takes quadratic time, and would exceed the time limit of a test.
    'is read to its end and rejected with a message: 20 MB of line ends after %j',
    async (begin) => {
      const bytes = new Uint8Array(20e6).fill(0x0a);
      bytes.set(text(begin));
      await expect(readMatrix({ name: 'm', bytes })).rejects.toThrow(SparseScopeError);
    },
  );

  it.each([
    ['spaces between two names', `a${' '.repeat(1e6)}b\n1 2\n`],
    ['a name of digits', `n,a\ng,1\n${'1'.repeat(1e6)}x,2\n`],
  ])('is read in one go: a line of a million %s', async (_, content) => {
    const { matrix } = await readMatrix({ name: 'm.csv', bytes: text(content) });
    expect(matrix.cols).toBe(content.startsWith('n') ? 1 : 2);
  });

  const count = cases(30_000, 50_000);
  const tensors = Array.from(
    { length: count },
    (_, i) => `"layers.${i % 1000}.${i}":{"dtype":"U8","shape":[1,1],"data_offsets":[${i},${i + 1}]}`,
  );
  const header = safetensorsWith(`{${tensors.join(',')}}`, new Uint8Array(tensors.length));

  it('is listed in order: a header of many tensors', async () => {
    const { tensors: listed } = await listTensors({ name: 'm', bytes: header });
    expect(listed?.slice(0, 2).map((t) => t.name)).toEqual(['layers.0.0', 'layers.0.1000']);
    expect(listed?.at(-1)?.name).toBe(`layers.999.${count - 1}`);
  });

  it('yields the thread: a header of many tensors can be cancelled', async () => {
    const job = { report: () => {}, cancelled: false };
    const listing = listTensors({ name: 'm', bytes: header }, {}, job);
    // Cancels as soon as the reader yields the thread.
    setTimeout(() => (job.cancelled = true));
    await expect(listing).rejects.toBeInstanceOf(CancelledError);
  });

  it('yields the thread: many tensors of GGUF can be cancelled', async () => {
    const job = { report: () => {}, cancelled: false };
    const none = new Uint8Array(0);
    const many = Array.from({ length: cases(30_000, 100_000) }, (_, i) => ({
      name: `w${i}`,
      kind: 0,
      shape: [0, 0],
      bytes: none,
    }));
    const listing = listTensors({ name: 'm', bytes: ggufFile(many) }, {}, job);
    setTimeout(() => (job.cancelled = true));
    await expect(listing).rejects.toBeInstanceOf(CancelledError);
  });
});
