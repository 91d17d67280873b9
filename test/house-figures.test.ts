import { describe, expect, test } from 'vitest';
import { figureLine, houseFigures, labOf, splintersOf } from '../scripts/house-figures.mjs';

describe('the figures of the house', () => {
  const found = new Map(houseFigures().map((figure) => [figure.title, figure.found]));

  test('each is found in the sources: what there is of it is counted', () => {
    expect([...found].filter(([, count]) => !(count > 0))).toEqual([]);
    expect(found.get('lines of the house')).toBeGreaterThan(50_000);
    expect(found.get('words of docs')).toBeGreaterThan(10_000);
  });

  test('is shown beside that of the last release', () => {
    expect(figureLine({ title: 'lines', found: 3, released: 2 })).toBe('lines: 3 (2 in 0.1.0)');
  });

  test('a source belongs to a lab by its folder, in src and among the shaders', () => {
    const labs = ['ships'];
    expect(labOf('src/labs/ships/sail.ts', labs)).toBe('ships');
    expect(labOf('shaders/ships/sail.wgsl', labs)).toBe('ships');
    expect([labOf('shaders/common/sail.wgsl', labs), labOf('src/kit/ships/sail.ts', labs)]).toEqual([null, null]);
  });

  test('a short file with one importer is found, unless it belongs to a format', () => {
    const links = {
      'src/a.ts': ['src/one.ts', 'src/two.ts', 'src/long.ts', 'src/formats/x/card.ts'],
      'src/b.ts': ['src/two.ts'],
      'src/one.ts': [],
      'src/two.ts': [],
      'src/long.ts': [],
      'src/formats/x/card.ts': [],
    };
    const graph = new Map(Object.entries(links).map(([from, to]) => [from, new Set(to)]));
    expect(splintersOf(graph, (path) => (path === 'src/long.ts' ? 40 : 39))).toEqual(['src/one.ts']);
  });
});
