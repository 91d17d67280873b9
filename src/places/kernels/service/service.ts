import { given } from '../../../engine/bridge/given.ts';
import { ServiceJob } from '../../../engine/bridge/job.ts';
import { defineService } from '../../../engine/bridge/service.ts';
import type { EngineHost } from '../../../engine/host.ts';
import type { DraftRequest, MemoryAnswer, MemoryRequest, OnDraftEvent } from './drafts/draft-types.ts';
import { traceMemory } from './drafts/memory.ts';
import { runDraft } from './drafts/run.ts';
import { countLoads, loadsOfSubgroup } from './kernel-loads.ts';
import type { LoadsAnswer, LoadsRequest, SubgroupAnswer, SubgroupRequest } from './kernel-loads-types.ts';
import { kernelFiles, readKernel } from './kernel-reading.ts';
import type { KernelFile, KernelReading, KernelRequest } from './kernel-reading-types.ts';

/** Kernels: their text, drafts of them, and what they load. */
export const kernels = defineService('kernels', (host: EngineHost) => {
  /** ends what is being watched, whose compiler would spoil the times of a benchmark */
  let endWatching: () => Promise<void> = async () => {};
  host.beforeBench(() => endWatching());
  return {
    /** A kernel to be read. The open matrix is encoded in its format for that, where the format admits it. */
    async read(job: ServiceJob, request: KernelRequest): Promise<KernelReading> {
      host.refuseIfBusy('read a kernel');
      const status = await host.device.status();
      const facts = status.kind === 'ready' ? (await host.device.open()).facts : null;
      const { generation } = host.matrix.held;
      return { generation, ...(await readKernel(host.formats, request, host.stage(), facts, job)) };
    },
    /** Every file of every kernel, to be searched. */
    files: (_job: ServiceJob): readonly KernelFile[] => kernelFiles(host.formats),
    /**
     * Tries a changed kernel: compiles it, verifies it on the open matrix and on awkward ones, and times what is right next
     * to the original and dense. Whatever is wrong with a draft is an event and no rejection; it rejects only where it is
     * cancelled, or while a benchmark runs.
     */
    async draft(job: ServiceJob, request: DraftRequest, onEvent: OnDraftEvent): Promise<void> {
      host.refuseIfBusy('try a draft');
      // Among the events, in their order.
      const reporting = new ServiceJob(host, (progress) => void onEvent({ stage: 'doing', ...progress }));
      job.signal.addEventListener('abort', () => reporting.cancel());
      return runDraft(host, request, reporting, onEvent);
    },
    /**
     * Which elements of which arrays the lanes of one workgroup touch, in order: seen by a copy of the kernel that writes them
     * down. Rejects with one sentence where the kernel does not take the open matrix, or its text does not compile.
     */
    async memory(job: ServiceJob, request: MemoryRequest): Promise<MemoryAnswer> {
      host.refuseIfBusy('watch a kernel');
      const { generation } = host.matrix.held;
      const traced = traceMemory(host, request, job);
      endWatching = () => {
        job.cancel();
        return traced.then(
          () => {},
          () => {},
        );
      };
      const answer = { generation, ...(await traced) };
      return given(answer, answer.trace);
    },
    /**
     * What all loads of a kernel cost on the open matrix, worked out by the kernel's model, without a GPU. The matrix is
     * encoded for that. Rejects with one sentence where there is no model, or the kernel does not take the matrix.
     */
    async loads(job: ServiceJob, request: LoadsRequest): Promise<LoadsAnswer> {
      host.refuseIfBusy('count loads');
      const { generation } = host.matrix.held;
      return { generation, ...(await countLoads(host.formats, request, host.stage(), job, host)) };
    },
    /** What one subgroup loads, in order, by the same model. Rejects as `loads`, and where there is no such subgroup or row. */
    async subgroupLoads(job: ServiceJob, request: SubgroupRequest): Promise<SubgroupAnswer> {
      host.refuseIfBusy('follow a subgroup');
      const { generation } = host.matrix.held;
      const answer = { generation, ...(await loadsOfSubgroup(host.formats, request, host.stage(), job)) };
      return given(answer, answer.loads);
    },
  };
});
