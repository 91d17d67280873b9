// The part of the Workbench that runs in the worker.

import type { AnyFormat } from '../../src/core/format.ts';
import type { DraftGate } from '../../src/engine/bench/bench-host.ts';
import type { BenchDraft } from '../../src/engine/bench/bench-types.ts';
import { kernelOf } from '../../src/engine/bench/kernel-of.ts';
import { loadedService } from '../../src/engine/bridge/service.ts';
import type { StartLab } from '../../src/engine/lab.ts';
import { scratchCards } from '../../src/core/scratch/card.ts';
import { draftSpec } from './gpu/index.ts';
import { starterKernel } from './own/kernel/starter-kernel.ts';
import { UserFormats } from './own/user-formats.ts';

/** A draft's format, with the draft as its only kernel. Throws SparseScopeError for an unknown kernel. */
function formatOfDraft(formats: readonly AnyFormat[], draft: BenchDraft): AnyFormat {
  const { format, spec } = kernelOf({ formats, drafts: draftGate }, draft.kernel);
  return { ...format, kernels: [draftSpec(spec, draft)] };
}

/** How benchmarks find drafts (kernels that the user changed or wrote from scratch), and check them before timing. */
export const draftGate: DraftGate = {
  scratchKernels: (format) => (scratchCards(format).length > 0 ? [starterKernel(format)] : []),
  draftFormat: formatOfDraft,
  async checkedFormat(format, params, options, job) {
    // Loaded with the first draft.
    const { vetDraft } = await import('./page/service/drafts/draft-vetting.ts');
    return vetDraft(format, params, options, job);
  },
};

/** The worker's part of the Workbench: its services, the custom formats, and how drafts are timed. */
export const startLab: StartLab = () => ({
  services: [
    loadedService('drafts', async () => (await import('./page/service/drafts/service.ts')).draftService),
    loadedService('own-kernels', async () => (await import('./page/service/own/service.ts')).userKernelService),
  ],
  provider: new UserFormats(),
  drafts: draftGate,
});
