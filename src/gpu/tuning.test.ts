import { expect, test } from 'vitest';
import { countingContext } from '../../test/counting-gpu.ts';
import { CancelledError } from '../core/errors.ts';
import type { Job } from '../core/job.ts';
import { Buffers } from './buffers.ts';
import type { Clock } from './clock.ts';
import type { PreparedKernel } from './prepared-kernel.ts';
import { Tuner } from './tuning.ts';

/** Every run takes 1 ms. */
const clock: Clock = {
  source: 'timestamp-query',
  quantumNs: 1,
  passMultiples: [1],
  time: async () => 1e6,
  run: async () => {},
};

test.each(['the race', 'the preparation of a later setting'])('a cancel in %s frees every setting', async (where) => {
  const { context, alive } = countingContext();
  const buffers = new Buffers(context);
  let cancelled = false;
  const job: Job = {
    report: () => {},
    get cancelled() {
      return cancelled;
    },
  };
  const tuner = new Tuner(context, buffers, { clock, memory: null, seed: 1, job, now: () => 0 });
  const kernel = { id: 'toy/spmv', slots: 1, variants: 1, copies: 1, encode: () => {} } as unknown as PreparedKernel;
  const made: string[] = [];
  const tunable = {
    kernel,
    choices: [{ kind: 'one-of', name: 'lanes', start: 32, values: [32, 64, 128] }],
    start: { lanes: 32 },
    isKnown: false,
    tuned: null,
    key: '',
    compile: (setting: object) => async (memory: Buffers) => {
      if (made.length === 1 && where !== 'the race') throw new CancelledError();
      const label = JSON.stringify(setting);
      await memory.allocate(label, 16, GPUBufferUsage.STORAGE);
      made.push(label);
      cancelled = made.length === 2;
      return kernel;
    },
  } as const;
  await expect(tuner.tune([tunable], false, 1000)).rejects.toThrow(CancelledError);
  expect(made).toHaveLength(where === 'the race' ? 2 : 1);
  expect([...alive]).toEqual([]);
});
