// Bundles a program of the project for Node and runs it: node scripts/run.mjs bench/cheats.ts [argument]... Options of
// Node itself (node --expose-gc scripts/run.mjs ...) are passed on to the program's process.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { ROOT } from './packages.mjs';

const [program = '', ...args] = process.argv.slice(2);
if (!program.endsWith('.ts') || !existsSync(join(ROOT, program))) {
  console.error(`scripts/run.mjs: found '${program}', expected a program of the project, such as bench/main.ts`);
  process.exit(2);
}
// A separate folder per program, so that two can run at once.
const outDir = join(ROOT, '.cache', program.replace(/\.ts$/, '').replaceAll('/', '-'));
await build({
  configFile: join(ROOT, 'bench', 'vite.config.ts'),
  // Programs of scripts/ and of labs/X/scripts may draw stories.
  mode: /^(?:labs\/[^/]+\/)?scripts\//.test(program) ? 'stories' : 'production',
  logLevel: 'error',
  build: { ssr: program, outDir },
});
const { status } = spawnSync(process.execPath, [...process.execArgv, join(outDir, 'bench.mjs'), ...args], {
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
