import { Suspense, useMemo, useState } from 'react';
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
import { type StageScenes, useStageScene, useStageScenes } from '../../../kit/stage/stage-source.ts';
import { AnswerLine } from '../answer/AnswerLine.tsx';
import { Folds } from '../folds/Folds.tsx';
import { type Side, useSides } from '../sides.ts';
import { useIsFirstScreen } from '../first-screen.ts';
import { cellsOf, withoutCells } from './pinned.ts';
import type { WayBack } from './ShownBest.tsx';

const AtFirstSight = lazyPart(async () => (await import('../AtFirstSight.tsx')).AtFirstSight);
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
  const isFirst = useIsFirstScreen();
  return (
    <section
      id={STAGE_ID}
      className="watch-stage"
      aria-label="Stage"
      tabIndex={-1}
      aria-busy={loading}
      data-two={(scenes?.against ?? null) !== null || undefined}
    >
      <AnswerLine sides={sides} />
      {isFirst && (
        <Suspense fallback={<div className="at-first-sight" />}>
          <AtFirstSight />
        </Suspense>
      )}
      <StoryBoundary name="The stage">
        {scenes && scene ? (
          <Moment scenes={scenes} scene={scene} wide={wide} loading={loading} />
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
      {!wide && <Tools scene={scene} wide={wide} />}
      <Folds sides={sides} scene={scene} tools={wide && <Tools scene={scene} wide={wide} />} />
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

interface MomentProps {
  readonly scenes: StageScenes;
  readonly scene: Scene;
  readonly wide: boolean;
  /** another story is on its way */
  readonly loading: boolean;
}

/** The words of this moment, and its picture. */
function Moment({ scenes, scene, wide, loading }: MomentProps) {
  const { source, format, against } = scenes;
  const colors = useMemo(
    () => ({ format: cssTextColorOf(format), against: cssTextColorOf(against ?? format) }),
    [format, against],
  );
  return (
    <>
      <div className="watch-words">
        <MomentNumber loading={loading} />
        <Narration words={scene.narration} colors={colors} />
      </div>
      {wide || !scene.sides ? (
        <SceneCanvas scene={scene} format={format} against={against} source={source} squeeze />
      ) : (
        <Stacked scenes={scenes} scene={scene} />
      )}
    </>
  );
}

/** On narrow pages one format is below the other: the cells of both stay in view above them. */
function Stacked({ scenes: { source, format, against }, scene }: Pick<MomentProps, 'scenes' | 'scene'>) {
  const cells = useMemo(
    () => source && { ...source, at: (t: number) => cellsOf(source.at(t)) ?? source.at(t), alike: () => [] },
    [source],
  );
  const below = useMemo(
    () => ({
      ...source,
      at: (t: number) => withoutCells(source.at(t)),
      alike: (t: number) => source.alike(t).map(withoutCells),
    }),
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
      <SceneCanvas scene={withoutCells(scene)} format={format} against={against} source={below} whole={scene} />
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

/** What can be done with the picture; on wide pages the header has the rest. */
function Tools({ scene, wide }: { readonly scene: Scene | null; readonly wide: boolean }) {
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
      {!wide && tool('present', 'Show the stage alone', () => present())}
      {!wide && tool('export', 'Embed, export or print the chapter', openExport)}
      {tool('SVG', 'Save this picture as SVG', () => exportScene('svg'))}
      {tool('PNG', 'Save this picture as PNG', () => exportScene('png'))}
    </div>
  );
}
