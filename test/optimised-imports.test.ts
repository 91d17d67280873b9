import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { filesIn } from '../scripts/labs.mjs';

/**
 * Packages that GPU tests import are listed in optimizeDeps of vite.config.ts, so that Vite bundles them before the tests
 * run. A package that is missing there, such as one that only a worker imports, makes Vite reload the page of the tests.
 */

const ROOT = resolve(import.meta.dirname, '..');

/** Imports and exports of values, workers included. Type imports are removed before Vite reads the code. */
const IMPORTS = [
  /\b(?:import|export)\s+(?!type\b)[\w\s{},*$]+?\s+from\s*'([^']+)'/g,
  /\bimport\s*\(?\s*'([^']+)'/g,
  /\bnew URL\(\s*'([^']+)',\s*import\.meta\.url\s*\)/g,
];

const importsOf = (text: string): readonly string[] =>
  IMPORTS.flatMap((pattern) => [...text.matchAll(pattern)].map(([, path]) => path));

/** The package of an import path: 'd3' for 'd3/x', '@a/b' for '@a/b/c'. */
const packageOf = (path: string): string => path.split('/', path.startsWith('@') ? 2 : 1).join('/');

/** Every package that the files reach, each with the file that imports it. */
function packagesFrom(files: readonly string[], read: (file: string) => string | null): ReadonlyMap<string, string> {
  const packages = new Map<string, string>();
  const visited = new Set(files);
  // A loop over a set also visits elements that are added during the loop.
  for (const file of visited) {
    for (const path of importsOf(read(file) ?? '')) {
      if (path.startsWith('.')) visited.add(join(dirname(file), path));
      else if (!path.includes(':')) packages.set(packageOf(path), file);
    }
  }
  return packages;
}

function sourceOf(file: string): string | null {
  const path = join(ROOT, file);
  return /\.tsx?$/.test(file) && existsSync(path) ? readFileSync(path, 'utf8') : null;
}

test('Vite optimises every package that tests on a GPU import, before they run', () => {
  const [, list] = /optimizeDeps: \{\s*include: \[([^\]]*)\]/.exec(sourceOf('vite.config.ts') ?? '') ?? [];
  const listed = [...(list ?? '').matchAll(/'([^']+)'/g)].map(([, name]) => name);
  const tests = filesIn(['src', 'labs'], /\.gpu\.test\.ts$/);
  const reached = packagesFrom([...tests, 'test/seeded-properties.ts'], sourceOf);
  expect([...reached.keys()]).toEqual(expect.arrayContaining(['comlink', 'idb-keyval']));
  // Vitest optimises its own package.
  const missing = [...reached].filter(([name]) => name !== 'vitest' && !listed.includes(name));
  expect(missing).toEqual([]);
});

test('imported packages are found in workers, re-exports and dynamic imports, without type imports', () => {
  const files: Readonly<Record<string, string>> = {
    'a/first.ts': `import { b } from '../b.ts';\nimport type { t } from 'types-alone';\nconst w = new Worker(new URL('./c.ts', import.meta.url));`,
    'b.ts': `export * from 'd3/array';\nexport type { x } from 'more-types';\nimport 'virtual:catalog';`,
    'a/c.ts': `import {\n  one,\n  two as three,\n} from '@of/some/part';\nconst late = await import('late');\nimport 'for-its-effects';`,
  };
  const packages = packagesFrom(['a/first.ts'], (file) => files[file] ?? null);
  expect(Object.fromEntries(packages)).toEqual({
    d3: 'b.ts',
    '@of/some': 'a/c.ts',
    late: 'a/c.ts',
    'for-its-effects': 'a/c.ts',
  });
});
