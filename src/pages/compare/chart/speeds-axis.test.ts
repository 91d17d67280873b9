import { expect, it } from 'vitest';
import { speedsAxis } from './SpeedChart.tsx';

it('the axis of speeds includes every dot, and is the usual one without dots', () => {
  const usual = speedsAxis([]);
  const { domain, ticks } = speedsAxis([0.032, 1.26, 39.1, 410, 0, Number.NaN]);
  expect(domain[0]).toBeLessThan(0.032);
  expect(domain[1]).toBeGreaterThan(410);
  expect(ticks.length).toBeLessThan(16);
  // Both ends have a tick.
  expect(ticks[0]).toBe(domain[0]);
  expect(ticks.at(-1)).toBe(domain[1]);
  expect(usual.domain).toEqual([0.25, 8]);
  expect(usual.ticks).toEqual([0.25, 0.5, 1, 2, 4, 8]);
});
