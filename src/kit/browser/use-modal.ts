import { type RefObject, useLayoutEffect, useRef } from 'react';

/** Opens the dialog modally. It is closed while it is still in the page, so that the focus returns to where it was. */
export function useModal(): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current;
    if (!element || element.open) return;
    element.showModal();
    return () => element.close();
  }, []);
  return dialog;
}
