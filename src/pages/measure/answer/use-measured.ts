import { sizeOf } from '../../../core/encoded/ledger.ts';
import { useCallback, useMemo } from 'react';
import { useStore } from 'zustand';
import type { ValueNote } from '../../../core/encoded/admission.ts';
import type { Support, AnyListedFormat } from '../../../core/format.ts';
import type { BenchReport } from '../../../core/report.ts';
import { expectedSize } from '../../../theory/expected-bytes.ts';
import type { MatrixSummary } from '../../../engine/matrix/matrix-types.ts';
import { type Device, encodingOf, type EncodingState, type FormatChoice, choiceA } from '../../../state/index.ts';
import { useApp, useDocument, useSession } from '../../../kit/app-context.ts';
import { shapeKey, useDevice } from '../../../kit/devices/use-device.ts';
import { shareOf, previewedPruning } from '../../../kit/forms/use-density.ts';
import { storedName } from '../../../kit/words/answer-names.ts';
import {
  type TimedMatrix,
  type FormatQuery,
  type TimedPair,
  type TimedRow,
  type ShapePoint,
  speedBetween,
  speedsOnShape,
  timedMatrixOf,
  rejectionIn,
  timedPair,
} from '../../../kit/report/matrix-times.ts';
import { bytesRatio, productBytes, timeBound, type TimeBound } from '../../../kit/report/time-bound.ts';
import { isAnsweredBy } from '../../../kit/report/run-verdict.ts';
import type { Speed } from '../../../kit/words/speed-of.ts';

/** A or B, a format that the page compares: its bytes, and its time on the current device. */
export interface MeasuredSide {
  readonly side: 'a' | 'b';
  readonly format: AnyListedFormat;
  readonly stored: FormatChoice; // id and parameters of the format
  readonly name: string;
  /** bytes of its arrays; null while unknown, and if the format cannot store the matrix */
  readonly matrixBytes: number | null;
  /** the bytes were counted in the arrays, not estimated by the format's closed form */
  readonly isCounted: boolean;
  /** why it cannot store the matrix */
  readonly rejection: Rejected | null;
  /** which of its values become infinite or 0; empty until it is encoded */
  readonly notes: readonly ValueNote[];
  /** bytes that a product reads and writes: arrays, inputs and outputs */
  readonly bytes: number | null;
  /** lower bound on the product's time on the current device */
  readonly bound: TimeBound | null;
  readonly timedRow: TimedRow | null;
  /** why a run that tried the format has no time of it: the format was rejected, or its result was wrong */
  readonly runRejection: string | null;
}

type Rejected = Extract<Support, { readonly ok: false }>;

/** A and B on one device, as shown on Measure: their bytes and times, and the ratios of both. */
export interface MeasuredPair {
  readonly summary: MatrixSummary;
  /** the matrix and tokens whose times are looked up */
  readonly matrix: TimedMatrix;
  readonly sides: readonly [MeasuredSide] | readonly [MeasuredSide, MeasuredSide];
  readonly queryA: FormatQuery;
  readonly queryB: FormatQuery | null;
  /** measured; null without times of both */
  readonly speed: Speed | null;
  /** bytes of B divided by bytes of A, of the formats and not of the kernels that ran; null if unknown */
  readonly byBytes: number | null;
  /** A against B at every density at which this shape was timed in both */
  readonly points: readonly ShapePoint[];
}

/** The times of A and B on a device, and the ratio of both. */
export interface DeviceTimes {
  readonly pair: TimedPair;
  readonly speed: Speed | null;
}

/** A and B on the current device, and their times on all devices. `allShapes`: loads times on all shapes, not only this one. */
export function useMeasured(allShapes: boolean) {
  const { formats } = useApp();
  const format = useDocument((doc) => doc.format);
  const params = useDocument((doc) => choiceA(doc).params);
  const choiceB = useDocument((doc) => doc.formatB);
  const tokens = useDocument((doc) => doc.tokens);
  const summary = useSession((s) => s.summary);
  const encodings = useSession((s) => s.encodings);
  const isRunning = useSession((s) => s.bench.running !== null);
  const a = useMemo((): FormatChoice => ({ format, params }), [format, params]);
  const queryA = useMemo(() => toQuery(formats, a), [formats, a]);
  const queryB = useMemo(() => choiceB && toQuery(formats, choiceB), [formats, choiceB]);
  // The density at a dragged pruning slider, else null. No matrix is pruned for it: bytes are from closed forms.
  const density = useStore(previewedPruning, (pruning) => pruning && shareOf(pruning));
  const matrix = useMemo((): TimedMatrix | null => {
    if (!summary) return null;
    const formatA = formats.find(({ id }) => id === format);
    const openMatrix = timedMatrixOf(summary, tokens, formatA);
    // No run was on the previewed matrix.
    return density === null
      ? openMatrix
      : { ...openMatrix, nnz: Math.round(density * summary.rows * summary.cols), density, names: [] };
  }, [summary, tokens, density, formats, format]);
  /** the times on any device */
  const timesOf = useMemo(() => timesWith(matrix, queryA, queryB), [matrix, queryA, queryB]);
  const ended = useSession((s) => s.bench.ended);
  // A run that just ended here is the answer, even without a time.
  const generation = summary?.generation;
  const isAnsweredHere = isAnsweredBy(ended, generation, [format, choiceB?.format ?? format]);
  const hasB = queryB !== null;
  const hasAll = useCallback(
    (device: Device) => answersWith(device, timesOf(device), { hasB, isAnsweredHere }) === 'completely',
    [timesOf, hasB, isAnsweredHere],
  );
  const key = matrix && shapeKey(matrix);
  const shapes = useMemo(() => (allShapes ? null : key === null ? [] : [key]), [key, allShapes]);
  const hasAny = useCallback(
    (device: Device) => answersWith(device, timesOf(device), { hasB, isAnsweredHere }) !== 'not',
    [timesOf, hasB, isAnsweredHere],
  );
  // During a run, a device with only some of the times may be shown.
  const visibleDevice = useDevice(hasAny, { shapes, ...(!isRunning && { hasAll }) });
  const { device } = visibleDevice;
  const newestReports = useSession(({ bench }) =>
    isAnsweredHere && device.kind === 'this'
      ? bench.runs.find(({ id }) => id === bench.ended?.run)?.reports
      : undefined,
  );
  /** null until a matrix is open */
  const measuredPair = useMemo(
    (): MeasuredPair | null =>
      summary &&
      matrix &&
      measuredOf({
        formats,
        summary,
        matrix,
        device,
        ...(newestReports && { newestReports }),
        times: timesOf(device),
        encodingOf: (stored) => (density === null ? encodingOf(encodings, stored) : undefined),
        queryA,
        queryB,
      }),
    [summary, matrix, density, timesOf, device, newestReports, formats, encodings, queryA, queryB],
  );
  return { measuredPair, visibleDevice, timesOf };
}

interface MeasuredInput extends Pick<MeasuredPair, 'summary' | 'matrix' | 'queryA' | 'queryB'> {
  readonly formats: readonly AnyListedFormat[];
  readonly device: Device;
  /** reports of the newest run, if it was made for this answer: a run without any time is no report of the device */
  readonly newestReports?: readonly BenchReport[];
  /** on that device */
  readonly times: DeviceTimes;
  /** undefined if closed forms are used */
  readonly encodingOf: (stored: FormatChoice) => EncodingState | undefined;
}

interface SideInput {
  readonly formats: readonly AnyListedFormat[];
  readonly matrix: TimedMatrix;
  readonly device: Device;
  readonly query: FormatQuery;
  /** the format that it is compared with */
  readonly otherFormat?: FormatChoice | null;
  readonly timedRow: TimedRow | null;
  readonly encoding?: EncodingState | undefined;
  /** reports that state why there is no time */
  readonly reports?: readonly BenchReport[];
}

/** One format on a device: its bytes and its time. */
export function sideOn(input: SideInput): Omit<MeasuredSide, 'side'> {
  const { formats, matrix, device, query, otherFormat = null, timedRow, encoding, reports = [] } = input;
  const format = formats.find(({ id }) => id === query.format) ?? formats[0];
  const size = bytesOf(format, query, matrix, encoding);
  const bytes = productBytes(timedRow, size.matrixBytes, matrix);
  return {
    format,
    stored: query,
    name: storedName(format, query, otherFormat),
    ...size,
    bytes,
    bound: timedRow?.row.where === 'cpu' ? null : timeBound(bytes, device.roofs),
    timedRow,
    runRejection: timedRow ? null : rejectionIn(reports, matrix, query),
  };
}

/** A and B on one device. */
export function measuredOf(input: MeasuredInput): MeasuredPair {
  const { formats, summary, matrix, device, queryA, queryB } = input;
  const { pair, speed } = input.times;
  const sideOf = (
    side: 'a' | 'b',
    query: FormatQuery,
    otherFormat: FormatChoice | null,
    timedRow: TimedRow | null,
  ): MeasuredSide => {
    const reports = [...(input.newestReports ?? []), ...device.reports];
    const encoding = input.encodingOf(query);
    return { side, ...sideOn({ formats, matrix, device, query, otherFormat, timedRow, encoding, reports }) };
  };
  const a = sideOf('a', queryA, queryB, pair.a);
  const b = queryB && sideOf('b', queryB, queryA, pair.b);
  return {
    summary,
    matrix,
    sides: b ? [a, b] : [a],
    queryA,
    queryB,
    speed,
    byBytes: b && bytesRatio(a.matrixBytes, b.matrixBytes, matrix),
    points: queryB ? speedsOnShape(device.reports, matrix, queryA, queryB) : [],
  };
}

/**
 * Whether a device answers how fast A and B are; `chooseDevice` prefers a complete answer. 'completely': it has times of
 * A, and of B if there is a B; or it is this device and the run that just ended tried A or B on this matrix
 * (`isAnsweredHere`), since then the page shows the result of the run, even without a time. 'in part': it has a report,
 * whose read speed bounds the times; software needs a time of A or B.
 */
function answersWith(
  device: Device,
  times: DeviceTimes,
  { hasB, isAnsweredHere }: { readonly hasB: boolean; readonly isAnsweredHere: boolean },
): 'completely' | 'in part' | 'not' {
  const { a, b } = times.pair;
  if (isAnsweredHere && device.kind === 'this') return 'completely';
  if (a !== null && (b !== null || !hasB)) return 'completely';
  return hasTimesOrRuns(device, times) ? 'in part' : 'not';
}

/** Whether a device has any report (its read speed bounds the times); for software, whether it has times of A or B. */
export function hasTimesOrRuns({ reports, isSoftware }: Device, { pair }: DeviceTimes): boolean {
  return isSoftware ? pair.a !== null || pair.b !== null : reports.length > 0;
}

/** Whether a recording that is not loaded may have times of this shape. */
export function mayHaveTimes({ kind, changed, shapes }: Device, matrix: TimedMatrix): boolean {
  return kind === 'recorded' && changed === undefined && shapes?.includes(shapeKey(matrix)) === true;
}

/** The query that looks up the times of a format with these parameters. */
function toQuery(formats: readonly AnyListedFormat[], stored: FormatChoice): FormatQuery {
  return { ...stored, spec: formats.find(({ id }) => id === stored.format)?.params ?? {} };
}

/** Returns a function for the times of A and B on a device, computed once for each device. */
export function timesWith(
  matrix: TimedMatrix | null,
  a: FormatQuery,
  b: FormatQuery | null,
): (device: Device) => DeviceTimes {
  const cache = new WeakMap<Device, DeviceTimes>();
  return (device) => {
    const cached = cache.get(device);
    if (cached) return cached;
    const pair = matrix ? timedPair(device.reports, matrix, a, b) : { a: null, b: null };
    const times = { pair, speed: pair.a && pair.b ? speedBetween(pair.a, pair.b) : null };
    cache.set(device, times);
    return times;
  };
}

/** Bytes of the matrix in a format: of its arrays once it is encoded, until then by the closed form. */
function bytesOf(
  format: AnyListedFormat,
  { params }: FormatChoice,
  matrix: TimedMatrix,
  encoding: EncodingState | undefined,
): Pick<MeasuredSide, 'matrixBytes' | 'isCounted' | 'rejection' | 'notes'> {
  if (encoding?.kind === 'ready') {
    const { support, ledger } = encoding.summary;
    if (!support.ok) return { matrixBytes: null, isCounted: false, rejection: support, notes: [] };
    if (ledger) return { matrixBytes: sizeOf(ledger), isCounted: true, rejection: null, notes: support.notes };
  }
  return { matrixBytes: bytesAt(format, params, matrix), isCounted: false, rejection: null, notes: [] };
}

/** Bytes by the format's closed form; null without a closed form, or if it probably cannot store the matrix. */
export function bytesAt(
  format: AnyListedFormat,
  params: Readonly<Record<string, unknown>>,
  matrix: Pick<TimedMatrix, 'rows' | 'cols' | 'density' | 'isEven'>,
): number | null {
  const size = expectedSize(format, params, matrix.density, matrix, matrix.isEven ? 'even' : 'independent');
  return size === 'refused' ? null : size;
}
