import { scratchCard } from '../../../../core/scratch/card.ts';
import { kernelPaths } from '../../../../own/kernel/spec.ts';
import { ownId } from '../../../../own/source.ts';
import { transferred } from '../../../../engine/bridge/transfer.ts';
import { ServiceJob } from '../../../../engine/bridge/job.ts';
import { defineService } from '../../../../engine/bridge/service.ts';
import type { EngineHost } from '../../../../engine/host.ts';
import type { DraftRequest, MemoryAnswer, OnDraftEvent } from '../drafts/draft-types.ts';
import { traceMemory } from '../drafts/memory.ts';
import { type DraftHost, runDraft } from '../drafts/run.ts';
import { ownHost } from './own-host.ts';
import type { EncodeModuleOnPage, OwnKernelRequest, OwnMemoryRequest, OwnTrialRequest } from './own-types.ts';
import { raceBeside } from './race.ts';

function draftOf(request: OwnKernelRequest): Omit<DraftRequest, 'time'> {
  const { name, description, params, overrides, text } = request;
  const { id } = scratchCard({ id: ownId(name), title: description.title });
  return { kernel: id, params, files: { [kernelPaths(name).own]: text }, overrides, sizes: {} };
}

/** Tries the kernel of a format of one's own: see `trial` of the service. */
export async function tryOwnKernel(
  host: DraftHost,
  request: OwnTrialRequest,
  encode: EncodeModuleOnPage,
  job: ServiceJob,
  onEvent: OnDraftEvent,
): Promise<void> {
  const { time, rounds, others } = request;
  const own = await ownHost(host, request, encode, 'all', job);
  const draft: DraftRequest = { ...draftOf(request), time, ...(rounds === undefined ? {} : { rounds }) };
  return runDraft({ race: raceBeside(others), ...own.host }, draft, job, onEvent);
}

/** The kernels of formats of one's own. Their modules never run here: `encode` has matrices encoded where they do. */
export const ownKernels = defineService('own-kernels', (host: EngineHost) => ({
  /**
   * Tries a kernel as drafts are tried: compiled, verified with limited loops and as written, on the open matrix and on
   * awkward ones, and, if it is right and `time` says so, raced beside the other formats. A faulty kernel is an event, not
   * a rejection; it rejects only if cancelled, while a benchmark runs, or without a matrix.
   */
  async trial(
    job: ServiceJob,
    request: OwnTrialRequest,
    encode: EncodeModuleOnPage,
    onEvent: OnDraftEvent,
  ): Promise<void> {
    host.refuseIfBusy('try a kernel');
    // Progress is sent in order with the events.
    const reporting = new ServiceJob(host, (progress) => void onEvent({ stage: 'doing', ...progress }));
    job.signal.addEventListener('abort', () => reporting.cancel());
    return tryOwnKernel(host, request, encode, reporting, onEvent);
  },
  /** The elements that the lanes of one workgroup touch. Rejects with one sentence where they cannot be seen. */
  async memory(job: ServiceJob, request: OwnMemoryRequest, encode: EncodeModuleOnPage): Promise<MemoryAnswer> {
    host.refuseIfBusy('watch a kernel');
    const { generation } = host.matrix.held;
    const own = await ownHost(host, request, encode, 'open', job);
    const answer = {
      generation,
      ...(await traceMemory(own.host, { ...draftOf(request), workgroup: request.workgroup }, job)),
    };
    return transferred(answer, answer.trace);
  },
}));
