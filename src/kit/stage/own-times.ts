import type { AnyListedFormat } from '../../core/format.ts';
import type { BenchReport } from '../../core/report.ts';
import type { MatrixSummary } from '../../engine/matrix/matrix-types.ts';
import { dayText, type Device, type FormatParams, paramFields } from '../../state/index.ts';
import type { OwnTimes, TimedTogether } from '../../story/frames.ts';
import { repeatedMatrix } from '../report/matrix-run.ts';
import { timedMatrixOf, timedPair, type TimedMatrix, type TimedPair } from '../report/matrix-times.ts';
import { deviceOfReport } from '../report/run-verdict.ts';
import { substituteOf } from '../words/ran-instead.ts';

/* The times of the reader's matrix that the last frame of a story shows. */

/** What the times are looked up for: the open matrix, the format of the story with its parameters, and dense. */
interface OwnQuery {
  readonly summary: MatrixSummary;
  readonly tokens: number;
  readonly format: AnyListedFormat;
  readonly params: FormatParams;
  readonly reference: AnyListedFormat;
}

/**
 * Times of the open matrix: recorded for `device`, else from `measured`, the reports of this browser; and from `larger`,
 * the reports of a run that repeated it. O(reports x rows).
 */
export function ownTimesOf(
  query: OwnQuery,
  device: Device,
  measured: readonly BenchReport[],
  larger: readonly BenchReport[],
): OwnTimes {
  const { summary, tokens, format } = query;
  const matrix = timedMatrixOf(summary, tokens, format);
  const own = together(pairIn(query, device.reports, matrix), device.name) ?? together(pairIn(query, measured, matrix));
  const repeated = repeatedMatrix(matrix, summary.name, larger);
  return { device: device.name, own, larger: repeated && together(pairIn(query, larger, repeated)) };
}

function pairIn(
  { format, params, reference }: OwnQuery,
  reports: readonly BenchReport[],
  matrix: TimedMatrix,
): TimedPair {
  const a = { format: format.id, params, spec: format.params };
  return timedPair(reports, matrix, a, { format: reference.id, params: defaultsOf(reference), spec: reference.params });
}

/** Both times if one report has them; `device`: default the report's own name of its device. */
function together({ a, b }: TimedPair, device?: string): TimedTogether | null {
  const [formatNs, denseNs] = [a?.row.medianNs, b?.row.medianNs];
  if (!a || !b || a.report !== b.report || !formatNs || !denseNs) return null;
  const { report } = a;
  const { rows, cols } = report.workload;
  return {
    rows,
    cols,
    device: substituteOf(report) ? 'a software GPU' : (device ?? deviceOfReport(report)),
    date: dayText(report.recorded?.date ?? report.createdAt),
    ...(substituteOf(report) && { isSoftware: true }),
    formatNs,
    denseNs,
  };
}

export function defaultsOf({ params }: AnyListedFormat): FormatParams {
  return Object.fromEntries(paramFields(params).map(([name, field]) => [name, field.default]));
}
