import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { unpackRecording } from '../../src/core/reports/recording.ts';
import { RECORDING } from '../../test/recording.ts';
import { driverOf, SavedReports } from './saved-reports.ts';
import { minutesText, partOf, PLAN, planText, secondsIn, stepOf } from './plan.ts';
import { stepsAtOnce } from './prepare-steps.ts';

const folder = mkdtempSync(join(tmpdir(), 'record-'));
afterAll(() => rmSync(folder, { recursive: true }));

const [REPORT] = unpackRecording(RECORDING);
const HASHES = Object.fromEntries(Object.entries(RECORDING.kernels).map(([id, { hash }]) => [id, hash]));

test('the plan takes at most 28 minutes, has each line once, and has the shapes and operations that pages show', () => {
  expect(secondsIn(PLAN)).toBeLessThanOrEqual(28 * 60);
  expect(new Set(PLAN.map(({ line }) => line)).size).toBe(PLAN.length);
  const densities = (shape: string): number =>
    new Set(PLAN.flatMap(({ run }) => (`${run.rows}x${run.cols}` === shape ? [run.density] : []))).size;
  for (const shape of ['4096x4096', '4096x14336']) expect(densities(shape)).toBeGreaterThanOrEqual(12);
  const llama = ['11008x4096', '4096x11008', '32000x4096', '1024x4096', '14336x4096', '128256x4096'];
  for (const shape of [...llama, '8192x8192']) expect(densities(shape)).toBeGreaterThanOrEqual(3);
  expect(new Set(PLAN.map(({ options }) => options.device))).toEqual(new Set(['full', 'no-subgroups', 'minimum']));
  const operations = new Set(PLAN.map(({ options }) => options.operation.id));
  for (const part of ['forward-storing', 'backward-stored', 'update']) expect(operations).toContain(part);
  const tokens = PLAN.flatMap(({ options, run }) => (options.operation.id === 'gemm' ? [run.sizes.tokens] : []));
  expect([Math.min(...tokens), Math.max(...tokens)]).toEqual([1, 2048]);
});

test('the parts of a plan together are the plan, in its order, and each takes about the same time', () => {
  const parts = [1, 2, 3, 4].map((part) => partOf(PLAN, part, 4));
  expect(parts.flat()).toEqual(PLAN);
  for (const part of parts) expect(secondsIn(part)).toBeLessThanOrEqual(8.5 * 60);
  expect(planText(parts[0]).split('\n').at(-1)).toBe(
    `${parts[0].length} reports, about ${minutesText(secondsIn(parts[0]))}`,
  );
});

test('a line of a plan is one run on the GPU; others are rejected', () => {
  expect(stepOf('--shapes 8x8 --densities 0.5').run).toMatchObject({ rows: 8, cols: 8, density: 0.5 });
  expect(() => stepOf('--shapes 8x8,9x9 --densities 0.5')).toThrow(
    'found 2 shapes, densities and sizes, expected one of each',
  );
  expect(() => stepOf('--shapes 8x8 --densities 0.5 --check')).toThrow('expected a line that times a GPU');
});

test('matrices are prepared ahead as threads and memory allow', () => {
  const steps = Array.from({ length: 20 }, () => stepOf('--shapes 1000x1000 --densities 0.5'));
  expect(stepsAtOnce(steps, 14, 2 ** 40)).toBe(12);
  expect(stepsAtOnce(steps, 14, 100e6)).toBe(4);
  expect(stepsAtOnce(steps, 0, 2 ** 40)).toBe(1);
  expect(stepsAtOnce(steps.slice(0, 3), 14, 2 ** 40)).toBe(3);
});

test('measured steps are kept, even after a call that was interrupted, and packed in the order of the plan', () => {
  const steps = ['--shapes 8x8 --densities 0.5', '--shapes 8x8 --densities 0.1'].map(stepOf);
  const first = new SavedReports(folder, '0123456a');
  first.add(steps[1], REPORT, 6);
  const raw = join(folder, 'raw.jsonl');
  writeFileSync(raw, `${readFileSync(raw, 'utf8')}{"line":"--sha`);
  const next = new SavedReports(folder, '0123456a');
  expect(steps.map((step) => next.has(step))).toEqual([false, true]);
  expect(next.pace).toBe(6 / steps[1].seconds);
  next.add(steps[0], { ...REPORT, createdAt: '2026-01-31T13:00:00.000Z' }, 6);
  const again = new SavedReports(folder, '0123456a');
  const { path, recording } = again.write(steps, { name: 'Made Up 1', driver: null, hashes: HASHES });
  expect(recording.reports.map(({ createdAt }) => createdAt.slice(11, 13))).toEqual(['13', '12']);
  expect(recording).toMatchObject({ id: 'made-up-1@2026-01-31', driver: '1.2.3', commit: '0123456a' });
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(JSON.parse(JSON.stringify(recording)));
  expect(() => new SavedReports(folder, '76543210')).toThrow(
    'raw.jsonl: found reports of commit 0123456a, expected 76543210; name another folder with --out',
  );
});

test('the driver is the first version number in its own description', () => {
  const withText = (description: string): typeof REPORT => {
    const { environment } = REPORT;
    return { ...REPORT, environment: { ...environment, adapter: { ...environment.adapter, description } } };
  };
  expect(driverOf(withText('NVIDIA: 580.159.04 580.159.4.0'))).toBe('580.159.04');
  expect(driverOf(withText('Metal'))).toBe('Metal');
  expect(driverOf(undefined)).toBe('unknown');
});
