import { describe, expect, it } from 'vitest';
import { parseReports } from '../core/reports/report-check.ts';
import type { bench as benchService } from '../engine/bench-service.ts';
import { connectEngine } from './connect-engine.ts';
import type { device as deviceService } from '../engine/device-service.ts';
import type { matrix as matrixService } from '../engine/matrix-service.ts';
import type { BenchRequest } from '../engine/bench/bench-types.ts';

const generated = (rows: number, cols: number) =>
  ({ kind: 'generated', spec: { pattern: 'uniform', rows, cols, density: 0.3, seed: 1 } }) as const;

describe('the engine in its worker', () => {
  const engine = connectEngine();
  const matrix = engine.service<typeof matrixService>('matrix');
  const device = engine.service<typeof deviceService>('device');
  const bench = engine.service<typeof benchService>('bench');

  it('opens, shows and encodes a matrix', async () => {
    const messages = new Set<string>();
    const summary = await matrix.open(
      { onProgress: (progress) => void messages.add(progress.what) },
      generated(2048, 1024),
    );
    expect(summary).toMatchObject({ rows: 2048, cols: 1024, generation: 1 });
    expect(messages.size).toBeGreaterThan(0);
    const region = { row: 0, col: 0, rows: 2048, cols: 1024 };
    const tile = await matrix.spy({}, { region, width: 128, height: 128 });
    expect([tile.width, tile.height, tile.rowsPerBucket, tile.colsPerBucket]).toEqual([128, 128, 16, 8]);
    const meanShare = tile.buckets.reduce((sum, share) => sum + share, 0) / tile.buckets.length;
    expect(meanShare).toBeCloseTo(summary.density, 5);
    expect(await matrix.encode({}, 'macko', {})).toMatchObject({ validated: 'full', violations: [] });
  });

  it('stops when it is cancelled in the middle of its work, and keeps the matrix of before', async () => {
    const before = (await matrix.window({}, { row: 0, col: 0, rows: 1, cols: 1 })).generation;
    const abort = new AbortController();
    const watch = { signal: abort.signal, onProgress: () => abort.abort() };
    const opening = matrix.open(watch, generated(8192, 8192));
    await expect(opening).rejects.toMatchObject({ name: 'CancelledError' });
    expect((await matrix.window({}, { row: 0, col: 0, rows: 1, cols: 1 })).generation).toBe(before);
  });

  it('answers other questions while it works', async () => {
    let isOpen = false;
    const opening = matrix.open({}, generated(4096, 4096)).then(() => {
      isOpen = true;
    });
    await matrix.window({}, { row: 0, col: 0, rows: 1, cols: 1 });
    expect(isOpen).toBe(false);
    await opening;
  });

  it('names the device, and verifies and times kernels on it', async () => {
    const status = await device.status({});
    expect(status).toMatchObject({ kind: 'ready', environment: { runtime: expect.stringContaining('Chrome') } });
    await matrix.open({}, generated(96, 100));
    const request: BenchRequest = {
      operation: 'spmv',
      sizes: {},
      workload: { kind: 'stage' },
      // This format has so few kernels that all are timed.
      entries: [{ format: 'ell', params: {}, kernels: 'all' }],
      memory: 'cold',
      rounds: 3,
      seed: 1,
      where: 'gpu',
    };
    const report = await bench.run({}, request, () => {});
    expect(report.app).toMatch(/^sparsescope \d/);
    expect(report.workload).toMatchObject({ rows: 96, cols: 100, source: 'uniform 96 × 100' });
    expect(report.refused.filter((rejection) => rejection.failed)).toEqual([]);
    expect(report.rows.map((row) => row.format)).toContain('ell');
    expect(report.rows.filter((row) => !row.verified.ok || row.medianNs === null)).toEqual([]);
    expect(parseReports('own.json', JSON.stringify(report))).toEqual([report]);
  });
});
