import { describe, expect, it } from 'vitest';
import { savedLogits } from './saved-logits.ts';

const EXPECTED = Float64Array.of(3, 1, 2, -1, 5, 4.9999);

describe('kept logits', () => {
  it('are those within the bound', () => {
    const near = EXPECTED.map((v) => v + 1e-5);
    const found = savedLogits(near, EXPECTED, 3);
    expect(found).toMatchObject({ ok: true, firstOther: null });
    expect(found.relativeError).toBeCloseTo((1e-5 * Math.sqrt(6)) / Math.sqrt(65), 8);
  });

  it('are not those further away, nor those that are no numbers', () => {
    const far = EXPECTED.map((v) => 1.01 * v);
    expect(savedLogits(far, EXPECTED, 3)).toMatchObject({ ok: false, firstOther: null });
    expect(savedLogits(EXPECTED.with(0, Number.NaN), EXPECTED, 3).ok).toBe(false);
  });

  it('may have another largest one where the first two are close, and only there', () => {
    const close = EXPECTED.with(5, 5.0001);
    expect(savedLogits(close, EXPECTED, 3)).toMatchObject({ ok: true, firstOther: null });
    const far = EXPECTED.with(2, 3.001);
    const firstOther = { token: 0, found: 2, expected: 0 };
    expect(savedLogits(far, EXPECTED, 3, 0.3)).toMatchObject({ ok: true });
    expect(savedLogits(far, EXPECTED, 3, 0.2)).toMatchObject({ ok: false, firstOther });
  });

  it('are as many', () => {
    expect(() => savedLogits([1], EXPECTED, 3)).toThrow('logits: found 1, expected 6, a multiple of 3');
  });
});
