import { describe, expect, test } from 'vitest';
import { figureLine, houseFigures } from '../scripts/house-figures.mjs';

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
});
