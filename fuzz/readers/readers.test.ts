// The fuzzer's target for readers of files: edits of bytes, equivalent rewritten files, and the comparison with
// SciPy.

import { describe, expect, it, vi } from 'vitest';
import { Random } from '../../src/core/number/random.ts';
import { bytesOf, corpus } from './corpus.ts';
import { applyEdits, fewerEdits, randomEdits } from './edits.ts';
import { readerFault } from './laws.ts';
import { rewritten } from './rewrites.ts';
import type { SciPy } from './scipy.ts';
import { cases } from '../../test/scheduled.ts';

const bytes = (...values: readonly number[]): Uint8Array => Uint8Array.from(values);

describe('edits of a file', () => {
  it('edits are applied one after another, each to the result of the previous one', () => {
    const edits = [
      { at: 1, remove: 2, insert: bytes(9) },
      { at: 2, remove: 0, insert: bytes(7, 8) },
      { at: 99, remove: 5, insert: bytes(6) },
    ];
    expect([...applyEdits(bytes(1, 2, 3, 4), edits)]).toEqual([1, 9, 7, 8, 4, 6]);
  });

  it('fewerEdits yields fewer and shorter edits', () => {
    const edits = [{ at: 0, remove: 1, insert: bytes(1, 2) }];
    expect([...fewerEdits(edits)].map(([edit]) => [...edit.insert])).toEqual([[1], [2]]);
    expect([...fewerEdits([...edits, ...edits])].slice(0, 2).map((less) => less.length)).toEqual([1, 1]);
  });

  it('random edits are the same for the same seed, and do not modify the original', () => {
    const original = bytesOf('mtx/real.mtx');
    const before = original.slice();
    const results = [1, 1, 2].map((seed) => applyEdits(original, randomEdits(new Random(seed), original)));
    expect(results[0]).toEqual(results[1]);
    expect(results[0]).not.toEqual(results[2]);
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
  ])('%s, rewritten, has other bytes and contains the same matrix', async (file) => {
    const rewrites = [1, 2, 3, 4].map((seed) => rewritten(file, bytesOf(file), new Random(seed)));
    expect(rewrites.some((bytes) => bytes !== null && Buffer.compare(bytes, bytesOf(file)) !== 0)).toBe(true);
    for (const rewrite of [1, 2, 3, 4]) {
      expect(await readerFault({ file, tensor: undefined, rewrite, edits: [] }, null)).toBeNull();
    }
  });
});

// A quarter of the files; src/io/corpus.test.ts reads all of them.
it('readerFault returns null for unchanged files of the corpus', async () => {
  for (const { file, tensor } of corpus().filter((_, i) => i % cases(4, 1) === 0)) {
    expect(await readerFault({ file, tensor, rewrite: null, edits: [] }, null), file).toBeNull();
  }
});

it('readerFault reports a matrix that differs from the matrix that SciPy reads', async () => {
  const scipy = { read: vi.fn<SciPy['read']>().mockResolvedValue({ rows: 1, cols: 1, cells: Float32Array.of(1) }) };
  const find = await readerFault({ file: 'mtx/real.mtx', tensor: undefined, rewrite: null, edits: [] }, scipy);
  expect(find).toEqual({ law: 'SciPy reads the same in mtx', message: 'mtx/real.mtx: found 8 x 5, expected 1 x 1' });
});
