// node scripts/without-lab.mjs NAME [--short]: removes a lab in a temporary copy of the project, and checks that the rest passes
// the type check and the import rules, builds and, without --short, has no unused exports and passes its tests. `npm test`
// runs the short form for one lab, `npm run test:all` the long one for every lab.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { labNames } from './labs.mjs';
import { ROOT } from './packages.mjs';
import { projectCopy } from './project-copy.mjs';

const [name = '', option] = process.argv.slice(2);
if (!labNames().includes(name) || (option !== undefined && option !== '--short')) {
  console.error(
    `scripts/without-lab.mjs: found '${process.argv.slice(2).join(' ')}', expected one of ${labNames().join(', ')}, and --short or nothing`,
  );
  process.exit(2);
}

const dir = projectCopy(ROOT);
const bin = (/** @type {string} */ path) => join(dir, 'node_modules', path);
const VITEST = [bin('vitest/vitest.mjs'), 'run'];

/** @type {readonly (readonly [what: string, command: readonly string[]])[]} */
const short = [
  ['what repeats the list of labs', ['scripts/labs.mjs']],
  ['types', ['scripts/types.mjs']],
  ['import rules', ['scripts/import-rules.mjs']],
  ['build', [bin('vite/bin/vite.js'), 'build', '--logLevel', 'warn']],
];
/** @type {typeof short} */
const long = [
  ['tables of docs', [...VITEST, '--project=unit', 'test/printed-tables.test.ts', '-u']],
  ['picture of the folders', ['scripts/draw-folders.mjs']],
  ['tables that lost a row', [bin('oxfmt/bin/oxfmt'), 'docs']],
  ['format', [bin('oxfmt/bin/oxfmt'), '--check']],
  ['unused exports', [bin('knip/bin/knip.js'), '--no-progress']],
  ['unit tests', [...VITEST, '--project=unit', '--project=components*']],
];

rmSync(join(dir, 'labs', name), { recursive: true });
// Tests list the files of the project with Git.
for (const args of ['init -q', 'add -A']) spawnSync('git', args.split(' '), { cwd: dir });
const env = { ...process.env, TEST_ALL: '' };
const failed = (option === undefined ? [...short, ...long] : short).filter(([what, command]) => {
  console.log(`without ${name}: ${what}`);
  return spawnSync(process.execPath, command, { cwd: dir, env, stdio: 'inherit' }).status !== 0;
});
for (const [what] of failed) console.log(`without ${name}: FAILED ${what}`);
process.exitCode = failed.length > 0 ? 1 : 0;
