// Finds or installs Firefox and WebKit, in which the page is tested in addition to Chromium.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ensureOptional, namedPath, onPath } from './system-packages.mjs';

/** Where macOS and Windows install Firefox. */
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

// Other systems have no WebKit that supports WebDriver, or one that has not been tried.
/** @type {import('./system-packages.mjs').Wanted} */
const WEBKIT = {
  name: 'WebKit',
  packages: { 'apt-get': ['webkit2gtk-driver', 'xvfb'] },
  variable: 'WEBKIT_PATH',
};

/**
 * The path of the Firefox in which tests visit the page: FIREFOX_PATH, or the one on the PATH, or where the system installs
 * it; undefined if there is none. Throws if FIREFOX_PATH names no file.
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
 * The paths of the programs needed to visit the page in WebKit: WebKitGTK's browser, its WebDriver server, and a display.
 *
 * @typedef {object} WebKitPrograms
 * @property {string} browser MiniBrowser
 * @property {string} driver WebKitWebDriver
 * @property {string} display Xvfb
 */

/**
 * Finds WebKit's programs: the browser is WEBKIT_PATH, or WebKitGTK's in the folder of its library
 * (lib/<machine>/webkit2gtk-4.1); the others are on the PATH. undefined if one is missing. Throws if WEBKIT_PATH names no file.
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
 * The path of WebKitGTK's MiniBrowser in `lib`/<machine>/webkit...; undefined if there is none.
 *
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
 * Installs Firefox if it is missing and permission exists; WebKit only for `all` tests, since it needs a hundred packages.
 *
 * @param {boolean} all
 */
export function ensureOtherBrowsers(all) {
  const tests = 'the tests that visit the page in it';
  const webKit = { wanted: WEBKIT, find: () => webKitPrograms(), tests };
  ensureOptional([{ wanted: FIREFOX, find: () => firefoxPath(), tests }, ...(all ? [webKit] : [])]);
}
