import type { Words } from '../../core/scene.ts';
import type { BenchReport, BenchRow } from '../../core/report.ts';
import { percent } from '../parts/quantity.ts';
import { REFERENCE_FORMAT } from './bench-form.ts';

/** How a format is called; the report knows ids alone. */
export type TitleOf = (format: string) => string;

/** The row that `row` is compared with; undefined where nothing was timed. */
export function referenceOf(report: BenchReport, row: BenchRow): BenchRow | undefined {
  return report.rows.find((r) => r.kernel === row.vsDense?.reference && r.where === row.where);
}

/** Dense time over this row's time, round by round; empty where it was not timed or the rounds do not belong together. */
export function sampleRatios(report: BenchReport, row: BenchRow): readonly number[] {
  const reference = referenceOf(report, row);
  if (!reference || reference.samplesNs.length !== row.samplesNs.length) return [];
  return row.samplesNs.map((sample, round) => reference.samplesNs[round] / sample);
}

/** Timed rows from fast to slow, then those without a time, wrong ones last. */
export function sortedRows(report: BenchReport): readonly BenchRow[] {
  const rank = (row: BenchRow): number => (row.verified.ok ? (row.vsDense ? 0 : row.medianNs === null ? 2 : 1) : 3);
  return report.rows.toSorted(
    (a, b) =>
      rank(a) - rank(b) || (b.vsDense?.ratio ?? 0) - (a.vsDense?.ratio ?? 0) || (a.medianNs ?? 0) - (b.medianNs ?? 0),
  );
}

/** Share of the read bandwidth that was measured in the same run; null where one of the two is missing. */
export function shareOfReadSpeed(report: BenchReport, row: BenchRow): number | null {
  if (row.GBps === null || report.readBandwidthGBps === null || report.readBandwidthGBps === 0) return null;
  return row.GBps / report.readBandwidthGBps;
}

/** How exactly one run's time is known: the clock's step spread over the runs in one reading. */
export function resolutionNs(report: BenchReport, row: BenchRow): number {
  return report.clock.quantumNs / Math.max(1, row.runsPerSample);
}

/** Whether nothing was timed because the adapter is software. */
export function isUntimedSoftware(report: BenchReport): boolean {
  return report.environment.isFallback && report.rows.every((row) => row.samplesNs.length === 0);
}

/** One or two sentences that a person can quote. */
export function headline(report: BenchReport, titleOf: TitleOf): readonly Words[] {
  const wrong = report.rows.filter((row) => !row.verified.ok);
  const right = report.rows.length - wrong.length;
  const trouble: readonly Words[] =
    wrong.length === 0
      ? []
      : [{ text: ` ${wrong.length === 1 ? 'One kernel is' : `${wrong.length} kernels are`} wrong and got no time.` }];
  if (report.rows.length === 0)
    return [{ text: 'No kernel ran: every one of them was refused, with its reason below.' }];
  if (isUntimedSoftware(report)) {
    return [
      { text: 'Software adapter: ' },
      { text: `${right} of ${report.rows.length} kernels verified`, strong: true },
      { text: ', no performance shown.' },
      ...trouble,
    ];
  }
  const best = sortedRows(report).find((row) => row.verified.ok && row.vsDense && row.format !== REFERENCE_FORMAT);
  if (!best?.vsDense) {
    const fastest = sortedRows(report).find((row) => row.medianNs !== null);
    const text = fastest
      ? `${capitalised(titleOf(fastest.format))} ran alone: there is no dense kernel to compare it with.`
      : 'No kernel got a time.';
    return [{ text }, ...trouble];
  }
  const { ratio } = best.vsDense;
  const title = titleOf(best.format);
  const verdict: readonly Words[] =
    ratio >= 1
      ? [
          { text: `${capitalised(title)} is ` },
          { text: `${ratio.toFixed(2)} times`, strong: true },
          { text: ' as fast as dense here.' },
        ]
      : [
          { text: 'Nothing is faster than dense here: ' },
          { text: `${title} comes closest, at ${ratio.toFixed(2)} times`, strong: true },
          { text: ' its speed.' },
        ];
  return [...verdict, { text: bytesSentence(report, best) }, ...trouble];
}

/** A title at the beginning of a sentence. */
function capitalised(title: string): string {
  return title.charAt(0).toUpperCase() + title.slice(1);
}

function bytesSentence(report: BenchReport, row: BenchRow): string {
  const reference = referenceOf(report, row);
  if (!reference || reference.bytes === 0) return '';
  const read = `It reads ${percent(row.bytes / reference.bytes, 0)} of the bytes`;
  const share = shareOfReadSpeed(report, row);
  if (share === null) return ` ${read}.`;
  if (row.cached) return ` ${read}, from a cache: faster than memory can be read.`;
  return ` ${read} and reaches ${percent(share, 0)} of the memory speed of this device.`;
}

/** Values of a log axis around 1 that cover `values`, with ticks a factor of sqrt 2, 2, 4 ... apart. */
export function ratioScale(values: readonly number[]): { readonly domain: [number, number]; readonly ticks: number[] } {
  const finite = values.filter((v) => Number.isFinite(v) && v > 0);
  // A little more than the values take, so that the figures beside them have room.
  const low = Math.min(0.75, ...finite) / 1.3;
  const high = Math.max(1.35, ...finite) * 1.3;
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

/** One format's best verified row at each density of a sweep. */
export interface SweepSeries {
  readonly format: string;
  readonly points: readonly {
    readonly density: number;
    readonly ratio: number;
    readonly p10: number;
    readonly p90: number;
    /** what the bytes alone would allow: dense bytes over this format's */
    readonly limit: number;
  }[];
}

/** The series of every format but the reference, by rising density. */
export function sweepSeries(reports: readonly BenchReport[]): readonly SweepSeries[] {
  const byFormat = new Map<string, SweepSeries['points'][number][]>();
  for (const report of reports.toSorted((a, b) => a.workload.density - b.workload.density)) {
    const seen = new Set<string>();
    for (const row of sortedRows(report)) {
      if (!row.vsDense || row.format === REFERENCE_FORMAT || seen.has(row.format)) continue;
      seen.add(row.format);
      const { ratio, p10, p90 } = row.vsDense;
      const limit = (referenceOf(report, row)?.bytes ?? 0) / row.bytes;
      const points = byFormat.get(row.format) ?? [];
      points.push({ density: report.workload.density, ratio, p10, p90, limit });
      byFormat.set(row.format, points);
    }
  }
  return [...byFormat.entries()].map(([format, points]) => ({ format, points }));
}

/**
 * The density below which a series is faster than dense: where its ratio passes 1, interpolated in the logarithm between
 * neighbours; null when it never passes. With several passes, the one at the highest density.
 */
export function breakEven(series: SweepSeries): number | null {
  const { points } = series;
  for (let i = points.length - 1; i > 0; i--) {
    const sparser = points[i - 1];
    const denser = points[i];
    if (sparser.ratio < 1 || denser.ratio >= 1) continue;
    const t = Math.log(sparser.ratio) / (Math.log(sparser.ratio) - Math.log(denser.ratio));
    return sparser.density + t * (denser.density - sparser.density);
  }
  return null;
}
