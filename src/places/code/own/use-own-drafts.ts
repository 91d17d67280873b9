import { useStore } from 'zustand';
import { pageBook } from '../../../kit/own/page-book.ts';
import type { OwnBookState } from '../../../state/own-book.ts';

/** A selection from the formats of one's own in this browser; the component renders again only when that changes. */
export function useOwnDrafts<T>(select: (state: OwnBookState) => T): T {
  return useStore(pageBook().store, select);
}
