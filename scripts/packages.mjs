import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of package.json. */
export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

const OLDEST_NODE = 20;

/**
 * Whether the packages have to be installed: there are none, or the lock file is newer than they are.
 * npm writes node_modules/.package-lock.json last, so an installation that was cut short counts as none.
 *
 * @param {string} root folder of package-lock.json
 * @returns {boolean}
 */
export function packagesMissing(root) {
  const installed = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(installed)) return true;
  return statSync(installed).mtimeMs < statSync(join(root, 'package-lock.json')).mtimeMs;
}

/**
 * Runs `npm ci` when packages are missing. Throws an Error with one sentence when Node is too old or npm fails.
 *
 * @param {string} [root]
 */
export function installPackages(root = ROOT) {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < OLDEST_NODE) {
    throw new Error(`Node: found version ${process.versions.node}, expected ${OLDEST_NODE} or newer.`);
  }
  if (!packagesMissing(root)) return;
  console.log('Installing packages (npm ci) ...');
  // Under `npm start` this is the npm that is running; without it, whichever npm is found.
  const npm = process.env.npm_execpath;
  const { status } = npm
    ? spawnSync(process.execPath, [npm, 'ci'], { cwd: root, stdio: 'inherit' })
    : spawnSync('npm', ['ci'], { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) throw new Error('npm ci failed: fix what it reports above first.');
}
