// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest';
import type { BenchRequest } from '../../engine/bench/bench-types.ts';
import { fakeApp } from '../../../test/page.ts';
import { MACKO_ROW, REPORT } from '../../../test/reports.ts';
import { fastKernelsLoaded, pageRecordings, withFastKernels } from './page-recordings.ts';

const row = { ...MACKO_ROW, kernel: 'macko/known', params: { valueType: 'f16' } };
const workload = { ...REPORT.workload, operation: 'spmv', sizes: {}, rows: 4096, cols: 4096, density: 0.5 };
const report = { ...REPORT, workload, rows: [row] };

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

test('a generated matrix, too, begins with the kernel that a run on a like one chose', () => {
  const app = fakeApp();
  const known = (rows: number) => withFastKernels(app, requestOf(rows)).entries[0].known?.kernel;
  expect(known(4096)).toBeUndefined();
  app.session.store.setState(({ bench }) => ({
    device: { kind: 'ready', environment: report.environment },
    bench: { ...bench, runs: [{ id: 1, origin: 'measured', name: 'a run', reports: [report] }] },
  }));
  expect([known(4096), known(16)]).toEqual(['macko/known', undefined]);
});

test.each([
  ['a device of its vendor', 'nvidia', ['h200@1'], ['h200@1']],
  ['none where no device of the vendor was recorded', 'amd', [], []],
  ['none where the vendor is not known', '', [], []],
])('a run waits for the recording of %s', async (_what, vendor, needed, known) => {
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
  expect(need.mock.calls.map(([id]) => id)).toEqual(needed);
  expect(Object.keys(recordings.store.getState().loaded)).toEqual(known);
});

test('a run does not wait for long', async () => {
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
