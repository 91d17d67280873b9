import { expect, it } from 'vitest';
import type { CompareRow } from './compare-row.ts';
import { spenseRow } from './spense-row.ts';

const dense = (kept: number): CompareRow =>
  ({
    format: { id: 'dense' },
    stored: { params: { valueType: 'f16' } },
    parts: kept > 0 ? [{ role: 'kept', bytes: kept }] : null,
  }) as unknown as CompareRow;

it('takes 0.781 of dense f16 at 75 % left, and of a model only the pruned part', () => {
  const at = (density: number, kept = 0) => spenseRow({ rows: [dense(kept)], f16Bytes: 1000, density });
  expect(at(0.75)?.row.bytes).toBe(781.25);
  expect(at(0.75)?.detail).toBe('f16');
  expect(at(0.75)?.row.needs).toBe('2:4 in 50\u202f%');
  expect(at(0.75, 200)?.row.bytes).toBe(200 + 800 * 0.78125);
  expect(at(0.5)?.row.bytes).toBe(562.5);
});

it('is absent where Spense stores nothing: below 50 %, with nothing pruned, and without dense', () => {
  expect([0.49, 1].map((density) => spenseRow({ rows: [dense(0)], f16Bytes: 1000, density }))).toEqual([null, null]);
  expect(spenseRow({ rows: [], f16Bytes: 1000, density: 0.75 })).toBeNull();
});
