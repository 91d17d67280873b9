import { Suspense, useState } from 'react';
import { useStore } from 'zustand';
import { chapterAt, shownStory } from '../../../state/index.ts';
import { useApp, useCurrentFormat, useSession } from '../../../kit/app-context.ts';
import { Icon } from '../../../kit/controls/Icon.tsx';
import { lazyPart } from '../../../kit/browser/lazy-part.ts';
import { StoryBoundary } from '../../../kit/frame/Boundary.tsx';
import { useShell } from '../../../kit/frame/shell-context.ts';
import { FormatTabs, STAGE_PANEL_ID } from './FormatTabs.tsx';
import { Narration } from '../../../kit/stage/Narration.tsx';
import { SceneCanvas } from '../../../kit/stage/SceneCanvas.tsx';
import { ShownBest } from './ShownBest.tsx';
import { useScene } from '../../../kit/stage/use-scene.ts';

const SceneTables = lazyPart(async () => (await import('../../../kit/stage/SceneTables.tsx')).SceneTables);
const SceneOfferButton = lazyPart(
  async () => (await import('../../../papers/slidesparse/SceneOfferButton.tsx')).SceneOfferButton,
);

/** The format's story: this step in words, and its picture or its tables. */
export function Stage() {
  const format = useCurrentFormat();
  const loading = useSession((s) => s.trace.kind === 'loading');
  return (
    <>
      <FormatTabs />
      <div
        id={STAGE_PANEL_ID}
        className="stage"
        role="tabpanel"
        tabIndex={-1}
        aria-labelledby={`tab-${format.id}`}
        aria-busy={loading}
      >
        <StoryBoundary name="The stage">
          <Step loading={loading} />
        </StoryBoundary>
      </div>
    </>
  );
}

/** One step of it. */
function Step({ loading }: { readonly loading: boolean }) {
  const format = useCurrentFormat();
  const { openShortcuts, openExport, present, exportScene } = useShell();
  const scene = useScene();
  const drawn = useSession((s) => shownStory(s.trace)?.trace.format ?? format.id);
  const [asTable, setAsTable] = useState(false);
  return (
    <>
      <div className="stage-head">
        {loading ? <h2 className="chapter-line">Loading {format.title}</h2> : <ChapterLine />}
        <div className="stage-tools">
          {scene?.offer && (
            <Suspense fallback={null}>
              <SceneOfferButton offer={scene.offer} />
            </Suspense>
          )}
          <button
            type="button"
            className="text-button"
            aria-keyshortcuts="P"
            disabled={!scene}
            onClick={() => present()}
          >
            present
          </button>
          <button type="button" className="text-button" disabled={!scene} onClick={openExport}>
            embed
          </button>
          <button type="button" className="text-button" disabled={!scene} onClick={() => setAsTable(!asTable)}>
            {asTable ? 'as a picture' : 'as tables'}
          </button>
          <button type="button" className="text-button" disabled={!scene} onClick={() => exportScene('svg')}>
            SVG
          </button>
          <button type="button" className="text-button" disabled={!scene} onClick={() => exportScene('png')}>
            PNG
          </button>
          <button type="button" className="text-button" onClick={openShortcuts}>
            keys
          </button>
        </div>
        <div className="shown-best-line">
          <ShownBest />
        </div>
      </div>
      <Narration words={scene?.narration ?? []} />
      {scene ? (
        asTable ? (
          <Suspense fallback={null}>
            <SceneTables scene={scene} />
          </Suspense>
        ) : (
          <SceneCanvas scene={scene} format={drawn} />
        )
      ) : (
        <NoScene />
      )}
    </>
  );
}

/** 1 of 5 · Scan */
function ChapterLine() {
  const { player } = useApp();
  const chapters = useStore(player.store, (s) => s.chapters);
  const current = useStore(player.store, (s) => chapterAt(s.chapters, s.step));
  if (current < 0) return <h2 className="chapter-line"> </h2>;
  return (
    <h2 className="chapter-line">
      {current + 1} of {chapters.length} · {chapters[current].title}
    </h2>
  );
}

/** Why there is no picture: nothing is open yet, the story is still loading, or the format refuses the window. */
function NoScene() {
  const story = useSession((s) => s.trace);
  const opening = useSession((s) => s.opening !== null);
  const { openChooser } = useShell();
  const { session } = useApp();
  if (story.kind === 'failed') {
    return (
      <div className="verdict verdict--bad">
        <Icon name="warning" />
        <p>{story.reason}</p>
      </div>
    );
  }
  if (story.kind === 'missing') {
    return (
      <div className="verdict verdict--bad" role="alert">
        <Icon name="warning" />
        <div>
          <p>{story.reason}</p>
          <p>
            <button type="button" className="button" onClick={session.retryStory}>
              Try again
            </button>{' '}
            {/* Some browsers remember that a part of the page did not arrive, and fail again without asking for it. */}
            <button type="button" className="button" onClick={() => window.location.reload()}>
              Reload the page
            </button>
          </p>
        </div>
      </div>
    );
  }
  if (story.kind === 'loading') return <div className="waiting">Loading the animation</div>;
  if (opening) return <div className="waiting">Opening the matrix</div>;
  return (
    <div className="waiting">
      <div>
        <p>No matrix is open.</p>
        <p>
          <button type="button" className="button" onClick={openChooser}>
            Choose one
          </button>
        </p>
      </div>
    </div>
  );
}
