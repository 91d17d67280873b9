import { useEffect } from 'react';
import { useStore } from 'zustand';
import { pageBook } from '../../../kit/own/page-book.ts';
import type { OwnBook, OwnBookState } from '../../../state/own-book.ts';

/** The formats of one's own in this browser. */
export function useOwnBook(): OwnBook {
  const book = pageBook();
  const { flush } = book;
  useEffect(() => {
    window.addEventListener('pagehide', flush);
    return () => {
      window.removeEventListener('pagehide', flush);
      flush();
    };
  }, [flush]);
  return book;
}

/** A selection from its state; the component renders again only when that changes. */
export function useOwnDrafts<T>(select: (state: OwnBookState) => T): T {
  return useStore(useOwnBook().store, select);
}
