import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BUNDLE_FOLDER = join(ROOT, '.cache', 'fuzz-test');

beforeAll(async () => {
  const configFile = fileURLToPath(new URL('vite.config.ts', import.meta.url));
  await build({ configFile, logLevel: 'silent', build: { outDir: BUNDLE_FOLDER } });
}, 120_000);
afterAll(() => rmSync(BUNDLE_FOLDER, { recursive: true }));

function fuzz(...args: readonly string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [join(BUNDLE_FOLDER, 'fuzz.mjs'), ...args], { encoding: 'utf8', cwd: ROOT });
}

test('attacks everything in threads, and prints the seed', { timeout: 120_000 }, () => {
  const counts =
    '--matrices 20 --mutants 60 --addresses 200 --reports 30 --drafts 30 --records 30 --sets 4 --models 10 --decoders 20 --talks 4 --threads 2';
  const run = fuzz(...counts.split(' '), '--seed', '9');
  expect(run.stderr).toBe('');
  expect(run.stdout).toMatch(/^seed 9\n/);
  expect(run.stdout).toContain(
    '20 matrices, 60 mutants, 200 addresses, 30 reports, 30 drafts, 30 records, 4 sets, 10 models, 20 decoders, 4 talks',
  );
  expect(run.stdout).toMatch(/seed 9: every law held\n$/);
  expect(run.status).toBe(0);
});

test('retries one case', { timeout: 60_000 }, () => {
  const run = fuzz('--case', '{"target":"addresses","case":"#1/?src=remote:https://huggingface.co/%"}');
  expect(run.stdout).toBe('addresses: every law holds\n');
  expect(run.status).toBe(0);
});

test('refuses a wrong command line with one sentence', { timeout: 60_000 }, () => {
  const wrong = fuzz('--only', 'files');
  expect(wrong.status).toBe(2);
  expect(wrong.stderr).toBe(
    "fuzz: --only: found 'files', expected one of formats, readers, addresses, reports, drafts, records, sets, models, decoders, brought, messages, own\n",
  );
});
