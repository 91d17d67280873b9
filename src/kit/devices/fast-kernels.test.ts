// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest';
import type { BenchRequest } from '../../engine/bench/bench-types.ts';
import { fakeApp } from '../../../test/page.ts';
import { MACKO_ROW, REPORT } from '../../../test/reports.ts';
import { pageRecordings, whenRecordingsLoaded, withFastKernels } from './page-recordings.ts';

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

test('a run waits for a recording that is being loaded, but not for long', async () => {
  vi.useFakeTimers();
  try {
    const app = fakeApp();
    const { store } = pageRecordings(app);
    const loading = { id: 'h200', progress: null };
    expect(whenRecordingsLoaded(app)).toBeUndefined();
    const order: string[] = [];
    store.setState({ loading });
    const loaded = whenRecordingsLoaded(app)?.then(() => order.push('loaded'));
    store.setState({ loading: { ...loading, progress: { what: '', done: 1, total: 2 } } });
    await Promise.resolve();
    order.push('on its way');
    store.setState({ loading: null });
    await loaded;
    store.setState({ loading });
    const slow = whenRecordingsLoaded(app)?.then(() => order.push('slow'));
    await vi.advanceTimersByTimeAsync(1000);
    await slow;
    expect(order).toEqual(['on its way', 'loaded', 'slow']);
  } finally {
    vi.useRealTimers();
  }
});
