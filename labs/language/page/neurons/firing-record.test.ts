// The recording of firing neurons that the site ships.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readFiringRecord } from './firing-record.ts';

const SHIPPED: unknown = JSON.parse(readFileSync('labs/language/public/models/tales-relu/firing.json', 'utf8'));

test('the shipped record is read, and its own numbers agree', () => {
  const record = readFiringRecord(SHIPPED);
  const { tokens, neurons, meanByLayer, mean, counts, tiles } = record;
  expect(tiles).toBe((tokens * neurons) / 256);
  expect(meanByLayer.reduce((sum, mean) => sum + mean, 0) / meanByLayer.length).toBeCloseTo(mean, 6);
  for (const bins of counts) expect(bins.reduce((sum, count) => sum + count, 0)).toBe(tokens);
});

test.for([null, [], { schema: 2 }, { ...(SHIPPED as object), tilesOver: [1] }, { ...(SHIPPED as object), l1: 3 }])(
  'any other value is rejected: %#',
  (value) => {
    expect(() => readFiringRecord(value)).toThrow(
      new TypeError('firing.json: found something else, expected a record of schema 1'),
    );
  },
);
