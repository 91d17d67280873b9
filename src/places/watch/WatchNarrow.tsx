import { useState } from 'react';
import { Inspector } from './inspector/Inspector.tsx';
import { MatrixPanel } from './matrix/MatrixPanel.tsx';
import { Icon } from '../../kit/controls/Icon.tsx';
import { StoryBoundary } from '../../kit/frame/Boundary.tsx';
import { Dialog } from '../../kit/frame/Dialog.tsx';
import { Stage } from './stage/Stage.tsx';
import { WatchPlayer } from './WatchPlayer.tsx';

/** The stage first, the player fixed below it; matrix and inspector open as sheets. */
export function WatchNarrow() {
  const [sheet, setSheet] = useState<'matrix' | 'inspector' | null>(null);
  return (
    <>
      <main className="narrow-stage" id="content" tabIndex={-1}>
        <Stage />
      </main>
      <div className="narrow-foot">
        <StoryBoundary name="The player">
          <WatchPlayer />
        </StoryBoundary>
        <div className="sheet-buttons">
          <button type="button" className="button" aria-haspopup="dialog" onClick={() => setSheet('matrix')}>
            <Icon name="matrix" />
            Matrix
          </button>
          <button type="button" className="button" aria-haspopup="dialog" onClick={() => setSheet('inspector')}>
            <Icon name="inspect" />
            Inspector
          </button>
        </div>
      </div>
      {sheet === 'matrix' && (
        <Dialog kind="sheet" title="Matrix" onClose={() => setSheet(null)}>
          <div className="dialog-body">
            <StoryBoundary name="The matrix panel">
              <MatrixPanel />
            </StoryBoundary>
          </div>
        </Dialog>
      )}
      {sheet === 'inspector' && (
        <Dialog kind="sheet" title="Inspector" onClose={() => setSheet(null)}>
          <div className="dialog-body">
            <StoryBoundary name="The inspector">
              <Inspector />
            </StoryBoundary>
          </div>
        </Dialog>
      )}
    </>
  );
}
