import { describe, expect, it } from 'vitest';
import { eventually } from '../../../test/eventually.ts';
import { BENCH_REQUEST, CATALOG, fakeSession, settle } from '../../../test/fake-engine.ts';
import { pausedEngine } from '../../../test/started-session.ts';
import { defaultDocument, withSource } from '../document.ts';

/**
 * A started session. `hold` sets the calls at which its engine waits until `release`; `die` ends the engine and all
 * waiting calls.
 */
async function started() {
  const { engine, pause, release } = pausedEngine();
  const parts = fakeSession(engine);
  await parts.session.loadStories();
  await parts.session.start();
  await settle();
  const die = (why?: string): void => {
    pause();
    engine.die(why);
    release();
  };
  return { ...parts, hold: pause, release, die };
}

describe('an engine that dies', () => {
  it('an engine that dies is followed by another engine, in which the matrix is opened again at the same window and step', async () => {
    const { session, engine, document, player } = await started();
    session.setWindow({ row: 1, col: 1, rows: 4, cols: 4 });
    await settle();
    player.seek(2);
    engine.calls.length = 0;
    engine.die();
    expect(session.store.getState()).toMatchObject({ isInWorker: false, summary: { name: 'diagonal' } });
    expect(session.store.getState().window?.rows).toBe(4);
    await settle();
    expect(engine.calls.filter((call) => call.startsWith('open'))).toEqual(['open diagonal']);
    const { isInWorker, error, encodings, opening, window } = session.store.getState();
    expect(error).toBe('The engine stopped by itself; it was started again and diagonal was reopened.');
    expect([isInWorker, opening, window?.rows, document.getState().step]).toEqual([true, null, 4, 2]);
    expect(player.store.getState().step).toBe(2);
    expect(Object.values(encodings).map(({ kind }) => kind)).toEqual(['ready', 'ready']);
  });

  it('brings back a file that the page still has, and a pruned matrix', async () => {
    const { session, engine } = await started();
    await session.openFile(new File(['x'], 'wide'));
    await session.prune({ way: 'magnitude', density: 0.5 });
    await settle();
    engine.calls.length = 0;
    engine.die('failed (boom)');
    await settle();
    expect(engine.calls.filter((call) => /^(open|prune)/.test(call))).toEqual(['prune wide magnitude']);
    expect(session.store.getState().error).toBe(
      'The engine failed (boom); it was started again and wide was reopened.',
    );
  });

  it('while another matrix is opened, is followed by one with the matrix before, and the error names the other', async () => {
    const { session, document, hold: pause, die } = await started();
    pause('open wide 2');
    const opening = session.openExample('wide');
    await settle();
    die();
    await opening;
    await settle();
    const { error, summary } = session.store.getState();
    expect(error).toBe(
      'The engine stopped by itself while opening wide; it was started again and diagonal was reopened.',
    );
    expect([summary?.name, document.getState().source]).toEqual(['diagonal', { kind: 'example', id: 'diagonal' }]);
  });

  it('an engine that dies is followed by a matrix for an address that arrives while the same matrix is being reopened', async () => {
    const { session, engine, document, hold: pause, release } = await started();
    pause('open diagonal 2');
    engine.die();
    await settle();
    const restored = session.restore({ ...document.getState(), format: 'macko' });
    await settle();
    pause();
    for (let i = 0; i < 2; i++) release(); // the reopening, and what replaces it
    await restored;
    await settle();
    expect([session.store.getState().isInWorker, document.getState().format]).toEqual([true, 'macko']);
  });

  it('before the first matrix contacts no server that the user has not agreed to', async () => {
    const { engine, pause, release } = pausedEngine();
    const { session, document } = fakeSession(engine);
    document.setState(withSource(defaultDocument(CATALOG), { kind: 'remote', link: 'https://far.example/wide' }));
    void session.start();
    await eventually(() => expect(session.store.getState().question).not.toBeNull());
    pause('open nan 1');
    void session.openFile(new File(['x'], 'nan'));
    await settle();
    pause();
    engine.die();
    release();
    await settle();
    expect(engine.calls.filter((call) => call.startsWith('open'))).toEqual(['open nan', 'open diagonal']);
  });

  it('while the first matrix is opened, opens it once more', async () => {
    const { engine, pause, release } = pausedEngine();
    pause('open wide 1');
    const { session, document } = fakeSession(engine);
    document.setState(
      withSource(defaultDocument(CATALOG), { kind: 'example', id: 'wide' }, { row: 0, col: 0, rows: 4, cols: 8 }),
    );
    await session.loadStories();
    const start = session.start();
    await settle();
    pause();
    engine.die();
    release();
    await start;
    await settle();
    expect(session.store.getState()).toMatchObject({ summary: { name: 'wide' }, opening: null });
    expect(session.store.getState().error).toBe(
      'The engine stopped by itself while opening wide; it was started again and wide was reopened.',
    );
  });

  it('while it reopens the matrix, is followed by an engine that does not try that matrix again', async () => {
    const { session, engine, hold: pause, die } = await started();
    pause('open diagonal 1');
    engine.die();
    await settle();
    engine.calls.length = 0;
    die('failed (out of memory)');
    await settle();
    expect(engine.calls.filter((call) => call.startsWith('open'))).toEqual([]);
    expect(session.store.getState()).toMatchObject({
      isInWorker: false,
      opening: null,
      error: 'The engine failed (out of memory) while opening diagonal; restarted, without the matrix.',
    });
    await session.openExample('wide');
    expect(session.store.getState()).toMatchObject({ isInWorker: true, error: null, summary: { name: 'wide' } });
  });

  it('twice while making the same encoding, is followed by an engine that makes it only when the user retries', async () => {
    const { session, engine, hold: pause, release } = await started();
    // B would be CSR unchanged.
    session.setAgainst(null);
    pause('encode csr 1');
    session.setParam('csr', 'repeat', 2);
    await settle();
    for (let i = 0; i < 2; i++) {
      engine.die();
      release();
      await settle();
    }
    expect(session.store.getState().encodings).toMatchObject({
      macko: { kind: 'ready' },
      csr: { kind: 'failed', reason: 'The engine stopped 2 times while making this encoding.' },
    });
    pause();
    session.retryEncoding('csr');
    await settle();
    expect(session.store.getState().encodings).toMatchObject({ csr: { kind: 'ready' } });
    // Earlier deaths no longer count: if the engine ends for another reason, the encoding is computed again with the matrix.
    engine.die();
    await settle();
    expect(session.store.getState().encodings).toMatchObject({ csr: { kind: 'ready' } });
  });

  it('in the middle of a benchmark, ends it with an error, and another benchmark can begin', async () => {
    const { session, hold: pause, die } = await started();
    pause('bench 2');
    const run = session.runBench(BENCH_REQUEST);
    // The code of runs is loaded first.
    await eventually(() => expect(session.store.getState().bench.running).not.toBeNull());
    await settle();
    die('did not answer for 24 seconds');
    await run;
    await settle();
    expect(session.store.getState()).toMatchObject({
      isInWorker: true,
      bench: { running: null },
      error: 'The engine did not answer for 24 seconds while running; it was started again and diagonal was reopened.',
    });
    await session.runBench(BENCH_REQUEST);
    expect(session.store.getState().bench.runs).toHaveLength(1);
  });

  it('ends a spy plot that was being computed without a result', async () => {
    const { session, hold: pause, die } = await started();
    pause('spy');
    const spy = session.spy({ region: { row: 0, col: 0, rows: 8, cols: 8 }, width: 8, height: 8 });
    await settle();
    die();
    expect(await spy).toBeNull();
    await settle();
    expect(session.store.getState().error).toMatch(/^The engine stopped by itself; /);
  });

  it('and cannot be started again leaves the screen unchanged, with a message about what to do', async () => {
    const { session, engine } = await started();
    engine.die('could not be loaded', true);
    await settle();
    const { error, summary, window } = session.store.getState();
    expect(error).toBe('The engine could not be loaded, again and again; reload the page.');
    expect([summary?.name, window?.rows]).toEqual(['diagonal', 8]);
  });
});
