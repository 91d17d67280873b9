// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest';
import type { BenchRequest } from '../../engine/bench/bench-types.ts';
import { fakeApp } from '../../../test/page.ts';
import { MACKO_ROW, REPORT } from '../../../test/reports.ts';
import { fastKernelsLoaded, pageRecordings, withFastKernels } from './page-recordings.ts';

/** A run of MACKO on a matrix like that of `requestOf(4096)`, in which this kernel was the fastest. */
const row = { ...MACKO_ROW, kernel: 'macko/fastest', params: { valueType: 'f16' } };
const workload = { ...REPORT.workload, operation: 'spmv', sizes: {}, rows: 4096, cols: 4096, density: 0.5 };
const report = { ...REPORT, workload, rows: [row] };

/** A request to time MACKO on a generated matrix with this many rows. */
function requestOf(rows: number): BenchRequest {
  return {
    operation: 'spmv',
    sizes: {},
    workload: { kind: 'generated', spec: { pattern: 'uniform', rows, cols: 4096, density: 0.5, seed: 1 } },
    entries: [{ format: 'macko', params: { valueType: 'f16' }, kernels: 'auto' }],
    memory: 'cold',
    rounds: 24,
    seed: 1,
    where: 'gpu',
  };
}

test('a run on a generated matrix begins with the kernel that was fastest on a matrix of similar size, if there is one', () => {
  const app = fakeApp();
  const firstKernel = (rows: number) => withFastKernels(app, requestOf(rows)).entries[0].recordedKernel?.kernel;
  expect(firstKernel(4096)).toBeUndefined();
  app.session.store.setState(({ bench }) => ({
    device: { kind: 'ready', environment: report.environment },
    bench: { ...bench, runs: [{ id: 1, origin: 'measured', name: 'a run', reports: [report] }] },
  }));
  expect([firstKernel(4096), firstKernel(16)]).toEqual(['macko/fastest', undefined]);
});

test.each([
  ['for the recording of the first device of its vendor, once', 'nvidia', ['h200@1']],
  ['for no recording if no device of its vendor was recorded', 'amd', []],
  ['for no recording if its vendor is unknown', '', []],
])('a run waits %s', async (_what, vendor, expectedIds) => {
  const app = fakeApp();
  const recordings = pageRecordings(app);
  const adapter = { ...report.environment.adapter, vendor };
  app.session.store.setState({ device: { kind: 'ready', environment: { ...report.environment, adapter } } });
  const entry = { date: '2026-11-26', driver: '', commit: '', bytes: 1, shapes: [], roofs: {} };
  const entries = [
    { ...entry, id: 'm9@1', name: 'Apple M9' },
    { ...entry, id: 'h200@1', name: 'NVIDIA H200' },
    { ...entry, id: 'h100@1', name: 'NVIDIA H100' },
  ];
  vi.spyOn(recordings, 'list').mockImplementation(async () => {
    recordings.store.setState({ entries: entries as never });
  });
  const need = vi.spyOn(recordings, 'need').mockImplementation(async (id) => {
    if (id !== null) recordings.store.setState({ loaded: { [id]: { reports: [], changed: new Set() } } });
  });
  await fastKernelsLoaded(app);
  await fastKernelsLoaded(app);
  expect(need.mock.calls.map(([id]) => id)).toEqual(expectedIds);
  expect(Object.keys(recordings.store.getState().loaded)).toEqual(expectedIds);
});

test('a run waits for a recording for at most a second', async () => {
  vi.useFakeTimers();
  try {
    const app = fakeApp();
    app.session.store.setState({ device: { kind: 'ready', environment: report.environment } });
    vi.spyOn(pageRecordings(app), 'list').mockReturnValue(new Promise(() => {}));
    const loaded = fastKernelsLoaded(app);
    await vi.advanceTimersByTimeAsync(1000);
    await expect(loaded).resolves.toBeUndefined();
  } finally {
    vi.useRealTimers();
  }
});
