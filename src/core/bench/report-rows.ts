import { median, quantile } from '../number/statistics.ts';
import type { BenchRow, FirstTime, Verification } from '../report.ts';
import { sharedRounds } from './shared-rounds.ts';

/** A kernel with its samples, one per round, from which a row of the report is made. */
export type MeasuredRow = Omit<BenchRow, 'medianNs' | 'p10Ns' | 'p90Ns' | 'GBps' | 'vsDense' | 'cached'>;

/** A kernel with a later verification; if that failed, the kernel loses its samples. */
export function withVerification(measured: MeasuredRow, verified: Verification): MeasuredRow {
  if (verified.ok) return { ...measured, verified };
  const { rounds: _, ...rest } = measured;
  return { ...rest, verified, samplesNs: [] };
}

/** The first answer of a run about a row, once its rounds have begun; undefined without a time. */
export function firstTime(row: BenchRow): FirstTime | undefined {
  const { kernel, tuned, samplesNs, medianNs, p10Ns, p90Ns, vsDense } = row;
  if (medianNs === null || p10Ns === null || p90Ns === null) return undefined;
  const times = { rounds: samplesNs.length, medianNs, p10Ns, p90Ns, ratio: vsDense?.ratio ?? null };
  return { kernel, ...(tuned && { chosen: tuned.chosen }), ...times };
}

/**
 * Completes the rows of a report: quantiles, speed, and per-round ratios against the reference over the rounds in which
 * both were timed. A median of 0 ns has no speed, and rounds of 0 ns have no ratio. Keeps the order of rows.
 */
export function completeRows(
  measured: readonly MeasuredRow[],
  readBandwidthGBps: number | null,
  referenceFormat: string,
  comparedWith: (valueType: unknown) => unknown = (valueType) => valueType,
): BenchRow[] {
  const references = measured
    .filter((m) => m.format === referenceFormat && m.samplesNs.length > 0 && m.draft === undefined)
    .filter(({ params: { valueType } }) => comparedWith(valueType) === valueType)
    .toSorted((a, b) => median(a.samplesNs) - median(b.samplesNs));
  return measured.map((m): BenchRow => {
    const { samplesNs } = m;
    if (samplesNs.length === 0) {
      return { ...m, medianNs: null, p10Ns: null, p90Ns: null, GBps: null, vsDense: null, cached: false };
    }
    const medianNs = median(samplesNs);
    const GBps = medianNs > 0 ? m.bytes / medianNs : null;
    const reference = referenceOf(m, references, comparedWith(m.params.valueType));
    return {
      ...m,
      medianNs,
      p10Ns: quantile(samplesNs, 0.1),
      p90Ns: quantile(samplesNs, 0.9),
      GBps,
      vsDense: reference ? ratios(reference, m) : null,
      cached: readBandwidthGBps !== null && GBps !== null && GBps > readBandwidthGBps,
    };
  });
}

/**
 * Chooses the reference of a kernel: of those with cells of `valueType`, or of all if there is none, the fastest that
 * shares at least half as many rounds with it as any does. A kernel shares all of its rounds with itself and a few less
 * with one that joined later; without this rule a slow reference would be compared with itself.
 */
function referenceOf(m: MeasuredRow, references: readonly MeasuredRow[], valueType: unknown): MeasuredRow | undefined {
  const own = references.filter((r) => r.params.valueType === valueType);
  const shared = (own.length > 0 ? own : references).map((reference) => ({
    reference,
    rounds: sharedRounds(reference, m).a.length,
  }));
  const max = shared.reduce((max, { rounds }) => Math.max(max, rounds), 1);
  return shared.find(({ rounds }) => 2 * rounds >= max)?.reference;
}

/** Null if a round was too short for the clock, which read 0 ns. */
function ratios(reference: MeasuredRow, m: MeasuredRow): BenchRow['vsDense'] {
  const { a, b } = sharedRounds(reference, m);
  if (a.includes(0) || b.includes(0)) return null;
  const perRound = b.map((ns, i) => a[i] / ns);
  const { valueType } = reference.params;
  const isOther = reference.format === m.format && valueType !== m.params.valueType;
  return {
    reference: reference.kernel,
    ...(isOther && { valueType: String(valueType) }),
    ratio: median(perRound),
    p10: quantile(perRound, 0.1),
    p90: quantile(perRound, 0.9),
  };
}
