// Finds or installs Firefox and WebKit, in which the page is tested besides Chromium.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ensureOptional, namedPath, onPath } from './system-packages.mjs';

const FIREFOX_ELSEWHERE = [
  '/Applications/Firefox.app/Contents/MacOS/firefox',
  'C:\\Program Files\\Mozilla Firefox\\firefox.exe',
];

/** @type {import('./system-packages.mjs').Wanted} */
const FIREFOX = {
  name: 'Firefox',
  packages: { 'apt-get': ['firefox-esr'], dnf: ['firefox'], apk: ['firefox'] },
  variable: 'FIREFOX_PATH',
};

/** Other systems have no WebKit that supports WebDriver, or keep it where we have not tried it. */
/** @type {import('./system-packages.mjs').Wanted} */
const WEBKIT = {
  name: 'WebKit',
  packages: { 'apt-get': ['webkit2gtk-driver', 'xvfb'] },
  variable: 'WEBKIT_PATH',
};

/**
 * The Firefox that tests visit the page in: FIREFOX_PATH, or the one on the PATH, or where the system keeps it.
 * undefined when there is none. Throws when FIREFOX_PATH names no file.
 *
 * @param {Record<string, string | undefined>} [env]
 * @returns {string | undefined}
 */
export function firefoxPath(env = process.env) {
  return (
    namedPath(FIREFOX.variable, env) ??
    onPath('firefox-esr', env) ??
    onPath('firefox', env) ??
    FIREFOX_ELSEWHERE.find((path) => existsSync(path))
  );
}

/**
 * The requirements to visit the page in WebKit: WebKitGTK's own browser, the server that drives it, and a display for it.
 *
 * @typedef {object} WebKitPrograms
 * @property {string} browser MiniBrowser
 * @property {string} driver WebKitWebDriver
 * @property {string} display Xvfb
 */

/**
 * WebKit's programs: the browser is WEBKIT_PATH or WebKitGTK's where its library keeps it (lib/<machine>/webkit2gtk-4.1),
 * the others are on the PATH. undefined when one of them is not there. Throws when WEBKIT_PATH names no file.
 *
 * @param {Record<string, string | undefined>} [env]
 * @param {string} [lib] folder of the system's libraries
 * @returns {WebKitPrograms | undefined}
 */
export function webKitPrograms(env = process.env, lib = '/usr/lib') {
  const browser = namedPath(WEBKIT.variable, env) ?? miniBrowser(lib);
  const driver = onPath('WebKitWebDriver', env);
  const display = onPath('Xvfb', env);
  return browser && driver && display ? { browser, driver, display } : undefined;
}

/**
 * @param {string} lib
 * @returns {string | undefined}
 */
function miniBrowser(lib) {
  const machines = existsSync(lib) ? readdirSync(lib).filter((name) => name.includes('-linux-')) : [];
  return machines
    .flatMap((machine) => ['webkitgtk-6.0', 'webkit2gtk-4.1'].map((api) => join(lib, machine, api, 'MiniBrowser')))
    .find((path) => existsSync(path));
}

/**
 * Installs Firefox if it is missing and that is permitted; WebKit only for `all` tests, since it brings a hundred packages.
 *
 * @param {boolean} all
 */
export function ensureOtherBrowsers(all) {
  const tests = 'the tests that visit the page in it';
  const webKit = { wanted: WEBKIT, find: () => webKitPrograms(), tests };
  ensureOptional([{ wanted: FIREFOX, find: () => firefoxPath(), tests }, ...(all ? [webKit] : [])]);
}
