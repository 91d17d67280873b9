import type { ReactNode } from 'react';
import { useApp, useDocument, useSession } from '../../../kit/app-context.ts';

/**
 * That cells were set or cleared, with the way back. Beside it stands where the keyboard is, and what a format has against
 * the cells; else `children`.
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
      <p className="watch-cell" role="status">
        {cursorText}
        {refused !== null && <span className="watch-broken"> {refused}</span>}
      </p>
      {cursorText === null && refused === null && children}
    </>
  );
}
