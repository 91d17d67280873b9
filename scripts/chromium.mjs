// Finds or installs Chromium, in which tests run.

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
 * The path of Chromium: CHROMIUM_PATH, or the first on the PATH, or the usual path of the system. undefined if there is none;
 * Playwright then looks for its own. Throws if CHROMIUM_PATH names no file.
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
 * Finds Chromium, or installs it if that is permitted; throws an Error otherwise. Requires that npm packages are installed.
 *
 * @returns {Promise<string>} path of the program
 */
export async function ensureChromium() {
  const { chromium } = await import('playwright');
  const path = chromiumPath() ?? chromium.executablePath();
  if (existsSync(path)) return path;
  install(CHROMIUM);
  const installed = chromiumPath();
  if (!installed) throw new Error('Chromium: it was installed, but is not on the PATH. Set CHROMIUM_PATH to it.');
  return installed;
}
