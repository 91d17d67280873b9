import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { drawFolders, floorsOf, PICTURE } from '../scripts/draw-folders.mjs';
import { importGraph } from '../scripts/import-graph.mjs';

const root = resolve(import.meta.dirname, '..');

describe('the folders of src', () => {
  const graph = importGraph(root);

  test('no file reaches itself, types included', () => {
    expect(graph.size).toBeGreaterThan(400);
    expect(graph.get('src/core/format.ts')).toContain('src/core/kernel/kernel.ts');
    expect(floorsOf(graph).size).toBe(graph.size);
  });

  test.each([2, 3, 4, 5, 6])(
    'no folders import each other in a circle when paths are shortened to %i names',
    (depth) => {
      const folderOf = (path: string): string => path.split('/').slice(0, depth).join('/');
      const rooms = new Map<string, Set<string>>();
      for (const [file, targets] of graph) {
        const space = rooms.get(folderOf(file)) ?? new Set();
        rooms.set(folderOf(file), space);
        for (const target of targets) if (folderOf(target) !== folderOf(file)) space.add(folderOf(target));
      }
      expect(rooms.size).toBeGreaterThan(10);
      expect(floorsOf(rooms).size).toBe(rooms.size);
    },
  );

  test('folders are above what they import: docs/images/folders.svg is what `node scripts/draw-folders.mjs` draws', () => {
    const links = { a: ['b'], b: ['c'], c: ['d', 'a'], d: [] };
    const circle = new Map(Object.entries(links).map(([from, to]) => [from, new Set(to)]));
    expect(() => floorsOf(circle)).toThrow('rooms: a imports b imports c imports a, a circle');
    const drawn = drawFolders();
    expect(drawn).toContain('state imports engine');
    expect(readFileSync(PICTURE, 'utf8') === drawn, 'run `node scripts/draw-folders.mjs` and commit the picture').toBe(
      true,
    );
  });
});
