import { expect, test } from 'vitest';
import { countingContext } from '../../test/counting-gpu.ts';
import type { BenchCase } from '../core/bench/cases.ts';
import { CancelledError } from '../core/errors.ts';
import type { Chosen } from '../core/kernel/choices.ts';
import { SPMV } from '../core/operations/index.ts';
import type { Rejection } from '../core/report.ts';
import { Buffers } from './buffers.ts';
import { Candidates } from './candidates.ts';
import type { OutputBuffer } from './output-buffer.ts';
import type { Tuner } from './tuning.ts';

/** The kernels of a toy case after a search whose best setting needs 2 MiB of scratch, twice the limit. */
async function candidatesOfSearch(onTune = (): void => {}) {
  const { context } = countingContext();
  const spec = {
    id: 'toy/spmv',
    title: 'toy',
    operation: 'spmv',
    features: [],
    extraRoundings: 1,
    fits: () => ({ ok: true }),
    choices: () => [{ kind: 'one-of', name: 'lanes', start: 32, values: [32, 64] }],
    plan: (_e: unknown, _device: unknown, _sizes: unknown, { lanes = 32 }: Chosen = {}) => ({
      buffers: [
        { role: 'output', name: 'y', bytes: 4 },
        { role: 'scratch', name: 'sums', bytes: lanes === 64 ? 2 ** 21 : 16 },
      ],
      passes: [],
      bytes: 8,
    }),
  };
  const encoded = { format: 'toy', rows: 1, cols: 1, nnz: 0, checksums: {} };
  const bench = {
    format: { id: 'toy', title: 'Toy', kernels: [spec] },
    params: {},
    kernels: 'all',
    encode: async () => ({ encoded, encodeMs: 1 }),
  } as unknown as BenchCase;
  const tuned = { chosen: { lanes: 64 }, start: { lanes: 32 }, gain: 2, tried: 2, remembered: false };
  const tuner = {
    recall: async () => null,
    recallTrial: async () => null,
    needsSearch: () => true,
    tune: async () => {
      onTune();
      return [{ tuned, ns: 7 }];
    },
  } as unknown as Tuner;
  const output = {
    buffer: { size: 2 ** 20 },
    poison() {},
    read: async () => new Uint32Array(1),
  } as unknown as OutputBuffer;
  const expected = { output: Float64Array.of(0), bound: Float64Array.of(0) };
  const oracle = { reference: async () => ({ inputs: {}, expected: () => expected }) };
  const options = { operation: SPMV, sizes: {}, seed: 1, coldBytes: 0, tuner, oracle, output };
  const rejected: Rejection[] = [];
  const job = { report: () => {}, cancelled: false };
  const candidates = new Candidates(context, new Buffers(context), options, rejected, job);
  const { candidates: before, search } = await candidates.prepare(bench);
  const after = await search?.();
  return { before, after, rejected };
}

test('a kernel keeps its initial numbers if those that a search found need more memory than there is', async () => {
  const { before, after, rejected } = await candidatesOfSearch();
  expect(rejected).toEqual([]);
  expect(before).toHaveLength(1);
  expect(after).toEqual([{ ...before[0], trialNs: 7 }]);
});

test('a cancel in a search ends it', async () => {
  const cancel = (): never => {
    throw new CancelledError();
  };
  await expect(candidatesOfSearch(cancel)).rejects.toThrow(CancelledError);
});
