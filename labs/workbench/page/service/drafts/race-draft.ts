import { sharedRounds } from '../../../../../src/core/bench/shared-rounds.ts';
import { SparseScopeError } from '../../../../../src/core/errors.ts';
import type { AnyFormat, EncodedMatrix } from '../../../../../src/core/format.ts';
import type { Job } from '../../../../../src/core/job.ts';
import type { KernelSpec } from '../../../../../src/core/kernel/kernel.ts';
import { median, quantile } from '../../../../../src/core/number/statistics.ts';
import { describeFailure } from '../../../../../src/core/operations/verify.ts';
import type { Sizes } from '../../../../../src/core/operations/operation.ts';
import type { BenchReport, BenchRow } from '../../../../../src/core/report.ts';
import type { BenchHost } from '../../../../../src/engine/bench/bench-host.ts';
import { benchRun } from '../../../../../src/engine/bench-service.ts';
import type { DraftEvent, DraftTime, OnDraftEvent } from './draft-types.ts';

/** A timing of a draft (a user's changed kernel) against its original. */
export interface Race {
  readonly format: AnyFormat;
  readonly params: Readonly<Record<string, unknown>>;
  /** the draft's original or, for a draft from scratch, a kernel of the same format; null if no such kernel runs */
  readonly original: KernelSpec<EncodedMatrix> | null;
  readonly draft: KernelSpec<EncodedMatrix>;
  readonly sizes: Sizes;
  readonly rounds: number;
}

/**
 * Times a draft on the open matrix against its original and the dense reference, in the same rounds, with cold caches.
 * Draft and original run with the constants shown on the page, the reference with those that benchmarks find by trial.
 * Throws SparseScopeError with the reason if the draft was not timed, and errors of `benchRun`.
 */
export async function raceDraft(host: BenchHost, race: Race, job: Job, onEvent: OnDraftEvent): Promise<void> {
  const { format, params, original, draft, sizes, rounds } = race;
  const kernels = original === null ? [draft] : [draft, withoutChoices(original)];
  // An original that is also the reference runs with the constants on the page.
  const withDraft: AnyFormat = { ...format, kernels: [...kernels, ...otherKernels(format, kernels)] };
  const formats = host.formats.map((candidate) => (candidate.id === format.id ? withDraft : candidate));
  const request = {
    operation: draft.operation,
    sizes,
    workload: { kind: 'stage' }, // the open matrix
    entries: [{ format: format.id, params, kernels: kernels.map(({ id }) => id) }],
    memory: 'cold',
    rounds,
    seed: 1,
    where: 'gpu',
  } as const;
  const report = await benchRun({ ...host, formats }, request, job, async (partialReport) => {
    const event = timedEvent(partialReport, race);
    if (event) await onEvent(event);
  });
  await onEvent({ ...finalTimedEvent(report, race), report });
}

/** The result of a race at its end. Throws SparseScopeError if the draft was incorrect or not timed. */
export function finalTimedEvent(report: BenchReport, race: RacePart): TimedEvent {
  const { id } = race.draft;
  const draftRow = report.rows.find(({ kernel }) => kernel === id);
  if (draftRow && !draftRow.verified.ok) {
    throw new SparseScopeError(`the kernel was wrong when repeated: ${describeFailure(draftRow.verified)}`);
  }
  const event = timedEvent(report, race);
  if (event && draftRow) return event;
  const rejection = report.refused.find(({ kernel }) => kernel === id) ?? report.refused.at(0);
  throw new SparseScopeError(`the kernel was not timed: ${rejection?.reason ?? 'it did not take part'}`);
}

/** The kernel with the constants shown on the page: without choices that a benchmark would find by trial. */
function withoutChoices(kernel: KernelSpec<EncodedMatrix>): KernelSpec<EncodedMatrix> {
  const { choices: _, ...rest } = kernel;
  return rest;
}

/** The format's other kernels; one may be the benchmark's reference. */
function otherKernels(
  { kernels }: AnyFormat,
  inRace: readonly KernelSpec<EncodedMatrix>[],
): readonly KernelSpec<EncodedMatrix>[] {
  return kernels.filter(({ id }) => inRace.every((kernel) => kernel.id !== id));
}

/** What the times of a race need: the rounds, and the ids by which the rows of draft and original are found. */
interface RacePart extends Pick<Race, 'rounds'> {
  readonly draft: { readonly id: string };
  readonly original: { readonly id: string } | null;
}

type TimedEvent = Extract<DraftEvent, { readonly stage: 'timed' }>;

/** The times so far; null before the draft has any. */
export function timedEvent(report: BenchReport, { draft, original, rounds }: RacePart): TimedEvent | null {
  const timed = report.rows.filter(({ samplesNs, verified }) => samplesNs.length > 0 && verified.ok);
  const base = timed.find(({ kernel }) => kernel === original?.id);
  if (!timed.some(({ kernel }) => kernel === draft.id)) return null;
  const { readBandwidthGBps, clock } = report;
  const rows = timed.map((row): DraftTime => {
    const who = row.kernel === draft.id ? 'draft' : row.kernel === original?.id ? 'original' : 'reference';
    return {
      who,
      // A draft is listed by the id of its original.
      kernel: who === 'draft' ? (original?.id ?? draft.id) : row.kernel,
      medianNs: median(row.samplesNs),
      p10Ns: quantile(row.samplesNs, 0.1),
      p90Ns: quantile(row.samplesNs, 0.9),
      rounds: row.samplesNs.length,
      vsOriginal: base ? ratioOf(base, row) : null,
      vsDense: row.vsDense && { ratio: row.vsDense.ratio, p10: row.vsDense.p10, p90: row.vsDense.p90 },
      GBps: row.GBps,
    };
  });
  return { stage: 'timed', rows, of: rounds, readBandwidthGBps, clock };
}

/** Speed of `row` relative to `base`, from the rounds of both; null if the clock read 0 ns. */
function ratioOf(base: BenchRow, row: BenchRow): DraftTime['vsOriginal'] {
  const { a, b } = sharedRounds(base, row);
  if (b.length === 0 || a.includes(0) || b.includes(0)) return null;
  const perRound = b.map((ns, i) => a[i] / ns);
  return { ratio: median(perRound), p10: quantile(perRound, 0.1), p90: quantile(perRound, 0.9) };
}
