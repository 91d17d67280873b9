import { loadEditor } from '../../../../places/code/editor/load-editor.ts';
import { PartButton } from '../../../../places/code/PartButton.tsx';

interface EditToolsProps {
  readonly onMemory: () => void;
  readonly onEdit: () => void;
}

/** A person who points at the button will most likely press it. */
function wantEditor(): void {
  loadEditor().catch(() => {});
}

/** What can be done with a kernel that is read: see what it loads, and change a copy of it. */
export function EditTools({ onMemory, onEdit }: EditToolsProps) {
  return (
    <div className="draft-tools">
      <PartButton onClick={onMemory}>Memory</PartButton>
      <button type="button" className="button" onPointerEnter={wantEditor} onFocus={wantEditor} onClick={onEdit}>
        Edit a copy
      </button>
    </div>
  );
}
