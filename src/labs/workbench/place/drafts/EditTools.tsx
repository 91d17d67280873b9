import type { KernelReading } from '../../../../places/code/service/kernel-reading-types.ts';
import { loadEditor } from '../../../../places/code/editor/load-editor.ts';
import { PartButton } from '../../../../places/code/PartButton.tsx';
import type { Working } from '../address.ts';
import type { KernelLibrary } from '../kernel-drafts/library.ts';

interface EditToolsProps {
  readonly kernel: KernelReading;
  readonly library: KernelLibrary;
  /** what is shown of it */
  readonly at: Working;
  readonly onRead: (next: Partial<Working>) => void;
}

/** A person who points at the button will most likely press it. */
function wantEditor(): void {
  loadEditor().catch(() => {});
}

/** What can be done with a kernel that is read: see what it loads, and change a copy of it. */
export function EditTools({ kernel: { kernel, params }, library, at, onRead }: EditToolsProps) {
  const edit = (): void =>
    onRead({ ...at, kernel, draft: library.begin({ kernel, name: kernel.split('/')[1] ?? kernel, params }) });
  return (
    <div className="draft-tools">
      <PartButton onClick={() => onRead({ kernel, part: 'memory' })}>Memory</PartButton>
      <button type="button" className="button" onPointerEnter={wantEditor} onFocus={wantEditor} onClick={edit}>
        Edit a copy
      </button>
    </div>
  );
}
