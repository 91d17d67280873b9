import { expect, it } from 'vitest';
import { PUBLISHED_FORWARD } from './BlockView.tsx';

it('the published forward passes are those of the TwELL paper: throughput of table 1, non-zeros of section 4.2 and of tables 3 and 5', () => {
  expect(
    PUBLISHED_FORWARD.map((p) => [p.parameters, p.denseTokensPerMs, p.sparseTokensPerMs, p.gain, p.nonZeros]),
  ).toEqual([
    ['0.5 B', 410, 480, 0.17, 39],
    ['1 B', 185, 219, 0.181, null],
    ['1.5 B', 119, 141, 0.188, 29],
    ['2 B', 87.8, 106, 0.205, 24],
  ]);
});

it('a printed gain is that of the printed throughputs, within what their rounding allows', () => {
  for (const { denseTokensPerMs, sparseTokensPerMs, gain } of PUBLISHED_FORWARD) {
    const half = (printed: number): number => (Number.isInteger(printed) ? 0.5 : 0.05);
    const min = (sparseTokensPerMs - half(sparseTokensPerMs)) / (denseTokensPerMs + half(denseTokensPerMs));
    const max = (sparseTokensPerMs + half(sparseTokensPerMs)) / (denseTokensPerMs - half(denseTokensPerMs));
    expect(1 + gain).toBeGreaterThan(min);
    expect(1 + gain).toBeLessThan(max);
  }
});
