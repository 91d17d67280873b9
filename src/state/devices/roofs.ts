import { type Arithmetic, ARITHMETICS, type BenchReport, PEAK_FIELDS } from '../../core/report.ts';
import type { Roofs } from '../../theory/roofline/roofs.ts';

/** The reports with a measured read speed, without reports of software adapters. */
export function reportsWithReadSpeed(reports: readonly BenchReport[]): readonly BenchReport[] {
  return reports.filter(({ environment, readBandwidthGBps }) => !environment.isFallback && readBandwidthGBps !== null);
}

/** A device's limits in a roofline, each from the newest report with that limit; null without a read speed. */
export function measuredRoofs(reports: readonly BenchReport[]): Roofs | null {
  return roofsFrom(reportsWithReadSpeed(reports));
}

/** Like `measuredRoofs`, from reports sorted with the newest first; null if the first report has no read speed. */
export function roofsFrom(
  reports: readonly Pick<BenchReport, 'readBandwidthGBps' | 'nullDispatchNs' | (typeof PEAK_FIELDS)[Arithmetic]>[],
): Roofs | null {
  const readGBps = reports[0]?.readBandwidthGBps;
  if (!readGBps) return null;
  return {
    readGBps,
    peakGMAps: Object.fromEntries(
      ARITHMETICS.flatMap((arithmetic) => {
        const peak = reports.map((report) => report[PEAK_FIELDS[arithmetic]]).find((found) => found !== undefined);
        return peak === undefined ? [] : [[arithmetic, peak]];
      }),
    ),
    dispatchNs: reports.find(({ nullDispatchNs }) => nullDispatchNs !== null)?.nullDispatchNs ?? 0,
  };
}
