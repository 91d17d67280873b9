import { afterEach, describe, expect, it } from 'vitest';
import { startEngine } from '../engine/bridge/engine.ts';
import { serve } from '../engine/bridge/serve.ts';
import type { matrix as matrixService } from '../engine/matrix-service.ts';
import { testHost } from '../../test/engine.ts';
import { services } from './services.ts';

const ports: MessagePort[] = [];
afterEach(() => {
  for (const port of ports.splice(0)) port.close();
});

/** The services of the application behind a real channel. */
function connected() {
  return startEngine({
    start() {
      const { port1, port2 } = new MessageChannel();
      ports.push(port1, port2);
      serve(services, testHost(), { endpoint: port1 });
      return { endpoint: port2, end() {} };
    },
    now: () => 0,
    newLockName: () => 'lock',
  });
}

it('services have distinct names', () => {
  const names = services.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

describe('a result is a copy: a repeated request returns the same', () => {
  const region = { row: 3, col: 5, rows: 7, cols: 11 };
  const whole = { row: 0, col: 0, rows: 96, cols: 40 };

  it.each(['spy', 'marginals', 'window', 'ranks', 'tiles'] as const)('%s', async (method) => {
    const engine = connected();
    const matrix = engine.service<typeof matrixService>('matrix');
    const spec = { pattern: 'uniform', rows: 96, cols: 40, density: 0.5, seed: 1 };
    await matrix.open({}, { kind: 'generated', spec });
    const requests = {
      spy: () => [
        matrix.spy({}, { region, width: 4, height: 4 }),
        matrix.spy({}, { region: whole, width: 96, height: 96 }),
      ],
      marginals: () => [matrix.marginals({}, 8, 8), matrix.marginals({}, 1000, 1000)],
      window: () => [matrix.window({}, region), matrix.window({}, whole)],
      ranks: () => [
        matrix.pruningRanks({}, region, { way: 'magnitude' }),
        matrix.pruningRanks({}, whole, { way: 'random', seed: 1 }),
      ],
      tiles: () => [matrix.tileCounts({}, 8)],
    };
    const first = await Promise.all<unknown>(requests[method]());
    expect(await Promise.all<unknown>(requests[method]())).toEqual(first);
    expect(JSON.stringify(first).length).toBeGreaterThan(100);
  });
});
