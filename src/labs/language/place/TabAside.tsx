import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';

/** Id of the element at the end of the line of tabs. */
export const ASIDE = 'language-aside';

/** Shows what a tab says of its settings at the end of the line of tabs. */
export function TabAside({ children }: { readonly children: ReactNode }) {
  const place = document.getElementById(ASIDE);
  return place && createPortal(children, place);
}
