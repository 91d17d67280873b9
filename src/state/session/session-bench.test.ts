import { describe, expect, it } from 'vitest';
import { KernelError } from '../../core/errors.ts';
import { BENCH_REQUEST, FakeEngine, fakeSession, memoryRunStore, REPORT, settle } from '../../../test/fake-engine.ts';
import { pausedEngine, started, watchRejections } from '../../../test/started-session.ts';

watchRejections();

describe('benchmarks', () => {
  it('run one at a time, with nothing opened or encoded meanwhile', async () => {
    const { session, engine, player } = await started();
    player.play();
    const run = session.runBench(BENCH_REQUEST);
    expect(player.store.getState().playing).toBe(false);
    await session.runBench(BENCH_REQUEST);
    expect(session.store.getState().error).toBe('A run is in progress: cancel it, or wait, before you start another.');
    await session.openExample('wide');
    expect(session.store.getState().error).toBe(
      'A run is in progress: cancel it, or wait, before you open another matrix.',
    );
    const callCount = engine.calls.length;
    session.setParam('macko', 'repeat', 3);
    expect(engine.calls.length).toBe(callCount);
    await run;
    await settle();
    expect(session.store.getState().bench).toMatchObject({
      running: null,
      runs: [{ origin: 'measured', name: 'uniform, 64 × 32', reports: [REPORT] }],
    });
    expect(session.store.getState().encodings.macko).toMatchObject({ kind: 'ready', params: { repeat: 3 } });
  });

  /** A session during a run that `end` ends. */
  async function pageWithRun() {
    let endRun = (): void => {};
    const runEnd = new Promise<void>((resolve) => (endRun = resolve));
    const engine = new FakeEngine((label) => (label.startsWith('bench') ? runEnd : Promise.resolve()));
    const page = await started(engine);
    const run = page.session.runBench(BENCH_REQUEST);
    await settle();
    const end = async (): Promise<void> => {
      endRun();
      await run;
      await settle();
    };
    const follow = (id: string, view = 'compare'): Promise<void> =>
      page.session.restore({ ...page.document.getState(), source: { kind: 'example', id }, window: null, view });
    return { ...page, end, follow, run };
  }

  it('let an address of another matrix wait, with a message, and follow it when the run has ended', async () => {
    const { session, engine, document, end, follow } = await pageWithRun();
    const restoring = follow('wide');
    await settle();
    expect(session.store.getState()).toMatchObject({
      error: null,
      opening: null,
      waiting: { title: 'Opening wide when the run has ended' },
      summary: { name: 'diagonal' },
    });
    expect(engine.calls).not.toContain('open wide');
    // Choices that the user makes meanwhile stay.
    session.setFormat('csr');
    await end();
    await restoring;
    expect(session.store.getState()).toMatchObject({
      error: null,
      waiting: null,
      summary: { name: 'wide' },
      bench: { running: null, runs: [{ reports: [REPORT] }] },
    });
    expect(document.getState()).toMatchObject({ view: 'compare', format: 'csr', source: { id: 'wide' } });
  });

  it('let the last of several addresses wait', async () => {
    const { session, engine, end, follow } = await pageWithRun();
    const firstRestore = follow('wide');
    await settle();
    const secondRestore = follow('empty');
    await firstRestore;
    await settle();
    expect(session.store.getState().waiting?.title).toBe('Opening empty when the run has ended');
    await end();
    await secondRestore;
    expect(session.store.getState()).toMatchObject({ waiting: null, summary: { name: 'empty' } });
    expect(engine.calls).not.toContain('open wide');
  });

  it('continue, and keep their matrix, where a waiting address is cancelled or replaced', async () => {
    const { session, engine, document, end, follow } = await pageWithRun();
    const cancelledRestore = follow('wide');
    await settle();
    session.cancelWaiting();
    await cancelledRestore;
    expect(session.store.getState()).toMatchObject({ error: null, waiting: null });
    expect(document.getState()).toMatchObject({ view: 'watch', source: { id: 'diagonal' } });
    // Back to the address of the matrix that is there.
    const restoringWide = follow('wide');
    await settle();
    await follow('diagonal', 'compare');
    await restoringWide;
    expect(session.store.getState()).toMatchObject({ waiting: null, bench: { running: {} } });
    await end();
    expect(session.store.getState()).toMatchObject({ summary: { name: 'diagonal' }, bench: { runs: [{ id: 1 }] } });
    expect(document.getState().view).toBe('compare');
    expect(engine.calls.filter((call) => call.startsWith('open'))).toEqual(['open diagonal']);
  });

  it('reject at once an address of an unknown matrix', async () => {
    const { session, end, follow } = await pageWithRun();
    await follow('nowhere');
    expect(session.store.getState()).toMatchObject({ waiting: null, error: expect.stringContaining("'nowhere'") });
    await end();
  });

  it('benchmarks whose code does not arrive are rejected with a message, and run once it does', async () => {
    let hasNetwork = false;
    const loadCode = async () => (hasNetwork ? memoryRunStore() : Promise.reject(new TypeError('Failed to fetch')));
    const { session } = fakeSession(undefined, undefined, loadCode);
    await session.start();
    await session.runBench(BENCH_REQUEST);
    expect(session.store.getState()).toMatchObject({
      error: 'Benchmarks could not be loaded: is there a network? Try again once there is.',
      bench: { running: null, runs: [] },
    });
    hasNetwork = true;
    await session.runBench(BENCH_REQUEST);
    expect(session.store.getState().bench.runs).toHaveLength(1);
  });

  it('wait for a matrix that is being opened', async () => {
    const { session, engine } = await started();
    const openingEnd = session.openExample('wide');
    const run = session.runBench(BENCH_REQUEST);
    expect(session.store.getState().bench.running?.job.progress?.what).toBe('waits for the matrix to open');
    expect(engine.calls).not.toContain('bench');
    await run;
    expect(engine.calls.indexOf('bench')).toBeGreaterThan(engine.calls.indexOf('open wide'));
    expect(session.store.getState()).toMatchObject({ error: null, bench: { running: null, runs: [{ id: 1 }] } });
    await openingEnd;
  });

  it('wait for the given promise, after which their request is created again', async () => {
    const { session, engine } = await started();
    let kernel = 'macko/spmv_early';
    let load = (): void => {};
    const loaded = new Promise<void>((resolve) => (load = resolve));
    const run = session.runBench(
      () => ({
        ...BENCH_REQUEST,
        entries: [{ format: 'macko', params: {}, kernels: 'auto', recordedKernel: { kernel } }],
      }),
      loaded,
    );
    await settle();
    expect(session.store.getState().bench.running).not.toBeNull();
    expect(engine.calls).not.toContain('bench');
    kernel = 'macko/spmv_recorded';
    load();
    await run;
    expect(engine.requests.map(({ request }) => request.entries[0].recordedKernel)).toEqual([
      { kernel: 'macko/spmv_recorded' },
    ]);
  });

  it('benchmarks that wait for a matrix can be cancelled, and do not start where it cannot be opened', async () => {
    const { session, engine } = await started();
    const openingEnd = session.openExample('wide');
    const run = session.runBench(BENCH_REQUEST);
    session.cancelBench();
    await run;
    expect(session.store.getState()).toMatchObject({ error: null, bench: { running: null, runs: [] } });
    await openingEnd;
    expect(session.store.getState().summary?.name).toBe('wide');
    const brokenOpening = session.openExample('broken');
    await session.runBench(BENCH_REQUEST);
    await brokenOpening;
    expect(engine.calls).not.toContain('bench');
    expect(session.store.getState()).toMatchObject({
      error: expect.stringContaining('broken'),
      bench: { running: null, runs: [] },
    });
  });

  describe('pressed while an address is being opened', () => {
    /** A session with a diagonal matrix in MACKO. `press` requests a run of the visible matrix, `arrive` ends the opening of an address. */
    async function pageWhileOpening() {
      const { engine, pause, release } = pausedEngine();
      pause('open wide 1');
      const page = await started(engine);
      const { session, document } = page;
      const follow = (id: string, format: string): Promise<void> =>
        session.restore({ ...document.getState(), source: { kind: 'example', id }, window: null, format });
      const press = (): Promise<void> =>
        session.runBench(() => ({
          ...BENCH_REQUEST,
          entries: [{ format: document.getState().format, params: {}, kernels: 'auto' }],
        }));
      /** for every run, its format and the number of its matrix */
      const ran = () => engine.requests.map(({ request, generation }) => [request.entries[0].format, generation]);
      return { ...page, follow, press, ran, arrive: release };
    }

    it('measure the formats of that address on its matrix', async () => {
      const { session, follow, press, ran, arrive } = await pageWhileOpening();
      const restoring = follow('wide', 'csr');
      await settle();
      const run = press();
      await settle();
      expect(ran()).toEqual([]);
      arrive();
      await Promise.all([restoring, run]);
      expect(ran()).toEqual([['csr', 2]]);
      expect(session.store.getState()).toMatchObject({ error: null, bench: { running: null, runs: [{ id: 1 }] } });
    });

    it('measure the matrix that was opening when they were pressed, and not the next address, which waits', async () => {
      const { session, document, follow, press, ran, arrive } = await pageWhileOpening();
      const restoring = follow('wide', 'csr');
      await settle();
      const run = press();
      await settle();
      const nextRestore = follow('empty', 'macko');
      await settle();
      expect(session.store.getState()).toMatchObject({ waiting: { title: 'Opening empty when the run has ended' } });
      arrive();
      await Promise.all([restoring, run, nextRestore]);
      expect(ran()).toEqual([['csr', 2]]);
      expect(session.store.getState()).toMatchObject({ waiting: null, summary: { name: 'empty', generation: 3 } });
      expect(document.getState()).toMatchObject({ source: { id: 'empty' }, format: 'macko' });
    });

    it.each([
      ['is given up for the open matrix', ({ follow }) => follow('diagonal', 'csr')],
      ['is cancelled', async ({ session }) => session.cancelOpening()],
    ] satisfies [string, (all: Awaited<ReturnType<typeof pageWhileOpening>>) => Promise<void>][])(
      'run nothing where it %s',
      async (_, leave) => {
        const page = await pageWhileOpening();
        const restoring = page.follow('wide', 'csr');
        await settle();
        const run = page.press();
        const leaving = leave(page);
        await settle();
        page.arrive();
        await Promise.all([restoring, run, leaving]);
        expect(page.ran()).toEqual([]);
        expect(page.session.store.getState()).toMatchObject({
          error: null,
          waiting: null,
          summary: { name: 'diagonal' },
          bench: { running: null, runs: [] },
        });
      },
    );
  });

  describe('pressed while the worker holds a matrix that the page has yet to show', () => {
    /** A session whose engine can be paused. `press` requests a run of the visible matrix, whose number is a parameter. */
    async function pausablePage(...labels: readonly string[]) {
      const { engine, pause, release } = pausedEngine();
      const page = await started(engine);
      const { session } = page;
      const press = (): Promise<void> =>
        session.runBench(() => ({
          ...BENCH_REQUEST,
          entries: [{ format: 'macko', params: { of: session.store.getState().summary?.generation }, kernels: 'auto' }],
        }));
      /** for every run, the matrix that was requested and the matrix on which it ran */
      const ran = () => engine.requests.map(({ request, generation }) => [request.entries[0].params.of, generation]);
      pause(...labels);
      return { ...page, press, ran, hold: pause, release };
    }

    it('wait for it where the opening that replaced its own has failed', async () => {
      const { session, press, ran, hold: pause, release } = await pausablePage('window answers');
      const replacedOpening = session.openExample('empty');
      await settle();
      await session.openExample('broken');
      expect(session.store.getState()).toMatchObject({ opening: null, summary: { name: 'diagonal' } });
      const run = press();
      await settle();
      expect(ran()).toEqual([]);
      pause();
      release();
      await Promise.all([replacedOpening, run]);
      expect(ran()).toEqual([[2, 2]]);
      expect(session.store.getState()).toMatchObject({ summary: { name: 'empty' }, bench: { running: null } });
    });

    it('wait for it where its cancelled opening has overtaken the newest', async () => {
      const { session, press, ran, hold: pause, release } = await pausablePage('open wide 3', 'cancel');
      const overtakingOpening = session.openExample('wide');
      await settle();
      const newestOpening = session.openExample('empty');
      await settle();
      pause('window answers');
      release('open wide 3');
      await newestOpening;
      await settle();
      expect(session.store.getState()).toMatchObject({ opening: null, summary: { name: 'empty', generation: 2 } });
      const run = press();
      await settle();
      expect(ran()).toEqual([]);
      pause();
      release('window answers');
      await Promise.all([overtakingOpening, run]);
      expect(ran()).toEqual([[3, 3]]);
    });

    it('end at once where a person cancels them', async () => {
      const { session, press, ran, hold: pause, release } = await pausablePage('window answers');
      const replacedOpening = session.openExample('empty');
      await settle();
      await session.openExample('broken');
      const run = press();
      session.cancelBench();
      await run;
      expect(session.store.getState().bench).toMatchObject({ running: null, ended: { how: 'cancelled' } });
      pause();
      release();
      await replacedOpening;
      expect(ran()).toEqual([]);
    });
  });

  it('keep the earlier runs when one is cancelled or fails', async () => {
    const { session, engine } = await started();
    await session.runBench(BENCH_REQUEST);
    const run = session.runBench(BENCH_REQUEST);
    session.cancelBench();
    await run;
    expect(session.store.getState()).toMatchObject({ error: null, bench: { running: null, runs: [{ id: 1 }] } });
    engine.benchError = new KernelError('the GPU device was lost');
    await session.runBench(BENCH_REQUEST);
    expect(session.store.getState()).toMatchObject({
      error: 'The GPU device was lost.',
      bench: { running: null, runs: [{ id: 1 }] },
    });
  });

  it('benchmarks of a generated matrix on the stage have its shape once in their name', async () => {
    const { session, engine } = await started();
    engine.benchPart = { ...REPORT, workload: { ...REPORT.workload, source: 'uniform 64 × 32' } };
    engine.benchError = new KernelError('the GPU device was lost');
    await session.runBench(BENCH_REQUEST);
    expect(session.store.getState().bench.runs[0].name).toMatch(/^uniform 64 × 32(?!, 64)/);
  });

  it('benchmarks of a run that fails, is cancelled or loses its engine keep the rounds before, and the failure is reported', async () => {
    const { session, engine } = await started();
    const waitingEntries = ['dense', 'csr', 'ell'].map((format) => ({ format, params: {} }));
    engine.benchPart = { ...REPORT, workload: { ...REPORT.workload, rounds: 50 }, unfinished: { waiting: [] } };
    const request = { ...BENCH_REQUEST, rounds: 50 };
    const run = (): Promise<void> => session.runBench(request);
    engine.benchError = new KernelError('the GPU device was lost');
    await run();
    expect(session.store.getState()).toMatchObject({
      error: 'The GPU device was lost; what was measured stays.',
      bench: {
        running: null,
        runs: [{ name: 'uniform, 64 × 32, 3 of 50 rounds', reports: [engine.benchPart], rest: { request } }],
      },
    });
    engine.benchPart = { ...engine.benchPart, unfinished: { waiting: waitingEntries } };
    await run();
    expect(session.store.getState().bench.runs[0].name).toBe('uniform, 64 × 32, 3 of 6 formats');
    session.removeRun(1);
    engine.benchError = null;
    const cancelledRun = run();
    await Promise.resolve();
    session.cancelBench();
    await cancelledRun;
    expect(session.store.getState()).toMatchObject({ error: null, bench: { running: null } });
    expect(session.store.getState().bench.runs.map(({ reports }) => reports)).toEqual([
      [engine.benchPart],
      [engine.benchPart],
    ]);
    const dyingRun = run();
    await Promise.resolve();
    engine.die();
    await dyingRun;
    await settle();
    expect(session.store.getState().bench.runs).toHaveLength(3);
    expect(session.store.getState().error).toMatch(/^The engine stopped by itself while running; /);
  });

  it('keep their position and continue with the missing part', async () => {
    const { session, engine } = await started();
    engine.benchPart = { ...REPORT, unfinished: { waiting: [{ format: 'csr', params: {} }] } };
    engine.benchError = new KernelError('the GPU device was lost');
    await session.runBench(BENCH_REQUEST);
    engine.benchError = null;
    await session.runBench(BENCH_REQUEST);
    const [newRun, brokenRun] = session.store.getState().bench.runs;
    expect([newRun.rest, brokenRun.rest]).toEqual([undefined, { request: BENCH_REQUEST }]);
    const continuing = session.continueBench(brokenRun.id);
    expect(session.store.getState().bench.running?.run).toBe(brokenRun.id);
    await continuing;
    expect(engine.before).toEqual([undefined, undefined, brokenRun.reports[0]]);
    const { runs } = session.store.getState().bench;
    expect(runs).toEqual([
      newRun,
      { id: brokenRun.id, origin: 'measured', name: 'uniform, 64 × 32', reports: [REPORT] },
    ]);
    await session.continueBench(newRun.id);
    expect(engine.before).toHaveLength(3);
  });

  it('benchmarks of a sweep continue with the remaining densities', async () => {
    const { session, engine } = await started();
    engine.benchPart = { ...REPORT, unfinished: { waiting: [] } };
    const unsubscribe = session.store.subscribe(() => {
      if (engine.calls.filter((call) => call === 'bench').length < 3) return;
      unsubscribe();
      session.cancelBench();
    });
    await session.runSweep(BENCH_REQUEST, { of: 'density', values: [0.1, 0.3, 0.5, 0.7] });
    const [run] = session.store.getState().bench.runs;
    expect(run).toMatchObject({ name: 'uniform, 64 × 32, 2 of 4 runs at 4 shares left' });
    await session.continueBench(run.id);
    const [finishedRun, ...otherRuns] = session.store.getState().bench.runs;
    expect(otherRuns).toEqual([]);
    expect(finishedRun).toMatchObject({ id: run.id, name: 'uniform, 64 × 32, 4 shares left' });
    expect(finishedRun.rest).toBeUndefined();
    expect(finishedRun.reports.map((report) => report.workload.density)).toEqual([0.1, 0.3, 0.5, 0.7]);
    expect(engine.calls.filter((call) => call === 'bench')).toHaveLength(3 + 2);
  });

  it('sweep densities, and lists runs newest first', async () => {
    const { session } = await started();
    await session.runSweep(BENCH_REQUEST, { of: 'density', values: [0.1, 0.5] });
    await session.runBench(BENCH_REQUEST);
    const { runs } = session.store.getState().bench;
    expect(runs.map((r) => r.name)).toEqual(['uniform, 64 × 32', 'uniform, 64 × 32, 2 shares left']);
    expect(runs[1].reports.map((r) => r.workload.density)).toEqual([0.1, 0.5]);
    session.removeRun(runs[0].id);
    expect(session.store.getState().bench.runs).toEqual([runs[1]]);
  });

  it('benchmarks of a sweep that fails, is cancelled or loses its engine are kept up to there, and the failure is reported', async () => {
    const { session, engine } = await started();
    const axis = { of: 'density', values: [0.1, 0.3, 0.5, 0.7] } as const;
    const sweepUntil = async (callsUntil: number, onReached: () => void): Promise<void> => {
      const calls = engine.calls.filter((call) => call === 'bench').length;
      const unsubscribe = session.store.subscribe(() => {
        if (engine.calls.filter((call) => call === 'bench').length < calls + callsUntil) return;
        unsubscribe();
        onReached();
      });
      await session.runSweep(BENCH_REQUEST, axis);
      await settle();
    };
    await sweepUntil(3, () => {
      engine.benchError = new KernelError('density 0.5 (3 of 4): the GPU device was lost');
    });
    engine.benchError = null;
    expect(session.store.getState()).toMatchObject({
      error: 'Density 0.5 (3 of 4): the GPU device was lost; what was measured stays.',
      bench: { running: null, runs: [{ name: 'uniform, 64 × 32, 2 of 4 runs at 4 shares left' }] },
    });
    await sweepUntil(2, session.cancelBench);
    expect(session.store.getState()).toMatchObject({ error: null, bench: { running: null } });
    expect(session.store.getState().bench.runs[0].reports).toHaveLength(1);
    await sweepUntil(4, () => engine.die());
    expect(session.store.getState().bench.runs.map(({ reports }) => reports.length)).toEqual([3, 1, 2]);
    expect(session.store.getState().error).toMatch(/^The engine stopped by itself while running at 4 shares left; /);
  });

  it('benchmarks are named by what changes in them', async () => {
    const { session } = await started();
    const ell = (valueType: string) => ({ format: 'ell', params: { valueType }, kernels: 'auto' as const });
    await session.runBench({ ...BENCH_REQUEST, entries: [ell('f16'), ell('f32')] });
    const parts = ['gate', 'forward'].map((operation) => ({ operation, entries: [ell('f16')] }));
    await session.runSweep(BENCH_REQUEST, { of: 'non-zeros', values: [8, 16, 30], parts });
    expect(session.store.getState().bench.runs.map((r) => r.name)).toEqual([
      'gate + forward, uniform, 64 × 32, 3 values of non-zeros per row',
      'uniform, 64 × 32, ell at 2 values of valueType',
    ]);
  });

  it('benchmarks are imported in addition to the measured ones, or rejected', async () => {
    const { session } = await started();
    await session.importReport(new File([JSON.stringify(REPORT)], 'friend.json'));
    expect(session.store.getState().bench.runs).toMatchObject([{ origin: 'imported', name: 'friend.json' }]);
    await session.importReport(new File(['{}'], 'friend.json'));
    expect(session.store.getState().error).toBe('friend.json: schema: found nothing, expected 1.');
    expect(session.store.getState().bench.runs).toHaveLength(1);
  });

  it('benchmarks are not read into memory where a file is larger than any of them, nor where it is gone', async () => {
    const { session } = await started();
    const file = { name: 'huge.json', size: 40 * 2 ** 20, text: () => Promise.reject(new Error('It was read.')) };
    await session.importReport(file);
    expect(session.store.getState().error).toBe(
      'huge.json: found 40 MiB, expected a file of reports of at most 24 MiB.',
    );
    const missingFile = {
      name: 'gone.json',
      size: 1,
      text: () => Promise.reject(new Error('gone.json: found no file.')),
    };
    await session.importReport(missingFile);
    expect(session.store.getState().error).toBe('gone.json: found no file.');
    expect(session.store.getState().bench.runs).toEqual([]);
  });
});
