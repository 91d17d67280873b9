import { expect, it } from 'vitest';
import { eventually } from '../../../test/eventually.ts';
import { BENCH_REQUEST, settle } from '../../../test/fake-engine.ts';
import { pausedEngine, started } from '../../../test/started-session.ts';
import { KernelError } from '../../core/errors.ts';
import { DeviceLostError, NoDeviceError } from '../../gpu/index.ts';
import type { RunEnd } from './session-state.ts';

type Paused = ReturnType<typeof pausedEngine>;
type Started = Awaited<ReturnType<typeof started>>;

/** Causes of the end of a run, each with the way in which the page records it. */
interface Case {
  readonly fails?: Error;
  readonly ends?: (all: Started, paused: Paused) => void | Promise<void>;
  readonly how: RunEnd['how'];
  readonly message: RegExp | null;
}

const MACKO = 'The run of MACKO on diagonal';

const CASES: Readonly<Record<string, Case>> = {
  'its end': { how: 'finished', message: null },
  'the user': {
    ends: ({ session }) => session.cancelBench(),
    how: 'cancelled',
    message: /^The run of MACKO on diagonal was cancelled\.$/,
  },
  'the death of the engine': {
    ends: (_, { engine }) => engine.die(),
    how: 'failed',
    message: /^The run of MACKO on diagonal failed: the engine died; start it again\.$/,
  },
  'a lost GPU': {
    fails: new DeviceLostError('the GPU device was lost (reset)'),
    how: 'failed',
    message: /^The run of MACKO on diagonal failed: the GPU device was lost \(reset\); run again, and close/,
  },
  'no GPU': {
    fails: new NoDeviceError('WebGPU found no adapter'),
    how: 'failed',
    message: /^The run of MACKO on diagonal failed: WebGPU found no adapter\.$/,
  },
  'an unusable clock': {
    fails: new KernelError('macko/spmv: this GPU’s clock stood still, 20 times in a row'),
    how: 'failed',
    message: /^The run of MACKO on diagonal failed: macko\/spmv: this GPU’s clock stood still/,
  },
  'a driver': {
    fails: new Error('A valid external Instance reference no longer exists.'),
    how: 'failed',
    message: /^The run of MACKO on diagonal failed: the browser’s access to the GPU ended; .+ \(A valid .+ exists\)\.$/,
  },
};

it.each(Object.entries(CASES))('a run that is ended by %s leaves its end as a message', async (_, example) => {
  const paused = pausedEngine();
  const page = await started(paused.engine);
  const ended = () => page.session.store.getState().bench.ended;
  paused.engine.benchError = example.fails ?? null;
  paused.pause('bench 2');
  const run = page.session.runBench(BENCH_REQUEST);
  await eventually(() => expect(page.session.store.getState().bench.running).not.toBeNull());
  expect(ended()).toBeNull();
  await settle();
  paused.pause();
  await example.ends?.(page, paused);
  paused.release();
  await run;
  await settle();
  expect(ended()).toMatchObject({ how: example.how, request: BENCH_REQUEST, generation: 1 });
  if (example.message === null) expect(ended()?.message).toBeNull();
  else expect(ended()?.message).toMatch(example.message);
  expect(ended()?.run === null).toBe(example.how !== 'finished');
});

it.each([
  ['a', 'a'],
  ['dense a', 'a and dense'],
  ['a dense b a', 'a, b and dense'],
  ['a b c d a', '4 formats'],
])('the message of a run names up to three formats, each once, and counts more: %s', async (ids, words) => {
  const { engine } = pausedEngine();
  const { session } = await started(engine);
  engine.benchError = new NoDeviceError('there is none');
  const entries = ids.split(' ').map((format) => ({ format, params: {}, kernels: 'auto' as const }));
  await session.runBench({ ...BENCH_REQUEST, entries });
  const { ended } = session.store.getState().bench;
  expect(ended?.message).toBe(`The run of ${words} on diagonal failed: there is none.`);
});

it('a run whose matrix is not opened ends with a message, which the next run removes', async () => {
  const paused = pausedEngine();
  const { session } = await started(paused.engine);
  paused.pause('open wide 2');
  const opening = session.openExample('wide');
  await settle();
  const run = session.runBench(BENCH_REQUEST);
  await eventually(() => expect(session.store.getState().bench.running).not.toBeNull());
  session.cancelOpening();
  paused.pause();
  paused.release();
  await Promise.all([opening, run]);
  await settle();
  expect(session.store.getState().bench.ended?.message).toBe(`${MACKO} did not start: the matrix was not opened.`);
  await session.runBench(BENCH_REQUEST);
  expect(session.store.getState().bench.ended).toMatchObject({ how: 'finished', message: null });
});
