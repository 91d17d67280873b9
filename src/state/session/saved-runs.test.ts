import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { NEWER_STORAGE, NewerStorageError } from '../newer-storage.ts';
import { BENCH_REQUEST, FakeEngine, fakeSession, memoryRunStore, REPORT, settle } from '../../../test/fake-engine.ts';
import type { BenchReport } from '../../core/report.ts';
import { reportsToJson } from '../reports/report-export.ts';
import { browserRunStore, type RunStore } from './run-store.ts';
import { memoryIdb } from '../../../test/memory-idb.ts';
import { createSavedRuns } from './saved-runs.ts';
import type { SessionContext } from './session-context.ts';
import type { BenchRun } from './session-state.ts';
import type { Session } from './session.ts';

async function startPage(runStore: RunStore = memoryRunStore()) {
  const page = fakeSession(undefined, undefined, runStore);
  await page.session.start();
  const loaded = page.session.loadRuns();
  await settle();
  return { ...page, loaded, bench: () => page.session.store.getState().bench };
}

/** Waits until timers and pending work have run. */
async function untilIdle(): Promise<void> {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setTimeout(resolve));
  await settle();
}

/** A new visit to the page, after it has read all stored data. */
async function visitPage(store: RunStore) {
  const page = await startPage(store);
  await untilIdle();
  await page.loaded;
  return page;
}

const rejectWith = (name: string): Promise<never> => Promise.reject(new DOMException('said no', name));

type Run = Omit<BenchRun, 'id'>;

/** A run whose report was made on this day of a month. */
function run(day: number, changes: Partial<Run> = {}): Run {
  const createdAt = `2026-11-${String(day).padStart(2, '0')}T12:00:00.000Z`;
  return { origin: 'measured', name: `run ${day}`, reports: [{ ...REPORT, createdAt }], ...changes };
}

/** Visits of one page of this browser: each reads what is stored. */
function visits(change: Partial<RunStore> = {}) {
  const tab = new Map<string, string>();
  const storage = {
    getItem: (key: string) => tab.get(key) ?? null,
    setItem: (key: string, value: string) => void tab.set(key, value),
    removeItem: (key: string) => void tab.delete(key),
  };
  const entries = new Map<string, unknown>();
  const store = { ...browserRunStore(() => storage, memoryIdb(entries)), ...change };
  const visit = async () => {
    vi.setSystemTime(Date.now() + 1000);
    const storage = { runs: 0, bytes: 0, rejection: null };
    const session = createStore(() => ({ bench: { storage }, problems: [] as readonly string[] }));
    const saved = createSavedRuns({ store: session } as unknown as SessionContext, store, async () => {});
    return { saved, runs: await saved.load(), state: () => session.getState().bench.storage, session };
  };
  return { entries, store, visit, tab };
}

const sizeOf = (runs: readonly Run[]): number =>
  runs.reduce((sum, item) => sum + reportsToJson(item.reports).length, 0);

describe('createSavedRuns', () => {
  // Keys of runs begin with their time: each visit is a second later than the one before.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
  afterEach(() => void vi.useRealTimers());

  it('reads runs back unchanged, oldest first, with their number and size, whatever was kept and removed', async () => {
    const anyRun = fc.record({
      do: fc.constant('keep' as const),
      origin: fc.constantFrom('measured' as const, 'imported' as const),
      name: fc.string(),
      hasRest: fc.boolean(),
    });
    const anyCommand = fc.oneof(
      { weight: 4, arbitrary: anyRun },
      { weight: 2, arbitrary: fc.record({ do: fc.constant('remove' as const), at: fc.nat({ max: 20 }) }) },
      fc.record({ do: fc.constantFrom('visit' as const, 'clear' as const) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(anyCommand, { maxLength: 25 }), async (commands) => {
        const { visit } = visits();
        let page = await visit();
        let expected: readonly Run[] = [];
        for (const [i, command] of commands.entries()) {
          if (command.do === 'keep') {
            const { origin, name, hasRest } = command;
            const { reports } = run(i + 1);
            const markedReports =
              origin === 'imported' ? reports.map((item) => ({ ...item, imported: true as const })) : reports;
            const newRun = {
              origin,
              name,
              reports: markedReports,
              ...(hasRest && { rest: { request: BENCH_REQUEST } }),
            };
            await page.saved.keep(newRun);
            expected = [...expected, newRun];
          } else if (command.do === 'remove') {
            const removedRun = expected[command.at % expected.length] ?? run(1);
            await page.saved.remove(removedRun);
            expected = expected.filter((item) => item !== removedRun);
          } else if (command.do === 'clear') {
            await page.saved.clear();
            expected = [];
          } else {
            page = await visit();
            expect(page.runs).toEqual(expected);
            expected = page.runs;
          }
          expect(page.state()).toEqual({ runs: expected.length, bytes: sizeOf(expected), rejection: null });
        }
        expect((await visit()).runs).toEqual(expected);
      }),
    );
  });

  it('marks the reports of an imported run that an earlier version stored without a mark, and no others', async () => {
    const { visit } = visits();
    const { saved } = await visit();
    const sweep = [...run(1).reports, { ...REPORT, imported: true as const }];
    await saved.keep(run(1, { origin: 'imported', reports: sweep }));
    await saved.keep(run(2));
    const { runs } = await visit();
    expect(runs.map(({ reports }) => reports.map(({ imported }) => imported))).toEqual([[true, true], [undefined]]);
  });

  it('reports why storage failed, until a change of it succeeds', async () => {
    const fail = () => rejectWith('UnknownError');
    const { visit } = visits({ load: fail, save: fail });
    const { runs, saved, state, session } = await visit();
    const rejection = 'This browser cannot save results (it answered: said no): save them as files.';
    expect([runs, state(), session.getState().problems]).toEqual([[], { runs: 0, bytes: 0, rejection }, []]);
    await saved.clear();
    expect(state().rejection).toBeNull();
    await saved.keep(run(1));
    expect(state()).toEqual({ runs: 0, bytes: 0, rejection });
  });

  it('keeps the order of runs that are saved at the same time', async () => {
    const { visit } = visits();
    const { saved } = await visit();
    const runs = Array.from({ length: 12 }, (_, i) => run(i + 1));
    await Promise.all(runs.map((item) => saved.keep(item)));
    expect((await visit()).runs).toEqual(runs);
  });

  it('removes a run that is still being saved', async () => {
    const { visit, entries } = visits();
    const { saved, state } = await visit();
    const [first, second] = [run(1), run(2)];
    await Promise.all([saved.keep(first), saved.keep(second), saved.remove(first)]);
    expect([entries.size, state().runs, (await visit()).runs]).toEqual([1, 1, [second]]);
  });

  it.each([
    [1, 'A result of an earlier visit could not be read: '],
    [2, '2 results of an earlier visit could not be read: '],
  ])('reports %d runs that cannot be read, and none where all can be', async (count, begin) => {
    const { store, visit } = visits();
    expect((await visit()).session.getState().problems).toEqual([]);
    for (let i = 0; i < count; i++)
      await store.save(String(i), { origin: 'measured', name: `bad${'x'.repeat(200)}`, text: '{' });
    await store.save('z', { origin: 'measured', name: 'good', text: reportsToJson(run(1).reports) });
    const { runs, session, state } = await visit();
    expect([runs.map(({ name }) => name), state().runs]).toEqual([['good'], 1]);
    expect(session.getState().problems).toEqual([expect.stringMatching(`^${begin}badx{117}\\.{3}: found no JSON`)]);
  });

  it.each([
    ['y'.repeat(120), `${'y'.repeat(120)}.`],
    ['y'.repeat(121), `${'y'.repeat(120)}...`],
    ['a\u202eb', 'a\ufffdb.'],
  ])('names an interrupted run in a sentence: %j', async (name, printedName) => {
    const { visit } = visits();
    (await visit()).saved.begin(run(1, { name }), null);
    const { runs, session } = await visit();
    expect(runs).toEqual([run(1, { name })]);
    expect(session.getState().problems).toEqual([`The page was left during a run; kept: ${printedName}`]);
  });

  it('an interrupted run that continued another one replaces it, with what is left to do', async () => {
    const remainder = { request: BENCH_REQUEST };
    const { visit, tab } = visits();
    const firstVisit = await visit();
    const earlierRun = { ...run(1), id: 1 };
    await firstVisit.saved.keep(earlierRun);
    await firstVisit.saved.keep(run(2));
    firstVisit.saved.begin(run(3, { rest: remainder }), earlierRun);
    expect((await visit()).runs).toEqual([run(2), run(3, { rest: remainder })]);
    const lastVisit = await visit();
    expect([lastVisit.runs, lastVisit.session.getState().problems, tab.size]).toEqual([
      [run(2), run(3, { rest: remainder })],
      [],
      0,
    ]);
    // Without an earlier run, none is replaced.
    lastVisit.saved.begin(run(4), { ...run(9), id: 9 });
    expect((await visit()).runs).toEqual([run(2), run(3, { rest: remainder }), run(4)]);
  });
});

describe('results', () => {
  it('results are there in the next visit, the newest first, with their size', async () => {
    const store = memoryRunStore();
    const firstVisit = await startPage(store);
    await firstVisit.session.runBench(BENCH_REQUEST);
    await firstVisit.session.runSweep(BENCH_REQUEST, { of: 'density', values: [0.1, 0.5] });
    await firstVisit.session.importReport(new File([JSON.stringify(REPORT)], 'friend.json'));
    await untilIdle();
    expect(firstVisit.bench().storage).toMatchObject({ runs: 3, rejection: null });
    const nextVisit = await visitPage(store);
    const summaries = (runs: ReturnType<typeof nextVisit.bench>['runs']) =>
      runs.map(({ origin, name, reports }) => ({ origin, name, reports }));
    expect(summaries(nextVisit.bench().runs)).toEqual(summaries(firstVisit.bench().runs));
    expect(nextVisit.bench().storage).toEqual(firstVisit.bench().storage);
    expect(nextVisit.bench().storage.bytes).toBeGreaterThan(3 * 1000);
    expect(nextVisit.session.store.getState().error).toBeNull();
  });

  it('results of earlier visits are listed below a result that was measured before they were read', async () => {
    const store = memoryRunStore();
    const firstVisit = await startPage(store);
    await firstVisit.session.importReport(new File([JSON.stringify(REPORT)], 'old.json'));
    await untilIdle();
    const nextVisit = await startPage(store);
    await nextVisit.session.runBench(BENCH_REQUEST);
    await nextVisit.loaded;
    expect(nextVisit.bench().runs.map(({ name }) => name)).toEqual(['uniform, 64 × 32', 'old.json']);
    expect(new Set(nextVisit.bench().runs.map(({ id }) => id)).size).toBe(2);
  });

  it('results are forgotten one by one, and all at once', async () => {
    const store = memoryRunStore();
    const { session, bench } = await startPage(store);
    for (let i = 0; i < 3; i++) await session.runBench(BENCH_REQUEST);
    await untilIdle();
    session.removeRun(bench().runs[0].id);
    await untilIdle();
    expect([bench().runs.length, bench().storage.runs, (await store.load()).length]).toEqual([2, 2, 2]);
    await session.clearRuns();
    expect([bench().runs, bench().storage, await store.load()]).toEqual([
      [],
      { runs: 0, bytes: 0, rejection: null },
      [],
    ]);
  });
});

describe('a run that was in progress when the page was left', () => {
  const problems = ({ session }: Awaited<ReturnType<typeof startPage>>) => session.store.getState().problems;
  /** Leaves the page during the run that `begin` starts, after `turns` calls of the engine, and visits it again. */
  async function leftDuring(begin: (session: Session) => Promise<void>, part: BenchReport | null, turns = 2) {
    const store = memoryRunStore();
    let waits = false;
    let turn = 0;
    const engine = new FakeEngine((label) =>
      waits && label.startsWith('bench') && ++turn > turns ? new Promise(() => {}) : Promise.resolve(),
    );
    engine.benchPart = part;
    const { session } = fakeSession(engine, undefined, store);
    await session.start();
    await settle();
    waits = true;
    void begin(session);
    await settle();
    const after = await visitPage(store);
    return { store, after };
  }

  it('before it had any result is reported, once', async () => {
    const { store, after } = await leftDuring((session) => session.runBench(BENCH_REQUEST), null, 0);
    expect(problems(after)).toEqual(['The page was left during a run, without a result.']);
    expect(after.bench()).toMatchObject({ running: null, runs: [] });
    const laterVisit = await startPage(store);
    await laterVisit.loaded;
    expect(problems(laterVisit)).toEqual([]);
  });

  it('does not include the current run, which began before results were read', async () => {
    const store = memoryRunStore();
    let waits = false;
    const engine = new FakeEngine((label) =>
      waits && label.startsWith('bench') ? new Promise(() => {}) : Promise.resolve(),
    );
    const { session } = fakeSession(engine, undefined, store);
    await session.start();
    await settle();
    waits = true;
    void session.runBench(BENCH_REQUEST);
    await settle();
    await session.loadRuns();
    expect(session.store.getState().bench.running).not.toBeNull();
    expect(session.store.getState().problems).toEqual([]);
  });

  it('a run that was in progress when the page was left is listed with the rounds that it had measured, also after another visit', async () => {
    const part = { ...REPORT, workload: { ...REPORT.workload, rounds: 9 }, unfinished: { waiting: [] } };
    const { store, after } = await leftDuring((session) => session.runBench({ ...BENCH_REQUEST, rounds: 9 }), part, 0);
    const name = 'uniform, 64 × 32, 3 of 9 rounds';
    expect(problems(after)).toEqual([`The page was left during a run; kept: ${name}.`]);
    expect(after.bench()).toMatchObject({
      runs: [{ origin: 'measured', name, reports: [part] }],
      storage: { runs: 1 },
    });
    const laterVisit = await visitPage(store);
    expect([laterVisit.bench().runs.map((run) => run.name), problems(laterVisit)]).toEqual([[name], []]);
  });

  it('continues with its missing part, also after another visit', async () => {
    const part = { ...REPORT, workload: { ...REPORT.workload, rounds: 9 }, unfinished: { waiting: [] } };
    const request = { ...BENCH_REQUEST, rounds: 9 };
    const { store } = await leftDuring((session) => session.runBench(request), part, 0);
    const laterVisit = await visitPage(store);
    const [run] = laterVisit.bench().runs;
    expect(run.rest).toEqual({ request });
    await laterVisit.session.continueBench(run.id);
    expect(laterVisit.engine.before).toEqual([part]);
    expect(laterVisit.bench().runs).toMatchObject([{ id: run.id, reports: [REPORT] }]);
    expect(laterVisit.bench().runs[0].rest).toBeUndefined();
    await untilIdle();
    const lastVisit = await visitPage(store);
    expect(lastVisit.bench().runs).toHaveLength(1);
  });

  it('a run that was in progress when the page was left is listed once while it continues, and after a visit that interrupts it again', async () => {
    const part = { ...REPORT, workload: { ...REPORT.workload, rounds: 9 }, unfinished: { waiting: [] } };
    const { store } = await leftDuring((session) => session.runBench({ ...BENCH_REQUEST, rounds: 9 }), part, 0);
    const engine = new FakeEngine((label) => (label.startsWith('bench') ? new Promise(() => {}) : Promise.resolve()));
    const { session } = fakeSession(engine, undefined, store);
    await session.start();
    await Promise.all([session.loadRuns(), untilIdle()]);
    void session.continueBench(session.store.getState().bench.runs[0].id);
    await settle();
    for (let visit = 0; visit < 2; visit++) {
      const { runs, storage } = (await visitPage(store)).bench();
      expect([runs.map(({ reports }) => reports), storage.runs]).toEqual([[[part]], 1]);
    }
  });

  it('cannot continue if what is stored is no valid request', async () => {
    const store = memoryRunStore();
    const text = reportsToJson([REPORT]);
    const invalidRemainders = [
      { request: { ...BENCH_REQUEST, entries: [{ format: 7 }] } },
      { request: BENCH_REQUEST, axis: {} },
      7,
    ];
    for (const [i, remainder] of invalidRemainders.entries())
      await store.save(`${i}`, { origin: 'measured', name: 'one', text, rest: remainder });
    const nextVisit = await visitPage(store);
    expect(nextVisit.bench().runs.map(({ rest }) => rest)).toEqual([undefined, undefined, undefined]);
  });

  it('a run that was in progress when the page was left is listed with the finished runs of its sweep', async () => {
    const axis = { of: 'density', values: [0.1, 0.3, 0.5] } as const;
    const { after } = await leftDuring((session) => session.runSweep(BENCH_REQUEST, axis), null, 7);
    expect(after.bench().runs.map(({ name, reports }) => [name, reports.length])).toEqual([
      ['uniform, 64 × 32, 2 of 3 runs at 3 shares left', 2],
    ]);
  });

  it('a run that was in progress when the page was left is not reported if the run had finished or failed before', async () => {
    const store = memoryRunStore();
    const firstVisit = await startPage(store);
    await firstVisit.session.runBench(BENCH_REQUEST);
    firstVisit.engine.benchError = new Error('lost');
    await firstVisit.session.runBench(BENCH_REQUEST);
    await untilIdle();
    const nextVisit = await visitPage(store);
    expect([problems(nextVisit), nextVisit.bench().runs.length]).toEqual([[], 1]);
  });

  it('a run that was in progress when the page was left is reported without its result where that cannot be read', async () => {
    const store = memoryRunStore();
    store.setRunning({ origin: 'measured', name: 'broken', text: '{' });
    const nextVisit = await startPage(store);
    await nextVisit.loaded;
    expect(problems(nextVisit)).toEqual(['The page was left during a run, without a result.']);
  });

  it('completes in a browser that cannot store which run is in progress', async () => {
    const reject = (): never => {
      throw new DOMException('said no', 'SecurityError');
    };
    const { session, bench } = await startPage({ ...memoryRunStore(), setRunning: reject, takeInterrupted: reject });
    await session.runBench(BENCH_REQUEST);
    expect(bench().runs).toHaveLength(1);
    expect(session.store.getState()).toMatchObject({ error: null, problems: [] });
  });
});

describe('a browser that blocks storage', () => {
  it('when results are read, leaves the page unchanged and reports it where they would be kept', async () => {
    const { session, loaded, bench } = await startPage({
      ...memoryRunStore(),
      load: () => rejectWith('InvalidStateError'),
    });
    await loaded;
    expect(bench().storage.rejection).toBe(
      'This browser cannot save results (it answered: said no): save them as files.',
    );
    expect(session.store.getState()).toMatchObject({ error: null, summary: { name: 'diagonal' } });
  });

  it('since a newer version has written it, reports it once, on every page', async () => {
    const rejectAsNewer = (): Promise<never> => Promise.reject(new NewerStorageError());
    const { session, loaded, bench } = await startPage({
      ...memoryRunStore(),
      load: rejectAsNewer,
      save: rejectAsNewer,
    });
    await loaded;
    await session.runBench(BENCH_REQUEST);
    await untilIdle();
    expect(session.store.getState().problems).toEqual([NEWER_STORAGE]);
    expect(bench().storage.rejection).toMatch(
      /^This browser cannot save results \(a newer version of SparseScope has written /,
    );
  });

  it('when one is saved, since storage is full, keeps it on the page, and saves the next one again', async () => {
    const memoryStore = memoryRunStore();
    let isFull = true;
    const { session, bench } = await startPage({
      ...memoryStore,
      save: (key, run) => (isFull ? rejectWith('QuotaExceededError') : memoryStore.save(key, run)),
    });
    await session.runBench(BENCH_REQUEST);
    await untilIdle();
    expect(bench().runs).toHaveLength(1);
    expect(bench().storage).toEqual({
      runs: 0,
      bytes: 0,
      rejection: 'This browser cannot save results (its storage is full): save them as files.',
    });
    isFull = false;
    await session.runBench(BENCH_REQUEST);
    await untilIdle();
    expect(bench().storage).toMatchObject({ runs: 1, rejection: null });
  });

  it('when they are deleted, reports it', async () => {
    const { session, bench } = await startPage({
      ...memoryRunStore(),
      clear: () => rejectWith('UnknownError'),
      remove: () => rejectWith('UnknownError'),
    });
    await session.runBench(BENCH_REQUEST);
    await untilIdle();
    await session.clearRuns();
    expect(bench().storage.rejection).toContain('said no');
    expect(bench().storage.runs).toBe(1);
  });
});
