import { useState } from 'react';
import { Inspector } from './inspector/Inspector.tsx';
import { MatrixPanel } from './matrix/MatrixPanel.tsx';
import { Icon } from '../../kit/controls/Icon.tsx';
import { SideColumns } from '../../kit/frame/SideColumns.tsx';
import { StoryBoundary } from '../../kit/frame/Boundary.tsx';
import { Stage } from './stage/Stage.tsx';
import { WatchPlayer } from './WatchPlayer.tsx';

/** Matrix, stage with player, and inspector side by side. The outer two resize and collapse. */
export function WatchWide() {
  const [leftOpen, setLeftOpen] = useState(true);
  const [rightOpen, setRightOpen] = useState(true);
  return (
    <SideColumns
      leastCentre={380}
      left={{
        label: 'Width of the matrix panel',
        least: 220,
        most: 560,
        folded: !leftOpen,
        onFold: (folded) => setLeftOpen(!folded),
        content: (
          <aside className="panel panel--side" aria-label="Matrix" hidden={!leftOpen}>
            <StoryBoundary name="The matrix panel">
              <MatrixPanel />
            </StoryBoundary>
          </aside>
        ),
      }}
      right={{
        label: 'Width of the inspector',
        least: 260,
        most: 560,
        folded: !rightOpen,
        onFold: (folded) => setRightOpen(!folded),
        content: (
          <aside className="panel panel--side" aria-label="Inspector" hidden={!rightOpen}>
            <StoryBoundary name="The inspector">
              <Inspector />
            </StoryBoundary>
          </aside>
        ),
      }}
    >
      <div className="panel panel--centre" id="content" tabIndex={-1}>
        <Stage />
        <StoryBoundary name="The player">
          <WatchPlayer />
        </StoryBoundary>
        <EdgeButton side="left" open={leftOpen} title="matrix" onToggle={() => setLeftOpen(!leftOpen)} />
        <EdgeButton side="right" open={rightOpen} title="inspector" onToggle={() => setRightOpen(!rightOpen)} />
      </div>
    </SideColumns>
  );
}

interface EdgeButtonProps {
  readonly side: 'left' | 'right';
  readonly open: boolean;
  readonly title: string;
  readonly onToggle: () => void;
}

/** A button on a panel's edge that folds and unfolds it. */
function EdgeButton({ side, open, title, onToggle }: EdgeButtonProps) {
  const label = open ? `Hide the ${title}` : `Show the ${title}`;
  return (
    <button
      type="button"
      className={`edge-button edge-button--${side}`}
      aria-label={label}
      title={label}
      aria-expanded={open}
      onClick={onToggle}
    >
      <Icon name={open === (side === 'left') ? 'left' : 'right'} />
    </button>
  );
}
