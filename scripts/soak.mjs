// npm run soak -- [--runs N] [--busy N] [--all]: runs npm test N times (3 by default) next to N programs that keep a core busy
// each. Ends with 1 if one was red.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '3' }, busy: { type: 'string', default: '0' }, all: { type: 'boolean' } },
});
for (const name of /** @type {const} */ (['runs', 'busy'])) {
  const from = name === 'runs' ? 1 : 0;
  if (/^\d{1,3}$/.test(values[name]) && Number(values[name]) >= from) continue;
  console.error(`soak: --${name}: found '${values[name]}', expected a whole number from ${from} to 999`);
  process.exit(2);
}
/** @type {import('node:child_process').ChildProcess[]} */
const children = Array.from({ length: Number(values.busy) }, () => spawn(process.execPath, ['-e', 'for (;;);']));
process.on('exit', () => {
  for (const child of children) child.kill();
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
for (let run = 1; run <= Number(values.runs); run++) {
  const options = ['scripts/test.mjs', ...(values.all ? ['--all'] : [])];
  const test = spawn(process.execPath, options, { stdio: 'inherit' });
  children.push(test);
  const [code] = await once(test, 'close');
  console.log(`run ${run} of ${values.runs}: ${code === 0 ? 'green' : 'red'}`);
  if (code !== 0) process.exitCode = 1;
}
process.exit();
