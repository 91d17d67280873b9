import { describe, expect, it } from 'vitest';
import { BENCH_REQUEST, fakeSession, memoryRunStore, REPORT, settle } from '../../test/fake-engine.ts';
import type { RunStore } from './run-store.ts';

async function started(runStore: RunStore = memoryRunStore()) {
  const all = fakeSession(undefined, undefined, runStore);
  await all.session.start();
  const loaded = all.session.loadRuns();
  await settle();
  return { ...all, loaded, bench: () => all.session.store.getState().bench };
}

/** Lets timers run as well as what is under way. */
async function idle(): Promise<void> {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setTimeout(resolve));
  await settle();
}

const no = (name: string): Promise<never> => Promise.reject(new DOMException('said no', name));

describe('results', () => {
  it('outlive the page, the newest first, with their size', async () => {
    const store = memoryRunStore();
    const before = await started(store);
    await before.session.runBench(BENCH_REQUEST);
    await before.session.runSweep(BENCH_REQUEST, { of: 'density', values: [0.1, 0.5] });
    await before.session.importReport(new File([JSON.stringify(REPORT)], 'friend.json'));
    await idle();
    expect(before.bench().kept).toMatchObject({ runs: 3, refusal: null });
    const after = await started(store);
    await idle();
    await after.loaded;
    const told = (runs: ReturnType<typeof after.bench>['runs']) =>
      runs.map(({ origin, name, reports }) => ({ origin, name, reports }));
    expect(told(after.bench().runs)).toEqual(told(before.bench().runs));
    expect(after.bench().kept).toEqual(before.bench().kept);
    expect(after.bench().kept.bytes).toBeGreaterThan(3 * 1000);
    expect(after.session.store.getState().error).toBeNull();
  });

  it('stand behind those that were measured before they were read', async () => {
    const store = memoryRunStore();
    const before = await started(store);
    await before.session.importReport(new File([JSON.stringify(REPORT)], 'old.json'));
    await idle();
    const after = await started(store);
    await after.session.runBench(BENCH_REQUEST);
    await after.loaded;
    expect(after.bench().runs.map(({ name }) => name)).toEqual(['uniform, 64 x 32', 'old.json']);
    expect(new Set(after.bench().runs.map(({ id }) => id)).size).toBe(2);
  });

  it('are forgotten one by one, and all at once', async () => {
    const store = memoryRunStore();
    const { session, bench } = await started(store);
    for (let i = 0; i < 3; i++) await session.runBench(BENCH_REQUEST);
    await idle();
    session.removeRun(bench().runs[0].id);
    await idle();
    expect([bench().runs.length, bench().kept.runs, (await store.load()).length]).toEqual([2, 2, 2]);
    await session.clearRuns();
    expect([bench().runs, bench().kept, await store.load()]).toEqual([[], { runs: 0, bytes: 0, refusal: null }, []]);
  });

  it('that are not reports are left out with one sentence, and the others are there', async () => {
    const store = memoryRunStore();
    await store.save('1', { origin: 'measured', name: 'broken', text: '{' });
    await store.save('2', { origin: 'measured', name: 'whole', text: JSON.stringify(REPORT) });
    await store.save('3', { origin: 'measured', name: 'other', text: '{"schema":2}' });
    const { session, loaded, bench } = await started(store);
    await loaded;
    expect(bench().runs.map(({ name }) => name)).toEqual(['whole']);
    expect(session.store.getState().error).toMatch(
      /^2 results of an earlier visit could not be read: broken: found no JSON \(.*\), expected a report that this application exported\.$/,
    );
  });
});

describe('a browser that says no', () => {
  it('when results are read, keeps the page as it is and says so where they would be kept', async () => {
    const { session, loaded, bench } = await started({ ...memoryRunStore(), load: () => no('InvalidStateError') });
    await loaded;
    expect(bench().kept.refusal).toBe(
      'This browser does not keep results (it answered: Said no); save them as files before you leave.',
    );
    expect(session.store.getState()).toMatchObject({ error: null, summary: { name: 'diagonal' } });
  });

  it('when one is kept, since storage is full, keeps it on the page, and keeps the next one again', async () => {
    const memory = memoryRunStore();
    let full = true;
    const { session, bench } = await started({
      ...memory,
      save: (key, run) => (full ? no('QuotaExceededError') : memory.save(key, run)),
    });
    await session.runBench(BENCH_REQUEST);
    await idle();
    expect(bench().runs).toHaveLength(1);
    expect(bench().kept).toEqual({
      runs: 0,
      bytes: 0,
      refusal: 'This browser does not keep results (its storage is full); save them as files before you leave.',
    });
    full = false;
    await session.runBench(BENCH_REQUEST);
    await idle();
    expect(bench().kept).toMatchObject({ runs: 1, refusal: null });
  });

  it('when they are forgotten, says so', async () => {
    const { session, bench } = await started({
      ...memoryRunStore(),
      clear: () => no('UnknownError'),
      remove: () => no('UnknownError'),
    });
    await session.runBench(BENCH_REQUEST);
    await idle();
    await session.clearRuns();
    expect(bench().kept.refusal).toContain('Said no');
    expect(bench().kept.runs).toBe(1);
  });
});
