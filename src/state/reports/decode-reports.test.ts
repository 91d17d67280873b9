import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memoryIdb } from '../../../test/memory-idb.ts';
import { SparseScopeError } from '../../core/errors.ts';
import type { DecodeReport } from '../../core/reports/decode-report.ts';
import {
  browserDecodeStore,
  createDecodeReports,
  type DecodeStore,
  MAX_DECODES,
  tokenSpeedsOf,
} from './decode-reports.ts';

/** A report of the speed at which a model decodes whole tokens, made on this day of a month. */
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

/** A store of reports in a map, which tests can read and change. */
function memoryStore(): DecodeStore & { readonly all: Map<string, unknown> } {
  const all = new Map<string, unknown>();
  return { all, ...browserDecodeStore(memoryIdb(all)) };
}

test('after any sequence of reports kept, replaced, removed and loaded, the stored reports are those of the page, newest first', async () => {
  const day = fc.integer({ min: 1, max: 9 });
  const anyCommand = fc.oneof(
    fc.record({ do: fc.constant('keep' as const), day, density: fc.constantFrom(0.25, 0.5) }),
    fc.record({ do: fc.constant('remove' as const), day }),
    fc.record({ do: fc.constant('visit' as const) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(anyCommand, { maxLength: 15 }), async (commands) => {
      const store = memoryStore();
      const expected = new Map<string, DecodeReport>();
      let page = createDecodeReports(store);
      for (const command of commands) {
        if (command.do === 'keep') {
          const newReport = report(command.day, { density: command.density });
          await page.keep(newReport);
          expected.set(newReport.createdAt, newReport);
        } else if (command.do === 'remove') {
          const stored = page.store
            .getState()
            .reports.find(({ createdAt }) => createdAt === report(command.day).createdAt);
          if (stored) await page.remove(stored);
          expected.delete(report(command.day).createdAt);
        } else {
          page = createDecodeReports(store);
          await page.load();
        }
        const sorted = [...expected.values()].toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
        expect(page.store.getState()).toEqual({ reports: sorted, rejection: null });
        expect(store.all).toEqual(expected);
      }
    }),
  );
});

test.each([MAX_DECODES, MAX_DECODES + 1])('of %d reports the newest 40 are kept', async (count) => {
  const store = memoryStore();
  const reports = createDecodeReports(store);
  const dates = Array.from({ length: count }, (_, i) => new Date(Date.UTC(2026, 0, 1, 0, i)).toISOString());
  for (const createdAt of dates) await reports.keep(report(1, { createdAt }));
  const newest = dates.slice(-40);
  expect([...store.all.keys()]).toEqual(newest);
  expect(reports.store.getState().reports.map(({ createdAt }) => createdAt)).toEqual(newest.toReversed());
});

test('reports of earlier visits are read once, and do not replace one that is kept while they load', async () => {
  const store = memoryStore();
  await createDecodeReports(store).keep(report(1, { runs: [] }));
  await createDecodeReports(store).keep(report(2));
  const earlier = await store.load();
  let loads = 0;
  const reports = createDecodeReports({
    ...store,
    load: async () => {
      loads++;
      return earlier;
    },
  });
  const loading = reports.load();
  await Promise.all([reports.keep(report(1)), loading, reports.load()]);
  expect([reports.store.getState().reports, loads]).toEqual([[report(2), report(1)], 1]);
});

test('storage that cannot be read or written is reported in `rejection`', async () => {
  const fail = (): Promise<never> => Promise.reject(new SparseScopeError('v1.2 said no.'));
  const reports = createDecodeReports({ load: fail, save: async () => {}, remove: fail });
  const rejection = () => reports.store.getState().rejection;
  await reports.keep(report(1));
  expect(rejection()).toBeNull();
  await reports.load();
  expect(rejection()).toBe('This browser saves no reports of whole tokens: v1.2 said no');
  await reports.remove(report(2));
  expect(rejection()).toBe('The report could not be removed: v1.2 said no');
  expect(reports.store.getState().reports).toEqual([report(1)]);
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
  const unusable = [
    report(1, { ok: false }),
    report(1, { environment: { ...environment, isFallback: true } }),
    report(1, { runs: [{ ...runs[0], context: 1000 }] }),
    report(1, { runs: [{ ...runs[0], msPerToken: null }] }),
  ];
  /** The times of kernels of these kinds: 1 ns, 10 ns, … */
  const times = (kinds: readonly string[]): DecodeReport['runs'][number]['times'] => ({
    position: 50,
    source: 'timestamp-query',
    quantumNs: 1,
    kinds: Object.fromEntries(kinds.map((kind, i) => [kind, { launches: 1, ns: 10 ** i }])),
    tokenNs: [],
  });
  const [speed] = tokenSpeedsOf([report(5)]);
  const speedWith = (...kinds: string[]) =>
    tokenSpeedsOf([
      report(5, {
        runs: [
          { ...runs[0], context: 1000 },
          { ...runs[0], times: times(kinds) },
        ],
      }),
    ]);
  // The time of the matrices needs both kinds of kernels: without one, the speed has none.
  expect(speedWith('matrices', 'head')).toEqual([{ ...speed, matricesNs: 11 }]);
  const [run] = runs;
  expect(tokenSpeedsOf([report(5, { runs: [{ ...run, msPerToken: null }, run] })])).toEqual([speed]);
  for (const kind of ['matrices', 'head']) expect(speedWith(kind)).toEqual([speed]);
  expect(tokenSpeedsOf([...unusable, report(5)])).toEqual([
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
