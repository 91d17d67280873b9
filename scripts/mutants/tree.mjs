import { execFileSync, spawn } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT } from '../packages.mjs';

/** @typedef {{ file: string, title: string, status: string, ms: number, message: string }} TestResult */

/**
 * A temporary copy of the files of the project, in which faults are planted: the checkout is never touched.
 *
 * @returns {{ dir: string, plant(faults: readonly { file: string, find: string, put: string }[]): void, remove(): void }}
 */
export function copyOfTree() {
  const dir = mkdtempSync(join(tmpdir(), 'sparsescope-mutants-'));
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    maxBuffer: 1 << 28,
  });
  for (const file of String(files).split('\0')) {
    if (file === '' || !existsSync(join(ROOT, file))) continue;
    mkdirSync(dirname(join(dir, file)), { recursive: true });
    copyFileSync(join(ROOT, file), join(dir, file));
  }
  // One link for each package, so that what Vite keeps in node_modules is kept apart.
  mkdirSync(join(dir, 'node_modules'));
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    if (name === '.vite' || name === '.vitest') continue;
    symlinkSync(join(ROOT, 'node_modules', name), join(dir, 'node_modules', name));
  }
  /** @type {Map<string, string>} the files that have faults, as they were */
  const originals = new Map();
  return {
    dir,
    /** Plants these faults instead of those before. */
    plant(faults) {
      for (const [file, text] of originals) writeFileSync(join(dir, file), text);
      originals.clear();
      for (const fault of faults) {
        const path = join(dir, fault.file);
        const text = readFileSync(path, 'utf8');
        if (!originals.has(fault.file)) originals.set(fault.file, text);
        writeFileSync(path, planted(text, fault));
      }
    },
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}

/**
 * The text with the fault in it. Throws if the text to find does not occur exactly once.
 *
 * @param {string} text
 * @param {{ id?: string, file: string, find: string, put: string }} fault
 */
export function planted(text, { id, file, find, put }) {
  const times = text.split(find).length - 1;
  if (times !== 1) throw new Error(`fault ${id}: found its text ${times} times in ${file}, expected 1`);
  return text.replace(find, () => put);
}

/**
 * Runs Vitest in a directory. What it reports of its tests, by their full titles.
 *
 * @param {string} dir
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<{ tests: TestResult[], output: string, seconds: number }>}
 */
export async function runVitest(dir, args, env = {}) {
  const report = join(dir, '.mutants.json');
  rmSync(report, { force: true });
  const begin = Date.now();
  const child = spawn(
    process.execPath,
    [join(dir, 'node_modules/vitest/vitest.mjs'), 'run', ...args, '--reporter=json', `--outputFile=${report}`],
    { cwd: dir, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
  await new Promise((done) => child.on('close', done));
  const seconds = (Date.now() - begin) / 1000;
  if (!existsSync(report)) return { tests: [], output, seconds };
  /** @type {{ testResults: { name: string, status: string, message: string, assertionResults: { ancestorTitles: string[], title: string, status: string, duration?: number, failureMessages?: string[] }[] }[] }} */
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  const tests = testResults.flatMap((file) =>
    file.assertionResults.map((test) => ({
      file: file.name.slice(dir.length + 1),
      title: [...test.ancestorTitles, test.title].join(' > '),
      status: test.status,
      ms: test.duration ?? 0,
      message: test.failureMessages?.[0]?.slice(0, 300) ?? '',
    })),
  );
  // A file that cannot be loaded has no tests, and fails.
  for (const file of testResults) {
    if (file.assertionResults.length === 0 && file.status === 'failed') {
      tests.push({
        file: file.name.slice(dir.length + 1),
        title: '(the file)',
        status: 'failed',
        ms: 0,
        message: file.message,
      });
    }
  }
  return { tests, output, seconds };
}
