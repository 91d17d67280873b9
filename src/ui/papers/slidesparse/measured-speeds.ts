import type { BenchReport } from '../../../core/report.ts';
import { patternRows } from './pattern-rows.ts';

/**
 * Speed against dense by pattern ('6:8') on the GPU, each from the newest report that has it. `reports`: the newest
 * first.
 */
export function measuredSpeeds(reports: readonly BenchReport[]): ReadonlyMap<string, number> {
  const speeds = new Map<string, number>();
  for (const report of reports) {
    for (const { halfGroup, ratio } of patternRows(report, 'gpu')) {
      const pattern = `${2 * halfGroup - 2}:${2 * halfGroup}`;
      if (!speeds.has(pattern)) speeds.set(pattern, ratio);
    }
  }
  return speeds;
}
