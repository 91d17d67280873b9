// The program `sparsescope bench`, bundled and run in separate processes.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BenchReport } from '../src/core/report.ts';
import { formats } from '../src/formats/registry.ts';

/** The bundle must be inside the project, where Node finds the 'webgpu' package. */
const BUNDLE_FOLDER = fileURLToPath(new URL('../.cache/bench-test', import.meta.url));
let out = '';

beforeAll(async () => {
  out = mkdtempSync(join(tmpdir(), 'bench-'));
  const configFile = fileURLToPath(new URL('vite.config.ts', import.meta.url));
  await build({ configFile, logLevel: 'silent', build: { outDir: BUNDLE_FOLDER } });
}, 120_000);
afterAll(() => {
  rmSync(out, { recursive: true });
  rmSync(BUNDLE_FOLDER, { recursive: true });
});

function bench(...args: readonly string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [join(BUNDLE_FOLDER, 'bench.mjs'), ...args], { encoding: 'utf8' });
}

test('measures on the CPU and writes reports', { timeout: 120_000 }, () => {
  const json = join(out, 'reports.json');
  const options = '--where cpu --shapes 16x40,7x9 --densities 0.5 --formats macko --rounds 2';
  const run = bench(...options.split(' '), '--json', json);
  expect(run.stderr).toBe('');
  expect(run.status).toBe(0);
  const reports = JSON.parse(readFileSync(json, 'utf8')) as BenchReport[];
  expect(reports.map((r) => [r.workload.rows, r.workload.cols])).toEqual([
    [16, 40],
    [7, 9],
  ]);
  for (const report of reports) {
    expect(report.rows.map((row) => row.format)).toEqual(['dense', 'macko']);
    expect(report.rows.every((row) => row.verified.ok)).toBe(true);
    // Both have the same rounds, so that no round has only dense.
    expect(report.rows.map((row) => row.samplesNs.length)).toEqual([2, 2]);
    expect(report.rows[1].rounds).toBeUndefined();
    expect(report.rows[1].vsDense?.reference).toBe('dense/spmv_cpu');
    for (const row of report.rows) expect(run.stdout).toContain(row.kernel);
  }
});

test('keeps the reports of completed runs if a later one fails', { timeout: 60_000 }, () => {
  const json = join(out, 'broken-off.json');
  const options = '--where cpu --shapes 7x9,4000000000x4000000000 --densities 0.5 --formats dense --rounds 1';
  const run = bench(...options.split(' '), '--json', json);
  expect(run.status).toBe(1);
  expect((JSON.parse(readFileSync(json, 'utf8')) as BenchReport[]).map((r) => r.workload.rows)).toEqual([7]);
});

test('opens the file of --json before anything is measured', { timeout: 60_000 }, () => {
  const json = join(out, 'no-such-folder', 'x.json');
  const run = bench(...'--where cpu --shapes 7x9 --densities 0.5 --formats dense --json'.split(' '), json);
  expect(run.stdout).toBe('');
  expect(run.stderr).toMatch(
    /^bench: --json: found '.*no-such-folder.x\.json', expected a file that can be written \(ENOENT: [^\n]*\)\n$/,
  );
  expect(run.status).toBe(2);
});

test('does not change a file of --json if nothing is measured', { timeout: 60_000 }, () => {
  const [kept, missing] = [join(out, 'kept.json'), join(out, 'missing.json')];
  writeFileSync(kept, '[]');
  const options = '--where cpu --shapes 4000000000x4000000000 --densities 0.5 --formats dense --rounds 1 --json';
  for (const json of [kept, missing]) expect(bench(...options.split(' '), json).status).toBe(1);
  expect(readFileSync(kept, 'utf8')).toBe('[]');
  expect(existsSync(missing)).toBe(false);
});

test('prints only reports on standard output for --json -', { timeout: 60_000 }, () => {
  const run = bench(...'--where cpu --shapes 7x9 --densities 0.5 --formats dense --rounds 1 --json=-'.split(' '));
  expect(run.status).toBe(0);
  expect((JSON.parse(run.stdout) as BenchReport[]).map((r) => r.workload.rows)).toEqual([7]);
  expect(run.stderr).toContain('dense/spmv_cpu');
});

test(
  'writes a line for each sample for --csv, and nothing else on standard output for --csv -',
  {
    timeout: 60_000,
  },
  () => {
    const options = '--where cpu --shapes 7x9 --densities 0.5 --formats dense --rounds 3'.split(' ');
    const [csv, json] = [join(out, 'reports.csv'), join(out, 'beside.json')];
    const printed = bench(...options, '--csv', '-', '--json', json);
    expect(printed.status).toBe(0);
    expect(printed.stderr).toContain('dense/spmv_cpu');
    const [head, ...lines] = printed.stdout.trimEnd().split('\r\n');
    expect(head).toMatch(/^createdAt,.*,storedBytes,round,sampleNs$/);
    expect(lines.map((line) => line.split(',').at(-2))).toEqual(['0', '1', '2']);
    const [report] = JSON.parse(readFileSync(json, 'utf8')) as BenchReport[];
    expect(lines.map((line) => Number(line.split(',').at(-1)))).toEqual(report.rows[0].samplesNs);
    const written = bench(...options, '--csv', csv);
    expect([written.status, written.stderr]).toEqual([0, '']);
    expect(written.stdout).toContain('dense/spmv_cpu');
    expect(readFileSync(csv, 'utf8').split('\r\n')[0]).toBe(head);
  },
);

test.skipIf(!existsSync('/dev/full'))('reports that a disk is full', { timeout: 60_000 }, () => {
  const run = bench(
    ...'--where cpu --shapes 7x9 --densities 0.5 --formats dense --rounds 1 --json /dev/full'.split(' '),
  );
  expect(run.stderr).toMatch(
    /^bench: --json: found '\/dev\/full', expected a file that can be written \(ENOSPC: .*\)\n$/,
  );
  expect(run.status).toBe(2);
});

test('explains itself, and rejects a wrong command line with one message', { timeout: 60_000 }, () => {
  const help = bench('--help');
  expect(help.status).toBe(0);
  expect(help.stdout).toContain('--shapes');
  const wrong = bench('--formats', 'coo');
  expect(wrong.status).toBe(2);
  expect(wrong.stderr).toBe(`bench: --formats: found 'coo', expected one of ${formats.map((f) => f.id).join(', ')}\n`);
});
