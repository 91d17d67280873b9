import { expect, test } from 'vitest';
import type { DecodeReport } from '../../core/reports/decode-report.ts';
import { createDecodeReports, type DecodeStore, MAX_DECODES, tokenSpeedsOf } from './decode-reports.ts';

/** A report of whole tokens, made on this day of a month. */
function report(day: number, more: Partial<DecodeReport> = {}): DecodeReport {
  return {
    schema: 1,
    what: 'decode',
    createdAt: `2026-11-${String(day).padStart(2, '0')}T12:00:00.000Z`,
    app: 'test',
    environment: {
      adapter: { vendor: 'nvidia', architecture: 'hopper', device: '', description: 'NVIDIA H200' },
      isFallback: false,
      runtime: 'test',
      features: [],
      limits: {},
      subgroupSize: { min: 32, max: 32 },
    },
    model: { name: 'Llama-2-7B', layers: 32, sizes: '4096-11008-32-32-32-128-32000:Llama-2-7B' },
    format: 'macko',
    params: { valueType: 'f16' },
    density: 0.5,
    matrices: [],
    bytes: { matrices: 8e9 },
    setup: { makeSeconds: 1, openSeconds: 2 },
    runs: [
      {
        context: 0,
        tokens: 100,
        roundMs: [5, 5],
        msPerToken: { median: 5, p10: 5, p90: 5 },
        bytesPerToken: 8e9,
        dispatches: 260,
        times: null,
        checks: { before: [], after: [{ what: 'head', position: 100, ok: true, worst: 0.5 }] },
      },
    ],
    prefill: null,
    ok: true,
    ...more,
  };
}

function memoryStore(): DecodeStore & { readonly all: Map<string, unknown> } {
  const all = new Map<string, unknown>();
  return {
    all,
    load: async () => [...all],
    save: async (key, value) => void all.set(key, structuredClone(value)),
    remove: async (key) => void all.delete(key),
  };
}

test('saved reports are loaded newest first, and a later version of a report replaces the earlier one', async () => {
  const store = memoryStore();
  const before = createDecodeReports(store);
  await before.keep(report(1));
  await before.keep(report(2, { runs: [] }));
  await before.keep(report(2));
  const after = createDecodeReports(store);
  await after.load();
  expect(after.store.getState()).toEqual({ reports: [report(2), report(1)], rejection: null });
  await after.remove(after.store.getState().reports[0]);
  expect([...store.all.keys()]).toEqual([report(1).createdAt]);
});

test('the oldest reports beyond the limit are removed', async () => {
  const store = memoryStore();
  const reports = createDecodeReports(store);
  for (let i = 0; i <= MAX_DECODES; i++) {
    await reports.keep(report(1, { createdAt: new Date(Date.UTC(2026, 0, 1, 0, i)).toISOString() }));
  }
  expect(store.all.size).toBe(MAX_DECODES);
  expect(reports.store.getState().reports).toHaveLength(MAX_DECODES);
});

test('a report that cannot be read or stored is reported in `rejection`, and the others stay', async () => {
  const store = memoryStore();
  store.all.set('broken', { ...report(3), density: 2 });
  store.all.set('fine', report(1));
  const reports = createDecodeReports({ ...store, save: () => Promise.reject(new Error('The quota is full.')) });
  await reports.load();
  expect(reports.store.getState()).toEqual({
    reports: [report(1)],
    rejection: 'A report of whole tokens could not be read: broken: density: found 2, expected a number from 0 to 1',
  });
  await reports.keep(report(4));
  expect(reports.store.getState().reports).toHaveLength(2);
  expect(reports.store.getState().rejection).toMatch(
    /^This browser cannot save whole tokens \(it answered: The quota is full\)/,
  );
});

test('tokenSpeedsOf uses only correct reports of a real GPU with times for an empty prompt', () => {
  const { environment, runs } = report(1);
  const wrong = [
    report(1, { ok: false }),
    report(1, { environment: { ...environment, isFallback: true } }),
    report(1, { runs: [{ ...runs[0], context: 1000 }] }),
    report(1, { runs: [{ ...runs[0], msPerToken: null }] }),
  ];
  expect(tokenSpeedsOf([...wrong, report(5)])).toEqual([
    {
      model: 'Llama-2-7B',
      format: 'macko',
      params: { valueType: 'f16' },
      density: 0.5,
      tokensPerSecond: 200,
      device: 'NVIDIA H200',
      date: '2026-11-05',
      isRecorded: false,
    },
  ]);
});
