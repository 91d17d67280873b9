import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Installs the npm packages if they are missing. Imports only modules of Node.

/** The folder of package.json. */
export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * Whether a version of Node is in a range of package.json's engines, such as '^20.19.0 || >=22.12.0'.
 *
 * @param {string} version
 * @param {string} range
 * @returns {boolean}
 */
export function isInRange(version, range) {
  const [major, minor] = version.split('.').map(Number);
  return range.split('||').some((part) => {
    const [, sign, wantedMajor, wantedMinor] = /^\s*(\^|>=)(\d+)\.(\d+)/.exec(part) ?? [];
    if (major === Number(wantedMajor)) return minor >= Number(wantedMinor);
    return sign === '>=' && major > Number(wantedMajor);
  });
}

/**
 * Whether the packages have to be installed: there are none, or the lock file is newer than they are.
 * npm writes node_modules/.package-lock.json last, so an interrupted installation counts as none.
 *
 * @param {string} root folder of package-lock.json
 * @returns {boolean}
 */
export function packagesMissing(root) {
  const installed = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(installed)) return true;
  return statSync(installed).mtimeMs < statSync(join(root, 'package-lock.json')).mtimeMs;
}

/** Arguments of npm. `--include=dev`: the page's libraries are devDependencies, since the published package contains none. */
const CI = ['ci', '--include=dev'];

/**
 * Runs `npm ci` when packages are missing. Throws an Error when Node does not fit or npm fails.
 *
 * @param {string} [root]
 */
export function installPackages(root = ROOT) {
  /** @type {{ engines: { node: string } }} */
  const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  if (!isInRange(process.versions.node, engines.node)) {
    throw new Error(`Node: found version ${process.versions.node}, expected ${engines.node}.`);
  }
  if (!packagesMissing(root)) return;
  console.log('Installing packages (npm ci) ...');
  // Under `npm start` the running npm; otherwise the npm on the PATH.
  const npm = process.env.npm_execpath;
  const { status } = npm
    ? spawnSync(process.execPath, [npm, ...CI], { cwd: root, stdio: 'inherit' })
    : spawnSync('npm', CI, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) throw new Error('npm ci failed: fix what it reports above first.');
}
