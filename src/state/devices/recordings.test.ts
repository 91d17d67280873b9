import { expect, test } from 'vitest';
import { modelReport } from '../../../test/model-reports.ts';
import type { RecordingEntry } from '../../core/reports/recording.ts';
import { createRecordings, type LoadedRecording, type RecordingSource } from './recordings.ts';

const entry = (id: string): RecordingEntry => ({
  id,
  name: id.toUpperCase(),
  date: '2026-11-22',
  driver: '570.1',
  commit: 'abcdef1',
  bytes: 1000,
  shapes: ['4096x4096'],
  roofs: { readBandwidthGBps: 4590, nullDispatchNs: 1250 },
});
const RECORDING: LoadedRecording = { reports: [modelReport(4096, 4096, 0.5, [90, 60])], changed: new Set() };

/** A source whose recordings arrive when the test resolves them. */
function source(): RecordingSource & {
  readonly requests: string[];
  readonly finish: (id: string, found: LoadedRecording | Error) => void;
  readonly aborted: string[];
} {
  const requests: string[] = [];
  const aborted: string[] = [];
  const waiting = new Map<string, (found: LoadedRecording | Error) => void>();
  return {
    requests,
    aborted,
    finish: (id, found) => waiting.get(id)?.(found),
    entries: async () => [entry('h200'), entry('h100')],
    load({ id }, { signal, onProgress }) {
      requests.push(id);
      onProgress({ what: 'loading', done: 1, total: 2 });
      signal.addEventListener('abort', () => void aborted.push(id));
      return new Promise((resolve, reject) => {
        waiting.set(id, (found) => (found instanceof Error ? reject(found) : resolve(found)));
      });
    },
  };
}

test('a recording is loaded once, when it is needed', async () => {
  const from = source();
  const { store, list, need } = createRecordings(from);
  await Promise.all([list(), list()]);
  expect(store.getState().entries?.map(({ id }) => id)).toEqual(['h200', 'h100']);
  const loading = need('h200');
  void need('h200');
  expect(store.getState().loading).toMatchObject({ id: 'h200', progress: { done: 1 } });
  from.finish('h200', RECORDING);
  await loading;
  expect(store.getState()).toMatchObject({ loading: null, loaded: { h200: RECORDING } });
  await need('h200');
  expect(from.requests).toEqual(['h200']);
});

test('needing another recording cancels the one that is being loaded, and its failure changes nothing', async () => {
  const from = source();
  const { store, list, need } = createRecordings(from);
  await list();
  const first = need('h200');
  const second = need('h100');
  expect(from.aborted).toEqual(['h200']);
  from.finish('h200', new Error('aborted'));
  await first;
  expect(store.getState()).toMatchObject({ loading: { id: 'h100' }, problem: null });
  await need(null);
  expect(from.aborted).toEqual(['h200', 'h100']);
  from.finish('h100', new Error('aborted'));
  await second;
  expect(store.getState()).toMatchObject({ loading: null, problem: null });
});

test('a failed load is reported in `problem`, and repeated only by retry', async () => {
  const from = source();
  const { store, list, need, retry } = createRecordings(from);
  await list();
  const failing = need('h200');
  from.finish('h200', new Error('found status 404, expected 200'));
  await failing;
  expect(store.getState().problem).toEqual({
    id: 'h200',
    message: 'The recording of H200 could not be loaded: found status 404, expected 200.',
  });
  await need('h200');
  expect(from.requests).toEqual(['h200']);
  const again = retry();
  from.finish('h200', RECORDING);
  await again;
  expect(store.getState()).toMatchObject({ problem: null, loaded: { h200: RECORDING } });
});

test('a failed load of the list of recordings is reported in `problem`, and repeated by retry', async () => {
  let isOnline = false;
  const from = source();
  const { store, list, retry } = createRecordings({
    ...from,
    entries: async () => {
      if (!isOnline) throw new Error('Failed to fetch');
      return [entry('h200')];
    },
  });
  await list();
  expect(store.getState()).toMatchObject({
    entries: null,
    problem: {
      id: null,
      message:
        'The list of recordings could not be loaded: the network did not answer; try again once there is a network (Failed to fetch).',
    },
  });
  isOnline = true;
  await retry();
  expect(store.getState().entries).toHaveLength(1);
});
