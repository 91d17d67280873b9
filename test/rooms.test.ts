import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { circlesOf, importGraph } from '../scripts/import-graph.mjs';

const root = resolve(import.meta.dirname, '..');

describe('the rooms of the house', () => {
  const graph = importGraph(root);

  test('the search for circles finds one', () => {
    const links = { a: ['b'], b: ['c'], c: ['a', 'd'], d: ['d2'], d2: [] };
    const circles = circlesOf(new Map(Object.entries(links).map(([from, to]) => [from, new Set(to)])));
    expect(circles).toEqual([['a', 'b', 'c']]);
    expect(graph.size).toBeGreaterThan(400);
    expect(graph.get('src/core/format.ts')).toContain('src/core/kernel/kernel.ts');
  });

  test('no file reaches itself, types included', () => {
    expect(circlesOf(graph)).toEqual([]);
  });

  test('at most eight files lie flat in core', () => {
    const flat = readdirSync(resolve(root, 'src/core')).filter((name) => /(?<!\.test)\.ts$/.test(name));
    expect(flat).toContain('format.ts');
    expect(flat.length).toBeLessThanOrEqual(8);
  });
});
