import { expect, it } from 'vitest';
import { sizeAxis } from './SizeChart.tsx';

it.each([
  [[], 1.25],
  [[0.28, 0.5, 1], 1.25],
  // A matrix of 4 × 4: rows of dense are padded.
  [[2, 2.25, 1.25], 2.5],
  [[3], 3],
  // What is larger leaves the chart.
  [[22.25, 4.5], 1.25],
])('the axis of sizes for %j ends at %f, with a tick', (values, end) => {
  const { domain, ticks } = sizeAxis(values);
  expect(domain).toEqual([0, end]);
  expect([ticks[0], ticks.at(-1)]).toEqual(domain);
});
