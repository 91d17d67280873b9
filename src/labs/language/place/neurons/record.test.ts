import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { allFire, headlineOf, readFiringRecord } from './record.ts';

const SHIPPED: unknown = JSON.parse(
  readFileSync(new URL('../../../../../public/models/tales-relu/firing.json', import.meta.url), 'utf8'),
);

test('the shipped record is read, and its own numbers agree', () => {
  const record = readFiringRecord(SHIPPED);
  const { tokens, neurons, meanByLayer, mean, counts, tiles } = record;
  expect(tiles).toBe((tokens * neurons) / 256);
  expect(meanByLayer.reduce((sum, one) => sum + one, 0) / meanByLayer.length).toBeCloseTo(mean, 6);
  for (const bins of counts) expect(bins.reduce((sum, count) => sum + count, 0)).toBe(tokens);
});

test.for([null, [], { schema: 2 }, { ...(SHIPPED as object), tilesOver: [1] }, { ...(SHIPPED as object), l1: 3 }])(
  'something else is refused: %#',
  (value) => {
    expect(() => readFiringRecord(value)).toThrow(
      new TypeError('firing.json: found something else, expected a record of schema 1'),
    );
  },
);

test('the headline says how many fire, what that costs, and what overflows', () => {
  const record = {
    ...readFiringRecord(SHIPPED),
    mean: 11.4,
    meanByLayer: [47, 5.6, 3.2],
    tiles: 200,
    tilesOver: [16, 1, 2],
  };
  const words = headlineOf(record, { own: 0.17371, swiglu: 0.1735 });
  expect(words.map(({ text }) => text).join('')).toBe(
    'With 11 of 768 neurons a layer it tells its tales: 0.1737 bits per byte, with SwiGLU, where all fire, 0.1735. In layer 0 too many fire at once: 8\u202f% of TwELL’s tiles are too small.',
  );
  expect(
    allFire(384)
      .map(({ text }) => text)
      .join(''),
  ).toContain('all 384 of 384');
});
