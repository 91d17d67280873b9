// npm run soak -- [--runs N] [--busy N] [--all]: runs npm test N times (3 by default) beside N programs that keep a core busy
// each, and says of each run how long it took and what failed. Ends with 1 if one was red.
import { spawn, spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '3' }, busy: { type: 'string', default: '0' }, all: { type: 'boolean' } },
});
for (const name of /** @type {const} */ (['runs', 'busy'])) {
  if (/^\d{1,3}$/.test(values[name])) continue;
  console.error(`--${name}: found '${values[name]}', expected a whole number below 1000`);
  process.exit(2);
}
const runs = Number(values.runs);
const loops = Array.from({ length: Number(values.busy) }, () => spawn(process.execPath, ['-e', 'for (;;);']));
process.on('exit', () => {
  for (const loop of loops) loop.kill('SIGKILL');
});
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, () => process.exit(1));

for (let run = 1; run <= runs; run++) {
  const start = Date.now();
  const test = spawnSync(process.execPath, ['scripts/test.mjs', ...(values.all ? ['--all'] : [])], {
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  });
  const minutes = ((Date.now() - start) / 60_000).toFixed(1);
  console.log(`run ${run} of ${runs}: ${minutes} min, ${test.stdout.trimEnd().split('\n').at(-1)}`);
  console.log(/\nFailed:\n((?: {2}.*\n)+)/.exec(test.stdout)?.[1] ?? 'green');
  if (test.status !== 0) process.exitCode = 1;
}
process.exit();
