import { useStore } from 'zustand';
import type { DraftLibraryState } from '../../../state/drafts/library.ts';
import { browserDraftStore } from '../../../state/drafts/store.ts';
import type { Draft } from '../kernel-drafts/draft.ts';
import { createKernelLibrary, type KernelLibrary, KERNELS } from '../kernel-drafts/library.ts';
import type { kernels } from '../service/service.ts';
import { createDraftRuns } from '../kernel-drafts/draft-runs.ts';
import { type App, useApp } from '../../../kit/app-context.ts';

/** One per page, created when Code is first shown: the first screen needs none of its code. */
const libraries = new WeakMap<App['session'], KernelLibrary>();

function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function libraryOf({ session, engine }: App): KernelLibrary {
  const known = libraries.get(session);
  if (known) return known;
  const kept = browserDraftStore(KERNELS, 'sparsescope-drafts', 'drafts');
  const tryDraft = createDraftRuns(engine.service<typeof kernels>('kernels'), session);
  const library = createKernelLibrary({ session, tryDraft, kept, newId, now: () => new Date() });
  libraries.set(session, library);
  window.addEventListener('pagehide', library.leave);
  void library.load();
  return library;
}

/** The drafts in this browser. */
export function useKernelLibrary(): KernelLibrary {
  return libraryOf(useApp());
}

/** A selection from its state; the component renders again only when that changes. */
export function useDrafts<T>(select: (state: DraftLibraryState<Draft>) => T): T {
  return useStore(useKernelLibrary().store, select);
}
