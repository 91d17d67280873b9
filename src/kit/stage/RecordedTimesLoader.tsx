import { useCallback, useEffect, useMemo } from 'react';
import type { AnyListedFormat } from '../../core/format.ts';
import { type Device, REFERENCE_FORMAT, dayText, type FormatParams, paramFields } from '../../state/index.ts';
import { useApp, useDocument, useSession, oncePerPage } from '../app-context.ts';
import { defaultsOf, ownTimesOf } from './own-times.ts';
import { useDevice } from '../devices/use-device.ts';
import { useLargerReports } from '../report/matrix-run.ts';
import { createTimes } from './use-frame-context.ts';
import type { BenchReport, BenchRow } from '../../core/report.ts';
import type { RecordedMatrix, RecordedTime } from '../../story/frames.ts';
import { singleRatio, speedFromTimes, isOfSimpleKernel } from '../words/speed-of.ts';
import { fastestRow } from '../report/matrix-times.ts';

/**
 * Looks up the times that a story's last frame shows, of the reader's matrix and of recorded ones, and stores them for
 * `useFrameContext`. Draws nothing.
 */
export function RecordedTimesLoader({ format: id }: { readonly format: string }) {
  const app = useApp();
  const { formats } = app;
  const format = formats.find((listedFormat) => listedFormat.id === id);
  const dense = formats.find((listedFormat) => listedFormat.id === REFERENCE_FORMAT);
  const hasTimes = useCallback(
    (device: Device): boolean =>
      format !== undefined &&
      dense !== undefined &&
      device.reports.some((report) =>
        recordedMatrices([report], format, dense).some((matrix) => matrix.format !== null),
      ),
    [format, dense],
  );
  const { device } = useDevice(hasTimes);
  const recorded = useMemo(
    () => (format && dense ? recordedOf(device, format, dense, formats) : null),
    [device, format, dense, formats],
  );
  const summary = useSession((s) => s.summary);
  const runs = useSession((s) => s.bench.runs);
  const largerReports = useLargerReports(summary?.generation);
  const tokens = useDocument((doc) => doc.tokens);
  const params = useDocument((doc) => doc.params[id]);
  const openMatrix = useMemo(() => {
    if (!summary || !format || !dense) return null;
    const measuredReports = runs.filter(({ origin }) => origin === 'measured').flatMap(({ reports }) => reports);
    return ownTimesOf(
      { summary, tokens, format, params: params ?? {}, reference: dense },
      device,
      measuredReports,
      largerReports,
    );
  }, [summary, runs, largerReports, tokens, params, device, format, dense]);
  const times = oncePerPage(app, createTimes);
  useEffect(() => times.setState({ format: id, recorded, openMatrix }, true), [times, id, recorded, openMatrix]);
  return null;
}

/** What two reports of the same matrix have in common. */
const MATRIX_FIELDS = ['rows', 'cols', 'density', 'pattern', 'operation', 'tokens'] as const;

/** The times of a device, by the matrices on which it timed the format; null if it has no recording or report. */
function recordedOf(
  { name, recorded, reports }: Device,
  format: AnyListedFormat,
  dense: AnyListedFormat,
  otherFormats: readonly AnyListedFormat[],
) {
  const timedMatrices = recordedMatrices(reports, format, dense, otherFormats);
  // Other formats may have been timed on the same matrix in another report.
  const matrices = timedMatrices
    .filter((matrix) => matrix.format !== null)
    .map((matrix) => {
      const sameMatrix = timedMatrices.filter((other) => MATRIX_FIELDS.every((name) => other[name] === matrix[name]));
      const otherTimesOfMatrix = sameMatrix.flatMap((other) => Object.entries(other.otherFormats ?? {}));
      return { ...matrix, otherFormats: { ...Object.fromEntries(otherTimesOfMatrix), ...matrix.otherFormats } };
    });
  return recorded || reports.length > 0 ? { device: name, matrices } : null;
}

/**
 * The times in a device's reports for a story's last frame, by matrix: of the format, of dense and of `otherFormats`. Only
 * cold runs count, with nothing in a cache. A simple kernel was written to be read, and is not tuned.
 */
export function recordedMatrices(
  reports: readonly BenchReport[],
  format: AnyListedFormat,
  dense: AnyListedFormat,
  otherFormats: readonly AnyListedFormat[] = [],
): readonly RecordedMatrix[] {
  const params4Bit = params4BitOf(dense);
  return reports.flatMap((report): RecordedMatrix[] => {
    const { workload } = report;
    if (workload.memory !== 'cold') return [];
    const rowOf = (timedFormat: AnyListedFormat, params: FormatParams): BenchRow | undefined =>
      fastestRow(report, { format: timedFormat.id, params, spec: timedFormat.params })?.row;
    const denseRow = rowOf(dense, defaultsOf(dense));
    // A story shows two times and their ratio. If the rounds are too noisy for a ratio, it shows none of the three.
    const timeOf = (timedFormat: AnyListedFormat, params: FormatParams): RecordedTime | null => {
      const row = rowOf(timedFormat, params);
      if (!row?.medianNs || !row.vsDense) return null;
      const timesDense = singleRatio(speedFromTimes(row.medianNs, denseRow?.medianNs, row.vsDense));
      if (timesDense === null) return null;
      const time = { ns: row.medianNs, timesDense, bytes: row.bytes };
      return isOfSimpleKernel(timedFormat, row) ? { ...time, isSimple: true } : time;
    };
    const denseTime = timeOf(dense, defaultsOf(dense));
    const otherTimes = otherFormats.flatMap((other): [string, RecordedTime][] => {
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
        format: format.id === dense.id ? denseTime : timeOf(format, defaultsOf(format)),
        dense: denseTime,
        dense4: params4Bit === null ? null : timeOf(dense, params4Bit),
        otherFormats: Object.fromEntries(otherTimes),
      },
    ];
  });
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
