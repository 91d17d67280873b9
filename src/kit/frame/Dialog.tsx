import { type ReactNode, useId } from 'react';
import { useModal } from '../browser/use-modal.ts';
import { Icon } from '../controls/Icon.tsx';
import { Button } from '../controls/Button.tsx';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A modal dialog. Escape, the close button and a press outside close it; the focus then returns to where it was. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const modal = useModal(onClose);
  const titleId = useId();
  return (
    <dialog className="dialog" aria-labelledby={titleId} {...modal}>
      <div className="dialog-inner">
        <div className="ps-5 pe-3 py-3 sticky top-0 z-1 flex items-center justify-between gap-3 bg-ground border-b border-hairline">
          <h2 id={titleId} className="text-15">
            {title}
          </h2>
          <Button kind="bare" aria-label="Close" onClick={onClose}>
            <Icon name="close" />
          </Button>
        </div>
        {children}
      </div>
    </dialog>
  );
}
