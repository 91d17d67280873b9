import { browserOwnStore, createOwnBook, type OwnBook } from '../../state/own-book.ts';

/** One per page, made when a format of one's own is first shown. */
let opened: OwnBook | null = null;

/** The formats of one's own in this browser, being read. */
export function pageBook(): OwnBook {
  if (opened) return opened;
  opened = createOwnBook(browserOwnStore(), () => new Date());
  window.addEventListener('pagehide', opened.flush);
  void opened.load();
  return opened;
}
