import type { Placement } from '../../theory/sliding-windows.ts';
import { useApp } from '../app-context.ts';
import { takeUp } from './board.ts';

/** Takes the group that the story is about to the page Explore, to be changed cell by cell. */
export function EditGroup({ placement }: { readonly placement: Placement }) {
  const { session } = useApp();
  const edit = (): void => {
    takeUp(placement);
    session.setView('explore');
  };
  return (
    <button
      type="button"
      className="text-button"
      title="Set and clear its non-zeros, and watch the windows take them"
      onClick={edit}
    >
      edit this group
    </button>
  );
}
