// npm run soak -- --runs N [--busy N] [--nice N] [--all]: runs npm test again and again, beside loops that keep cores busy
// or with a low priority, and says for each run how long it took and what failed. What the runs print is in .cache/soak.
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from './packages.mjs';

function optionsOf() {
  try {
    const { values } = parseArgs({
      options: {
        runs: { type: 'string', default: '3' },
        busy: { type: 'string', default: '0' },
        nice: { type: 'string', default: '0' },
        all: { type: 'boolean', default: false },
      },
    });
    return values;
  } catch (error) {
    const found = error instanceof Error ? error.message : String(error);
    console.error(`${found}\nUsage: npm run soak -- [--runs N] [--busy N] [--nice N] [--all]`);
    process.exit(2);
  }
}
const values = optionsOf();

/** @param {'runs' | 'busy' | 'nice'} name @param {number} min @param {number} max */
function whole(name, min, max) {
  const value = Number(values[name]);
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  console.error(`--${name}: found '${values[name]}', expected a whole number from ${min} to ${max}`);
  process.exit(2);
}
const runs = whole('runs', 1, 1000);
const busy = whole('busy', 0, 64);
const nice = whole('nice', 0, 19);

const folder = join(ROOT, '.cache', 'soak');
mkdirSync(folder, { recursive: true });

const loops = Array.from({ length: busy }, () => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
/** @type {import('node:child_process').ChildProcess | undefined} */
let current;
process.on('exit', () => {
  for (const loop of loops) loop.kill('SIGKILL');
});
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => {
    current?.kill('SIGTERM');
    process.exit(1);
  });
}

let red = 0;
for (let run = 1; run <= runs; run++) {
  const log = join(folder, `run-${run}.txt`);
  const output = openSync(log, 'w');
  const start = Date.now();
  const code = await new Promise((resolve) => {
    const test = spawn(process.execPath, [join(ROOT, 'scripts', 'test.mjs'), ...(values.all ? ['--all'] : [])], {
      cwd: ROOT,
      stdio: ['ignore', output, output],
    });
    current = test;
    // Everything that it starts inherits it.
    if (test.pid !== undefined) setPriority(test.pid, nice);
    test.on('close', (exitCode) => resolve(exitCode ?? 1));
  });
  closeSync(output);
  if (code !== 0) red++;
  const text = readFileSync(log, 'utf8');
  const minutes = ((Date.now() - start) / 60_000).toFixed(1);
  console.log(`run ${run} of ${runs}: ${minutes} min, ${text.trimEnd().split('\n').at(-1)}`);
  const failed = /\nFailed:\n((?: {2}.*\n)+)/.exec(text);
  if (failed) console.log(failed[1].trimEnd());
}
console.log(`${runs - red} green, ${red} red`);
process.exitCode = red > 0 ? 1 : 0;
process.exit();
