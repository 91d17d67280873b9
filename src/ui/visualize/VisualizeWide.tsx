import { useState } from 'react';
import { Group, Panel, type PanelImperativeHandle, Separator, usePanelRef } from 'react-resizable-panels';
import { useApp } from '../app-context.ts';
import { Inspector } from '../inspector/Inspector.tsx';
import { MatrixPanel } from '../matrix/MatrixPanel.tsx';
import { Icon } from '../parts/Icon.tsx';
import { StoryBoundary } from '../shell/Boundary.tsx';
import { sidePanelPx } from '../shell/side-panels.ts';
import { Player } from '../stage/Player.tsx';
import { Stage } from '../stage/Stage.tsx';

/** Matrix, stage with player, and inspector side by side. The outer two resize and collapse. */
export function VisualizeWide() {
  const { player } = useApp();
  const left = usePanelRef();
  const right = usePanelRef();
  const [leftOpen, setLeftOpen] = useState(true);
  const [rightOpen, setRightOpen] = useState(true);
  return (
    <main className="panels">
      <Group orientation="horizontal" id="visualize">
        <Panel
          id="matrix"
          panelRef={left}
          defaultSize={sidePanelPx('left')}
          minSize={220}
          maxSize={560}
          collapsible
          groupResizeBehavior="preserve-pixel-size"
          onResize={(size) => setLeftOpen(size.inPixels > 0)}
        >
          <aside className="panel panel--side" aria-label="Matrix" hidden={!leftOpen}>
            <StoryBoundary name="The matrix panel">
              <MatrixPanel />
            </StoryBoundary>
          </aside>
        </Panel>
        <Separator className="separator" aria-label="Width of the matrix panel" />
        <Panel id="stage" minSize={380}>
          <div className="panel panel--centre" id="content" tabIndex={-1}>
            <Stage />
            <StoryBoundary name="The player">
              <Player player={player} />
            </StoryBoundary>
            <EdgeButton side="left" open={leftOpen} title="matrix" onToggle={() => toggle(left.current)} />
            <EdgeButton side="right" open={rightOpen} title="inspector" onToggle={() => toggle(right.current)} />
          </div>
        </Panel>
        <Separator className="separator" aria-label="Width of the inspector" />
        <Panel
          id="inspector"
          panelRef={right}
          defaultSize={sidePanelPx('right')}
          minSize={260}
          maxSize={560}
          collapsible
          groupResizeBehavior="preserve-pixel-size"
          onResize={(size) => setRightOpen(size.inPixels > 0)}
        >
          <aside className="panel panel--side" aria-label="Inspector" hidden={!rightOpen}>
            <StoryBoundary name="The inspector">
              <Inspector />
            </StoryBoundary>
          </aside>
        </Panel>
      </Group>
    </main>
  );
}

function toggle(panel: PanelImperativeHandle | null): void {
  if (panel?.isCollapsed()) panel.expand();
  else panel?.collapse();
}

interface EdgeButtonProps {
  readonly side: 'left' | 'right';
  readonly open: boolean;
  readonly title: string;
  readonly onToggle: () => void;
}

/** On the edge of a panel: folds it away and brings it back. */
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
