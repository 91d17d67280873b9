// The library of kernel drafts as React hooks.

import { useStore } from 'zustand';
import type { DraftLibraryState } from '../../library/draft-library.ts';
import { browserDraftStore } from '../../library/draft-store.ts';
import { browserStore } from '../../../../src/state/index.ts';
import type { Draft } from '../kernel-drafts/draft.ts';
import { createKernelLibrary, type KernelLibrary, KERNEL_DRAFTS } from '../kernel-drafts/kernel-library.ts';
import type { draftService } from '../service/drafts/service.ts';
import { createKernelRuns } from '../kernel-drafts/draft-runs.ts';
import { type App, useApp, oncePerPage } from '../../../../src/kit/app-context.ts';

function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The library of kernel drafts, created when the page Code is first shown. */
function createLibrary({ session, engine }: App): KernelLibrary {
  const storage = browserDraftStore(KERNEL_DRAFTS, browserStore('kernel-drafts'));
  const { draft } = engine.service<typeof draftService>('drafts');
  const tryDraft = createKernelRuns(session, 'Checking your draft', draft);
  const library = createKernelLibrary({ session, tryDraft, storage, newId, now: () => new Date() });
  window.addEventListener('pagehide', library.leave);
  void library.load();
  return library;
}

/** The library of all kernel drafts (copies of kernels that the user changed) in this browser. */
export function useKernelLibrary(): KernelLibrary {
  return oncePerPage(useApp(), createLibrary);
}

/** A selection from the library's state; the component renders again only when the selection changes. */
export function useDrafts<T>(select: (state: DraftLibraryState<Draft>) => T): T {
  return useStore(useKernelLibrary().store, select);
}
