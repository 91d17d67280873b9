import type { AnyFormat } from '../../core/format.ts';
import type { DraftGate } from '../../engine/bench/bench-host.ts';
import type { BenchDraft } from '../../engine/bench/bench-types.ts';
import { kernelOf } from '../../engine/bench/kernel-of.ts';
import { loadedService } from '../../engine/bridge/service.ts';
import type { StartLab } from '../../engine/lab.ts';
import { scratchCards } from '../../core/scratch/card.ts';
import { draftSpec } from './gpu/index.ts';
import { scratchKernel } from './own/kernel/scratch.ts';
import { UserFormats } from './own/own-formats.ts';

/** The format of a draft with the draft as its only kernel. Throws SparseScopeError for an unknown kernel. */
function withDraftAlone(formats: readonly AnyFormat[], draft: BenchDraft): AnyFormat {
  const { format, spec } = kernelOf({ formats, drafts: draftGate }, draft.kernel);
  return { ...format, kernels: [draftSpec(spec, draft)] };
}

/** Tries drafts before they take part in a benchmark; its code is loaded with the first of them. */
export const draftGate: DraftGate = {
  scratchKernels: (format) => (scratchCards(format).length > 0 ? [scratchKernel(format)] : []),
  draftFormat: withDraftAlone,
  async checkedFormat(...draft) {
    const gate = await import('./place/service/drafts/draft-vetting.ts');
    return gate.vetted(...draft); // bounded: one draft
  },
};

export const startLab: StartLab = () => ({
  services: [
    loadedService('drafts', async () => (await import('./place/service/drafts/service.ts')).drafts),
    loadedService('own-kernels', async () => (await import('./place/service/own/service.ts')).ownKernels),
  ],
  provider: new UserFormats(),
  drafts: draftGate,
});
