import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isInRange, packagesMissing } from './packages.mjs';

describe('packagesMissing', () => {
  let root = '';

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'packages-'));
    writeFileSync(join(root, 'package-lock.json'), '{}');
  });
  afterEach(() => rmSync(root, { recursive: true }));

  function install(secondsAfterLockFile: number): void {
    const file = join(root, 'node_modules', '.package-lock.json');
    mkdirSync(join(root, 'node_modules'));
    writeFileSync(file, '{}');
    const time = 1_700_000_000;
    utimesSync(join(root, 'package-lock.json'), time, time);
    utimesSync(file, time + secondsAfterLockFile, time + secondsAfterLockFile);
  }

  test('is true without node_modules', () => {
    expect(packagesMissing(root)).toBe(true);
  });

  test('is true when an installation was interrupted', () => {
    mkdirSync(join(root, 'node_modules'));
    expect(packagesMissing(root)).toBe(true);
  });

  test('is true when the lock file is newer', () => {
    install(-1);
    expect(packagesMissing(root)).toBe(true);
  });

  test('is false when the packages are newer', () => {
    install(1);
    expect(packagesMissing(root)).toBe(false);
  });
});

test.each([
  ['20.18.3', false],
  ['20.19.0', true],
  ['21.7.3', false],
  ['22.11.0', false],
  ['22.12.0', true],
  ['26.0.0', true],
])('Node %s is in the range that the build tools require: %s', (version, fits) => {
  const { engines } = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8')) as {
    readonly engines: { readonly node: string };
  };
  const vite = JSON.parse(readFileSync(join(import.meta.dirname, '../node_modules/vite/package.json'), 'utf8')) as {
    readonly engines: { readonly node: string };
  };
  expect(engines.node).toBe(vite.engines.node);
  expect(isInRange(version, engines.node)).toBe(fits);
});

describe('package-lock.json', () => {
  interface Locked {
    readonly engines?: { readonly node?: string };
    readonly hasInstallScript?: boolean;
    readonly resolved?: string;
  }
  const read = <T>(name: string): T => JSON.parse(readFileSync(join(import.meta.dirname, '..', name), 'utf8')) as T;
  const { packages } = read<{ readonly packages: Readonly<Record<string, Locked>> }>('package-lock.json');
  const { allowScripts } = read<{ readonly allowScripts: Readonly<Record<string, boolean>> }>('package.json');
  const positions = Object.entries(packages);

  /** Whether a range of versions, such as '^20.19.0 || >=22', includes some version of Node 20. */
  const has20 = (range: string): boolean =>
    range.split('||').some((part) => {
      const [, comparison = '', major] = /^\s*([<>=^~]*)\s*v?(\d+|\*)/.exec(part) ?? [];
      return major === '*' || (comparison.startsWith('>') ? Number(major) <= 20 : Number(major) === 20);
    });

  test('no package requires a newer Node than the README states', () => {
    const asking = positions.filter(([, { engines }]) => engines?.node !== undefined && !has20(engines.node));
    expect(asking.map(([position, { engines }]) => `${position} ${engines?.node}`)).toEqual([]);
    expect([has20('>=22.12.0'), has20('^20.19.0 || >=22.12.0'), has20('^18 || ^21')]).toEqual([false, true, false]);
  });

  test('package-lock.json has no install script that package.json does not list, and names no host', () => {
    const scripts = positions.filter(([, { hasInstallScript }]) => hasInstallScript).map(([position]) => position);
    expect(
      scripts.map((position) => position.replace(/^.*node_modules\//, '')).filter((name) => !(name in allowScripts)),
    ).toEqual([]);
    expect(positions.filter(([, { resolved }]) => resolved?.includes('://'))).toEqual([]);
  });
});
