import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { familyOf, killRunning, runChild } from './child.mjs';

/** A program that starts a child process, prints the child's id, and then does nothing forever. */
const SILENT = `
  const { spawn } = require('node:child_process');
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true });
  console.log(child.pid);
  setInterval(() => {}, 1000);
`;

describe('a program', () => {
  let folder = '';
  let output = 0;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'child-'));
    output = openSync(join(folder, 'output'), 'w');
  });
  afterEach(() => {
    closeSync(output);
    rmSync(folder, { recursive: true });
  });

  const printed = (): string => readFileSync(join(folder, 'output'), 'utf8');
  const run = (script: string, now: () => number, texts: string[] = []): Promise<number> =>
    runChild(
      {
        command: ['-e', script],
        env: process.env,
        cwd: folder,
        output,
        progress: [join(folder, 'output')],
        silentMs: 600_000,
      },
      (line) => texts.push(line),
      now,
    );

  test('ends with its exit code', async () => {
    expect(await run('process.exit(3)', Date.now)).toBe(3);
    expect(await run('console.log("done")', Date.now)).toBe(0);
  });

  test.runIf(process.platform === 'linux')(
    'a program that makes no progress is stopped together with its children',
    async () => {
      const texts: string[] = [];
      // The clock stops until the program has started another, and then advances six minutes at every reading.
      let minutes = 0;
      const now = (): number => (printed() === '' ? 0 : (minutes += 6) * 60_000);
      expect(await run(SILENT, now, texts)).toBe(1);
      expect(texts).toEqual(['stopped: no progress for 10 minutes']);
      const started = Number(printed());
      expect(started).toBeGreaterThan(0);
      await expect.poll(() => familyOf(started)).toEqual([]);
    },
  );

  test.runIf(process.platform === 'linux')('killRunning ends a program together with its children', async () => {
    const ended = run(SILENT, Date.now);
    await expect.poll(printed).toMatch(/^\d+\n$/);
    killRunning();
    expect(await ended).toBe(1);
    await expect.poll(() => familyOf(Number(printed()))).toEqual([]);
  });
});
