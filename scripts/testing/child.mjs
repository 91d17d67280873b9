// Runs a program, and ends it with all of its child processes if it stops making progress.

import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';

/** Time that a program has to end after the request, in ms; then it is killed. */
const END_MS = 20_000;
const POLL_MS = 1000;

/**
 * A process and its start time, since the system reuses process ids.
 *
 * @typedef {{ readonly pid: number, readonly parent: number, readonly began: string }} Running
 */

/**
 * All processes, where the system lists them in /proc; none elsewhere.
 *
 * @returns {readonly Running[]}
 */
function allProcesses() {
  /** @type {string[]} */
  let names;
  try {
    names = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
  return names.flatMap((name) => {
    try {
      // The name of the program, in parentheses, may contain spaces.
      const fields = readFileSync(`/proc/${name}/stat`, 'utf8').replace(/^.*\)/s, '').trim().split(' ');
      return [{ pid: Number(name), parent: Number(fields[1]), began: fields[19] }];
    } catch {
      // It has ended.
      return [];
    }
  });
}

/**
 * A process and everything that it started, directly or not; where the system lists no processes, only itself.
 *
 * @param {number} pid
 * @returns {readonly Running[]}
 */
export function familyOf(pid) {
  const all = allProcesses();
  if (all.length === 0) return [{ pid, parent: 0, began: '' }];
  const family = all.filter((item) => item.pid === pid);
  // bounded: processes of one program
  for (const member of family) family.push(...all.filter(({ parent }) => parent === member.pid));
  return family;
}

/** @param {readonly Running[]} family */
function killAll(family) {
  const alive = new Map(allProcesses().map(({ pid, began }) => [pid, began]));
  for (const { pid, began } of family) {
    if (alive.size > 0 && alive.get(pid) !== began) continue;
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended in the meantime.
    }
  }
}

/** @type {Set<number>} programs that have not ended */
const running = new Set();

/** Kills all programs that have not ended, with everything that they started. */
export function killRunning() {
  for (const pid of running) killAll(familyOf(pid));
}

/**
 * @typedef {object} Watched
 * @property {readonly string[]} command arguments of node: a script and its options
 * @property {NodeJS.ProcessEnv} env
 * @property {string} cwd
 * @property {number} output an open file for what it prints
 * @property {readonly string[]} progress files that grow while it gets on
 * @property {number} silentMs it is stopped when none of them grew for so long
 */

/**
 * Runs a program until it ends. One that makes no progress is stopped with everything that it started: it is told to end,
 * so that it closes its browser, and killed when it does not.
 *
 * @param {Watched} watched
 * @param {(line: string) => void} say for what the user should know at once
 * @param {() => number} [now] the time in milliseconds
 * @returns {Promise<number>} exit code
 */
export function runChild({ command, env, cwd, output, progress, silentMs }, say, now = Date.now) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, command, { cwd, env, stdio: ['ignore', output, output] });
    const { pid } = child;
    if (pid !== undefined) running.add(pid);
    const sizeNow = () =>
      progress.reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0);
    let size = -1;
    let lastProgress = now();
    /** @type {readonly Running[] | null} */
    let family = null;
    const look = setInterval(() => {
      const newSize = sizeNow();
      if (newSize !== size) [size, lastProgress] = [newSize, now()];
      const silent = now() - lastProgress;
      if (silent < silentMs || pid === undefined) return;
      if (family === null) {
        say(`stopped: no progress for ${Math.round(silentMs / 60_000)} minutes`);
        // Found before the program ends, since its children cannot be found afterwards.
        family = familyOf(pid);
        child.kill('SIGTERM');
      } else if (silent > silentMs + END_MS) {
        killAll(family);
      }
    }, POLL_MS);
    child.on('error', (error) => say(error.message));
    child.on('close', (code) => {
      clearInterval(look);
      if (pid !== undefined) running.delete(pid);
      if (family) killAll(family);
      resolve(family === null ? (code ?? 1) : 1);
    });
  });
}
