import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { filesIn } from '../scripts/labs.mjs';
import { pluralsAfterOne } from './text-rules.ts';

// Facts that several files repeat agree: version, license, dates of releases, and names of npm scripts.

const read = (path: string): string => readFileSync(path, 'utf8');

interface Package {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly scripts: Readonly<Record<string, string>>;
}

const { version, license, scripts } = JSON.parse(read('package.json')) as Package;

describe('a release', () => {
  const citation = new Map(
    [...read('CITATION.cff').matchAll(/^([\w-]+): (.+)$/gm)].map(([, field = '', value = '']) => [field, value]),
  );
  const headings = [...read('CHANGELOG.md').matchAll(/^## (.*)$/gm)].map(([, title]) => title);

  test('the lock file, citation and changelog have the version of package.json', () => {
    expect((JSON.parse(read('package-lock.json')) as Package).version).toBe(version);
    expect(citation.get('version')).toBe(version);
    expect(/^version = "(.*)"$/m.exec(read('docs/numpy/pyproject.toml'))?.[1]).toBe(version);
    expect(citation.get('license')).toBe(license);
    expect(headings).toContain(`[${version}] - ${citation.get('date-released')}`);
  });

  test('every release has a date in the changelog, below the unreleased changes', () => {
    const [first, ...released] = headings;
    expect(first).toBe('[Unreleased]');
    expect(released).not.toEqual([]);
    expect(released.filter((title) => !/^\[\d+\.\d+\.\d+\] - \d{4}-\d{2}-\d{2}$/.test(title ?? ''))).toEqual([]);
  });
});

describe('npm scripts', () => {
  test('every npm script is explained in CONTRIBUTING.md', () => {
    const names = Object.keys(scripts);
    expect(names.length).toBeGreaterThan(0);
    const explained = new Set(
      [...read('CONTRIBUTING.md').matchAll(/^npm (?:run )?([\w:]+) .*# \w/gm)].map(([, name]) => name),
    );
    expect(names.filter((name) => !explained.has(name))).toEqual([]);
  });

  test('npm scripts and programs that a text or source names exist', () => {
    const files = execFileSync('git', ['ls-files', '*.md', '*.ts', '*.tsx', '*.mjs', '*.yml', '*.json'])
      .toString()
      .split('\n')
      // Git also lists deleted files, such as those of a removed lab.
      .filter((path) => path !== '' && existsSync(path) && !path.startsWith('public/'));
    expect(files.length).toBeGreaterThan(400);
    const missing = files.flatMap((path) => {
      const text = read(path);
      const npmScripts = [...text.matchAll(/\bnpm run (?:--silent )?([a-z][\w:-]*)/g)].filter(
        ([, name = '']) => !(name in scripts),
      );
      const nodeScripts = [
        ...text.matchAll(/\bscripts\/run\.mjs ([\w/.-]+\.ts)|\bnode (scripts\/[\w/.-]+\.mjs)/g),
      ].filter(([, program, script]) => !existsSync(program ?? script ?? ''));
      return [...npmScripts, ...nodeScripts].map(([command]) => `${path}: ${command}`);
    });
    expect(missing).toEqual([]);
  });
});

test('no text that a test recorded counts one thing as several, as in 1 bytes', () => {
  const files = filesIn(['src', 'labs'], /\/words\/[^/]*\.txt$/);
  expect(files.length).toBeGreaterThan(10);
  expect(files.flatMap((path) => pluralsAfterOne(read(path)).map((part) => `${path}: ${part}`))).toEqual([]);
  const wrong = ['1 bytes', 'of 1 matrices', '1 value were', 'and 1 entries.'];
  const right = ['11 bytes', '1 byte', '0.1 steps', '1 × 1 cells', 'seed 1, 2 runs'];
  expect([
    wrong.filter((text) => pluralsAfterOne(text).length === 0),
    right.filter((text) => pluralsAfterOne(text).length > 0),
  ]).toEqual([[], []]);
});
