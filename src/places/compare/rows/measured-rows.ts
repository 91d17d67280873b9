import type { BenchReport, BenchRow } from '../../../core/report.ts';
import { speedOf } from '../../../kit/words/speed-of.ts';
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

/** The time of one row of Compare's table, or its verification, from a report. */
export interface MeasuredRow {
  readonly row: BenchRow;
  readonly speed: { readonly ratio: number; readonly p10: number; readonly p90: number } | null;
  /** share of the device's read speed, 0 to 1; null if unmeasured */
  readonly ofRead: number | null;
  readonly timed: TimedRow;
  /** of a random matrix with the shape and density of this one */
  readonly isAlike?: true;
  /** from another run than A and B, so not timed in the same rounds */
  readonly isApart?: true;
}

interface Sides {
  readonly a: StoredVariant;
  readonly b: StoredVariant | null;
}

/** By the key of a row: the time that Measure shows, else the verification on this matrix, wrong kernels first. */
export function measuredRows(
  reports: readonly BenchReport[],
  matrix: TimedMatrix,
  variants: readonly StoredVariant[],
  { a, b }: Sides,
  bounding: DeviceBounds | null,
): ReadonlyMap<string, MeasuredRow> {
  const queries = new Map(variants.map((variant) => [variant.key, queryOf(variant)]));
  const { times, main } = timesByFormat(reports, matrix, [queryOf(a), b && queryOf(b)], queries);
  const found = new Map<string, MeasuredRow>();
  for (const [key, query] of queries) {
    const timed = times.get(key);
    if (timed) {
      const { row, report } = timed;
      found.set(key, {
        ...figuresOf(timed, bounding),
        row,
        ...(!isSameMatrix(report.workload, matrix) && { isAlike: true }),
        ...(report !== main && { isApart: true }),
      });
      continue;
    }
    const tried = verifiedRow(reports, matrix, query);
    if (tried) {
      const row = withoutTimes(tried.row);
      found.set(key, { ...figuresOf({ ...tried, row }, null), row });
    }
  }
  return found;
}

function queryOf({ format, stored }: StoredVariant): FormatQuery {
  return { ...stored, spec: format.params };
}

function figuresOf(timed: TimedRow, bounding: DeviceBounds | null): Omit<MeasuredRow, 'row'> {
  const { GBps } = timed.row;
  return {
    timed,
    speed: speedOf(timed.row),
    ofRead: bounding !== null && GBps !== null ? GBps / bounding.readGBps : null,
  };
}

/** The verification without its times, which answer no question about speed. */
function withoutTimes(row: BenchRow): BenchRow {
  return { ...row, samplesNs: [], medianNs: null, p10Ns: null, p90Ns: null, GBps: null, vsDense: null };
}
