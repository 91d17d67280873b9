import { type FormatDraft, FORMATS, type FormatText } from '../../../kit/own/format-library.ts';
import { createDraftLibrary, type DraftLibrary } from '../../../state/drafts/library.ts';
import { browserDraftStore, type DraftStore } from '../../../state/drafts/store.ts';

/** Kernels of formats of one's own, by the names of the formats. */
export type KernelTexts = DraftLibrary<FormatText, FormatDraft>;

export function createKernelTexts(kept: DraftStore<FormatDraft>): KernelTexts {
  return createDraftLibrary({ ...FORMATS, plural: 'kernels' }, kept, () => new Date());
}

/** One per page, made when such a kernel is first shown. */
let opened: KernelTexts | null = null;

/** Those in this browser, being read. */
export function kernelTexts(): KernelTexts {
  if (opened) return opened;
  opened = createKernelTexts(browserDraftStore(FORMATS, 'sparsescope-own-kernels', 'kernels'));
  window.addEventListener('pagehide', opened.leave);
  void opened.load();
  return opened;
}
