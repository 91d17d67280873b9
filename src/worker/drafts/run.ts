import type { BenchHost } from '../bench-runs.ts';
import type { Job } from '../../core/job.ts';
import type { DraftRequest, TakeDraftEvent } from './protocol.ts';

/** Tries a draft on the open matrix and others, and times it. See `EngineApi.draft`. */
export async function runDraft(
  _host: BenchHost,
  request: DraftRequest,
  _job: Job,
  take: TakeDraftEvent,
): Promise<void> {
  await take({ stage: 'compiled', ok: false, messages: [] });
  await take({ stage: 'ended', ok: false, sentence: `${request.kernel} cannot be run as a draft yet.` });
}
