// The recorded times of feed-forward blocks, and the speed interpolated between them.

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { smallest } from '../../../../src/core/number/statistics.ts';
import { BLOCK_SPEEDS, blockSpeed, RECORDED_BLOCK as block } from './speed-by-layer.ts';

interface Report {
  readonly workload: { readonly operation: string; readonly nnz: number; readonly rows: number; readonly cols: number };
  readonly rows: readonly { readonly format: string; readonly medianNs: number }[];
}

it('times equal the times of the recording', () => {
  const { name, reports }: { name: string; reports: readonly Report[] } = JSON.parse(
    readFileSync(block.source, 'utf8'),
  );
  expect(name).toBe(block.on);
  const msOf = ({ rows }: Report, format: string): number =>
    Number((smallest(rows.filter((row) => row.format === format).map(({ medianNs }) => medianNs)) / 1e6).toFixed(4));
  const times = reports
    .filter(({ workload }) => workload.operation === 'forward')
    .map((report) => {
      expect([report.workload.rows, report.workload.cols]).toEqual([block.tokens, block.neurons]);
      const nonZeros = Number((report.workload.nnz / report.workload.rows).toFixed(2));
      return { nonZeros, denseMs: msOf(report, 'dense'), ms: msOf(report, block.format) };
    });
  expect(block.rows).toEqual(times);
});

it('blockSpeed passes through the recorded points, falls with more firing neurons, and is null outside of them', () => {
  expect(BLOCK_SPEEDS.map(({ speed }) => speed.toFixed(2))).toEqual(['2.84', '2.50', '1.82']);
  for (const { share, speed } of BLOCK_SPEEDS) expect(blockSpeed(share)).toBeCloseTo(speed, 9);
  // Halfway between 119.98 and 399.61 its time is the mean of both.
  expect(blockSpeed((119.98 + 399.61) / 2 / 5632)).toBeCloseTo((3.8925 + 3.8935) / (1.5587 + 2.1431), 9);
  expect([blockSpeed(29.8 / 5632), blockSpeed(0), blockSpeed(0.08)]).toEqual([null, null, null]);
});
