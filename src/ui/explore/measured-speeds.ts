import { QUANTISE } from '../../core/operations/index.ts';
import type { BenchReport } from '../../core/report.ts';

/**
 * Speed against dense by pattern ('6:8'), from the fastest right kernel of each in the newest report that has it.
 * `reports`: the newest first. Only products that ran on the GPU count: quantising does not multiply.
 */
export function measuredSpeeds(reports: readonly BenchReport[]): ReadonlyMap<string, number> {
  const speeds = new Map<string, number>();
  for (const report of reports) {
    if (report.workload.operation === QUANTISE.id) continue;
    const here = new Map<string, number>();
    for (const { where, params, verified, vsDense } of report.rows) {
      const { halfGroup } = params;
      if (where !== 'gpu' || typeof halfGroup !== 'number' || !verified.ok || !vsDense) continue;
      const pattern = `${2 * halfGroup - 2}:${2 * halfGroup}`;
      here.set(pattern, Math.max(here.get(pattern) ?? 0, vsDense.ratio));
    }
    for (const [pattern, speed] of here) if (!speeds.has(pattern)) speeds.set(pattern, speed);
  }
  return speeds;
}
