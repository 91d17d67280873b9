import { type MouseEvent, type ReactNode, Suspense, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useStore } from 'zustand';
import type { Scene } from '../../../core/story/scene.ts';
import { stopsReached } from '../../../state/player.ts';
import { useApp } from '../../../kit/app-context.ts';
import { lazyPart } from '../../../kit/browser/lazy-part.ts';
import { cssTextColorOf } from '../../../kit/format-color.ts';
import { StoryBoundary } from '../../../kit/frame/Boundary.tsx';
import { useShell } from '../../../kit/frame/shell-context.ts';
import { Narration } from '../../../kit/stage/Narration.tsx';
import { SceneCanvas } from '../../../kit/stage/SceneCanvas.tsx';
import { useStageScene, useStageScenes } from '../../../kit/stage/use-scene.ts';
import { AnswerLine } from '../answer/AnswerLine.tsx';
import { WatchFolds } from '../folds/WatchFolds.tsx';
import { type Side, useSides } from '../sides.ts';
import { Below, type MomentProps } from './Below.tsx';
import { cellsOf, withoutCells } from './pinned.ts';
import type { Cell } from '../../../core/matrix/index.ts';
import type { WayBack } from './ShownBest.tsx';

const SceneWithoutCells = lazyPart(async () => (await import('./SceneWithoutCells.tsx')).SceneWithoutCells);
const CellEditor = lazyPart(async () => (await import('./CellEditor.tsx')).CellEditor);
const NoScene = lazyPart(async () => (await import('./NoScene.tsx')).NoScene);
const RefusedSide = lazyPart(async () => (await import('./RefusedSide.tsx')).RefusedSide);
const ShownBest = lazyPart(async () => (await import('./ShownBest.tsx')).ShownBest);
const SceneOfferButton = lazyPart(
  async () => (await import('../../../papers/slidesparse/SceneOfferButton.tsx')).SceneOfferButton,
);

const STAGE_ID = 'stage';

/** What scrolls above the player: the answer, this moment in words and as a picture, and the folds. */
export function Stage({ wide }: { readonly wide: boolean }) {
  const sides = useSides();
  const loading = sides.some(({ story }) => story.kind === 'loading');
  const scenes = useStageScenes();
  const scene = useStageScene(scenes);
  const { hover } = useApp();
  /** the cell at which editing began; null while nothing is edited */
  const [edited, setEdited] = useState<Cell | null>(null);
  const editButton = useRef<HTMLButtonElement>(null);
  const edit = scene !== null && edited === null && (
    <button
      ref={editButton}
      type="button"
      className={wide ? 'button watch-edit' : 'text-button'}
      title="Set and clear cells of this window"
      onClick={() => setEdited({ row: 0, col: 0 })}
    >
      {wide ? 'Edit' : 'edit'}
    </button>
  );
  const endEditing = (): void => {
    flushSync(() => setEdited(null));
    editButton.current?.focus();
  };
  const onDoubleClick = ({ target }: MouseEvent): void => {
    const cell = target instanceof HTMLCanvasElement ? cellNamed(hover.getState().mark?.about) : null;
    if (cell) setEdited(cell);
  };
  return (
    // The same as the button, from the cell that is meant.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      onDoubleClick={onDoubleClick}
      id={STAGE_ID}
      className="watch-stage"
      aria-label="Stage"
      tabIndex={-1}
      aria-busy={loading}
      data-two={(scenes?.against ?? null) !== null || undefined}
    >
      <AnswerLine sides={sides} />
      <StoryBoundary name="The stage">
        {scenes && scene && <MomentWords scenes={scenes} scene={scene} loading={loading} edit={wide && edit} />}
        {edited && (
          <Suspense fallback={null}>
            <CellEditor at={edited} onClose={endEditing} />
          </Suspense>
        )}
        {scenes && scene ? (
          <MomentPicture scenes={scenes} scene={scene} wide={wide} isEdited={edited !== null} />
        ) : (
          <Suspense fallback={<div className="waiting" />}>
            <NoScene />
          </Suspense>
        )}
        {sides.map((side) => (
          // One place for both, so that the way back is kept.
          <Suspense key={side.side} fallback={null}>
            <BestShown of={side} />
          </Suspense>
        ))}
      </StoryBoundary>
      {!wide && (
        <Tools scene={scene} wide={wide}>
          {edit}
        </Tools>
      )}
      <WatchFolds sides={sides} scene={scene} tools={wide && <Tools scene={scene} wide={wide} />} />
    </section>
  );
}

/** Why a format has no stage, and the ways on; or, where it shows little, the one way on. */
function BestShown({ of }: { readonly of: Side }) {
  const { story, encoding } = of;
  const isRefused = story.kind === 'failed' || (encoding?.kind === 'ready' && !encoding.summary.admission.ok);
  // Here, since what is around it changes with the matrix.
  const [left, setLeft] = useState<WayBack | null>(null);
  const best = <ShownBest of={of} left={left} onLeave={setLeft} />;
  return isRefused ? <RefusedSide of={of}>{best}</RefusedSide> : <p className="shown-best-line">{best}</p>;
}

/** The cell that a mark shows. */
function cellNamed(about: readonly string[] = []): Cell | null {
  const [, row, col] = about.map((name) => /^cell (\d+),(\d+)$/.exec(name)).find(Boolean) ?? [];
  return row === undefined ? null : { row: Number(row), col: Number(col) };
}

interface MomentWordsProps extends MomentProps {
  /** another story is on its way */
  readonly loading: boolean;
  readonly edit: ReactNode;
}

/** The words of this moment. */
function MomentWords({ scenes: { format, against }, scene, loading, edit }: MomentWordsProps) {
  const colors = useMemo(
    () => ({ format: cssTextColorOf(format), against: cssTextColorOf(against ?? format) }),
    [format, against],
  );
  return (
    <div className="watch-words">
      <MomentNumber loading={loading} />
      <Narration words={scene.narration} colors={colors} />
      {edit}
    </div>
  );
}

interface MomentPictureProps extends MomentProps {
  readonly wide: boolean;
  /** the cells are above, where they can be changed */
  readonly isEdited: boolean;
}

/** The picture of this moment. */
function MomentPicture({ scenes, scene, wide, isEdited }: MomentPictureProps) {
  const { source, format, against } = scenes;
  if (isEdited) {
    return (
      <Suspense fallback={<div className="waiting" />}>
        <SceneWithoutCells scenes={scenes} scene={scene} />
      </Suspense>
    );
  }
  if (!wide && scene.sides) return <Stacked scenes={scenes} scene={scene} />;
  return <SceneCanvas scene={scene} format={format} against={against} source={source} squeeze />;
}

/** On narrow pages one format is below the other: the cells of both stay in view above them. */
function Stacked({ scenes, scene }: MomentProps) {
  const { source, format, against } = scenes;
  const cells = useMemo(
    () => source && { ...source, at: (t: number) => cellsOf(source.at(t)) ?? source.at(t), alike: () => [] },
    [source],
  );
  const pinned = cellsOf(scene);
  return (
    <>
      {pinned && (
        <div className="watch-pinned">
          <SceneCanvas scene={pinned} format={format} against={against} source={cells} isPart />
        </div>
      )}
      <Below scenes={scenes} scene={scene} part={withoutCells} />
    </>
  );
}

/** 'moment 5', or 'step 12' where the player goes by every step. */
function MomentNumber({ loading }: { readonly loading: boolean }) {
  const { player } = useApp();
  const text = useStore(player.store, ({ stops, step, everyStep }) =>
    everyStep || stops.length === 0 ? `step ${step}` : `moment ${stopsReached(stops, step)}`,
  );
  return (
    <span className="watch-moment" aria-hidden="true">
      {loading ? 'loading' : text}
    </span>
  );
}

interface ToolsProps {
  readonly scene: Scene | null;
  readonly wide: boolean;
  readonly children?: ReactNode;
}

/** What can be done with the picture; on wide pages the header has the rest. */
function Tools({ scene, wide, children }: ToolsProps) {
  const { exportScene, openExport, present } = useShell();
  const tool = (label: string, title: string, run: () => void) => (
    <button type="button" className="text-button" title={title} disabled={!scene} onClick={run}>
      {label}
    </button>
  );
  return (
    <div className="watch-tools">
      {scene?.offer && (
        <Suspense fallback={null}>
          <SceneOfferButton offer={scene.offer} />
        </Suspense>
      )}
      {children}
      {!wide && tool('present', 'Show the stage alone', () => present())}
      {!wide && tool('export', 'Embed, export or print the chapter', openExport)}
      {tool('SVG', 'Save this picture as SVG', () => exportScene('svg'))}
      {tool('PNG', 'Save this picture as PNG', () => exportScene('png'))}
    </div>
  );
}
