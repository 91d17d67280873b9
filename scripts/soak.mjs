// npm run soak -- [--runs N] [--busy N] [--all]: runs npm test N times (3 by default) beside N programs that keep a core busy
// each. Ends with 1 if one was red.
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
const loops = Array.from({ length: Number(values.busy) }, () => spawn(process.execPath, ['-e', 'for (;;);']));
process.on('exit', () => {
  for (const loop of loops) loop.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
for (let run = 1; run <= Number(values.runs); run++) {
  const options = ['scripts/test.mjs', ...(values.all ? ['--all'] : [])];
  const { status } = spawnSync(process.execPath, options, { stdio: 'inherit' });
  console.log(`run ${run} of ${values.runs}: ${status === 0 ? 'green' : 'red'}`);
  if (status !== 0) process.exitCode = 1;
}
process.exit();
