// node scripts/without-lab.mjs NAME: deletes a lab in a temporary copy of the project, where everything else has to be
// typed, built and pass its tests. `npm run test:all` runs it for every lab.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './packages.mjs';
import { projectCopy } from './project-copy.mjs';

const [name = ''] = process.argv.slice(2);
const labs = readdirSync(join(ROOT, 'src/labs'));
if (!labs.includes(name)) {
  console.error(`scripts/without-lab.mjs: found '${name}', expected one of ${labs.join(', ')}`);
  process.exit(2);
}

/** What belongs to the lab: its folder, the folders of its name in bench, e2e and others, and its page of docs. */
const LAB_PATHS = [
  `src/labs/${name}`,
  ...['bench', 'e2e', 'fuzz', 'scripts', 'shaders', 'test'].map((folder) => `${folder}/${name}`),
  `docs/${name}.md`,
];

const dir = projectCopy(ROOT);

/**
 * @param {string} file
 * @param {(text: string) => string} change
 */
function edit(file, change) {
  const path = join(dir, file);
  writeFileSync(path, change(readFileSync(path, 'utf8')));
}

for (const path of LAB_PATHS) rmSync(join(dir, path), { recursive: true, force: true });

edit('src/app/labs.ts', (text) => {
  const line = new RegExp(`^import \\{ (\\w+) \\} from '../labs/${name}/lab\\.ts';\\n`, 'm');
  const lab = line.exec(text)?.[1];
  if (lab === undefined) throw new Error(`src/app/labs.ts: found no line that imports '../labs/${name}/lab.ts'`);
  return text.replace(line, '').replace(new RegExp(`(?<=\\[.*)\\b${lab}\\b(?:, )?`), '');
});

/** @type {string[]} scripts of package.json that are gone */
const goneScripts = [];
edit('package.json', (text) => {
  const json = JSON.parse(text);
  for (const [script, command] of Object.entries(json.scripts)) {
    if (!command.includes(`/${name}/`)) continue;
    goneScripts.push(script);
    delete json.scripts[script];
  }
  return `${JSON.stringify(json, null, 2)}\n`;
});

// A paragraph of docs is a line: those that name a file that is gone go, too.
const dead = new RegExp(
  [...LAB_PATHS.map((path) => path.replaceAll('.', '\\.')), `\\]\\([^)]*\\b${name}\\.md`].join('|'),
);
/** What figures were made with stays a name. */
const run = goneScripts.length > 0 ? new RegExp(`npm run (?=(?:${goneScripts.join('|')})\\b)`, 'g') : /(?!)/g;
for (const file of [...readdirSync(dir), ...filesIn('docs'), ...filesIn('src')]) {
  if (!/\.(?:md|json)$/.test(file)) continue;
  edit(file, (text) => {
    const lines = text.split('\n').filter((line) => file.endsWith('.json') || !dead.test(line));
    return lines.join('\n').replaceAll(run, '');
  });
}

/** @param {string} folder */
function filesIn(folder) {
  return readdirSync(join(dir, folder), { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`);
}

const bin = (/** @type {string} */ path) => join(dir, 'node_modules', path);
const VITEST = [bin('vitest/vitest.mjs'), 'run'];
const NO_SCHEDULE = { ...process.env, TEST_ALL: '' };

/** @type {readonly (readonly [what: string, command: readonly string[]])[]} */
const steps = [
  ['tables of docs', [...VITEST, '--project=unit', 'test/printed-tables.test.ts', '-u']],
  ['picture of the rooms', ['scripts/draw-rooms.mjs']],
  ...['pure', 'worker', 'app', 'node'].map(
    (part) => /** @type {const} */ ([`types of ${part}`, [bin('typescript/bin/tsc'), '-p', `tsconfig.${part}.json`]]),
  ),
  ['imports', ['scripts/import-rules.mjs']],
  ['build', [bin('vite/bin/vite.js'), 'build', '--logLevel', 'warn']],
  ['unit tests', [...VITEST, '--project=unit', '--project=components*']],
];

// Tests ask git which files there are.
for (const args of ['init -q', 'add -A']) spawnSync('git', args.split(' '), { cwd: dir });
const failed = steps.filter(([what, command]) => {
  console.log(`without ${name}: ${what}`);
  return spawnSync(process.execPath, command, { cwd: dir, env: NO_SCHEDULE, stdio: 'inherit' }).status !== 0;
});
for (const [what] of failed) console.log(`without ${name}: FAILED ${what}`);
process.exitCode = failed.length > 0 || !existsSync(join(dir, 'dist')) ? 1 : 0;
