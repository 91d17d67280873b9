import { afterEach, describe, expect, expectTypeOf, it } from 'vitest';
import { CancelledError, EngineDeathError, ReadError, SparseScopeError } from '../core/errors.ts';
import { exposeEngine } from './expose.ts';
import type { EngineApi, EngineDeath, WatchedEngine } from './protocol.ts';
import { remoteEngine } from './remote.ts';
import { testEngine } from '../../test/engine.ts';

const ports: MessagePort[] = [];
afterEach(() => {
  for (const port of ports.splice(0)) port.close();
});

/** `die` ends the thread that is there; the next engines are those that follow. */
function connected(...engines: EngineApi[]): {
  remote: WatchedEngine;
  die: (how: string) => void;
  ended: () => number;
  pass: (ms: number) => void;
} {
  let die: (how: string) => void = () => {};
  let ended = 0;
  let now = 0;
  const remote = remoteEngine({
    start(died) {
      die = died;
      const { port1, port2 } = new MessageChannel();
      ports.push(port1, port2);
      exposeEngine(engines.shift() ?? testEngine(), port1);
      return { endpoint: port2, end: () => void ended++ };
    },
    now: () => now,
    newLockName: () => 'lock',
  });
  return { remote, die: (how) => die(how), ended: () => ended, pass: (ms) => void (now += ms) };
}

const generated = (rows: number, cols: number) =>
  ({ kind: 'generated', spec: { pattern: 'uniform', rows, cols, density: 0.5, seed: 1 } }) as const;

describe('an engine in another thread', () => {
  it('has the same methods', () => {
    expectTypeOf(remoteEngine).returns.toEqualTypeOf<WatchedEngine>();
  });

  it('answers as it would here', async () => {
    const engine = testEngine();
    const { remote } = connected(engine);
    const progress: string[] = [];
    const summary = await remote.open(1, generated(96, 40), ({ what }) => void progress.push(what));
    expect(summary).toMatchObject({ rows: 96, cols: 40, generation: 1 });
    const region = { row: 3, col: 5, rows: 7, cols: 11 };
    expect(await remote.window(region)).toEqual(await engine.window(region));
    const request = { region, width: 4, height: 4 };
    expect(await remote.spy(request)).toEqual(await engine.spy(request));
    expect(await remote.marginals(8, 8)).toEqual(await engine.marginals(8, 8));
    expect(await remote.tileCounts(2, 8)).toEqual(await engine.tileCounts(3, 8));
    expect(await remote.encode(2, 'macko', {}, () => {})).toEqual(await engine.encode(3, 'macko', {}, () => {}));
    expect(await remote.device()).toEqual(await engine.device());
  });

  it('reports progress, and hears a cancel while it works', async () => {
    const { remote } = connected(testEngine());
    await remote.open(1, generated(4, 4), () => {});
    let reports = 0;
    const opening = remote.open(2, generated(6000, 6000), () => {
      reports++;
      void remote.cancel(2);
    });
    await expect(opening).rejects.toMatchObject({ name: new CancelledError().name });
    expect(reports).toBeGreaterThan(0);
    expect((await remote.window({ row: 0, col: 0, rows: 4, cols: 4 })).generation).toBe(1);
  });

  it('keeps name and message of an error', async () => {
    const { remote } = connected(testEngine());
    const file = new Blob(['hello']);
    await expect(remote.open(1, { kind: 'file', name: 'a.mtx', file }, () => {})).rejects.toMatchObject({
      name: new ReadError('').name,
      message: expect.stringContaining('expected'),
    });
    await expect(remote.marginals(1, 1)).rejects.toMatchObject({ name: new SparseScopeError('').name });
  });

  it('rejects what waits when it dies, tells who listens before that, and goes on with another', async () => {
    const silent = testEngine();
    silent.spy = () => new Promise(() => {});
    const { remote, die, ended } = connected(silent);
    await remote.open(1, generated(4, 4), () => {});
    const order: string[] = [];
    const deaths: EngineDeath[] = [];
    remote.onDeath((death) => {
      order.push('told');
      deaths.push(death);
    });
    const waiting = remote.spy({ region: { row: 0, col: 0, rows: 1, cols: 1 }, width: 1, height: 1 });
    waiting.catch(() => order.push('rejected'));
    die('stopped by itself');
    await expect(waiting).rejects.toMatchObject({ name: new EngineDeathError('').name });
    expect(order).toEqual(['told', 'rejected']);
    expect(deaths).toEqual([{ how: 'stopped by itself', isFinal: false }]);
    expect(ended()).toBe(1);
    await expect(remote.marginals(1, 1)).rejects.toThrow('found no matrix');
    expect(await remote.open(2, generated(4, 4), () => {})).toMatchObject({ generation: 1 });
  });

  it('hears of each death once, and of none of an engine that has been replaced', async () => {
    const { remote, die } = connected();
    const deaths: EngineDeath[] = [];
    remote.onDeath((death) => deaths.push(death));
    const first = die;
    first('failed (one)');
    await remote.device();
    expect(deaths).toHaveLength(1);
  });

  it('gives up after five short lives in a row, but not after long ones', async () => {
    const { remote, die, pass } = connected();
    const deaths: EngineDeath[] = [];
    remote.onDeath((death) => deaths.push(death));
    for (let i = 0; i < 8; i++) {
      pass(60_000);
      die('failed (boom)');
    }
    for (let i = 0; i < 4; i++) die('failed (boom)');
    expect(deaths.map(({ isFinal }) => isFinal)).not.toContain(true);
    await remote.device();
    die('failed (boom)');
    expect(deaths.at(-1)).toEqual({ how: 'failed (boom)', isFinal: true });
    await expect(remote.device()).rejects.toThrow('The engine failed (boom), again and again; reload the page.');
  });
});
