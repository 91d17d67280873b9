import type { BenchReport } from '../../../core/report.ts';
import { fastestRow, type FormatQuery, hasSameCount, shapeReports } from '../../../kit/report/matrix-times.ts';
import { substituteOf } from '../../../kit/words/ran-instead.ts';
import type { VisitFacts } from './visit-facts.ts';

/** The times of A and B at one share of weights left, from one report, in nanoseconds, with cold caches. */
interface TimedShare {
  readonly density: number;
  readonly a: number;
  readonly b: number;
  /** the time of B in its narrowest value type; null if it was not timed */
  readonly unpruned: number | null;
  readonly report: BenchReport;
}

/** Every density at which A and B were timed on a matrix of this shape, ascending. O(reports × rows). */
export function timedShares(
  reports: readonly BenchReport[],
  { matrix, a, b, unpruned = null }: Pick<VisitFacts, 'matrix' | 'a' | 'b'> & Partial<Pick<VisitFacts, 'unpruned'>>,
): readonly TimedShare[] {
  const [queryA, queryB, queryNarrow] = [
    queryOf(a),
    queryOf(b),
    unpruned && queryOf({ ...b, params: unpruned.params }),
  ];
  const byShare = new Map<string, TimedShare>();
  for (const report of shapeReports(gpuReports(reports), matrix)) {
    const density = report.workload.density;
    const key = density.toPrecision(3);
    const nsOf = (query: FormatQuery | null): number | null =>
      (query && fastestRow(report, query)?.row.medianNs) ?? null;
    const [nsA, nsB] = [nsOf(queryA), nsOf(queryB)];
    if (nsA === null || nsB === null || byShare.has(key)) continue;
    byShare.set(key, { density, a: nsA, b: nsB, unpruned: nsOf(queryNarrow), report });
  }
  return [...byShare.values()].toSorted((x, y) => x.density - y.density);
}

/** The times of A and B at the current density. */
export interface VisitTimes extends Omit<TimedShare, 'density'> {
  /** the times are of a CPU that simulates a GPU */
  readonly isSoftware: boolean;
  /** A was not timed at this share: its time is interpolated or, beyond the timed shares, follows from the bytes */
  readonly isComputed: boolean;
}

/** The times of A and B at a density; the time of B, dense, does not depend on it. Null without times. `shares` ascend. */
export function timesAt(
  shares: readonly TimedShare[],
  { matrix, bytesAt }: Pick<VisitFacts, 'matrix' | 'bytesAt'>,
  density = matrix.density,
): VisitTimes | null {
  const distance = (share: TimedShare): number => Math.abs(share.density - density);
  const byDistance = shares.toSorted((x, y) => distance(x) - distance(y));
  const nearest = byDistance.at(0);
  if (!nearest) return null;
  const matrixAtShare = density === matrix.density ? matrix : { ...matrix, density, nnz: Number.NaN };
  const timed = shares.find(({ report }) => hasSameCount(report.workload, matrixAtShare));
  const { report, b } = timed ?? nearest;
  return {
    a: timed?.a ?? computedNs(shares, nearest, bytesAt, density),
    b,
    unpruned: byDistance.find(({ unpruned }) => unpruned !== null)?.unpruned ?? null,
    report,
    isSoftware: substituteOf(report) === 'software',
    isComputed: timed === undefined,
  };
}

/** The time of A at a density that was not timed: interpolated or, beyond the timed shares, from the bytes of the nearest. */
function computedNs(
  shares: readonly TimedShare[],
  nearest: TimedShare,
  bytesAt: VisitFacts['bytesAt'],
  left: number,
): number {
  const low = shares.findLast((share) => share.density <= left);
  const high = shares.find((share) => share.density > left);
  if (low && high) return low.a + ((left - low.density) / (high.density - low.density)) * (high.a - low.a);
  const [bytes, nearestBytes] = [bytesAt(left), bytesAt(nearest.density)];
  const { readBandwidthGBps } = nearest.report;
  const ns = readBandwidthGBps ? nearest.a + (bytes - nearestBytes) / readBandwidthGBps : 0;
  return ns > 0 ? ns : (nearest.a * bytes) / nearestBytes;
}

/** The densities above which B, and B in its narrowest value type, is faster than A; null if there is none. */
export function overtakenAt(
  shares: readonly TimedShare[],
  facts: Pick<VisitFacts, 'matrix' | 'bytesAt'>,
): { readonly b: number | null; readonly unpruned: number | null } {
  const timesByPercent = Array.from({ length: 101 }, (_, percent) => timesAt(shares, facts, percent / 100));
  const firstShare = (rival: 'b' | 'unpruned'): number | null => {
    const percent = timesByPercent.findIndex(
      (times) => times !== null && times.a > (times[rival] ?? Number.POSITIVE_INFINITY),
    );
    return percent <= 0 ? null : percent / 100;
  };
  return { b: firstShare('b'), unpruned: firstShare('unpruned') };
}

/** The query that finds the times of one of the two formats in reports. */
export function queryOf({ format, params }: Pick<VisitFacts['a'], 'format' | 'params'>): FormatQuery {
  return { format: format.id, params, spec: format.params };
}

/** The reports of GPUs, also of simulated ones: the selection bar names a GPU. */
function gpuReports(reports: readonly BenchReport[]): readonly BenchReport[] {
  return reports.filter((report) => substituteOf(report) !== 'CPU');
}
