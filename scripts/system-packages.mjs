import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

// Installs programs that tests need, such as browsers, with the system's package manager.

/** Commands of package managers that install packages; the names of the packages are appended to the last one. */
const INSTALLERS = [
  { manager: 'apt-get', commands: ['apt-get update', 'apt-get install -y --no-install-recommends'] },
  { manager: 'dnf', commands: ['dnf install -y'] },
  { manager: 'apk', commands: ['apk add'] },
];

/**
 * A program that tests need.
 *
 * @typedef {object} Wanted
 * @property {string} name its usual name
 * @property {Readonly<Record<string, readonly string[]>>} packages its packages by package manager, for those that offer
 *   the program
 * @property {string} variable environment variable that can name the program
 */

/**
 * The full path of a program that is on the PATH, or undefined.
 *
 * @param {string} name
 * @param {Record<string, string | undefined>} env
 * @returns {string | undefined}
 */
export function onPath(name, env) {
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/**
 * The path in an environment variable, or undefined if it is not set. Throws if there is no such file.
 *
 * @param {string} variable
 * @param {Record<string, string | undefined>} env
 * @returns {string | undefined}
 */
export function namedPath(variable, env) {
  const path = env[variable];
  if (path && !existsSync(path)) throw new Error(`${variable}: found no file at ${path}.`);
  return path || undefined;
}

/**
 * The commands that would install a program here, each as program and arguments; or, where that is not permitted or not
 * known, a message that explains what a user can do.
 *
 * @param {Wanted} wanted
 * @param {{ env: Record<string, string | undefined>, isRoot: boolean, sudoWorks: () => boolean }} system
 * @returns {readonly (readonly string[])[] | string}
 */
export function installationOf({ name, packages, variable }, { env, isRoot, sudoWorks }) {
  const installer = INSTALLERS.find(({ manager }) => packages[manager] && onPath(manager, env) !== undefined);
  const remedy = `set ${variable} to the program, and run npm test again.`;
  if (!installer)
    return `${name}: found none, and no package manager that could install it. Install ${name}, or ${remedy}`;
  const commands = installer.commands.map((command, i) =>
    i < installer.commands.length - 1 ? command : [command, ...packages[installer.manager]].join(' '),
  );
  if (!isRoot && !sudoWorks())
    return `${name}: found none, and this user may not install it. Run 'sudo ${commands.at(-1)}', or ${remedy}`;
  return commands.map((command) => [...(isRoot ? [] : ['sudo', '-n']), ...command.split(' ')]);
}

/**
 * Installs a program. Throws Error if it is not permitted, no package is known, or it fails.
 *
 * @param {Wanted} wanted
 */
export function install(wanted) {
  const commands = installationOf(wanted, {
    env: process.env,
    isRoot: process.getuid?.() === 0,
    sudoWorks: () => spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0,
  });
  if (typeof commands === 'string') throw new Error(commands);
  for (const [program, ...args] of commands) {
    console.log(`\n$ ${program} ${args.join(' ')}`);
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const { status } = spawnSync(program, args, { stdio: ['ignore', 'inherit', 'inherit'], env });
    if (status !== 0) throw new Error(`${wanted.name}: '${program} ${args.join(' ')}' failed; see above.`);
  }
}

/**
 * Installs missing programs that only some tests need, if that is permitted. Without it they are skipped, and the reason
 * is printed here.
 *
 * @param {readonly { wanted: Wanted, find: () => unknown, tests: string }[]} optional `tests`: the tests that need it
 */
export function ensureOptional(optional) {
  for (const { wanted, find, tests } of optional) {
    try {
      if (find()) continue;
      install(wanted);
      if (!find()) throw new Error(`${wanted.name}: it was installed, but not where it was expected.`);
    } catch (error) {
      console.error(`\n${error instanceof Error ? error.message : String(error)}`);
      console.error(`${wanted.name}: ${tests} are skipped.`);
    }
  }
}
