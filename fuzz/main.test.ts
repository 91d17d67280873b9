// The fuzzer as a command: its bundle, its output, and exit codes.

import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { afterAll, beforeAll, expect } from 'vitest';
import { scheduled } from '../test/scheduled.ts';

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

scheduled(
  'the stage of the fuzzer attacks the same with more cases',
  'the stage fuzz of npm test, which fails where a law does',
  'the fuzzer runs every target in threads, and prints the seed',
  () => {
    const counts = {
      matrices: 20,
      mutants: 60,
      addresses: 200,
      reports: 30,
      records: 30,
      sets: 4,
      models: 10,
      talks: 4,
    };
    const requests = Object.entries(counts).flatMap(([unit, count]) => [`--${unit}`, String(count)]);
    const run = fuzz(...requests, '--threads', '2', '--seed', '9');
    expect(run.stderr).toBe('');
    expect(run.stdout).toMatch(/^seed 9\n/);
    expect(run.stdout).toContain(
      Object.entries(counts)
        .map(([unit, count]) => `${count} ${unit}`)
        .join(', '),
    );
    expect(run.stdout).toMatch(/seed 9: every law held\n$/);
    expect(run.status).toBe(0);
  },
);

scheduled(
  'a bundle needs eight seconds of a core to build, and the stage of the fuzzer builds and runs one',
  'fuzz/arguments.test.ts and fuzz/thread.test.ts, which read command lines and written cases without a bundle',
  'the fuzzer retries one case, and rejects a wrong command line with one message',
  () => {
    const run = fuzz('--case', '{"target":"addresses","case":"#2/?src=remote:https://huggingface.co/%"}');
    expect(run.stdout).toBe('addresses: every law holds\n');
    expect(run.status).toBe(0);
    const wrong = fuzz('--only', 'files');
    expect(wrong.status).toBe(2);
    // Targets of labs follow.
    expect(wrong.stderr).toMatch(
      /^fuzz: --only: found 'files', expected one of formats, readers, addresses, reports, records, sets, models, messages(?:, [a-z]+)*\n$/,
    );
  },
);
