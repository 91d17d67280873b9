import { type Job, useMatrixJob } from '../../../../kit/use-job.ts';
import type { MemoryAnswer, MemoryRequest } from '../service/drafts/draft-types.ts';
import type { drafts } from '../service/drafts/service.ts';
import { useApp } from '../../../../kit/app-context.ts';

/** A number is typed digit by digit, in milliseconds. */
const SETTLE_MS = 400;

/** What one workgroup of a kernel loads on this device. `byHand`: it is watched only when a person asks for that. */
export function useWatched(request: MemoryRequest, byHand: boolean): Job<MemoryAnswer> {
  const { engine } = useApp();
  return useMatrixJob(
    ['Watching a workgroup', request],
    (watch) => engine.service<typeof drafts>('drafts').memory(watch, request),
    {
      title: `Watching workgroup ${request.workgroup} of ${request.kernel}`,
      byHand,
      endsUnseen: true,
      settleMs: SETTLE_MS,
    },
  );
}
