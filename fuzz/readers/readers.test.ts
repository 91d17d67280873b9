import { describe, expect, it, vi } from 'vitest';
import { Random } from '../../src/core/number/random.ts';
import { bytesOf, corpus } from './corpus.ts';
import { edited, fewerEdits, randomEdits } from './edits.ts';
import { readerFind } from './laws.ts';
import { rewritten } from './rewrites.ts';
import type { SciPy } from './scipy.ts';
import { cases } from '../../test/scheduled.ts';

const bytes = (...values: readonly number[]): Uint8Array => Uint8Array.from(values);

describe('edits', () => {
  it('are sequential', () => {
    const edits = [
      { at: 1, remove: 2, insert: bytes(9) },
      { at: 2, remove: 0, insert: bytes(7, 8) },
      { at: 99, remove: 5, insert: bytes(6) },
    ];
    expect([...edited(bytes(1, 2, 3, 4), edits)]).toEqual([1, 9, 7, 8, 4, 6]);
  });

  it('become fewer and shorter', () => {
    const edits = [{ at: 0, remove: 1, insert: bytes(1, 2) }];
    expect([...fewerEdits(edits)].map(([edit]) => [...edit.insert])).toEqual([[1], [2]]);
    expect([...fewerEdits([...edits, ...edits])].slice(0, 2).map((less) => less.length)).toEqual([1, 1]);
  });

  it('are the same for the same seed, and do not modify the original', () => {
    const original = bytesOf('mtx/real.mtx');
    const before = original.slice();
    const tries = [1, 1, 2].map((seed) => edited(original, randomEdits(new Random(seed), original)));
    expect(tries[0]).toEqual(tries[1]);
    expect(tries[0]).not.toEqual(tries[2]);
    expect(original).toEqual(before);
  });
});

describe('a rewritten file', () => {
  it.each([
    'npy/f8-big-f-2.npy',
    'npz/one-stored.npz',
    'mtx/real.mtx',
    'csv/comma.csv',
    'packed/ustar.tar',
    'packed/real.mtx.gz',
  ])('%s has other bytes and the same answer', async (file) => {
    const others = [1, 2, 3, 4].map((seed) => rewritten(file, bytesOf(file), new Random(seed)));
    expect(others.some((other) => other !== null && Buffer.compare(other, bytesOf(file)) !== 0)).toBe(true);
    for (const rewrite of [1, 2, 3, 4]) {
      expect(await readerFind({ file, tensor: undefined, rewrite, edits: [] }, null)).toBeNull();
    }
  });
});

// All of them are read by src/io/corpus.test.ts.
it('files of the corpus have their answers', async () => {
  for (const { file, tensor } of corpus().filter((_, i) => i % cases(4, 1) === 0)) {
    expect(await readerFind({ file, tensor, rewrite: null, edits: [] }, null), file).toBeNull();
  }
});

it('finds a result that differs from the result of SciPy', async () => {
  const scipy = { read: vi.fn<SciPy['read']>().mockResolvedValue({ rows: 1, cols: 1, cells: Float32Array.of(1) }) };
  const find = await readerFind({ file: 'mtx/real.mtx', tensor: undefined, rewrite: null, edits: [] }, scipy);
  expect(find).toEqual({ law: 'SciPy reads the same in mtx', message: 'mtx/real.mtx: found 8 x 5, expected 1 x 1' });
});
