import { expect, test } from 'vitest';
import { countingContext } from '../../test/counting-gpu.ts';
import { CancelledError } from '../core/errors.ts';
import type { Job } from '../core/job.ts';
import { Random, shuffled } from '../core/number/random.ts';
import { Buffers } from './buffers.ts';
import type { Clock } from './clock.ts';
import type { PreparedKernel } from './prepared-kernel.ts';
import { Tuner } from './tuning.ts';

/** Every run lasts 1 ms. */
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
  const created: string[] = [];
  const tunable = {
    kernel,
    choices: [{ kind: 'one-of', name: 'lanes', start: 32, values: [32, 64, 128] }],
    start: { lanes: 32 },
    isKnown: false,
    tuned: null,
    key: '',
    compile: (setting: object) => async (memory: Buffers) => {
      if (created.length === 1 && where !== 'the race') throw new CancelledError();
      const label = JSON.stringify(setting);
      await memory.allocate(label, 16, GPUBufferUsage.STORAGE);
      created.push(label);
      cancelled = created.length === 2;
      return kernel;
    },
  } as const;
  await expect(tuner.tune([tunable], false, 1000)).rejects.toThrow(CancelledError);
  expect(created).toHaveLength(where === 'the race' ? 2 : 1);
  expect([...alive]).toEqual([]);
});

/**
 * A tuner of kernels with one choice. `nsOf` returns the nanoseconds of a run, in passes of `runs` runs; its `id` is the
 * kernel and the number of lanes, such as 'a 64'.
 */
function tunerOf(nsOf: (id: string, runs: number) => number, now: () => number = () => 0) {
  const { context } = countingContext();
  const buffers = new Buffers(context);
  const timed: Clock = { ...clock, time: async (id, runs) => nsOf(id, runs) };
  const job: Job = { report: () => {}, cancelled: false };
  const tuner = new Tuner(context, buffers, { clock: timed, memory: null, seed: 1, job, now });
  const kernelOf = (id: string) =>
    ({ id, slots: 1, variants: 1, copies: 1, encode: () => {} }) as unknown as PreparedKernel;
  const tunableOf = (id: string) =>
    ({
      kernel: kernelOf(`${id} 32`),
      choices: [{ kind: 'one-of', name: 'lanes', start: 32, values: [32, 64, 128] }],
      start: { lanes: 32 },
      isKnown: false,
      tuned: null,
      key: id,
      compile:
        ({ lanes }: Readonly<Record<string, number>>) =>
        async () =>
          kernelOf(`${id} ${lanes}`),
    }) as const;
  return { tuner, kernelOf, tunableOf };
}

test('every kernel near the fastest is searched, however long the others take', async () => {
  let ms = 0;
  // Each reading of the clock takes time, so that the first kernels use up the time of all.
  const { tuner, tunableOf } = tunerOf(
    (id) => (id.startsWith('c') && id.endsWith('128') ? 0.8e6 : 1e6),
    () => (ms += 40),
  );
  const results = await tuner.tune(['a', 'b', 'c'].map(tunableOf), true, 500);
  expect(results.map(({ tuned }) => tuned?.tried)).toEqual([3, 3, 3]);
  expect(results[2].tuned?.chosen).toEqual({ lanes: 128 });
});

test('settings that short passes cannot distinguish are raced in long ones', async () => {
  let short = 0;
  // 64 lanes are 1.5 % faster than 32, but in short passes their times scatter by 2 %.
  const { tuner, tunableOf } = tunerOf((id, runs) => {
    if (runs < 12) return (1 + (short++ % 3) / 100) * 1e6;
    return id.endsWith(' 64') ? 0.985e6 : 1e6;
  });
  const [{ tuned }] = await tuner.tune([tunableOf('a')], true, 6000);
  expect(tuned?.chosen).toEqual({ lanes: 64 });
  expect(tuned?.gain).toBeCloseTo(1 / 0.985, 6);
});

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  'the fastest values of two choices that depend on each other are found, seed %i',
  async (seed) => {
    const random = new Random(seed);
    const [lanes, parts] = [
      [32, 64, 128, 256],
      [1, 2, 4, 8],
    ];
    // A setting takes between 1 and 2 ms, and no two are closer than 1 %.
    const order = shuffled(
      lanes.flatMap((l) => parts.map((p) => `${l} ${p}`)),
      random,
    );
    const { tuner, kernelOf, tunableOf } = tunerOf((id) => (1 + order.indexOf(id) / order.length) * 1e6);
    const tunable = {
      ...tunableOf(''),
      kernel: kernelOf('32 1'),
      choices: [
        { kind: 'one-of', name: 'lanes', start: 32, values: lanes },
        { kind: 'one-of', name: 'parts', start: 1, values: parts },
      ],
      start: { lanes: 32, parts: 1 },
      compile: (setting: Readonly<Record<string, number>>) => async () => kernelOf(`${setting.lanes} ${setting.parts}`),
    } as const;
    const [{ tuned }] = await tuner.tune([tunable], true, 60_000);
    expect(`${tuned?.chosen.lanes} ${tuned?.chosen.parts}`).toBe(order[0]);
    expect(tuned?.gain).toBeCloseTo(1 + order.indexOf('32 1') / order.length, 6);
  },
);
