import { SparseScopeError } from '../../../../core/errors.ts';
import type { Job } from '../../../../core/job.ts';
import { resolvedParams } from '../../../../core/format.ts';
import { SPMV } from '../../../../core/operations/index.ts';
import { describeFailure } from '../../../../core/operations/verify.ts';
import type { BenchEntry } from '../../../../engine/bench/bench-types.ts';
import type { BenchHost } from '../../../../engine/bench/bench-host.ts';
import { benchRun } from '../../../../engine/bench/bench-runs.ts';
import type { OnDraftEvent } from '../drafts/draft-types.ts';
import { type Race, timedOf } from '../drafts/timing.ts';
import type { OwnTrialRequest } from './own-types.ts';

/**
 * Times the kernel of a format of one's own beside the fastest of every format that admits the open matrix, in the same
 * rounds, cold, as benchmarks do. Throws SparseScopeError with the reason if it was not timed, and errors of `benchRun`.
 */
export function raceBeside(others: OwnTrialRequest['others'], timeSoftware = false) {
  return async (host: BenchHost, race: Race, job: Job, onEvent: OnDraftEvent): Promise<void> => {
    const { format, params, draft, rounds } = race;
    const raced = { ...format, kernels: [draft] };
    const formats = host.formats.map((one) => (one.id === format.id ? raced : one));
    const { matrix } = await host.stage(job);
    const entries = formats.flatMap((one): readonly BenchEntry[] => {
      if (one.id === format.id) return [{ format: one.id, params, kernels: [draft.id] }];
      const own = resolvedParams(one.params, others[one.id] ?? {}, matrix);
      const takesPart = one.kernels.some(({ operation }) => operation === SPMV.id) && one.admits(matrix, own).ok;
      return takesPart ? [{ format: one.id, params: own, kernels: 'auto' }] : [];
    });
    const request = {
      operation: SPMV.id,
      sizes: {},
      workload: { kind: 'stage' },
      entries,
      memory: 'cold',
      rounds,
      seed: 1,
      where: 'gpu',
      ...(timeSoftware && { timeSoftware: true as const }),
    } as const;
    const parts = { draft, original: null, rounds };
    const report = await benchRun({ ...host, formats }, request, job, async (part) => {
      const event = timedOf(part, parts);
      if (event) await onEvent({ ...event, report: part });
    });
    const own = report.rows.find(({ kernel }) => kernel === draft.id);
    if (own && !own.verified.ok) {
      throw new SparseScopeError(`the kernel was wrong when it ran repeatedly: ${describeFailure(own.verified)}`);
    }
    const event = timedOf(report, parts);
    if (!event || !own) {
      const refusal = report.refused.find(({ kernel }) => kernel === draft.id) ?? report.refused.at(0);
      throw new SparseScopeError(`the kernel was not timed: ${refusal?.reason ?? 'it did not take part'}`);
    }
    await onEvent({ ...event, report });
  };
}
