// Imports in src have no cycles, between files or folders, and the picture of its folders is up to date.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { drawFolders, layersOf, PICTURE } from '../scripts/draw-folders.mjs';
import { importGraph } from '../scripts/import-graph.mjs';

const root = resolve(import.meta.dirname, '..');

describe('the folders of src', () => {
  const graph = importGraph(root);

  test('no file imports itself through other files, including imports of types', () => {
    expect(graph.size).toBeGreaterThan(400);
    expect(graph.get('src/core/format.ts')).toContain('src/core/kernel/kernel.ts');
    expect(layersOf(graph).size).toBe(graph.size);
  });

  test.each([2, 3, 4, 5, 6])('no folders of depth %i import each other in a cycle', (depth) => {
    const folderOf = (path: string): string => path.split('/').slice(0, depth).join('/');
    const folders = new Map<string, Set<string>>();
    for (const [file, targets] of graph) {
      const imported = folders.get(folderOf(file)) ?? new Set();
      folders.set(folderOf(file), imported);
      for (const target of targets) if (folderOf(target) !== folderOf(file)) imported.add(folderOf(target));
    }
    expect(folders.size).toBeGreaterThan(10);
    expect(layersOf(folders).size).toBe(folders.size);
  });

  test('docs/images/folders.svg is up to date, and layersOf rejects a cycle', () => {
    const links = { a: ['b'], b: ['c'], c: ['d', 'a'], d: [] };
    const circle = new Map(Object.entries(links).map(([from, to]) => [from, new Set(to)]));
    expect(() => layersOf(circle)).toThrow('rooms: a imports b imports c imports a, a circle');
    const drawn = drawFolders();
    expect(drawn).toContain('state imports engine');
    expect(readFileSync(PICTURE, 'utf8') === drawn, 'run `node scripts/draw-folders.mjs` and commit the picture').toBe(
      true,
    );
  });
});
