// The reader of quality.json, a model's measured quality.

import { expect, test } from 'vitest';
import { readRecordedQuality, type RecordedQuality } from './recorded-quality.ts';

const recording: RecordedQuality = {
  schema: 1,
  model: 'tales',
  date: '2026-11-23',
  tales: 399,
  bytes: 380_000,
  tokens: 113_000,
  floor: { exact: 0.1841, path: 0.1843 },
  rows: [
    { way: 'none', density: 1, valueType: 'f16', bitsPerByte: 0.1852, se: 0.001, unbroken: 350, judged: 399 },
    { way: 'wanda', density: 0.5, pattern: '2:4', valueType: 'f16', trained: 8, bitsPerByte: 0.186, se: 0.001 },
    { way: 'wanda', density: 0.5, valueType: 'i4', bitsPerByte: 0.19, se: 0.001, bytes: 1e6, firstBroken: { name: 3 } },
  ],
};

test('readRecordedQuality returns a valid recording unchanged', () => {
  expect(readRecordedQuality(JSON.parse(JSON.stringify(recording)))).toEqual(recording);
});

test.each<[field: string, change: (r: Record<string, unknown>) => void]>([
  ['quality.json', () => undefined],
  ['schema', (r) => (r.schema = 2)],
  ['tales', (r) => (r.tales = 0)],
  ['floor.exact', (r) => (r.floor = { path: 0.2 })],
  ['rows', (r) => (r.rows = {})],
  ['rows[0].way', (r) => (r.rows = [{ ...recording.rows[0], way: 'wander' }])],
  ['rows[0].pattern', (r) => (r.rows = [{ ...recording.rows[0], pattern: '2/4' }])],
  ['rows[0].density', (r) => (r.rows = [{ ...recording.rows[0], density: 1.5 }])],
  ['rows[0].bitsPerByte', (r) => (r.rows = [{ ...recording.rows[0], bitsPerByte: null }])],
  ['rows[0].judged', (r) => (r.rows = [{ ...recording.rows[2], unbroken: 3 }])],
  ['rows[0].firstBroken.name', (r) => (r.rows = [{ ...recording.rows[2], firstBroken: { name: 'x' } }])],
])('readRecordedQuality rejects a recording with a wrong %s', (field, change) => {
  const broken = JSON.parse(JSON.stringify(recording)) as Record<string, unknown>;
  change(broken);
  expect(() => readRecordedQuality(field === 'quality.json' ? [] : broken)).toThrow(`${field}: found`);
});
