import { type ComponentProps, useLayoutEffect, useRef } from 'react';

/** Properties of a dialog that is modal while it is mounted. Escape and a press outside call `onClose`. */
export function useModal(onClose: () => void): Pick<ComponentProps<'dialog'>, 'ref' | 'onCancel' | 'onClick'> {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current;
    if (!element || element.open) return;
    element.showModal();
    return () => element.close();
  }, []);
  return {
    ref: dialog,
    onCancel(event) {
      event.preventDefault();
      onClose();
    },
    // The backdrop belongs to the dialog: a press on the dialog itself is a press outside its content.
    onClick(event) {
      if (event.target === event.currentTarget) onClose();
    },
  };
}
