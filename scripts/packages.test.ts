import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { packagesMissing } from './packages.mjs';

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

  test('is true when an installation was cut short', () => {
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
