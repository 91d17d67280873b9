import { expect, it } from 'vitest';
import { speedsAxis } from './SpeedChart.tsx';

it('every dot has a place on the axis of speeds, and without any it is the usual one', () => {
  for (const scale of ['linear', 'log'] as const) {
    const usual = speedsAxis(scale, []);
    const { domain, ticks } = speedsAxis(scale, [0.032, 1.26, 39.1, 410, 0, Number.NaN]);
    expect(domain[0]).toBeLessThan(0.032);
    expect(domain[1]).toBeGreaterThan(410);
    expect(ticks.length).toBeLessThan(16);
    expect(usual.domain).toEqual([0.22, scale === 'log' ? 300 : 9]);
    expect(usual.ticks).toEqual(scale === 'log' ? [0.25, 1, 4, 16, 64, 256] : [0.25, 0.5, 1, 2, 4, 8]);
  }
});
