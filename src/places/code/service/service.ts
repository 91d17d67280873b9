import { FormatError } from '../../../core/errors.ts';
import type { BenchMatrix } from '../../../engine/bench/bench-host.ts';
import { transferred } from '../../../engine/bridge/transfer.ts';
import { ServiceJob } from '../../../engine/bridge/job.ts';
import { defineService } from '../../../engine/bridge/service.ts';
import type { EngineHost } from '../../../engine/host.ts';
import type { Held } from '../../../engine/matrix/open-matrix.ts';
import { StandIn } from '../../../generate/stand-in.ts';
import type { DraftRequest, MemoryAnswer, MemoryRequest, OnDraftEvent } from './drafts/draft-types.ts';
import { traceMemory } from './drafts/memory.ts';
import { runDraft } from './drafts/run.ts';
import { kernelFiles, MAX_ENCODED, readKernel } from './kernel-reading.ts';
import type { KernelFile, KernelReading, KernelRequest } from './kernel-reading-types.ts';

/** Stand-in weights that are too many to be encoded just to read a kernel: they are not made for that either. */
function unmade({ matrix, name, whole }: Held): BenchMatrix | null {
  if (!(matrix instanceof StandIn) || whole !== null || matrix.expectedNonZeros <= MAX_ENCODED) return null;
  const { rows, cols, expectedNonZeros: nnz } = matrix;
  return {
    matrix: { rows, cols, nnz, readRow: (row, into) => matrix.readRow(row, into) },
    source: name,
    encode: (format) => Promise.reject(new FormatError(`${format.title}: found weights that are not made`)),
    isEncoded: () => false,
  };
}

/** The kernels: their source, drafts of them, and what they load. */
export const kernels = defineService('kernels', (host: EngineHost) => {
  /** ends what is being watched, whose compiler would spoil the times of a benchmark */
  let endWatching: () => Promise<void> = async () => {};
  host.beforeBench(() => endWatching());
  return {
    /** A kernel to read. Encodes the open matrix for that, if the format admits it. */
    async read(job: ServiceJob, request: KernelRequest): Promise<KernelReading> {
      host.refuseIfBusy('read a kernel');
      const status = await host.device.status();
      const facts = status.kind === 'ready' ? (await host.device.open()).facts : null;
      const { held } = host.matrix;
      const stage = unmade(held) ?? (await host.stage(job));
      return { generation: held.generation, ...(await readKernel(host.formats, request, stage, facts, job)) };
    },
    /** Every file of every kernel, for the search. */
    files: (_job: ServiceJob): readonly KernelFile[] => kernelFiles(host.formats),
    /**
     * Tries a changed kernel: compiles it, verifies it on the open matrix and on awkward ones, and times it against the
     * original and dense if it is right. A faulty draft is an event, not a rejection; it rejects only if cancelled, or
     * while a benchmark runs.
     */
    async draft(job: ServiceJob, request: DraftRequest, onEvent: OnDraftEvent): Promise<void> {
      host.refuseIfBusy('try a draft');
      // Progress is sent in order with the events.
      const reporting = new ServiceJob(host, (progress) => void onEvent({ stage: 'doing', ...progress }));
      job.signal.addEventListener('abort', () => reporting.cancel());
      return runDraft(host, request, reporting, onEvent);
    },
    /**
     * The elements that the lanes of one workgroup touch, by array and in order, as recorded by an instrumented copy of
     * the kernel. Rejects with one sentence if the kernel does not support the open matrix, or its text does not
     * compile.
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
      return transferred(answer, answer.trace);
    },
  };
});
