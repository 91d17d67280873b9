import { describe, expect, it } from 'vitest';
import { normalQuantile } from './normal-quantile.ts';

describe('normalQuantile', () => {
  it('agrees with tables', () => {
    // R 4.3, qnorm(p)
    const known: readonly (readonly [p: number, z: number])[] = [
      [0.5, 0],
      [0.75, 0.6744897501960817],
      [0.9, 1.2815515655446004],
      [0.95, 1.6448536269514722],
      [0.975, 1.959963984540054],
      [0.999, 3.090232306167813],
      [1 - 1e-6, 4.753424308817087],
      [1e-12, -7.034483825301131],
    ];
    for (const [p, z] of known) expect(Math.abs(normalQuantile(p) - z)).toBeLessThanOrEqual(1e-6 * Math.abs(z));
  });

  it('normalQuantile is symmetric, ascending, and infinite at the ends', () => {
    const all = Array.from({ length: 4097 }, (_, i) => normalQuantile(i / 4096));
    expect(all).toEqual(all.toSorted((a, b) => a - b));
    expect(new Set(all).size).toBe(4097);
    expect(all.map((z) => -z || 0)).toEqual(all.toReversed());
    expect([all[0], all[4096]]).toEqual([Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]);
  });

  it('normalQuantile is not a number outside', () => {
    expect(normalQuantile(-0.1)).toBeNaN();
    expect(normalQuantile(1.1)).toBeNaN();
    expect(normalQuantile(Number.NaN)).toBeNaN();
  });
});
