import { capitalised, countText, say, strong } from '../../core/story/words.ts';
import { referenceValueType } from '../../core/bench/cases.ts';
import { ratiosByRound } from '../../core/bench/shared-rounds.ts';
import { largest, quantile, smallest } from '../../core/number/statistics.ts';
import { QUANTISE } from '../../core/operations/index.ts';
import type { Words } from '../../core/story/scene.ts';
import {
  type Arithmetic,
  ARITHMETIC_WORDS,
  type BenchReport,
  type BenchRow,
  PEAK_FIELDS,
  type Workload,
} from '../../core/report.ts';
import { formats, referenceFormat } from '../../formats/catalog.ts';
import { percent, shape, time } from '../words/quantity.ts';
import { softwareSentence } from '../words/substitute.ts';
import {
  dividedTimes,
  NOT_OF_A_GPU,
  ON_CPU,
  type Speed,
  speedOf,
  speedSentence,
  singleRatio,
} from '../words/speed-of.ts';
import { adapterName } from '../../state/devices/adapter-name.ts';
import { REFERENCE_FORMAT } from '../../state/reference-format.ts';
import { formulaOf, sizeLabel, sparsityText } from './operation-words.ts';
import { times } from '../words/rates.ts';

/** The title of a format; reports contain ids only. */
export type TitleOf = (format: string) => string;

/** Frequently needed look-ups in the rows of a report, which do not change. */
interface RowIndex {
  readonly sorted: readonly BenchRow[];
  /** by place and kernel, the fastest timed row, overall and of each value type */
  readonly timed: ReadonlyMap<string, { readonly fastest: BenchRow; readonly ofType: ReadonlyMap<unknown, BenchRow> }>;
}

const indexOfRows = new WeakMap<readonly BenchRow[], RowIndex>();

/** O(rows log rows) the first time, O(1) from then on. */
function indexOf({ rows }: BenchReport): RowIndex {
  const known = indexOfRows.get(rows);
  if (known) return known;
  const timed = new Map<string, { readonly fastest: BenchRow; readonly ofType: Map<unknown, BenchRow> }>();
  for (const row of rows.filter((r) => r.medianNs !== null).toSorted((a, b) => (a.medianNs ?? 0) - (b.medianNs ?? 0))) {
    const key = `${row.where} ${row.kernel}`;
    const entry = timed.get(key) ?? { fastest: row, ofType: new Map<unknown, BenchRow>() };
    timed.set(key, entry);
    if (!entry.ofType.has(row.params.valueType)) entry.ofType.set(row.params.valueType, row);
  }
  const index = { sorted: sorted(rows), timed };
  indexOfRows.set(rows, index);
  return index;
}

/**
 * The row that `row` is compared with; undefined if nothing was timed. If its kernel was timed with several value types, the
 * one that the row names, or the one for cells of its type.
 */
export function referenceOf(report: BenchReport, row: BenchRow): BenchRow | undefined {
  const named = indexOf(report).timed.get(`${row.where} ${row.vsDense?.reference}`);
  const valueType = row.vsDense?.valueType ?? referenceValueType(referenceFormat, row.params.valueType);
  return named?.ofType.get(valueType) ?? named?.fastest;
}

/**
 * Dense time over this row's time, in each round that timed both, without rounds in which either is below the clock's step.
 * Empty if it was not timed, or has no reference.
 */
export function sampleRatios(report: BenchReport, row: BenchRow): readonly number[] {
  const reference = referenceOf(report, row);
  return reference ? ratiosByRound(reference, row) : [];
}

/** How many times as fast a row is as its reference; null without one. O(samples). */
export function speedIn(report: BenchReport, row: BenchRow): Speed | null {
  const [speed, reference] = [speedOf(row), referenceOf(report, row)];
  if (speed === null || !reference) return null;
  const { ratio, p10, p90 } = speed;
  const quotient = dividedTimes(reference.medianNs, row.medianNs);
  const ratios = sampleRatios(report, row);
  if (ratios.length === 0) return { ratio, p10, p90, quotient };
  return { ratio, p10, p90, quotient, middle: [quantile(ratios, 0.25), quantile(ratios, 0.75)] };
}

/** A row slower than this share of dense's speed is marked at the edge of the axis, which it would otherwise dominate. */
const FAR_BELOW = 0.1;

/** Rows outside the axis: far slower than dense, in a report where few are. */
function rowsBeyondAxis({ rows }: BenchReport): ReadonlySet<BenchRow> {
  const compared = rows.filter((row) => speedOf(row) !== null);
  const far = compared.filter((row) => (speedOf(row)?.ratio ?? 1) < FAR_BELOW);
  return new Set(2 * far.length <= compared.length ? far : []);
}

/** An axis for the samples of all rows of a report except those far below the others; see ratioScale. O(samples). */
export function samplesScale(report: BenchReport): ReturnType<typeof ratioScale> {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  const beyond = rowsBeyondAxis(report);
  for (const row of report.rows) {
    if (beyond.has(row)) continue;
    const range = withoutSamples(row);
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

/** The quantiles to draw for a row without samples, as recordings have them; null for any other. */
export function withoutSamples(row: BenchRow): { readonly p10: number; readonly p90: number } | null {
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

/** The number of a row's rounds below the clock's step, 0 ns. */
export function roundsBelowClock({ samplesNs }: BenchRow): number {
  return samplesNs.filter((sample) => sample === 0).length;
}

/** The median in words: 40.3 µs, 'below 328 ns', or 'no time'. */
export function medianText(report: BenchReport, row: BenchRow): string {
  const resolution = resolutionNs(report, row);
  if (row.medianNs === null) return 'no time';
  if (row.medianNs > 0) return time(row.medianNs, resolution);
  return resolution > 0 ? `below ${time(resolution)}` : 'below the clock’s step';
}

/** Timed rows from fast to slow, then those without a time, incorrect ones last. */
export function sortedRows(report: BenchReport): readonly BenchRow[] {
  return indexOf(report).sorted;
}

function sorted(rows: readonly BenchRow[]): readonly BenchRow[] {
  const rank = (row: BenchRow): number => (row.verified.ok ? (speedOf(row) ? 0 : row.medianNs === null ? 2 : 1) : 3);
  return rows.toSorted(
    (a, b) =>
      rank(a) - rank(b) || (speedOf(b)?.ratio ?? 0) - (speedOf(a)?.ratio ?? 0) || (a.medianNs ?? 0) - (b.medianNs ?? 0),
  );
}

/** Share of the read bandwidth that was measured in the same run; null if one of the two is missing. */
export function shareOfReadSpeed(report: BenchReport, row: BenchRow): number | null {
  if (row.GBps === null || row.medianNs === 0 || report.readBandwidthGBps === null || report.readBandwidthGBps === 0)
    return null;
  return row.GBps / report.readBandwidthGBps;
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

/** Share of the device's measured peak of multiply-adds of its kind; null if one of the two is missing. */
export function shareOfPeak(report: BenchReport, row: BenchRow): number | null {
  const rate = multiplyAddRate(row);
  const peak = peakOf(report, row);
  return rate === null || !peak ? null : rate / peak;
}

/** Whether a row is a reference: dense, unless its cells are compared with other cells. */
export function isReference({ format, vsDense }: BenchRow): boolean {
  return format === REFERENCE_FORMAT && vsDense?.valueType === undefined;
}

/** The cells of a dense row that is compared with dense in other cells, such as 4 bits; null for every other row. */
export function comparedCells(row: BenchRow): string | null {
  return row.format === REFERENCE_FORMAT && !isReference(row) ? String(row.params.valueType) : null;
}

/** The resource that limits a kernel. */
export interface Limit {
  readonly of: 'reading' | 'arithmetic';
  /** the share of it that the kernel uses */
  readonly share: number;
}

/** The limit that a kernel is nearest to in this run; null if none is known. */
export function nearestLimit(report: BenchReport, row: BenchRow): Limit | null {
  const reading = shareOfReadSpeed(report, row);
  const arithmetic = shareOfPeak(report, row);
  if (arithmetic !== null && arithmetic > (reading ?? 0)) return { of: 'arithmetic', share: arithmetic };
  return reading === null ? null : { of: 'reading', share: reading };
}

/**
 * How many times as fast as `reference` a row could be if only bytes took time. If both count their multiply-adds and the
 * device's peaks are known, bytes and multiply-adds.
 */
export function limitRatio(report: BenchReport, reference: BenchRow, row: BenchRow): number {
  const { readBandwidthGBps } = report;
  const minNs = (of: BenchRow): number | null => {
    const peak = peakOf(report, of);
    if (!readBandwidthGBps || !peak || of.multiplyAdds === undefined) return null;
    return Math.max(of.bytes / readBandwidthGBps, of.multiplyAdds / peak);
  };
  const [ofReference, ofRow] = [minNs(reference), minNs(row)];
  return ofReference === null || ofRow === null ? reference.bytes / row.bytes : ofReference / ofRow;
}

/** Whether `limitRatio` includes arithmetic for any row. */
export function limitsArithmetic(report: BenchReport): boolean {
  return (
    Boolean(report.readBandwidthGBps) &&
    report.rows.some((row) => row.multiplyAdds !== undefined && Boolean(peakOf(report, row)))
  );
}

/** The resolution of one run's time: the clock's step divided by the runs per reading. */
export function resolutionNs(report: BenchReport, row: BenchRow): number {
  return report.clock.quantumNs / Math.max(1, row.runsPerSample);
}

/** Whether a software adapter verified, and its times were not requested. */
export function isUntimedSoftware(report: BenchReport): boolean {
  return report.environment.isFallback && report.rows.every((row) => row.samplesNs.length === 0);
}

const TOO_SHORT = 'shorter than the clock’s step.';

/** One or two sentences that a person can quote. */
export function headline(report: BenchReport, titleOf: TitleOf): readonly Words[] {
  const wrong = report.rows.filter((row) => !row.verified.ok);
  const right = report.rows.length - wrong.length;
  const are = wrong.length === 1 ? 'One kernel is' : `${wrong.length} kernels are`;
  const trouble = wrong.length === 0 ? [] : say` ${are} wrong and not timed.`;
  if (report.rows.length === 0) return say`No kernel ran: all were refused.`;
  if (report.environment.isFallback) {
    // Its ratios are only in the table.
    const rest = isUntimedSoftware(report) ? '.' : ` and timed. ${softwareSentence(report.environment)}`;
    const verified = strong(`${right} of ${report.rows.length} kernels verified`);
    return [...say`Software adapter: ${verified}${rest}`, ...trouble];
  }
  const best = sortedRows(report).find((row) => row.verified.ok && speedOf(row) && !isReference(row));
  const against = best && speedOf(best);
  const speed = best && speedIn(report, best);
  const untimed = report.rows.filter(({ medianNs }) => medianNs === 0).length;
  if (!speed || !against) {
    if (untimed > 0) return [...say`The times are ${TOO_SHORT}`, ...trouble];
    // A round of 0 ns has no ratio, so that nothing is compared with it.
    if (report.rows.some(({ samplesNs }) => samplesNs.includes(0)))
      return [...say`Some times are ${TOO_SHORT}`, ...trouble];
    const fastest = sortedRows(report).find((row) => row.medianNs !== null);
    const text = fastest ? `${capitalised(titleOf(fastest.format))} ran alone, without dense.` : 'No kernel was timed.';
    return [...say`${text}`, ...trouble];
  }
  const ratio = singleRatio(speed);
  // A reference that is compared with others of its kind is identified by its cells.
  const cells = (valueType: unknown): string => (against.valueType === undefined ? '' : ` in ${String(valueType)}`);
  const own = best.draft ? `your draft ${best.draft.name}` : titleOf(best.format);
  const title = `${own}${cells(best.params.valueType)}`;
  const beside = cells(against.valueType);
  if (report.workload.operation === QUANTISE.id && ratio !== null) {
    const long = strong(times(1 / ratio));
    const words = say`Quantising for ${title} takes ${long} as long as for dense here: activations are lifted on the way.`;
    return [...words, ...trouble];
  }
  const onCpu = best.where === 'cpu';
  const place = onCpu ? '' : placeOf(report);
  const thing = untimed > 0 ? 'nothing that the clock could time' : 'nothing';
  const closest = strong(`${title} comes closest, at ${times(ratio ?? 1)}`);
  const unequal =
    (ratio ?? 1) >= 1
      ? say`${title} is ${strong(times(ratio ?? 1))} as fast as dense${beside}${place}.`
      : say`${thing} is faster than dense${beside}${place}: ${closest} its speed.`;
  const sentence =
    ratio === null ? say`${title} and dense${beside}${place} are ${strong(speedSentence(speed))}.` : unequal;
  const verdict: readonly Words[] = onCpu
    ? [...say`On ${ON_CPU}, `, ...sentence, ...say` ${NOT_OF_A_GPU}`]
    : [{ text: capitalised(sentence[0].text) }, ...sentence.slice(1)];
  const short = untimed === 1 ? 'One time is' : `${untimed} times are`;
  const below = untimed === 0 ? [] : say` ${short} ${TOO_SHORT}`;
  return [...verdict, { text: bytesSentence(report, best) }, ...below, ...trouble];
}

/** The origin of a report's times, following a verdict. */
function placeOf({ recorded, imported, environment }: BenchReport): string {
  if (imported) return ` on ${recorded?.name ?? adapterName(environment)}, imported`;
  return recorded ? ` on ${recorded.name}, recorded` : ' here';
}

/**
 * What distinguishes a row from the others of its format: its kernel, its parameters, both, or nothing if it is alone. O(rows).
 */
export function rowDifferences(
  rows: readonly BenchRow[],
  labelsOf: (format: string, params: BenchRow['params']) => string,
): (row: BenchRow) => string {
  const name = (of: BenchRow): string => of.draft?.name ?? of.kernel.slice(of.kernel.indexOf('/') + 1);
  /** how many rows of a format have a name */
  const counts = new Map<string, Map<string, number>>();
  for (const row of rows) {
    const own = counts.get(row.format) ?? new Map<string, number>();
    counts.set(row.format, own.set(name(row), (own.get(name(row)) ?? 0) + 1));
  }
  return (row) => {
    const own = counts.get(row.format);
    const byName = (own?.size ?? 0) > 1;
    const byParams = (own?.get(name(row)) ?? 0) > 1;
    return [...(byName ? [name(row)] : []), ...(byParams ? [labelsOf(row.format, row.params)] : [])].join(' · ');
  };
}

/** What distinguishes a report from the others of its run: 'tokens 256', 'density 0.300'. */
export function differenceText(report: BenchReport, reports: readonly BenchReport[]): string {
  const differing = (words: (workload: Workload) => string): readonly string[] => {
    const own = words(report.workload);
    return reports.some((other) => words(other.workload) !== own) ? [own] : [];
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

function bytesSentence(report: BenchReport, row: BenchRow): string {
  const reference = referenceOf(report, row);
  if (!reference || reference.bytes === 0) return '';
  const read = `It reads ${percent(row.bytes / reference.bytes, 0)} of the bytes`;
  const limit = nearestLimit(report, row);
  if (limit === null) return ` ${read}.`;
  if (limit.of === 'arithmetic') {
    const speed = `at ${percent(limit.share, 0)} of the device’s speed in ${ARITHMETIC_WORDS[arithmeticOf(row)]}`;
    if (row.multiplyAdds === undefined || !reference.multiplyAdds) return ` It multiplies and adds ${speed}.`;
    return ` It does ${percent(row.multiplyAdds / reference.multiplyAdds, 0)} of the multiply-adds, ${speed}.`;
  }
  if (row.cached) return ` ${read}, from a cache.`;
  return ` ${read} and reaches ${percent(limit.share, 0)} of the device’s memory speed.`;
}

/** Values of a log axis around 1 that cover `values`, with ticks a factor of sqrt 2, 2, 4 ... apart. */
export function ratioScale(values: readonly number[]): { readonly domain: [number, number]; readonly ticks: number[] } {
  const finite = values.filter((v) => Number.isFinite(v) && v > 0);
  // Slightly more than the values, which leaves space for the figures.
  const low = smallest(finite, 0.75) / 1.3;
  const high = largest(finite, 1.35) * 1.3;
  const octaves = Math.log2(high / low);
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
