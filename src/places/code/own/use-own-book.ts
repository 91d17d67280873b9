import { useEffect } from 'react';
import { useStore } from 'zustand';
import { browserOwnStore, createOwnBook, type OwnBook, type OwnBookState } from '../../../state/own-book.ts';

/** One per page, made when a format of one's own is first shown. */
let opened: OwnBook | null = null;

function bookOfPage(): OwnBook {
  if (opened) return opened;
  opened = createOwnBook(browserOwnStore(), () => new Date());
  void opened.load();
  return opened;
}

/** The formats of one's own in this browser. */
export function useOwnBook(): OwnBook {
  const book = bookOfPage();
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
