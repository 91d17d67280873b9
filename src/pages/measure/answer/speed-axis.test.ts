import { describe, expect, it } from 'vitest';
import { ratioAxis } from './SpeedChart.tsx';

describe('the axis of A against B', () => {
  it.each([[[39.1, 66.2]], [[0.004, 1.2]], [[1e-4, 9000]], [[]]])('includes each of %j, and 0.5 to 2', (values) => {
    const { domain, ticks } = ratioAxis([...values, 0, Number.NaN, Number.POSITIVE_INFINITY]);
    expect(values.filter((value) => value < domain[0] || value > domain[1])).toEqual([]);
    expect([domain[0] <= 0.5, domain[1] >= 2]).toEqual([true, true]);
    expect(ticks).toContain(1);
    expect([ticks[0], ticks.at(-1)]).toEqual(domain);
    expect(ticks.length).toBeLessThan(11);
  });
});
