import { baseOf } from '../../state/index.ts';
import { useDocument } from '../../kit/app-context.ts';
import { Button } from '../../kit/controls/Button.tsx';
import { Dialog } from '../../kit/frame/Dialog.tsx';

interface FileLinkDialogProps {
  readonly onCopy: () => void;
  readonly onClose: () => void;
}

/** Says, before a link to a file is copied, that the link does not contain the file. */
export function FileLinkDialog({ onCopy, onClose }: FileLinkDialogProps) {
  const name = useDocument(({ source }) => {
    const base = baseOf(source);
    return base.kind === 'file' ? base.name : 'the file';
  });
  return (
    <Dialog title="Copy a link without its file?" onClose={onClose}>
      <div className="dialog-body grid gap-3 wrap-anywhere">
        <p>This link would not carry {name}: give the file along.</p>
        <div className="dialog-actions flex flex-wrap justify-end gap-2 mt-2 sticky bottom-0 border-t border-hairline bg-ground">
          <Button onClick={onClose}>Do not copy</Button>
          <Button
            kind="solid"
            onClick={() => {
              onClose();
              onCopy();
            }}
          >
            Copy the link
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
