import { median, quantile } from '../number/statistics.ts';
import type { BenchRow, FirstTime, Verification } from '../report.ts';
import { sharedRounds } from './shared-rounds.ts';

/** A measured kernel with its samples, one per round. `completeRows` turns it into a row of the report. */
export type MeasuredRow = Omit<BenchRow, 'medianNs' | 'p10Ns' | 'p90Ns' | 'GBps' | 'vsDense' | 'cached'>;

/** The kernel with its last verification, and without samples if the verification failed. */
export function withVerification(measured: MeasuredRow, verified: Verification): MeasuredRow {
  if (verified.ok) return { ...measured, verified };
  const { rounds: _, ...rest } = measured;
  return { ...rest, verified, samplesNs: [] };
}

/** A kernel's time, which later reports show as the time before other kernels were tried; undefined without samples. */
export function firstTime(row: BenchRow): FirstTime | undefined {
  const { kernel, tuned, samplesNs, medianNs, p10Ns, p90Ns, vsDense } = row;
  if (medianNs === null || p10Ns === null || p90Ns === null) return undefined;
  const times = { rounds: samplesNs.length, medianNs, p10Ns, p90Ns, ratio: vsDense?.ratio ?? null };
  return { kernel, ...(tuned && { chosen: tuned.chosen }), ...times };
}

/**
 * Completes the rows of a report: quantiles, speed, and per-round ratios against the reference over the rounds in which
 * both were timed. A median of 0 ns has no speed, and rounds of 0 ns have no ratio. Keeps the order of rows.
 * `comparedWith`: the value type of the reference for kernels of a value type, such as f16 for i4; default: the same.
 * `special`: kernels that are no reference (`specialKernels`).
 */
export function completeRows(
  measured: readonly MeasuredRow[],
  readBandwidthGBps: number | null,
  referenceFormat: string,
  comparedWith: (valueType: unknown) => unknown = (valueType) => valueType,
  special: readonly string[] = [],
): BenchRow[] {
  const references = measured
    .filter((m) => m.format === referenceFormat && m.samplesNs.length > 0 && m.draft === undefined)
    .filter(({ kernel }) => !special.includes(kernel))
    .filter(({ params: { valueType } }) => comparedWith(valueType) === valueType)
    .toSorted((a, b) => median(a.samplesNs) - median(b.samplesNs));
  return measured.map((row): BenchRow => {
    const { samplesNs, bytes, params } = row;
    if (samplesNs.length === 0) {
      return { ...row, medianNs: null, p10Ns: null, p90Ns: null, GBps: null, vsDense: null, cached: false };
    }
    const medianNs = median(samplesNs);
    const GBps = medianNs > 0 ? bytes / medianNs : null;
    const reference = referenceOf(row, references, comparedWith(params.valueType));
    return {
      ...row,
      medianNs,
      p10Ns: quantile(samplesNs, 0.1),
      p90Ns: quantile(samplesNs, 0.9),
      GBps,
      vsDense: reference ? ratioAgainst(reference, row) : null,
      cached: readBandwidthGBps !== null && GBps !== null && GBps > readBandwidthGBps,
    };
  });
}

/**
 * Chooses the reference of a kernel among those of `valueType`, or among all if there is none: the fastest that shares
 * at least half as many rounds with the kernel as any reference does. A reference shares all rounds with itself, and
 * fewer with a faster one that joined later; without this rule it would be compared with itself.
 */
function referenceOf(
  row: MeasuredRow,
  references: readonly MeasuredRow[],
  valueType: unknown,
): MeasuredRow | undefined {
  const ofType = references.filter(({ params }) => params.valueType === valueType);
  const candidates = (ofType.length > 0 ? ofType : references).map((reference) => {
    return { reference, rounds: sharedRounds(reference, row).a.length };
  });
  const maxShared = candidates.reduce((max, { rounds }) => Math.max(max, rounds), 1);
  return candidates.find(({ rounds }) => 2 * rounds >= maxShared)?.reference;
}

/** The speed of a kernel against its reference; null if a round was too short for the clock, which read 0 ns. */
function ratioAgainst(reference: MeasuredRow, row: MeasuredRow): BenchRow['vsDense'] {
  const { a, b } = sharedRounds(reference, row);
  if (a.includes(0) || b.includes(0)) return null;
  const perRound = b.map((ns, i) => a[i] / ns);
  const { valueType } = reference.params;
  const isOtherType = reference.format === row.format && valueType !== row.params.valueType;
  return {
    reference: reference.kernel,
    ...(isOtherType && { valueType: String(valueType) }),
    ratio: median(perRound),
    p10: quantile(perRound, 0.1),
    p90: quantile(perRound, 0.9),
  };
}
