// `npm run prove`, which checks the module of a custom format in Node, and its child process.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { matrixOf } from '../../../test/matrices.ts';
import { paramsOf } from '../own/parse-answers.ts';
import {
  requestDescription,
  requestSetup,
  type ModuleSetup,
  requestEncoding,
  type Runners,
} from '../own/module-requests.ts';
import type { UserParams } from '../own/module-messages.ts';
import { reasonOf } from '../own/user-format-source.ts';
import { ChildRunner, fenceOf } from './prove/child-runner.ts';
import { lawLines, matrixLines, storyLines } from './prove/report.ts';

const starter = (id: string): string => readFileSync(`labs/workbench/own/starters/${id}.js`, 'utf8');

async function setupOf(runners: Runners, params: UserParams = {}): Promise<ModuleSetup> {
  const description = await requestDescription(runners);
  if (description.kind !== 'done') throw new Error(reasonOf(description));
  const setup = await requestSetup(runners, description.result, paramsOf(description.result, params));
  if (setup.kind !== 'done') throw new Error(reasonOf(setup));
  return setup.result;
}

/** Longer than any machine needs for a module that satisfies the laws. */
const PATIENT_MS = 120_000;

/** Runs a module in two processes, until `task` ends. The request `endless` is ended after a second. */
async function inChildren<T>(
  text: string,
  task: (runners: Runners, setup: ModuleSetup) => Promise<T>,
  endless?: string,
): Promise<T> {
  const limitOf = (what: string): number => (what === endless ? 1000 : PATIENT_MS);
  const encoder = new ChildRunner(text, fenceOf(), limitOf);
  const decoder = new ChildRunner(text, fenceOf(), limitOf);
  try {
    return await task({ encoder, decoder }, await setupOf({ encoder, decoder }));
  } finally {
    encoder.end();
    decoder.end();
  }
}

const A = matrixOf([0, 0.5, 0, 2], [0, 0, 0, 0], [1, 0, 0, 0]);

describe('prove', () => {
  test('prints laws, bytes and story', async () => {
    await inChildren(starter('deltas'), async (runners, setup) => {
      const { lines, isCorrect } = await lawLines(runners, setup);
      expect(isCorrect).toBe(true);
      expect(lines.slice(0, 3)).toEqual([
        'Laws, on 79 matrices',
        '  kept    Decodes to the same matrix     79 of 79',
        '  kept    No cell twice, none outside    79 of 79',
      ]);
      expect((await matrixLines(runners, setup, A)).lines).toEqual([
        'Bytes: 25, 1.0417 of dense, 66.67 bits for each non-zero',
        '  values  f16          3          6 B',
        '  gaps    u8           3          3 B',
        '  starts  u32          4         16 B',
        '  values 6 B, indices 3 B, metadata 16 B, padding 0 B',
        'It comes back, bit for bit.',
      ]);
      const story = await storyLines(runners, setup, A, starter('deltas'));
      expect(story.slice(0, 3)).toEqual([
        'Story, on 3 × 4, the first cells',
        '  Pack',
        '     1  1 column is skipped before column 1. starts[0] = 0, values[0] = 0.50 and gaps[0] = 1.',
      ]);
    });
  });

  test('shows the smallest matrix that breaks a law', async () => {
    const text = starter('csr').replace('columns.push(row.columns[i]);', 'columns.push(i === 1 ? 0 : row.columns[i]);');
    const { lines, isCorrect } = await inChildren(text, lawLines);
    expect(isCorrect).toBe(false);
    const brokenLine = lines.findIndex((line) => line.startsWith('  broken  Decodes to the same matrix'));
    expect(lines[brokenLine + 1]).toBe('          Row 0, column 1 came back as 0, expected 1.');
    expect(lines[brokenLine + 2]).toMatch(/^ {10}on 1 × 2, made of '.*' in \d+ tries: \(0, 0\) 1, \(0, 1\) 1$/);
  });
});

describe('an untrusted module in a child process', () => {
  test('a module reaches no file, no process, no network and no other module', async () => {
    const text = `
const ways = {
  process: () => process,
  require: () => require('node:fs'),
  global: () => (globalThis.process ?? globalThis.fetch ?? globalThis.performance).now,
  outer: () => globalThis.constructor.constructor('return process')(),
  inner: () => (() => {}).constructor('return 1')(),
  eval: () => (0, eval)('1'),
  fetch: () => fetch('http://127.0.0.1:1'),
  wasm: () => new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)),
  fs: () => import('node:fs'),
  data: () => import('data:text/javascript,'),
  // The error of a rejected import belongs to the realm that rejected it.
  behind: async () => {
    const refused = import('node:fs');
    try { await refused; } catch {}
    return refused.constructor.constructor('return process')();
  },
};
const said = [];
for (const [name, way] of Object.entries(ways)) {
  try {
    await way();
    said.push(name + ' is open');
  } catch {}
}
export const title = said.join(', ') || 'all are closed';
export const arrays = { values: 'f16 values' };
`;
    const title = await inChildren(text, async (_, { description }) => description.title);
    expect(title).toBe('all are closed');
  });

  test('a module with an import is rejected', async () => {
    await expect(inChildren("import 'node:fs';\nexport const title = 'x';", lawLines)).rejects.toThrow(
      'TypeError: a module imports nothing',
    );
  });

  test.each([
    ['the module', 'for (;;);'],
    ['arrays', "export const title = 'x'; export const arrays = () => { for (;;); };"],
  ])('an endless loop is ended: in %s', async (what, text) => {
    await expect(inChildren(text, lawLines, what)).rejects.toThrow(`${what} did not end within 1 s`);
  });

  test('a module that fills the memory is ended', async () => {
    const text = `const all = [];\n${starter('csr').replace('  for (const row of A) {', '  for (;;) all.push(new Array(1e6).fill(1.5));\n  for (const row of A) {')}`;
    const encoding = inChildren(text, ({ encoder }, setup) => requestEncoding(encoder, setup, A, 'nothing'), 'encode');
    await expect(encoding).rejects.toThrow(
      /^(the process of the module ended|encode did not end within 1 s|encode took more than 1024 MiB)/,
    );
  });

  describe('the memory limit includes typed arrays, which V8 does not limit', () => {
    const MAX_BYTES = 2 ** 28;
    /** A module whose `encode` fills this many MiB of typed arrays, one after another. */
    const filling = (mebibytes: number): string =>
      `const all = [];\n${starter('csr').replace('  for (const row of A) {', `  for (let i = 0; i < ${mebibytes / 16}; i++) all.push(new Float64Array(2 ** 21).fill(i + 1));\n  for (const row of A) {`)}`;
    const encoded = async (text: string) => {
      const runners = {
        encoder: new ChildRunner(text, fenceOf(), () => PATIENT_MS, MAX_BYTES),
        decoder: new ChildRunner(text, fenceOf(), () => PATIENT_MS, MAX_BYTES),
      };
      try {
        return await requestEncoding(runners.encoder, await setupOf(runners), A, 'nothing');
      } finally {
        for (const runner of Object.values(runners)) runner.end();
      }
    };

    test('a module above the limit is ended', { skip: process.platform === 'win32' }, async () => {
      await expect(encoded(filling(2048))).rejects.toThrow(/^encode took more than 256 MiB of memory$/);
    });

    test('a module below the limit answers', async () => {
      expect((await encoded(filling(64))).kind).toBe('done');
    });
  });

  test('the process loses every permission that this version of Node can remove', () => {
    expect(fenceOf(new Set(['--permission', '--allow-net']))).toEqual({ flags: ['--permission'], hasNoNetwork: true });
    expect(fenceOf(new Set(['--experimental-permission']))).toEqual({
      flags: ['--experimental-permission'],
      hasNoNetwork: false,
    });
    expect(fenceOf(new Set())).toEqual({ flags: [], hasNoNetwork: false });
  });
});

describe('the command', () => {
  beforeAll(() => {
    const { status, stdout } = spawnSync(
      process.execPath,
      ['scripts/run.mjs', 'labs/workbench/scripts/prove.ts', '--help'],
      {
        encoding: 'utf8',
      },
    );
    expect([status, stdout]).toEqual([0, expect.stringContaining('Usage: sparsescope prove FILE')]);
  }, 120_000);

  /** Runs the bundled command on a module in a temporary folder. */
  function runProve(text: string, ...args: readonly string[]): { status: number | null; message: string } {
    const folder = mkdtempSync(join(tmpdir(), 'prove-'));
    try {
      const file = join(folder, 'mine.js');
      writeFileSync(file, text);
      const command = ['.cache/labs-workbench-scripts-prove/bench.mjs', file, '--no-story', ...args];
      for (let tries = 1; ; tries++) {
        const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' });
        const message = `${stdout}${stderr}`;
        // A machine that is busy with other tests may need longer than the command waits for an answer.
        if (tries === 5 || !message.includes('did not end within')) return { status, message };
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  test('exits with 0 if all laws are satisfied, and uses the requested parameters', { timeout: PATIENT_MS }, () => {
    const { status, message } = runProve(starter('deltas'), '--params', 'bits=4');
    expect([status, message]).toEqual([0, expect.stringMatching(/^delta bytes, bits 4\n/)]);
  });

  test('exits with 1 if a law is broken, and with 2 for unknown arguments', { timeout: PATIENT_MS }, () => {
    const broken = starter('deltas').replace('gaps.push(column - next);', 'gaps.push(column - next + 1);');
    expect(runProve(broken).status).toBe(1);
    const unknown = runProve(starter('coo'), '--elsewhere');
    expect([unknown.status, unknown.message]).toEqual([2, expect.stringContaining("prove: found '--elsewhere'")]);
  });
});
