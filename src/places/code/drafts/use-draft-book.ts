import { useStore } from 'zustand';
import { browserDraftStore } from '../draft-book/store.ts';
import { createDraftBook, type DraftBook, type DraftBookState } from '../draft-book/book.ts';
import type { kernels } from '../service/service.ts';
import { createDraftRuns } from '../draft-book/draft-runs.ts';
import { type App, useApp } from '../../../kit/app-context.ts';

/** One per page, created when Code is first shown: the first screen needs none of its code. */
const books = new WeakMap<App['session'], DraftBook>();

function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function bookOf({ session, engine }: App): DraftBook {
  const known = books.get(session);
  if (known) return known;
  const tryDraft = createDraftRuns(engine.service<typeof kernels>('kernels'), session);
  const book = createDraftBook({ session, tryDraft, kept: browserDraftStore(), newId, now: () => new Date() });
  books.set(session, book);
  window.addEventListener('pagehide', book.leave);
  void book.load();
  return book;
}

/** The drafts in this browser. */
export function useDraftBook(): DraftBook {
  return bookOf(useApp());
}

/** A selection from its state; the component renders again only when that changes. */
export function useDrafts<T>(select: (state: DraftBookState) => T): T {
  return useStore(useDraftBook().store, select);
}
