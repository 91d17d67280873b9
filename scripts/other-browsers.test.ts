import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { firefoxPath, webKitPrograms } from './other-browsers.mjs';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'browsers-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function program(name: string, script = ''): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, script);
  chmodSync(path, 0o755);
  return path;
}

describe('firefoxPath', () => {
  test('prefers FIREFOX_PATH to anything on the PATH, and the long-term release to the other', () => {
    program('firefox');
    const longTerm = program('firefox-esr');
    const named = program('my-firefox');
    expect(firefoxPath({ PATH: folder })).toBe(longTerm);
    expect(firefoxPath({ FIREFOX_PATH: named, PATH: folder })).toBe(named);
  });

  test('reports when FIREFOX_PATH names no file', () => {
    expect(() => firefoxPath({ FIREFOX_PATH: '/none/firefox' })).toThrow(
      'FIREFOX_PATH: found no file at /none/firefox.',
    );
  });
});

describe('webKitPrograms', () => {
  test('finds the browser in the folder of the library, and needs its driver and a display', () => {
    const browser = program('lib/riscv64-linux-gnu/webkit2gtk-4.1/MiniBrowser');
    const lib = join(folder, 'lib');
    const env = { PATH: folder };
    const driver = program('WebKitWebDriver');
    expect(webKitPrograms(env, lib)).toBeUndefined();
    const display = program('Xvfb');
    expect(webKitPrograms(env, lib)).toEqual({ browser, driver, display });
    expect(webKitPrograms(env, join(folder, 'none'))).toBeUndefined();
  });
});

// Only package managers of Linux are known.
test.runIf(process.platform === 'linux')(
  'a browser that cannot be installed is reported, and its tests are skipped without an error',
  () => {
    program('sudo', '#!/bin/sh\nshift\nexec "$@"\n');
    program('apt-get', '#!/bin/sh\nexit 100\n');
    const module = resolve(import.meta.dirname, 'other-browsers.mjs');
    const code = `import { ensureOtherBrowsers } from ${JSON.stringify(module)}; ensureOtherBrowsers(true);`;
    const { stderr, status } = spawnSync(process.execPath, ['--input-type=module', '--eval', code], {
      env: { PATH: folder },
      encoding: 'utf8',
    });
    expect(status).toBe(0);
    for (const name of ['Firefox', 'WebKit']) {
      expect(stderr).toMatch(new RegExp(`^${name}: '.*apt-get update' failed; see above\\.$`, 'm'));
      expect(stderr).toContain(`${name}: the tests that visit the page in it are skipped.`);
    }
  },
);
