import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, resolve } from 'node:path';
import { chromium } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { driverEnvironment, swiftShaderFile } from '../scripts/software-gpu.mjs';
import { CHROMIUM_ARGS, chromiumPath } from './chromium.ts';

/** The package as another program has it: `npm pack` builds it, an empty folder gets it, and README's example runs. */

const ROOT = resolve(import.meta.dirname, '..');
let folder = '';

const example = /```js\n(.*?)```/s.exec(readFileSync(join(ROOT, 'README.md'), 'utf8'))?.[1] ?? '';
/** What the example leaves behind. */
const REPORTS = `
const outcome = {
  y: [...y],
  kernels: report.rows.map(({ kernel, verified }) => [kernel, verified.ok]),
  wrong: await stored.validate(),
  total: (await stored.ledger()).totalBytes === stored.bytes,
};
`;

/** Row r of the example times ones: the cells whose place is a multiple of 3, in 4096ths. */
const sums = Array.from({ length: 64 }, (_, r) => {
  let sum = 0;
  for (let i = 64 * r; i < 64 * r + 64; i++) if (i % 3 === 0) sum += i / 4096;
  return sum;
});

interface Outcome {
  readonly y: readonly number[];
  readonly kernels: readonly (readonly [kernel: string, ok: boolean])[];
  readonly wrong: readonly unknown[];
  readonly total: boolean;
}

function expectRight({ y, kernels, wrong, total }: Outcome): void {
  expect(y).toHaveLength(64);
  // Values are f16: each is off by at most 2^-11 of itself.
  for (const [r, sum] of sums.entries()) expect(Math.abs(y[r] - sum)).toBeLessThanOrEqual(sum / 2048);
  expect(kernels.map(([kernel, ok]) => [kernel.split('/')[0], ok])).toEqual([
    ['dense', true],
    ['macko', true],
  ]);
  expect(wrong).toEqual([]);
  expect(total).toBe(true);
}

const run = (command: string, args: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}) =>
  spawnSync(command, args, {
    cwd,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    shell: process.platform === 'win32' && command === 'npm',
  });

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'package-'));
  const packed = run('npm', ['pack', '--pack-destination', folder], ROOT);
  expect(packed.status, packed.stderr).toBe(0);
  const [file] = readdirSync(folder);
  const installed = run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${file}`], folder);
  expect(installed.status, installed.stderr).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('the package', () => {
  it('brings nothing but itself', () => {
    expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['sparsescope']);
    const own = join(folder, 'node_modules/sparsescope');
    expect(readdirSync(own).toSorted()).toEqual(['LICENSE', 'README.md', 'dist-lib', 'docs', 'package.json']);
    expect(existsSync(join(own, 'docs/numpy/sparsescope.py'))).toBe(true);
  });

  it('can be published', () => {
    // The folder as it is packed: nothing is built again.
    const { status, stderr } = run('npm', ['publish', '--dry-run', '--offline', '--ignore-scripts'], ROOT);
    expect(status, stderr).toBe(0);
  });

  it('has types that a program in TypeScript compiles with', () => {
    writeFileSync(
      join(folder, 'typed.ts'),
      `import { encode, fromDense, type Stored } from 'sparsescope';
import { formatById } from 'sparsescope/formats';
import { readMatrix } from 'sparsescope/files';
import { macko } from 'sparsescope/macko';
const stored = encode(fromDense(1, 2, new Float32Array(2)), macko, { deltaBits: 4 });
const bytes: number = stored.bytes;
const deltas: Uint32Array = stored.encoded.deltas;
// @ts-expect-error 3 is no number of bits
encode(stored.decode(), macko, { deltaBits: 3 });
export const all: [Stored, number, Uint32Array, string, typeof readMatrix] = [encode(stored.decode(), formatById('csr')), bytes, deltas, macko.id, readMatrix];
`,
    );
    const options =
      '--noEmit --strict --skipLibCheck --module nodenext --target es2024 --lib es2024,dom --types @webgpu/types';
    symlinkSync(join(ROOT, 'node_modules/@webgpu'), join(folder, 'node_modules/@webgpu'));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    const { status, stdout } = run(process.execPath, [tsc, ...options.split(' '), 'typed.ts'], folder);
    expect(stdout).toBe('');
    expect(status).toBe(0);
  });

  it('runs the example of README.md under Node', ({ skip }) => {
    const driver = swiftShaderFile();
    if (driver === null) return skip('found no software GPU; it comes with Chromium');
    symlinkSync(join(ROOT, 'node_modules/webgpu'), join(folder, 'node_modules/webgpu'));
    // Not the end of the file: a device that was destroyed may keep the process.
    const file = join(folder, 'example.mjs');
    writeFileSync(file, `${example}${REPORTS}console.error(JSON.stringify(outcome));\nprocess.exit();\n`);
    const { status, stdout, stderr } = run(process.execPath, [file], folder, driverEnvironment(driver));
    expect(status, stderr).toBe(0);
    expect(stdout).toContain('Uint32Array');
    expectRight(JSON.parse(stderr.trim().split('\n').at(-1) ?? '') as Outcome);
  });

  it('says under Node that the package webgpu is missing', () => {
    const file = join(folder, 'node_modules/sparsescope/dist-lib/alone.mjs');
    writeFileSync(
      file,
      "import { openDevice } from './index.js';\nawait openDevice().catch((e) => console.log(e.message));\n",
    );
    rmSync(join(folder, 'node_modules/webgpu'), { force: true });
    expect(run(process.execPath, [file], folder).stdout).toMatch(
      /^Node: found no GPU \(Cannot find package 'webgpu'.*\), expected the package webgpu: npm install webgpu\n$/,
    );
  });

  it('runs it in Chromium from a plain page', async ({ skip }) => {
    const executablePath = chromiumPath();
    if (!executablePath) return skip('found no Chromium');
    const map = { imports: { sparsescope: './lib/index.js', 'sparsescope/macko': './lib/codecs/macko.js' } };
    const page = `<!doctype html><script type="importmap">${JSON.stringify(map)}</script>
<script type="module">${example}${REPORTS}globalThis.outcome = outcome;</script>`;
    const types: Readonly<Record<string, string>> = { '.js': 'text/javascript', '': 'text/html' };
    const server = createServer(({ url = '/' }, response) => {
      response.setHeader('content-type', types[extname(url)] ?? 'text/plain');
      response.end(
        url.startsWith('/lib/') ? readFileSync(join(folder, 'node_modules/sparsescope/dist-lib', url.slice(5))) : page,
      );
    });
    await new Promise<void>((listens) => void server.listen(0, '127.0.0.1', listens));
    const browser = await chromium.launch({ executablePath, args: CHROMIUM_ARGS });
    try {
      const tab = await browser.newPage();
      const errors: string[] = [];
      tab.on('pageerror', ({ message }) => errors.push(message));
      await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      const done = tab.waitForFunction(() => (globalThis as { outcome?: unknown }).outcome);
      const failed = tab.waitForEvent('pageerror').then(({ message }) => Promise.reject(new Error(message)));
      expectRight((await (await Promise.race([done, failed])).jsonValue()) as Outcome);
      expect(errors).toEqual([]);
    } finally {
      await browser.close();
      server.close();
    }
  });
});
