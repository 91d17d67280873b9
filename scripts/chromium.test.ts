import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CHROMIUM, chromiumPath } from './chromium.mjs';
import { installationOf } from './system-packages.mjs';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'chromium-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function program(name: string, script = ''): string {
  const path = join(folder, name);
  writeFileSync(path, script);
  chmodSync(path, 0o755);
  return path;
}

describe('chromiumPath', () => {
  test('prefers CHROMIUM_PATH to anything on the PATH', () => {
    program('chromium');
    const named = program('my-chromium');
    expect(chromiumPath({ CHROMIUM_PATH: named, PATH: folder })).toBe(named);
  });

  test('reports when CHROMIUM_PATH names no file', () => {
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

  test('root installs with the available package manager', () => {
    program('apt-get');
    expect(installationOf(CHROMIUM, { env: { PATH: folder }, isRoot: true, sudoWorks: never })).toEqual([
      ['apt-get', 'update'],
      ['apt-get', 'install', '-y', '--no-install-recommends', 'chromium-headless-shell'],
    ]);
  });

  test('other users install through sudo if it needs no password', () => {
    program('dnf');
    expect(installationOf(CHROMIUM, { env: { PATH: folder }, isRoot: false, sudoWorks: always })).toEqual([
      ['sudo', '-n', 'dnf', 'install', '-y', 'chromium'],
    ]);
  });

  test('explains what to run if installing is not permitted', () => {
    program('apk');
    expect(installationOf(CHROMIUM, { env: { PATH: folder }, isRoot: false, sudoWorks: never })).toBe(
      "Chromium: found none, and this user may not install it. Run 'sudo apk add chromium', or set CHROMIUM_PATH to the program, and run npm test again.",
    );
  });

  test('reports if no package manager is known', () => {
    expect(installationOf(CHROMIUM, { env: { PATH: folder }, isRoot: true, sudoWorks: never })).toBe(
      'Chromium: found none, and no package manager that could install it. Install Chromium, or set CHROMIUM_PATH to the program, and run npm test again.',
    );
  });
});

// Only package managers of Linux are known.
describe.runIf(process.platform === 'linux')('ensureChromium', () => {
  /** Runs `ensureChromium` in a process whose PATH contains only `folder`; returns its result or its error. */
  function run(): { readonly stdout: string; readonly stderr: string } {
    const module = resolve(import.meta.dirname, 'chromium.mjs');
    const code = `import { ensureChromium } from ${JSON.stringify(module)};
      console.log(await ensureChromium().catch((error) => error.message));`;
    const options = { env: { PATH: folder, PLAYWRIGHT_BROWSERS_PATH: folder }, encoding: 'utf8' } as const;
    return spawnSync(process.execPath, ['--input-type=module', '--eval', code], options);
  }

  test('installs Chromium if there is none, and finds it then', () => {
    program('sudo', '#!/bin/sh\nshift\nexec "$@"\n');
    // A fake apt-get: `update` does nothing, and the following install creates the program.
    program('apt-get', `#!/bin/sh\n[ "$1" = update ] || : > ${join(folder, 'chromium')}\n`);
    const { stdout } = run();
    expect(stdout).toContain('apt-get update');
    expect(stdout.trim().split('\n').at(-1)).toBe(join(folder, 'chromium'));
  });

  test('reports which command failed', () => {
    program('sudo', '#!/bin/sh\nshift\nexec "$@"\n');
    program('apt-get', '#!/bin/sh\nexit 100\n');
    expect(run().stdout).toMatch(/Chromium: '.*apt-get update' failed; see above\./);
  });
});
