// savedLogits, the comparison of computed logits with golden logits.

import { describe, expect, it } from 'vitest';
import { savedLogits } from './saved-logits.ts';

const EXPECTED = Float64Array.of(3, 1, 2, -1, 5, 4.9999);

describe('savedLogits', () => {
  it('accepts logits within the tolerance, and returns their relative error', () => {
    const near = EXPECTED.map((v) => v + 1e-5);
    const comparison = savedLogits(near, EXPECTED, 3);
    expect(comparison).toMatchObject({ ok: true, firstOther: null });
    expect(comparison.relativeError).toBeCloseTo((1e-5 * Math.sqrt(6)) / Math.sqrt(65), 8);
  });

  it('rejects logits beyond the tolerance, and NaN', () => {
    const far = EXPECTED.map((v) => 1.01 * v);
    expect(savedLogits(far, EXPECTED, 3)).toMatchObject({ ok: false, firstOther: null });
    expect(savedLogits(EXPECTED.with(0, Number.NaN), EXPECTED, 3).ok).toBe(false);
  });

  it('accepts another argmax only where the two largest logits are close', () => {
    const close = EXPECTED.with(5, 5.0001);
    expect(savedLogits(close, EXPECTED, 3)).toMatchObject({ ok: true, firstOther: null });
    const far = EXPECTED.with(2, 3.001);
    const firstOther = { token: 0, found: 2, expected: 0 };
    expect(savedLogits(far, EXPECTED, 3, 0.3)).toMatchObject({ ok: true });
    expect(savedLogits(far, EXPECTED, 3, 0.2)).toMatchObject({ ok: false, firstOther });
  });

  it('rejects another number of logits', () => {
    expect(() => savedLogits([1], EXPECTED, 3)).toThrow('logits: found 1, expected 6, a multiple of 3');
  });
});
