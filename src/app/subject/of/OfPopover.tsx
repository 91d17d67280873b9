import { useShell } from '../../../kit/frame/shell-context.ts';
import type { PopoverProps } from '../word.ts';

/** Leads to the chooser. */
export function OfPopover({ onClose }: PopoverProps) {
  const { openChooser, openFile } = useShell();
  const then = (act: () => void) => () => {
    onClose();
    act();
  };
  return (
    <div className="word-choices">
      <button type="button" className="button" onClick={then(openChooser)}>
        Choose or generate a matrix
      </button>
      <button type="button" className="button" onClick={then(openFile)}>
        Open a file
      </button>
    </div>
  );
}
