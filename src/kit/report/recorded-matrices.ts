import type { AnyListedFormat } from '../../core/format.ts';
import type { BenchReport, BenchRow } from '../../core/report.ts';
import type { RecordedMatrix, RecordedTime } from '../../core/story/frames.ts';
import { dayText } from '../../state/devices/devices.ts';
import { type FormatParams, paramFields } from '../../state/index.ts';
import { singleRatio } from '../words/speed-of.ts';
import { isOfSimpleKernel } from '../words/simple-kernel.ts';
import { fastest } from './matrix-times.ts';

/**
 * The times of a format, of dense and of `others` in a device's reports, one entry per matrix, for the last frame of the format's
 * story. Cold runs only. O(reports × formats × rows).
 */
export function recordedMatrices(
  reports: readonly BenchReport[],
  format: AnyListedFormat,
  dense: AnyListedFormat,
  others: readonly AnyListedFormat[] = [],
): readonly RecordedMatrix[] {
  const fewBits = fewBitsOf(dense);
  return reports.flatMap((report): RecordedMatrix[] => {
    const { workload } = report;
    if (workload.memory !== 'cold') return [];
    const rowOf = (of: AnyListedFormat, chosen: FormatParams): BenchRow | undefined =>
      fastest(report, { format: of.id, params: chosen, spec: of.params })?.row;
    const usual = rowOf(dense, defaultsOf(dense));
    // A story shows two times and their ratio. If the rounds are too noisy for one, it shows none of the three.
    const timeOf = (of: AnyListedFormat, chosen: FormatParams): RecordedTime | null => {
      const row = rowOf(of, chosen);
      if (!row?.medianNs || !row.vsDense) return null;
      const timesDense = singleRatio({ ...row.vsDense, quotient: (usual?.medianNs ?? Number.NaN) / row.medianNs });
      if (timesDense === null) return null;
      const time = { ns: row.medianNs, timesDense, bytes: row.bytes };
      return isOfSimpleKernel(of, row) ? { ...time, isSimple: true } : time;
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
        // A run that was added to a recording later has a date of its own.
        date: dayText(report.recorded?.date ?? report.createdAt),
        format: format.id === dense.id ? reference : timeOf(format, defaultsOf(format)),
        dense: reference,
        dense4: fewBits === null ? null : timeOf(dense, fewBits),
        others: Object.fromEntries(timedOthers),
      },
    ];
  });
}

function defaultsOf({ params }: AnyListedFormat): FormatParams {
  return Object.fromEntries(paramFields(params).map(([name, field]) => [name, field.default]));
}

/** The parameters with values of fewer bits that are compared with the default ones; null if there are none. */
function fewBitsOf(format: AnyListedFormat): FormatParams | null {
  for (const [name, field] of paramFields(format.params)) {
    if (field.kind !== 'choice') continue;
    const option = field.options.find(({ comparedWith }) => comparedWith === field.default);
    if (option) return { ...defaultsOf(format), [name]: option.value };
  }
  return null;
}
