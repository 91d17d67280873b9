import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

/** What the project says about itself, in several files. */

const read = (path: string): string => readFileSync(path, 'utf8');

interface Package {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

const { version, license } = JSON.parse(read('package.json')) as Package;

describe('a release', () => {
  const citation = new Map(
    [...read('CITATION.cff').matchAll(/^([\w-]+): (.+)$/gm)].map(([, field = '', value = '']) => [field, value]),
  );
  const headings = [...read('CHANGELOG.md').matchAll(/^## (.*)$/gm)].map(([, title]) => title);

  test('has the version of package.json in its lock file, citation and changelog', () => {
    expect((JSON.parse(read('package-lock.json')) as Package).version).toBe(version);
    expect(citation.get('version')).toBe(version);
    expect(citation.get('license')).toBe(license);
    expect(headings).toContain(`[${version}] - ${citation.get('date-released')}`);
  });

  test('is dated in the changelog, below what is not released yet', () => {
    const [first, ...released] = headings;
    expect(first).toBe('[Unreleased]');
    expect(released).not.toEqual([]);
    expect(released.filter((title) => !/^\[\d+\.\d+\.\d+\] - \d{4}-\d{2}-\d{2}$/.test(title ?? ''))).toEqual([]);
  });
});
