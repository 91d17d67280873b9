import type { EncodedMatrix } from '../encoded/encoded.ts';
import type { AnyFormat } from '../format.ts';
import type { Job, Perform } from '../job.ts';
import { type Pace, throwIfCancelled } from '../pace.ts';
import type { Random } from '../number/random.ts';
import type { BenchReport, BenchRow, DraftMark, FirstTime, Verification, Workload } from '../report.ts';
import { median, quantile } from '../number/statistics.ts';
import { sharedRounds } from './shared-rounds.ts';
import type { Timeline } from './timeline.ts';

/** The members of a format that a measurement uses. */
export type BenchFormat = Pick<
  AnyFormat,
  'id' | 'title' | 'encodeSteps' | 'decode' | 'storage' | 'multiply' | 'kernels' | 'effort'
>;

/** One format with its parameters, to be verified and timed. */
export interface BenchCase {
  readonly format: BenchFormat;
  readonly params: Readonly<Record<string, unknown>>;
  /** auto: the fastest that fits, chosen by a short measured trial; all: every variant that fits; or ids. GPU only. */
  readonly kernels: 'auto' | 'all' | readonly string[];
  /** with 'auto', the kernel to time first: the choice of a similar card and matrix, with its numbers */
  readonly known?: KnownKernel;
  /** set for a draft, which is then the only kernel of its format here */
  readonly draft?: DraftMark;
  /**
   * Encodes the matrix, or returns an earlier encoding with the time that it took. Called again when a lost device has
   * to be refilled. Throws FormatError when the format cannot hold the matrix.
   */
  encode(job: Job): Promise<{ readonly encoded: EncodedMatrix; readonly encodeMs: number }>;
  /** Whether `encode` returns an earlier encoding; default: false. */
  readonly isEncoded?: () => boolean;
}

/** A kernel, and the numbers that a trial found for it. */
export interface KnownKernel {
  readonly kernel: string;
  readonly chosen?: Readonly<Record<string, number>>;
}

export interface BenchOptions {
  /** name and version of the application, for the report */
  readonly app: string;
  readonly workload: Workload;
  /** id of the format that the others are compared with; without it in the run there are no ratios */
  readonly reference: string;
  /** the reference's value type for cells of a given one (`referenceValueType`); default: the same */
  readonly comparedWith?: (valueType: unknown) => unknown;
  /** Whether the page is hidden: browsers slow hidden pages down, so timing waits, and such rounds are repeated. */
  readonly isHidden?: () => boolean;
  /**
   * Receives the report so far, with `unfinished`: as soon as a case has joined, then about once a second, and when the
   * run ends for whatever reason. Measuring pauses until the callback is done.
   */
  readonly onReport?: (report: BenchReport) => void | Promise<void>;
  /** other threads, for the reference; default: none */
  readonly perform?: Perform;
  /** receives background work of the run */
  readonly timeline?: Timeline;
  /** `workload.rounds` is how many there are at most: they end once every median is known well (`isKnownWell`). */
  readonly endsEarly?: boolean;
  /** Results of an earlier session of this run: they are kept, and only missing ones are measured. */
  readonly before?: BenchReport;
}

/** How often to check whether the page is still hidden. */
const HIDDEN_POLL_MS = 250;

/** Waits until the page is visible. Throws CancelledError. */
export async function whenVisible({ isHidden }: Pick<BenchOptions, 'isHidden'>, job: Job, pace: Pace): Promise<void> {
  while (isHidden?.()) {
    job.report({ what: 'waiting because the page is hidden', done: 0, total: 1 });
    await pace.pause(HIDDEN_POLL_MS);
    throwIfCancelled(job);
  }
}

/** The report's note on rounds that were measured while the page was hidden; none without such rounds. */
export function droppedNotes(rounds: number): readonly string[] {
  if (rounds === 0) return [];
  return [`${rounds} ${rounds === 1 ? 'round was' : 'rounds were'} dropped and repeated: the page was hidden`];
}

/** A kernel with its samples, one per round, from which a row of the report is made. */
export type Measured = Omit<BenchRow, 'medianNs' | 'p10Ns' | 'p90Ns' | 'GBps' | 'vsDense' | 'cached'>;

/** A kernel with a later verification; if that failed, the kernel loses its samples. */
export function withVerification(measured: Measured, verified: Verification): Measured {
  if (verified.ok) return { ...measured, verified };
  const { rounds: _, ...rest } = measured;
  return { ...rest, verified, samplesNs: [] };
}

/** The first answer of a run about a row, once its rounds have begun; undefined without a time. */
export function firstTime({
  kernel,
  tuned,
  samplesNs,
  medianNs,
  p10Ns,
  p90Ns,
  vsDense,
}: BenchRow): FirstTime | undefined {
  if (medianNs === null || p10Ns === null || p90Ns === null) return undefined;
  const times = { rounds: samplesNs.length, medianNs, p10Ns, p90Ns, ratio: vsDense?.ratio ?? null };
  return { kernel, ...(tuned && { chosen: tuned.chosen }), ...times };
}

/**
 * Completes the rows of a report: quantiles, speed, and per-round ratios against the reference over the rounds in which
 * both were timed. A median of 0 ns has no speed, and rounds of 0 ns have no ratio. Keeps the order of rows.
 */
export function completeRows(
  measured: readonly Measured[],
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
function referenceOf(m: Measured, references: readonly Measured[], valueType: unknown): Measured | undefined {
  const own = references.filter((r) => r.params.valueType === valueType);
  const shared = (own.length > 0 ? own : references).map((reference) => ({
    reference,
    rounds: sharedRounds(reference, m).a.length,
  }));
  const max = shared.reduce((max, { rounds }) => Math.max(max, rounds), 1);
  return shared.find(({ rounds }) => 2 * rounds >= max)?.reference;
}

/** Null if a round was too short for the clock, which read 0 ns. */
function ratios(reference: Measured, m: Measured): BenchRow['vsDense'] {
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

/** Smallest step of a clock in nanoseconds, found by watching it change. Runs for about 20 steps of the clock. */
export function clockStepNs(nowMs: () => number): number {
  let smallest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 20; i++) {
    const before = nowMs();
    let after = nowMs();
    while (after === before) after = nowMs();
    smallest = Math.min(smallest, (after - before) * 1e6);
  }
  return Math.round(smallest);
}

/** The values in random order (Fisher-Yates). */
export function shuffled<T>(values: readonly T[], random: Random): T[] {
  const order = [...values];
  for (let i = order.length - 1; i > 0; i--) {
    const j = random.below(i + 1);
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}
