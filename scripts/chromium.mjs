import { existsSync } from 'node:fs';
import { install, namedPath, onPath } from './system-packages.mjs';

/** Names of Chromium's program; the headless one first, which renders pages in three quarters of the time. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** Paths of Chromium on systems that do not put programs on the PATH. */
const ELSEWHERE = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** @type {import('./system-packages.mjs').Wanted} */
export const CHROMIUM = {
  name: 'Chromium',
  packages: { 'apt-get': ['chromium-headless-shell'], dnf: ['chromium'], apk: ['chromium'] },
  variable: 'CHROMIUM_PATH',
};

/**
 * The Chromium that tests run in: CHROMIUM_PATH, or the first on the PATH, or where the system keeps it.
 * undefined when there is none; Playwright then looks for its own. Throws when CHROMIUM_PATH names no file.
 *
 * @param {Record<string, string | undefined>} [env]
 * @returns {string | undefined}
 */
export function chromiumPath(env = process.env) {
  const named = namedPath(CHROMIUM.variable, env);
  if (named) return named;
  for (const name of NAMES) {
    const path = onPath(name, env);
    if (path) return path;
  }
  return ELSEWHERE.find((path) => existsSync(path));
}

/**
 * Finds Chromium, and installs it where there is none and that is permitted.
 * Throws an Error otherwise. Packages must be installed.
 *
 * @returns {Promise<string>} path of the program
 */
export async function ensureChromium() {
  const { chromium } = await import('playwright');
  const found = chromiumPath() ?? chromium.executablePath();
  if (existsSync(found)) return found;
  install(CHROMIUM);
  const installed = chromiumPath();
  if (!installed) throw new Error('Chromium: it was installed, but is not on the PATH. Set CHROMIUM_PATH to it.');
  return installed;
}
