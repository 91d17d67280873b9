// The number of firing neurons by position in the text, in the shipped recording.

import { expect, it } from 'vitest';
import { byPosition } from './ByPosition.tsx';
import { shippedFiring } from '../../test/offers.ts';

const record = shippedFiring();

/**
 * Returns the exponent of the power law that fits the points from x = `from` to `to`, by least squares of logarithms.
 */
function exponent(points: ReturnType<typeof byPosition>[number], from: number, to: number): number {
  const logs = points.filter(({ x }) => x >= from && x <= to).map(({ x, y }) => [Math.log(x), Math.log(y)] as const);
  const [meanX, meanY] = [0, 1].map((axis) => logs.reduce((sum, log) => sum + log[axis], 0) / logs.length);
  const covariance = logs.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  return covariance / logs.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
}

it('exponent returns the exponent of a power law with any factor', () => {
  const points = Array.from({ length: 50 }, (_, i) => ({ x: i + 1, y: 7 * (i + 1) ** -0.4 }));
  expect(exponent(points, 1, 50)).toBeCloseTo(-0.4, 10);
  expect(exponent(points, 10, 20)).toBeCloseTo(-0.4, 10);
});

it('firing neurons of layer 0 decrease from the second token on, of the other layers only to about position 20', () => {
  const [first, others] = byPosition(record);
  expect(first[1]).toEqual({ x: 2, y: 106.56 });
  expect(first[127].y).toBeLessThan(0.5 * first[1].y);
  expect(exponent(first, 2, 300)).toBeLessThan(-0.05);
  expect(exponent(others, 2, 20)).toBeLessThan(-0.1);
  expect(exponent(others, 20, 300)).toBeGreaterThan(0.05);
});

it('byPosition returns layer 0, and the mean of all other layers', () => {
  const [first, others] = byPosition({ byPosition: [[1], [2], [4]] });
  expect([first, others]).toEqual([[{ x: 1, y: 1 }], [{ x: 1, y: 3 }]]);
});
