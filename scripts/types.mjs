// `npm run types` checks all four TypeScript projects, also after one of them has failed.
import { spawnSync } from 'node:child_process';

for (const project of ['pure', 'worker', 'app', 'node']) {
  const { status } = spawnSync('npx', ['tsc', '-p', `tsconfig.${project}.json`], { stdio: 'inherit', shell: true });
  if (status !== 0) {
    console.error(`tsconfig.${project}.json: found errors`);
    process.exitCode = 1;
  }
}
