// The functions of the worker that the page Code calls.

import { ServiceJob } from '../../../../../src/engine/bridge/service-job.ts';
import { defineService } from '../../../../../src/engine/bridge/service.ts';
import { transferred } from '../../../../../src/engine/bridge/transfer.ts';
import { kernelOf } from '../../../../../src/engine/bench/kernel-of.ts';
import type { EngineHost } from '../../../../../src/engine/host.ts';
import { exampleDevice } from '../../../../../src/gpu/index.ts';
import type { Sizes } from '../../../../../src/core/operations/operation.ts';
import type { DraftRequest, MemoryAnswer, MemoryRequest, OnDraftEvent } from './draft-types.ts';
import { type OverrideOrigin, overrideOrigins } from './override-origins.ts';
import { traceMemory } from './trace-memory.ts';
import { runDraft } from './run-draft.ts';

/** The kernel on the page Code, with the parameters and sizes of its plan there. */
interface OriginsRequest {
  readonly kernel: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly sizes: Sizes;
  /** why the device cannot run it; null if it can */
  readonly rejection: string | null;
}

/** What sets each constant of a kernel, by name. */
export type OverrideOrigins = Readonly<Record<string, OverrideOrigin>>;

/** The service for the page Code: tries drafts of a kernel, finds what sets its constants, and records its loads. */
export const draftService = defineService('drafts', (host: EngineHost) => {
  /** ends the recording of loads in progress, which would disturb a benchmark's times */
  let endWatching: () => Promise<void> = async () => {};
  host.beforeBench(() => endWatching());
  return {
    /**
     * Tries a draft (a changed kernel): compiles it, verifies it on the open matrix and on edge cases, and times it
     * against the original and dense if it is correct. A faulty draft is an event. Rejects only if cancelled, or while
     * a benchmark runs.
     */
    async draft(job: ServiceJob, request: DraftRequest, onEvent: OnDraftEvent): Promise<void> {
      host.throwIfBusy('try a draft');
      // Progress is sent in order with the events.
      const reporting = new ServiceJob(host, (progress) => void onEvent({ stage: 'doing', ...progress }));
      job.signal.addEventListener('abort', () => reporting.cancel());
      return runDraft(host, request, reporting, onEvent);
    },
    /** What sets each constant of a kernel, by name. */
    async origins(_job: ServiceJob, { kernel, params, sizes, rejection }: OriginsRequest): Promise<OverrideOrigins> {
      const { format, spec } = kernelOf(host, kernel);
      const isOnDevice = rejection === null && (await host.device.status()).kind === 'ready';
      const device = isOnDevice ? (await host.device.open()).facts : exampleDevice();
      return Object.fromEntries(overrideOrigins(format, spec, params, device, sizes));
    },
    /**
     * The elements that the lanes of one workgroup read or write, by array and in order, as recorded by an instrumented
     * copy of the kernel. Rejects with one message if the kernel does not support the open matrix, or its text does
     * not compile.
     */
    async memory(job: ServiceJob, request: MemoryRequest): Promise<MemoryAnswer> {
      host.throwIfBusy('watch a kernel');
      const { generation } = host.matrix.current;
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
