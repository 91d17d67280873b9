import { describe, expect, test } from 'vitest';
import { declarationsOf, figureLine, houseFigures, isKept, labOf, splintersOf } from '../scripts/house-figures.mjs';

describe('the figures of the house', () => {
  const figures = houseFigures();

  test.each(figures)('$title', (figure) => {
    expect(isKept(figure), figureLine(figure)).toBe(true);
  });

  test('each is found in the sources: what there is of it is counted', () => {
    const found = Object.fromEntries(figures.map((figure) => [figure.title, figure.found]));
    expect(found['lines of the house']).toBeGreaterThan(50_000);
    expect(found['lines of CSS']).toBeGreaterThan(2000);
    expect(found['declarations of CSS']).toBeGreaterThan(1000);
    expect(found['closed forms of bytes']).toBe(1);
    expect(found['keys of parameters']).toBe(1);
    expect(found['libraries that check shapes']).toBe(1);
    expect(found['IndexedDB databases']).toBeGreaterThan(0);
    expect(found['calls of newJob']).toBeGreaterThan(0);
  });

  test('a limit is on the near side of its target, and says so', () => {
    for (const { title, limit, target = limit, isMin = false } of figures) {
      expect(isMin ? limit <= target : limit >= target, title).toBe(true);
    }
    const shown = figureLine({ title: 'lines', found: 3, limit: 2, target: 1 });
    expect(shown).toBe('lines: found 3, expected at most 2, target 1');
    expect(isKept({ title: 'lines', found: 3, limit: 2 })).toBe(false);
    expect(isKept({ title: 'lines', found: 3, limit: 2, isMin: true })).toBe(true);
  });

  test('a source belongs to a lab by its folder, in src and among the shaders', () => {
    const labs = ['ships'];
    expect(labOf('src/labs/ships/sail.ts', labs)).toBe('ships');
    expect(labOf('shaders/ships/sail.wgsl', labs)).toBe('ships');
    expect(labOf('shaders/common/sail.wgsl', labs)).toBeNull();
    expect(labOf('src/kit/ships/sail.ts', labs)).toBeNull();
  });

  test('declarations are counted in every rule, and neither selectors nor comments', () => {
    expect(
      declarationsOf('.a:hover,\n.b {\n  /* c: d; */\n  color: red;\n  transition:\n    x 1s,\n    y 2s;\n}\n'),
    ).toBe(2);
    expect(declarationsOf('@media (width < 3px) {\n  .a { --b: 1px; }\n}\n')).toBe(1);
    expect(declarationsOf('')).toBe(0);
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
