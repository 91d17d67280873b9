import { expect, it } from 'vitest';
import { byPosition } from './ByPosition.tsx';
import { shippedFiring } from '../../test/offers.ts';

const record = shippedFiring();

/** The exponent of the power of the position that is nearest to the points from `from` to `to`, by least squares of logarithms. */
function exponent(points: ReturnType<typeof byPosition>[number], from: number, to: number): number {
  const logs = points.filter(({ x }) => x >= from && x <= to).map(({ x, y }) => [Math.log(x), Math.log(y)] as const);
  const [meanX, meanY] = [0, 1].map((axis) => logs.reduce((sum, log) => sum + log[axis], 0) / logs.length);
  const covariance = logs.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  return covariance / logs.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
}

it('an exponent equals the exponent of a power, for any factor', () => {
  const points = Array.from({ length: 50 }, (_, i) => ({ x: i + 1, y: 7 * (i + 1) ** -0.4 }));
  expect(exponent(points, 1, 50)).toBeCloseTo(-0.4, 10);
  expect(exponent(points, 10, 20)).toBeCloseTo(-0.4, 10);
});

it('layer 0 falls from its second token on, the others only to about position 20', () => {
  const [first, others] = byPosition(record);
  expect(first[1]).toEqual({ x: 2, y: 106.56 });
  expect(first[127].y).toBeLessThan(0.5 * first[1].y);
  expect(exponent(first, 2, 300)).toBeLessThan(-0.05);
  expect(exponent(others, 2, 20)).toBeLessThan(-0.1);
  expect(exponent(others, 20, 300)).toBeGreaterThan(0.05);
});

it('the others are a mean over layers 1 and on', () => {
  const [first, others] = byPosition({ byPosition: [[1], [2], [4]] });
  expect([first, others]).toEqual([[{ x: 1, y: 1 }], [{ x: 1, y: 3 }]]);
});
