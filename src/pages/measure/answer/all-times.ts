/* All formats that one run timed, next to each other: more than A and B, which the page compares. */

import { storedKey } from '../../../core/format.ts';
import type { BenchReport, BenchRow } from '../../../core/report.ts';
import { hasSameCount, shapeReports } from '../../../kit/report/matrix-times.ts';
import { untimedText } from '../../../kit/report/run-verdict.ts';
import { storedName } from '../../../kit/words/answer-names.ts';
import type { AnyListedFormat } from '../../../core/format.ts';
import type { Device, FormatParams } from '../../../state/index.ts';
import { type MeasuredPair, type MeasuredSide, sideOn } from './use-measured.ts';

/** A format of the run, with the same data as A or B. */
export type TimedFormat = Omit<MeasuredSide, 'side'> & {
  readonly key: string;
  /** whether it is A or B */
  readonly side: 'a' | 'b' | null;
};

/** What a run of more formats than A and B found. */
export interface AllTimes {
  readonly report: BenchReport;
  /** the fastest first */
  readonly timedFormats: readonly TimedFormat[];
  /** the other formats, each with the reason why it has no time */
  readonly untimedFormats: readonly { readonly name: string; readonly reason: string }[];
  /** names of formats that are still to be timed */
  readonly waitingNames: readonly string[];
}

/** With fewer formats in a report, A and B alone are shown. */
const MIN_FORMATS = 3;

interface AllTimesInput {
  readonly formats: readonly AnyListedFormat[];
  readonly device: Device;
  readonly measuredPair: MeasuredPair;
}

/** The times of all formats in this device's newest run on the matrix; null if that run was of A and B alone. */
export function allTimesOf({ formats, device, measuredPair }: AllTimesInput): AllTimes | null {
  const { matrix, sides } = measuredPair;
  // A recording has every format, but was no run of the user.
  if (device.kind !== 'this') return null;
  const report = shapeReports(device.reports, matrix).find(({ workload }) => hasSameCount(workload, matrix));
  if (!report) return null;
  const waitingFormats = report.unfinished?.waiting ?? [];
  const rows = report.rows.filter(({ draft }) => !draft);
  const rejections = report.refused.filter(({ draft }) => !draft);
  const ids = new Set([...rows, ...rejections, ...waitingFormats].map(({ format }) => format));
  if (ids.size < MIN_FORMATS) return null;
  // The kernels of a format with the same parameters are one group, of which the fastest correct one counts.
  const groups = new Map<string, { format: string; params: FormatParams; rows: BenchRow[] }>();
  for (const row of [...rows, ...rejections]) {
    const params = (row.params ?? {}) as FormatParams;
    const key = storedKey(row.format, params);
    const group = groups.get(key) ?? { format: row.format, params, rows: [] };
    if ('samplesNs' in row) group.rows.push(row);
    groups.set(key, group);
  }
  const timedFormats: TimedFormat[] = [];
  const untimedFormats: { name: string; reason: string }[] = [];
  const nameOf = (id: string, params: FormatParams): string => {
    const format = formats.find((candidate) => candidate.id === id);
    return format ? storedName(format, { format: id, params }, null) : id;
  };
  for (const [key, { format: id, params, rows: groupRows }] of groups) {
    const format = formats.find((candidate) => candidate.id === id);
    const fastestRow = groupRows
      .filter(({ verified, medianNs }) => verified.ok && medianNs !== null)
      .toSorted((x, y) => (x.medianNs ?? 0) - (y.medianNs ?? 0))
      .at(0);
    if (format && fastestRow) {
      const side = sides.find((candidate) => candidate.timedRow?.row === fastestRow)?.side ?? null;
      const query = { format: id, params, spec: format.params };
      timedFormats.push({
        ...sideOn({ formats, matrix, device, query, timedRow: { row: fastestRow, report } }),
        key,
        side,
      });
    } else {
      const reason = untimedText({
        rows: groupRows,
        refused: rejections.filter(
          ({ format: refusedId, params: refusedParams }) => storedKey(refusedId, refusedParams ?? {}) === key,
        ),
        deviceName: 'this device',
      });
      untimedFormats.push({ name: nameOf(id, params), reason: reason ?? 'not timed' });
    }
  }
  return {
    report,
    timedFormats: timedFormats.toSorted((x, y) => (x.timedRow?.row.medianNs ?? 0) - (y.timedRow?.row.medianNs ?? 0)),
    untimedFormats,
    waitingNames: waitingFormats.map(({ format, params }) => nameOf(format, params as FormatParams)),
  };
}

/** How many formats have a time, and the fastest, for the answer; null if fewer than two have one. */
export function amongOf({ timedFormats }: AllTimes) {
  const [first] = timedFormats;
  if (timedFormats.length < 2) return null;
  const formats = new Set(timedFormats.map(({ stored }) => stored.format)).size;
  return { formats, fastest: first.name, ns: first.timedRow?.row.medianNs ?? 0 };
}
