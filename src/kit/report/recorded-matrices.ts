import type { AnyListedFormat } from '../../core/format.ts';
import type { BenchReport, BenchRow } from '../../core/report.ts';
import type { RecordedMatrix, RecordedTime } from '../../core/story/frames.ts';
import { dayText } from '../../state/devices/devices.ts';
import { type FormatParams, paramFields } from '../../state/index.ts';
import { singleRatio } from '../words/speed-of.ts';
import { isOfSimpleKernel } from '../words/simple-kernel.ts';
import { fastestRow } from './matrix-times.ts';

/**
 * The times in a device's reports for a story's last frame, by matrix: of the format, of dense and of `others`. Only
 * cold runs count, with nothing in a cache. A simple kernel was written to be read, and is not tuned.
 */
export function recordedMatrices(
  reports: readonly BenchReport[],
  format: AnyListedFormat,
  dense: AnyListedFormat,
  others: readonly AnyListedFormat[] = [],
): readonly RecordedMatrix[] {
  const params4Bit = params4BitOf(dense);
  return reports.flatMap((report): RecordedMatrix[] => {
    const { workload } = report;
    if (workload.memory !== 'cold') return [];
    const rowOf = (timed: AnyListedFormat, params: FormatParams): BenchRow | undefined =>
      fastestRow(report, { format: timed.id, params, spec: timed.params })?.row;
    const denseRow = rowOf(dense, defaultsOf(dense));
    // A story shows two times and their ratio. If the rounds are too noisy for a ratio, it shows none of the three.
    const timeOf = (timed: AnyListedFormat, params: FormatParams): RecordedTime | null => {
      const row = rowOf(timed, params);
      if (!row?.medianNs || !row.vsDense) return null;
      const timesDense = singleRatio({ ...row.vsDense, quotient: (denseRow?.medianNs ?? Number.NaN) / row.medianNs });
      if (timesDense === null) return null;
      const time = { ns: row.medianNs, timesDense, bytes: row.bytes };
      return isOfSimpleKernel(timed, row) ? { ...time, isSimple: true } : time;
    };
    const reference = timeOf(dense, defaultsOf(dense));
    const timedOthers = others.flatMap((other): [string, RecordedTime][] => {
      const time = other.id === dense.id || other.id === format.id ? null : timeOf(other, defaultsOf(other));
      return time ? [[other.id, time]] : [];
    });
    return [
      {
        rows: workload.rows,
        cols: workload.cols,
        density: workload.density,
        pattern: workload.source.split(',')[0],
        operation: workload.operation,
        tokens: workload.sizes?.tokens ?? 1,
        // A run that was added to a recording later has another date than the recording.
        date: dayText(report.recorded?.date ?? report.createdAt),
        format: format.id === dense.id ? reference : timeOf(format, defaultsOf(format)),
        dense: reference,
        dense4: params4Bit === null ? null : timeOf(dense, params4Bit),
        others: Object.fromEntries(timedOthers),
      },
    ];
  });
}

function defaultsOf({ params }: AnyListedFormat): FormatParams {
  return Object.fromEntries(paramFields(params).map(([name, field]) => [name, field.default]));
}

/** The parameters of dense with 4-bit values: the option that is compared with the default; null if it has none. */
function params4BitOf(format: AnyListedFormat): FormatParams | null {
  for (const [name, field] of paramFields(format.params)) {
    if (field.kind !== 'choice') continue;
    const option = field.options.find(({ comparedWith }) => comparedWith === field.default);
    if (option) return { ...defaultsOf(format), [name]: option.value };
  }
  return null;
}
