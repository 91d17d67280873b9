import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { chromiumPath, installationOf } from './chromium.mjs';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'chromium-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function program(name: string): string {
  const path = join(folder, name);
  writeFileSync(path, '');
  chmodSync(path, 0o755);
  return path;
}

describe('chromiumPath', () => {
  test('takes CHROMIUM_PATH before anything on the PATH', () => {
    program('chromium');
    const named = program('my-chromium');
    expect(chromiumPath({ CHROMIUM_PATH: named, PATH: folder })).toBe(named);
  });

  test('says so when CHROMIUM_PATH names no file', () => {
    expect(() => chromiumPath({ CHROMIUM_PATH: '/none/chromium', PATH: folder })).toThrow(
      'CHROMIUM_PATH: found no file at /none/chromium.',
    );
  });

  test('finds chromium before Chrome on the PATH', () => {
    program('google-chrome');
    const chromium = program('chromium');
    expect(chromiumPath({ PATH: folder })).toBe(chromium);
  });
});

describe('installationOf', () => {
  const never = (): boolean => false;
  const always = (): boolean => true;

  test('root installs with the package manager that is there', () => {
    program('apt-get');
    expect(installationOf({ env: { PATH: folder }, isRoot: true, sudoWorks: never })).toEqual([
      ['apt-get', 'update'],
      ['apt-get', 'install', '-y', '--no-install-recommends', 'chromium'],
    ]);
  });

  test('others do so through sudo when it asks no password', () => {
    program('dnf');
    expect(installationOf({ env: { PATH: folder }, isRoot: false, sudoWorks: always })).toEqual([
      ['sudo', '-n', 'dnf', 'install', '-y', 'chromium'],
    ]);
  });

  test('says what to run where it is not permitted', () => {
    program('apk');
    expect(installationOf({ env: { PATH: folder }, isRoot: false, sudoWorks: never })).toBe(
      "Chromium: found none, and this user may not install it. Run 'sudo apk add chromium', or set CHROMIUM_PATH to the program, and run npm test again.",
    );
  });

  test('says so where no package manager is known', () => {
    expect(installationOf({ env: { PATH: folder }, isRoot: true, sudoWorks: never })).toBe(
      'Chromium: found none, and no package manager that could install it. Install Chromium, or set CHROMIUM_PATH to the program, and run npm test again.',
    );
  });
});
