import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** Where Chromium is on systems that do not put programs on the PATH. */
const ELSEWHERE = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** How Chromium is installed, by package manager. */
const INSTALLERS = [
  { manager: 'apt-get', commands: ['apt-get update', 'apt-get install -y --no-install-recommends chromium'] },
  { manager: 'dnf', commands: ['dnf install -y chromium'] },
  { manager: 'apk', commands: ['apk add chromium'] },
];

/**
 * The full path of a program that is on the PATH, or undefined.
 *
 * @param {string} name
 * @param {Record<string, string | undefined>} env
 * @returns {string | undefined}
 */
function onPath(name, env) {
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/**
 * The Chromium that tests run in: CHROMIUM_PATH, or the first on the PATH, or where the system keeps it.
 * undefined when there is none; Playwright then looks for its own. Throws when CHROMIUM_PATH names no file.
 *
 * @param {Record<string, string | undefined>} [env]
 * @returns {string | undefined}
 */
export function chromiumPath(env = process.env) {
  const named = env.CHROMIUM_PATH;
  if (named) {
    if (!existsSync(named)) throw new Error(`CHROMIUM_PATH: found no file at ${named}.`);
    return named;
  }
  for (const name of NAMES) {
    const path = onPath(name, env);
    if (path) return path;
  }
  return ELSEWHERE.find((path) => existsSync(path));
}

/**
 * The commands that would install Chromium here, each as program and arguments; or, where that is not permitted or not
 * known, one sentence that says what a person can do.
 *
 * @param {{ env: Record<string, string | undefined>, isRoot: boolean, sudoWorks: () => boolean }} system
 * @returns {readonly (readonly string[])[] | string}
 */
export function installationOf({ env, isRoot, sudoWorks }) {
  const installer = INSTALLERS.find(({ manager }) => onPath(manager, env) !== undefined);
  const remedy = 'Install Chromium, or set CHROMIUM_PATH to the program, and run npm test again.';
  if (!installer) return `Chromium: found none, and no package manager that could install it. ${remedy}`;
  if (!isRoot && !sudoWorks()) {
    const command = `sudo ${installer.commands.at(-1)}`;
    return `Chromium: found none, and this user may not install it. Run '${command}', or set CHROMIUM_PATH to the program, and run npm test again.`;
  }
  return installer.commands.map((command) => [...(isRoot ? [] : ['sudo', '-n']), ...command.split(' ')]);
}

/**
 * Finds Chromium, and installs it where there is none and that is permitted.
 * Throws an Error with one sentence otherwise. Packages must be installed.
 *
 * @returns {Promise<string>} path of the program
 */
export async function ensureChromium() {
  const { chromium } = await import('playwright');
  const found = chromiumPath() ?? chromium.executablePath();
  if (existsSync(found)) return found;
  const commands = installationOf({
    env: process.env,
    isRoot: process.getuid?.() === 0,
    sudoWorks: () => spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0,
  });
  if (typeof commands === 'string') throw new Error(commands);
  for (const [program, ...args] of commands) {
    console.log(`\n$ ${program} ${args.join(' ')}`);
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const { status } = spawnSync(program, args, { stdio: ['ignore', 'inherit', 'inherit'], env });
    if (status !== 0) throw new Error(`Chromium: '${program} ${args.join(' ')}' failed; see above.`);
  }
  const installed = chromiumPath();
  if (!installed) throw new Error('Chromium: it was installed, but is not on the PATH. Set CHROMIUM_PATH to it.');
  return installed;
}
