import type { ReactNode } from 'react';
import { useApp, useDocument, useSession } from '../../../kit/app-context.ts';

/**
 * That cells were set or cleared, with the way back. Beside it stands where the keyboard is, else what a format has against
 * the cells, else `children`.
 */
export function EditedCut({
  cursorText,
  children,
}: {
  readonly cursorText: string | null;
  readonly children: ReactNode;
}) {
  const { session } = useApp();
  const cut = useDocument(({ window, edited }) => (edited === null ? null : window));
  const refused = useSession((s) => s.refused);
  const said = refused ?? cursorText;
  return (
    <>
      {cut && (
        <p className="watch-edited">
          edited, {cut.rows} × {cut.cols}
          <button type="button" className="text-button" onClick={session.undoEdits}>
            Undo all
          </button>
        </p>
      )}
      <p className="watch-cell" role="status" data-refused={refused !== null || undefined}>
        {said}
      </p>
      {said === null && children}
    </>
  );
}
