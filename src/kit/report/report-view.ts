import { countText } from '../../core/text/words.ts';
import { referenceValueType } from '../../core/bench/cases.ts';
import { ratiosByRound } from '../../core/bench/shared-rounds.ts';
import { largest, quantile, smallest } from '../../core/number/statistics.ts';
import { type Arithmetic, type BenchReport, type BenchRow, PEAK_FIELDS, type Workload } from '../../core/report.ts';
import { formats, referenceFormat } from '../../formats/catalog.ts';
import { shape, time } from '../words/quantity.ts';
import { type Speed, speedFromTimes, speedOf } from '../words/speed-of.ts';
import { REFERENCE_FORMAT } from '../../state/index.ts';
import { formulaOf, sizeLabel, sparsityText } from './operation-words.ts';

// Computes what the tables and charts of a report show for its rows: order, references, ratios, limits and differences.

/** The title of a format by its id; reports contain ids only. */
export type TitleOf = (format: string) => string;

/** By processor (`where`) and kernel, the fastest timed row, overall and of each value type. */
type TimedRows = ReadonlyMap<string, { readonly fastest: BenchRow; readonly ofType: ReadonlyMap<unknown, BenchRow> }>;

const timedRowsOf = new WeakMap<readonly BenchRow[], TimedRows>();
const sortedRowsOf = new WeakMap<readonly BenchRow[], readonly BenchRow[]>();

/** The timed rows of a report: indexed once, O(rows log rows), then looked up. */
function timedRows({ rows }: BenchReport): TimedRows {
  const cached = timedRowsOf.get(rows);
  if (cached) return cached;
  const timed = new Map<string, { readonly fastest: BenchRow; readonly ofType: Map<unknown, BenchRow> }>();
  for (const row of rows.filter((r) => r.medianNs !== null).toSorted((a, b) => (a.medianNs ?? 0) - (b.medianNs ?? 0))) {
    const key = `${row.where} ${row.kernel}`;
    const entry = timed.get(key) ?? { fastest: row, ofType: new Map<unknown, BenchRow>() };
    timed.set(key, entry);
    if (!entry.ofType.has(row.params.valueType)) entry.ofType.set(row.params.valueType, row);
  }
  timedRowsOf.set(rows, timed);
  return timed;
}

/** The dense row that `row` is compared with: the fastest of the value type of the comparison; undefined if untimed. */
export function referenceOf(report: BenchReport, row: BenchRow): BenchRow | undefined {
  const named = timedRows(report).get(`${row.where} ${row.vsDense?.reference}`);
  const valueType = row.vsDense?.valueType ?? referenceValueType(referenceFormat, row.params.valueType);
  return named?.ofType.get(valueType) ?? named?.fastest;
}

/** The reference's time over the row's time, for each round in which both are at least the clock's step. */
export function sampleRatios(report: BenchReport, row: BenchRow): readonly number[] {
  const reference = referenceOf(report, row);
  return reference ? ratiosByRound(reference, row) : [];
}

/** How many times as fast a row is as its reference; null without a reference. O(samples). */
export function speedIn(report: BenchReport, row: BenchRow): Speed | null {
  const [speed, reference] = [speedOf(row), referenceOf(report, row)];
  if (speed === null || !reference) return null;
  const ratios = sampleRatios(report, row);
  if (ratios.length === 0) return speedFromTimes(row.medianNs, reference.medianNs, speed);
  const { ratio, p10, p90 } = speed;
  const quartiles = [quantile(ratios, 0.25), quantile(ratios, 0.75)] as const;
  return speedFromTimes(row.medianNs, reference.medianNs, { ratio, p10, p90, quartiles });
}

/** Rows below this share of dense's speed are marked at the edge of the axis, so that they do not stretch the axis. */
const FAR_BELOW = 0.1;

/** The rows that the axis leaves out: those far slower than dense, unless most rows are. */
function rowsBeyondAxis(report: BenchReport): ReadonlySet<BenchRow> {
  const compared = report.rows.filter((row) => ratioOf(report, row) !== null);
  const far = compared.filter((row) => (ratioOf(report, row) ?? 1) < FAR_BELOW);
  return new Set(2 * far.length <= compared.length ? far : []);
}

/** An axis for the samples of all rows of a report except those far below the others; see ratioScale. O(samples). */
export function samplesScale(report: BenchReport): ReturnType<typeof ratioScale> {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  const beyond = rowsBeyondAxis(report);
  for (const row of report.rows) {
    if (beyond.has(row)) continue;
    const range = quantilesOnly(row);
    if (range) {
      min = Math.min(min, range.p10);
      max = Math.max(max, range.p90);
    }
    for (const ratio of sampleRatios(report, row)) {
      if (ratio < min) min = ratio;
      if (ratio > max) max = ratio;
    }
  }
  return ratioScale([min, max]);
}

/** The quantiles to draw for a row without samples, as recordings have them; null for any other row. */
export function quantilesOnly(row: BenchRow): { readonly p10: number; readonly p90: number } | null {
  return row.samplesNs.length === 0 ? speedOf(row) : null;
}

/** Maximum number of samples in the picture of a row: more would overlap. */
export const DRAWN_SAMPLES = 400;

/** At most DRAWN_SAMPLES of a row's ratios, evenly spaced by rank, including both extremes. */
export function drawnRatios(ratios: readonly number[]): readonly number[] {
  if (ratios.length <= DRAWN_SAMPLES) return ratios;
  const ascending = ratios.toSorted((a, b) => a - b);
  return Array.from(
    { length: DRAWN_SAMPLES },
    (_, i) => ascending[Math.round((i * (ascending.length - 1)) / (DRAWN_SAMPLES - 1))],
  );
}

const GOLDEN_RATIO = 0.618034;

/**
 * Where a sample of a round is drawn, as a share of the samples' height from -0.5 to 0.5: by a low-discrepancy
 * sequence (multiples of the golden ratio), so that samples close in time are not close in the picture.
 */
export function sampleOffset(round: number): number {
  return ((round * GOLDEN_RATIO) % 1) - 0.5;
}

/** The number of a row's rounds below the clock's step, 0 ns. */
export function roundsBelowClock({ samplesNs }: BenchRow): number {
  return samplesNs.filter((sample) => sample === 0).length;
}

/** The median as text: 40.3 µs, 'below 328 ns', or 'no time'. */
export function medianText(report: BenchReport, row: BenchRow): string {
  if (row.medianNs === null) return 'no time';
  if (row.medianNs > 0) return time(row.medianNs);
  const resolution = resolutionNs(report, row);
  return resolution > 0 ? `below ${time(resolution)}` : 'below the clock’s step';
}

/** Timed rows from fast to slow, then those without a time, incorrect ones last. Sorted once for each report. */
export function sortedRows(report: BenchReport): readonly BenchRow[] {
  const cached = sortedRowsOf.get(report.rows);
  if (cached) return cached;
  const ratios = new Map(report.rows.map((row) => [row, ratioOf(report, row)]));
  /** 0: with a ratio, 1: with a time only, 2: without a time, 3: incorrect */
  const rank = (row: BenchRow): number => {
    if (!row.verified.ok) return 3;
    if (ratios.get(row) !== null) return 0;
    return row.medianNs === null ? 2 : 1;
  };
  const sorted = report.rows.toSorted((a, b) => {
    const bySpeed = (ratios.get(b) ?? 0) - (ratios.get(a) ?? 0);
    return rank(a) - rank(b) || bySpeed || (a.medianNs ?? 0) - (b.medianNs ?? 0);
  });
  sortedRowsOf.set(report.rows, sorted);
  return sorted;
}

/** `speedIn` as one number, without the spread of its rounds. */
function ratioOf(report: BenchReport, row: BenchRow): number | null {
  const reference = speedOf(row) && referenceOf(report, row);
  return reference ? speedFromTimes(row.medianNs, reference.medianNs).ratio : null;
}

/** Share of the read bandwidth that was measured in the same run; null if one of the two is missing. */
export function shareOfReadSpeed(report: BenchReport, row: BenchRow): number | null {
  const { readBandwidthGBps } = report;
  return row.GBps === null || row.medianNs === 0 || !readBandwidthGBps ? null : row.GBps / readBandwidthGBps;
}

/** 10^9 multiply-adds per second; null if they are not counted, or the time is below the clock's step. */
export function multiplyAddRate({ multiplyAdds, medianNs }: BenchRow): number | null {
  return multiplyAdds === undefined || !medianNs ? null : multiplyAdds / medianNs;
}

/** The arithmetic of a kernel. Reports of earlier versions lack it; there the kernel's own declaration counts. */
export function arithmeticOf({ kernel, format, arithmetic }: BenchRow): Arithmetic {
  const listed = formats.find(({ id }) => id === format)?.kernels.find(({ id }) => id === kernel);
  return arithmetic ?? listed?.arithmetic ?? 'f32';
}

/** 10^9 multiply-adds per second of a kernel that does only this arithmetic; undefined if unmeasured. */
function peakOf(report: BenchReport, row: BenchRow): number | undefined {
  return report[PEAK_FIELDS[arithmeticOf(row)]];
}

/** Share of the device's measured peak for the arithmetic of the row's kernel; null if one of the two is missing. */
export function shareOfPeak(report: BenchReport, row: BenchRow): number | null {
  const rate = multiplyAddRate(row);
  const peak = peakOf(report, row);
  return rate === null || !peak ? null : rate / peak;
}

/** Whether a row is a reference: dense, unless it is itself compared with dense in another value type. */
export function isReference({ format, vsDense }: BenchRow): boolean {
  return format === REFERENCE_FORMAT && vsDense?.valueType === undefined;
}

/** The value type of a dense row that is compared with dense in another type, such as 'i4'; null for other rows. */
export function comparedValueType(row: BenchRow): string | null {
  return row.format === REFERENCE_FORMAT && !isReference(row) ? String(row.params.valueType) : null;
}

/** The resource that limits a kernel. */
export interface Limit {
  readonly of: 'reading' | 'arithmetic';
  /** the kernel's rate as a share of the measured maximum of that resource */
  readonly share: number;
}

/** The limit that a kernel is nearest to in this run; null if none is known. */
export function nearestLimit(report: BenchReport, row: BenchRow): Limit | null {
  const reading = shareOfReadSpeed(report, row);
  const arithmetic = shareOfPeak(report, row);
  if (arithmetic !== null && arithmetic > (reading ?? 0)) return { of: 'arithmetic', share: arithmetic };
  return reading === null ? null : { of: 'reading', share: reading };
}

/** How many times as fast as `reference` a row could be if only bytes and, where known, multiply-adds took time. */
export function limitRatio(report: BenchReport, reference: BenchRow, row: BenchRow): number {
  const { readBandwidthGBps } = report;
  const minNs = (timedRow: BenchRow): number | null => {
    const peak = peakOf(report, timedRow);
    if (!readBandwidthGBps || !peak || timedRow.multiplyAdds === undefined) return null;
    return Math.max(timedRow.bytes / readBandwidthGBps, timedRow.multiplyAdds / peak);
  };
  const [ofReference, ofRow] = [minNs(reference), minNs(row)];
  return ofReference === null || ofRow === null ? reference.bytes / row.bytes : ofReference / ofRow;
}

/** Whether `limitRatio` includes arithmetic for any row. */
export function hasArithmeticLimits(report: BenchReport): boolean {
  return (
    Boolean(report.readBandwidthGBps) &&
    report.rows.some((row) => row.multiplyAdds !== undefined && Boolean(peakOf(report, row)))
  );
}

/** The resolution of one run's time: the clock's step divided by the runs of a sample. */
export function resolutionNs(report: BenchReport, row: BenchRow): number {
  return report.clock.quantumNs / Math.max(1, row.runsPerSample);
}

/** Whether a software adapter only verified the kernels, and timed none. */
export function isUntimedSoftware(report: BenchReport): boolean {
  return report.environment.isFallback && report.rows.every((row) => row.samplesNs.length === 0);
}

/** Returns what distinguishes a row from others of its format: its kernel, its parameters, both, or ''. O(rows). */
export function rowDifferences(
  rows: readonly BenchRow[],
  labelsOf: (format: string, params: BenchRow['params']) => string,
): (row: BenchRow) => string {
  const name = ({ draft, kernel }: BenchRow): string => draft?.name ?? kernel.slice(kernel.indexOf('/') + 1);
  /** how many rows of a format have a name */
  const counts = new Map<string, Map<string, number>>();
  for (const row of rows) {
    const rowsByName = counts.get(row.format) ?? new Map<string, number>();
    counts.set(row.format, rowsByName.set(name(row), (rowsByName.get(name(row)) ?? 0) + 1));
  }
  return (row) => {
    const rowsByName = counts.get(row.format);
    const needsName = (rowsByName?.size ?? 0) > 1;
    const needsParams = (rowsByName?.get(name(row)) ?? 0) > 1;
    return [...(needsName ? [name(row)] : []), ...(needsParams ? [labelsOf(row.format, row.params)] : [])].join(' · ');
  };
}

/** What distinguishes a report from the others of its run: 'tokens 256', 'density 0.300'. */
export function differenceText(report: BenchReport, reports: readonly BenchReport[]): string {
  const differing = (textOf: (workload: Workload) => string): readonly string[] => {
    const text = textOf(report.workload);
    return reports.some((other) => textOf(other.workload) !== text) ? [text] : [];
  };
  const sizes = Object.keys(report.workload.sizes ?? {});
  const parts = [
    ...differing((w) => formulaOf(w.operation)),
    ...sizes.flatMap((name) => differing((w) => `${sizeLabel(w.operation, name)} ${countText(w.sizes?.[name] ?? 0)}`)),
    ...differing(sparsityText),
    ...differing((w) => shape(w.rows, w.cols)),
    ...differing((w) => w.memory),
  ];
  return parts.length > 0 ? parts.join(', ') : report.createdAt.slice(0, 19).replace('T', ' ');
}

/** The domain of a log axis around 1 that covers `values`, with ticks a factor of sqrt 2, 2, 4 ... apart. */
export function ratioScale(values: readonly number[]): { readonly domain: [number, number]; readonly ticks: number[] } {
  const finite = values.filter((v) => Number.isFinite(v) && v > 0);
  // Slightly more than the values (at least 0.75 to 1.35), which leaves space for the figures.
  const low = smallest(finite, 0.75) / 1.3;
  const high = largest(finite, 1.35) * 1.3;
  const octaves = Math.log2(high / low);
  // In octaves, so that the axis has at most seven ticks.
  const step = octaves <= 3.2 ? 0.5 : octaves <= 6.5 ? 1 : Math.ceil(octaves / 6);
  const first = Math.ceil(Math.log2(low) / step);
  const last = Math.floor(Math.log2(high) / step);
  const ticks = Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => 2 ** ((first + i) * step));
  return { domain: [low, high], ticks };
}

/** A ratio as a tick: 0.5×, 0.71×, 1×, 1.41×, 2×. */
export function tickText(ratio: number): string {
  return `${Number(ratio.toPrecision(ratio >= 1 ? 3 : 2))}×`;
}
