import { describe, expect, it } from 'vitest';
import { NEWER_STORAGE, NewerStorageError } from '../newer-storage.ts';
import { BENCH_REQUEST, FakeEngine, fakeSession, memoryRunStore, REPORT, settle } from '../../../test/fake-engine.ts';
import type { BenchReport } from '../../core/report.ts';
import { reportsToJson } from '../reports/report-export.ts';
import { browserRunStore, type RunStore } from './run-store.ts';
import type { Session } from './session.ts';

async function started(runStore: RunStore = memoryRunStore()) {
  const page = fakeSession(undefined, undefined, runStore);
  await page.session.start();
  const loaded = page.session.loadRuns();
  await settle();
  return { ...page, loaded, bench: () => page.session.store.getState().bench };
}

/** Waits until timers and pending work have run. */
async function idle(): Promise<void> {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setTimeout(resolve));
  await settle();
}

/** A new visit to the page, after it has read all stored data. */
async function visited(store: RunStore) {
  const page = await started(store);
  await idle();
  await page.loaded;
  return page;
}

const rejectWith = (name: string): Promise<never> => Promise.reject(new DOMException('said no', name));

describe('results', () => {
  it('results are there in the next visit, the newest first, with their size', async () => {
    const store = memoryRunStore();
    const before = await started(store);
    await before.session.runBench(BENCH_REQUEST);
    await before.session.runSweep(BENCH_REQUEST, { of: 'density', values: [0.1, 0.5] });
    await before.session.importReport(new File([JSON.stringify(REPORT)], 'friend.json'));
    await idle();
    expect(before.bench().kept).toMatchObject({ runs: 3, rejection: null });
    const after = await visited(store);
    const summaries = (runs: ReturnType<typeof after.bench>['runs']) =>
      runs.map(({ origin, name, reports }) => ({ origin, name, reports }));
    expect(summaries(after.bench().runs)).toEqual(summaries(before.bench().runs));
    expect(after.bench().kept).toEqual(before.bench().kept);
    expect(after.bench().kept.bytes).toBeGreaterThan(3 * 1000);
    expect(after.session.store.getState().error).toBeNull();
  });

  it('results of earlier visits are listed below a result that was measured before they were read', async () => {
    const store = memoryRunStore();
    const before = await started(store);
    await before.session.importReport(new File([JSON.stringify(REPORT)], 'old.json'));
    await idle();
    const after = await started(store);
    await after.session.runBench(BENCH_REQUEST);
    await after.loaded;
    expect(after.bench().runs.map(({ name }) => name)).toEqual(['uniform, 64 × 32', 'old.json']);
    expect(new Set(after.bench().runs.map(({ id }) => id)).size).toBe(2);
  });

  it('results are forgotten one by one, and all at once', async () => {
    const store = memoryRunStore();
    const { session, bench } = await started(store);
    for (let i = 0; i < 3; i++) await session.runBench(BENCH_REQUEST);
    await idle();
    session.removeRun(bench().runs[0].id);
    await idle();
    expect([bench().runs.length, bench().kept.runs, (await store.load()).length]).toEqual([2, 2, 2]);
    await session.clearRuns();
    expect([bench().runs, bench().kept, await store.load()]).toEqual([[], { runs: 0, bytes: 0, rejection: null }, []]);
  });

  it('results that are no valid reports are left out with one message, and the others are listed', async () => {
    const store = memoryRunStore();
    await store.save('1', { origin: 'measured', name: 'broken', text: '{' });
    await store.save('2', { origin: 'measured', name: 'whole', text: JSON.stringify(REPORT) });
    await store.save('3', { origin: 'measured', name: 'other', text: '{"schema":2}' });
    const { session, loaded, bench } = await started(store);
    await loaded;
    expect(bench().runs.map(({ name }) => name)).toEqual(['whole']);
    expect(session.store.getState().problems).toEqual([
      expect.stringMatching(
        /^2 results of an earlier visit could not be read: broken: found no JSON \(.*\), expected a report exported by this application\.$/,
      ),
    ]);
  });
});

describe('a run that was in progress when the page was left', () => {
  const problems = ({ session }: Awaited<ReturnType<typeof started>>) => session.store.getState().problems;
  /** Leaves the page during the run that `begin` starts, after `turns` calls of the engine, and visits it again. */
  async function left(begin: (session: Session) => Promise<void>, part: BenchReport | null, turns = 2) {
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
    const after = await visited(store);
    return { store, after };
  }

  it('before it had any result is reported, once', async () => {
    const { store, after } = await left((session) => session.runBench(BENCH_REQUEST), null, 0);
    expect(problems(after)).toEqual(['The page was left during a run, without a result.']);
    expect(after.bench()).toMatchObject({ running: null, runs: [] });
    const again = await started(store);
    await again.loaded;
    expect(problems(again)).toEqual([]);
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
    const { store, after } = await left((session) => session.runBench({ ...BENCH_REQUEST, rounds: 9 }), part, 0);
    const name = 'uniform, 64 × 32, 3 of 9 rounds';
    expect(problems(after)).toEqual([`The page was left during a run; kept: ${name}.`]);
    expect(after.bench()).toMatchObject({ runs: [{ origin: 'measured', name, reports: [part] }], kept: { runs: 1 } });
    const again = await visited(store);
    expect([again.bench().runs.map((run) => run.name), problems(again)]).toEqual([[name], []]);
  });

  it('continues with its missing part, also after another visit', async () => {
    const part = { ...REPORT, workload: { ...REPORT.workload, rounds: 9 }, unfinished: { waiting: [] } };
    const request = { ...BENCH_REQUEST, rounds: 9 };
    const { store } = await left((session) => session.runBench(request), part, 0);
    const again = await visited(store);
    const [run] = again.bench().runs;
    expect(run.rest).toEqual({ request });
    await again.session.continueBench(run.id);
    expect(again.engine.before).toEqual([part]);
    expect(again.bench().runs).toMatchObject([{ id: run.id, reports: [REPORT] }]);
    expect(again.bench().runs[0].rest).toBeUndefined();
    await idle();
    const last = await visited(store);
    expect(last.bench().runs).toHaveLength(1);
  });

  it('a run that was in progress when the page was left is listed once while it continues, and after a visit that interrupts it again', async () => {
    const part = { ...REPORT, workload: { ...REPORT.workload, rounds: 9 }, unfinished: { waiting: [] } };
    const { store } = await left((session) => session.runBench({ ...BENCH_REQUEST, rounds: 9 }), part, 0);
    const engine = new FakeEngine((label) => (label.startsWith('bench') ? new Promise(() => {}) : Promise.resolve()));
    const { session } = fakeSession(engine, undefined, store);
    await session.start();
    await Promise.all([session.loadRuns(), idle()]);
    void session.continueBench(session.store.getState().bench.runs[0].id);
    await settle();
    for (let visit = 0; visit < 2; visit++) {
      const { runs, kept } = (await visited(store)).bench();
      expect([runs.map(({ reports }) => reports), kept.runs]).toEqual([[[part]], 1]);
    }
  });

  it('cannot continue if what is stored is no valid request', async () => {
    const store = memoryRunStore();
    const text = reportsToJson([REPORT]);
    const rests = [
      { request: { ...BENCH_REQUEST, entries: [{ format: 7 }] } },
      { request: BENCH_REQUEST, axis: {} },
      7,
    ];
    for (const [i, rest] of rests.entries()) await store.save(`${i}`, { origin: 'measured', name: 'one', text, rest });
    const after = await visited(store);
    expect(after.bench().runs.map(({ rest }) => rest)).toEqual([undefined, undefined, undefined]);
  });

  it('a run that was in progress when the page was left is listed with the finished runs of its sweep', async () => {
    const axis = { of: 'density', values: [0.1, 0.3, 0.5] } as const;
    const { after } = await left((session) => session.runSweep(BENCH_REQUEST, axis), null, 7);
    expect(after.bench().runs.map(({ name, reports }) => [name, reports.length])).toEqual([
      ['uniform, 64 × 32, 2 of 3 runs at 3 shares left', 2],
    ]);
  });

  it('a run that was in progress when the page was left is not reported if the run had finished or failed before', async () => {
    const store = memoryRunStore();
    const before = await started(store);
    await before.session.runBench(BENCH_REQUEST);
    before.engine.benchError = new Error('lost');
    await before.session.runBench(BENCH_REQUEST);
    await idle();
    const after = await visited(store);
    expect([problems(after), after.bench().runs.length]).toEqual([[], 1]);
  });

  it('a run that was in progress when the page was left has a message of limited length, however long its stored name is', async () => {
    const text = reportsToJson([REPORT]);
    for (const kept of [text, '{']) {
      const store = memoryRunStore();
      await store.save('0', { origin: 'measured', name: 'x'.repeat(10_000), text: '{' });
      store.setRunning({ origin: 'measured', name: 'y'.repeat(10_000), text: kept });
      const after = await visited(store);
      expect(problems(after)).toHaveLength(2);
      for (const sentence of problems(after)) expect(sentence.length).toBeLessThan(300);
      expect(problems(after)[0]).toContain(`${'x'.repeat(120)}...`);
      if (kept === text) expect(problems(after)[1]).toMatch(/: y{120}\.{3}$/);
    }
  });

  it('a run that was in progress when the page was left is reported without its result where that cannot be read', async () => {
    const store = memoryRunStore();
    store.setRunning({ origin: 'measured', name: 'broken', text: '{' });
    const after = await started(store);
    await after.loaded;
    expect(problems(after)).toEqual(['The page was left during a run, without a result.']);
  });

  it('completes in a browser that cannot store which run is in progress', async () => {
    const reject = (): never => {
      throw new DOMException('said no', 'SecurityError');
    };
    const { session, bench } = await started({ ...memoryRunStore(), setRunning: reject, takeInterrupted: reject });
    await session.runBench(BENCH_REQUEST);
    expect(bench().runs).toHaveLength(1);
    expect(session.store.getState()).toMatchObject({ error: null, problems: [] });
  });
});

describe('the stored note of which run is in progress in a tab', () => {
  function tab() {
    const kept = new Map<string, string>();
    return {
      kept,
      store: browserRunStore(() => ({
        getItem: (key) => kept.get(key) ?? null,
        setItem: (key, value) => void kept.set(key, value),
        removeItem: (key) => void kept.delete(key),
      })),
    };
  }
  const run = { origin: 'measured', name: 'one', text: '[]' } as const;

  it('the stored note of which run is in progress in a tab is taken once, and not after the run has ended', () => {
    const { store } = tab();
    expect(store.takeInterrupted()).toBeNull();
    store.setRunning(run);
    expect([store.takeInterrupted(), store.takeInterrupted()]).toEqual([run, null]);
    store.setRunning(run);
    store.setRunning(null);
    expect(store.takeInterrupted()).toBeNull();
  });

  it('the stored note of which run is in progress in a tab that is no run is deleted', () => {
    const { kept, store } = tab();
    for (const text of ['7', '{"origin":"measured"}']) {
      store.setRunning(run);
      for (const key of kept.keys()) kept.set(key, text);
      expect([store.takeInterrupted(), kept.size]).toEqual([null, 0]);
    }
  });
});

describe('a browser that blocks storage', () => {
  it('when results are read, leaves the page unchanged and reports it where they would be kept', async () => {
    const { session, loaded, bench } = await started({
      ...memoryRunStore(),
      load: () => rejectWith('InvalidStateError'),
    });
    await loaded;
    expect(bench().kept.rejection).toBe('This browser cannot save results (it answered: said no): save them as files.');
    expect(session.store.getState()).toMatchObject({ error: null, summary: { name: 'diagonal' } });
  });

  it('since a newer version has written it, reports it once, on every page', async () => {
    const newer = (): Promise<never> => Promise.reject(new NewerStorageError());
    const { session, loaded, bench } = await started({ ...memoryRunStore(), load: newer, save: newer });
    await loaded;
    await session.runBench(BENCH_REQUEST);
    await idle();
    expect(session.store.getState().problems).toEqual([NEWER_STORAGE]);
    expect(bench().kept.rejection).toMatch(
      /^This browser cannot save results \(a newer version of SparseScope has written /,
    );
  });

  it('when one is saved, since storage is full, keeps it on the page, and saves the next one again', async () => {
    const memory = memoryRunStore();
    let full = true;
    const { session, bench } = await started({
      ...memory,
      save: (key, run) => (full ? rejectWith('QuotaExceededError') : memory.save(key, run)),
    });
    await session.runBench(BENCH_REQUEST);
    await idle();
    expect(bench().runs).toHaveLength(1);
    expect(bench().kept).toEqual({
      runs: 0,
      bytes: 0,
      rejection: 'This browser cannot save results (its storage is full): save them as files.',
    });
    full = false;
    await session.runBench(BENCH_REQUEST);
    await idle();
    expect(bench().kept).toMatchObject({ runs: 1, rejection: null });
  });

  it('when they are deleted, reports it', async () => {
    const { session, bench } = await started({
      ...memoryRunStore(),
      clear: () => rejectWith('UnknownError'),
      remove: () => rejectWith('UnknownError'),
    });
    await session.runBench(BENCH_REQUEST);
    await idle();
    await session.clearRuns();
    expect(bench().kept.rejection).toContain('said no');
    expect(bench().kept.runs).toBe(1);
  });
});
