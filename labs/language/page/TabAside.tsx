import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';

/** Id of the element at the end of the line of tabs. */
export const ASIDE = 'language-aside';

/** Shows the notes of a tab about its settings at the end of the line of tabs. */
export function TabAside({ children }: { readonly children: ReactNode }) {
  const target = document.getElementById(ASIDE);
  return target && createPortal(children, target);
}
