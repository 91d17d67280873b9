import { afterEach, describe, expect, expectTypeOf, it } from 'vitest';
import { CancelledError, ReadError, SparseScopeError } from '../core/errors.ts';
import { exposeEngine } from './expose.ts';
import type { EngineApi } from './protocol.ts';
import { remoteEngine } from './remote.ts';
import { testEngine } from '../../test/engine.ts';

const ports: MessagePort[] = [];
afterEach(() => {
  for (const port of ports.splice(0)) port.close();
});

function connected(engine: EngineApi): { remote: EngineApi; die: (error: Error) => void } {
  const { port1, port2 } = new MessageChannel();
  ports.push(port1, port2);
  exposeEngine(engine, port1);
  const dying: ((error: Error) => void)[] = [];
  const remote = remoteEngine(port2, (die) => dying.push(die));
  return { remote, die: (error) => dying.forEach((die) => die(error)) };
}

const generated = (rows: number, cols: number) =>
  ({ kind: 'generated', spec: { pattern: 'uniform', rows, cols, density: 0.5, seed: 1 } }) as const;

describe('an engine in another thread', () => {
  it('has the same methods', () => {
    expectTypeOf(remoteEngine).returns.toEqualTypeOf<EngineApi>();
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

  it('fails every call once it has died, those that wait and those to come', async () => {
    const silent = testEngine();
    silent.spy = () => new Promise(() => {});
    const { remote, die } = connected(silent);
    const waiting = remote.spy({ region: { row: 0, col: 0, rows: 1, cols: 1 }, width: 1, height: 1 });
    die(new SparseScopeError('The worker has stopped.'));
    await expect(waiting).rejects.toThrow('The worker has stopped.');
    await expect(remote.device()).rejects.toThrow('The worker has stopped.');
  });
});
