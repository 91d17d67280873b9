import fc from 'fast-check';
import { expect, it } from 'vitest';
import { exp, ln } from './elementary.ts';

const EPSILON = 4e-16;

it('ln differs from Math.log by a relative error of at most 4e-16', () => {
  fc.assert(
    fc.property(fc.double({ min: 2 ** -1022, max: Number.MAX_VALUE, noNaN: true }), (x) => {
      const expected = Math.log(x);
      expect(Math.abs(ln(x) - expected)).toBeLessThanOrEqual(EPSILON * Math.abs(expected));
    }),
    { numRuns: 2000 },
  );
});

it('ln keeps its relative precision near 1', () => {
  for (const x of [1, 1 + 2 ** -52, 1 - 2 ** -53, 1.001, 0.999])
    expect(Math.abs(ln(x) - Math.log(x))).toBeLessThanOrEqual(EPSILON * Math.abs(Math.log(x)));
});

it('exp differs from Math.exp by a relative error of at most 8e-16', () => {
  fc.assert(
    fc.property(fc.double({ min: -699, max: 699, noNaN: true }), (x) => {
      const expected = Math.exp(x);
      // the reduction by multiples of ln 2 loses up to |x| half-units of the last place of ln 2's low part
      expect(Math.abs(exp(x) - expected)).toBeLessThanOrEqual(2 * EPSILON * expected);
    }),
    { numRuns: 2000 },
  );
});

it('ln and exp are NaN outside their domain', () => {
  for (const x of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) expect(ln(x)).toBeNaN();
  for (const x of [700, -700, Number.NaN]) expect(exp(x)).toBeNaN();
});
