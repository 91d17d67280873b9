import { describe, expect, test } from 'vitest';
import type { SpyRequest, SpyTile } from '../../engine/matrix/matrix-types.ts';
import type { Tile, TileRequest } from './tile.ts';
import { TileSource } from './tile-layer.ts';

/** A provider whose answers arrive when the test releases them. */
function manualProvider(): {
  provider: (r: TileRequest) => Promise<Tile>;
  requested: number[];
  answer: (row: number) => Promise<void>;
  fail: (row: number) => Promise<void>;
} {
  const pending = new Map<number, { resolve: (t: Tile) => void; reject: (e: Error) => void }>();
  const requested: number[] = [];
  const settled = async (): Promise<void> => {
    for (let i = 0; i < 4; i++) await Promise.resolve();
  };
  return {
    requested,
    provider: (r) => {
      requested.push(r.region.row);
      return new Promise((resolve, reject) => pending.set(r.region.row, { resolve, reject }));
    },
    answer: (row) => {
      pending
        .get(row)
        ?.resolve({ ...request(row), rowsPerBucket: 1, colsPerBucket: 1, kind: 'cells', buckets: new Float32Array(1) });
      return settled();
    },
    fail: (row) => {
      pending.get(row)?.reject(new Error(`no tile ${row}`));
      return settled();
    },
  };
}

const request = (row: number): TileRequest => ({ region: { row, col: 0, rows: 1, cols: 1 }, width: 1, height: 1 });

describe('TileSource', () => {
  test('sends one request at a time; of later requests only the newest is sent', async () => {
    const { provider, requested, answer } = manualProvider();
    const received: number[] = [];
    const source = new TileSource(provider, (tile) => received.push(tile.region.row));
    for (const row of [1, 2, 3, 4]) source.request(request(row));
    expect(requested).toEqual([1]);
    await answer(1);
    expect(requested).toEqual([1, 4]);
    await answer(4);
    expect(received).toEqual([1, 4]);
  });

  test('does not repeat a pending request', async () => {
    const { provider, requested, answer } = manualProvider();
    const source = new TileSource(provider, () => {});
    source.request(request(1));
    source.request(request(2));
    source.request(request(1));
    await answer(1);
    expect(requested).toEqual([1]);
  });

  test('drops answers from before a reset, however late they arrive', async () => {
    const { provider, requested, answer } = manualProvider();
    const received: number[] = [];
    const source = new TileSource(provider, (tile) => received.push(tile.region.row));
    source.request(request(1));
    source.reset();
    source.request(request(2));
    await answer(2);
    await answer(1);
    expect(requested).toEqual([1, 2]);
    expect(received).toEqual([2]);
  });

  test('sends the next request after a failure', async () => {
    const { provider, answer, fail } = manualProvider();
    const received: number[] = [];
    const source = new TileSource(provider, (tile) => received.push(tile.region.row));
    source.request(request(1));
    source.request(request(2));
    await fail(1);
    await answer(2);
    expect(received).toEqual([2]);
  });
});

test('the types of requests and tiles are assignable to those of the worker', () => {
  const fromWorker = (tile: SpyTile): Tile => tile;
  const toWorker = (tile: TileRequest): SpyRequest => tile;
  expect([fromWorker.length, toWorker.length]).toEqual([1, 1]);
});
