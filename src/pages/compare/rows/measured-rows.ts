import type { BenchReport, BenchRow } from '../../../core/report.ts';
import { speedIn } from '../../../kit/report/report-view.ts';
import { speedRange } from '../../../kit/words/speed-of.ts';
import {
  type TimedMatrix,
  type FormatQuery,
  isSameMatrix,
  timesByFormat,
  type TimedRow,
  verifiedRow,
} from '../../../kit/report/matrix-times.ts';
import type { DeviceBounds } from '../../../kit/report/time-bound.ts';
import type { StoredVariant } from './stored-variants.ts';

/** The time of a row of Compare's table, or only its verification, from a report. */
export interface RowMeasurement {
  readonly timedRow: TimedRow;
  /** against dense of the same run: the ratio of the two times, and its range over rounds */
  readonly speed: { readonly ratio: number; readonly p10: number; readonly p90: number } | null;
  /** share of the device's read speed, 0 to 1; null if unmeasured */
  readonly readShare: number | null;
  /** measured on another, random matrix with the same shape and density */
  readonly isOtherMatrix?: true;
  /** measured in another run than the times of the formats A and B, so not in the same rounds */
  readonly isOtherRun?: true;
}

/** The two variants that Compare compares. */
interface Sides {
  readonly a: StoredVariant;
  readonly b: StoredVariant | null;
}

/** Measurements by the key of a row: the time that Measure shows; without a time a verification, a failed one first. */
export function measuredRows(
  reports: readonly BenchReport[],
  matrix: TimedMatrix,
  variants: readonly StoredVariant[],
  { a, b }: Sides,
  bounds: DeviceBounds | null,
): ReadonlyMap<string, RowMeasurement> {
  const queries = new Map(variants.map((variant) => [variant.key, queryOf(variant)]));
  const { times, main } = timesByFormat(reports, matrix, [queryOf(a), b && queryOf(b)], queries);
  const measurements = new Map<string, RowMeasurement>();
  for (const [key, query] of queries) {
    const timedRow = times.get(key);
    if (timedRow) {
      measurements.set(key, {
        ...measurementOf(timedRow, bounds),
        ...(!isSameMatrix(timedRow.report.workload, matrix) && { isOtherMatrix: true }),
        ...(timedRow.report !== main && { isOtherRun: true }),
      });
      continue;
    }
    const untimedRow = verifiedRow(reports, matrix, query);
    if (untimedRow) measurements.set(key, measurementOf({ ...untimedRow, row: withoutTimes(untimedRow.row) }, null));
  }
  return measurements;
}

function queryOf({ format, stored }: StoredVariant): FormatQuery {
  return { ...stored, spec: format.params };
}

function measurementOf(timedRow: TimedRow, bounds: DeviceBounds | null): RowMeasurement {
  const { GBps } = timedRow.row;
  const readShare = bounds !== null && GBps !== null ? GBps / bounds.readGBps : null;
  const speed = speedIn(timedRow.report, timedRow.row);
  if (speed === null) return { timedRow, speed, readShare };
  const [p10, p90] = speedRange(speed);
  return { timedRow, speed: { ratio: speed.ratio, p10, p90 }, readShare };
}

/** The row without its times. */
function withoutTimes(row: BenchRow): BenchRow {
  return { ...row, samplesNs: [], medianNs: null, p10Ns: null, p90Ns: null, GBps: null, vsDense: null };
}
