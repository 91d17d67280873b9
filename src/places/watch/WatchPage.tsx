import './watch.css';
import { Suspense, useEffect } from 'react';
import type { PlaceProps } from '../../kit/place.ts';
import { lazyPart } from '../../kit/browser/lazy-part.ts';
import { StoryBoundary } from '../../kit/frame/Boundary.tsx';
import { useFirstVisit } from './first-visit/use-first-visit.ts';
import { VisitFrame } from './first-visit/VisitFrame.tsx';
import { Stage } from './stage/Stage.tsx';
import { useApp, useCurrentFormat, useDocument } from '../../kit/app-context.ts';
import { cssColorOf } from '../../kit/format-color.ts';
import { Player } from '../../kit/stage/Player.tsx';
import { placeState } from '../../state/index.ts';
import { WATCHING } from './address.ts';
import { setEveryStep } from './every-step.ts';

const firstVisit = async () => (await import('./first-visit/FirstVisit.tsx')).FirstVisit;
const FirstVisit = lazyPart(firstVisit);

// Without waiting for what the page needs before it is drawn. What does not arrive is asked for again.
if (globalThis.location?.hash === '') firstVisit().catch(() => {});

/** The answer, the stage of one or two formats with what more there is to know below, and the player at the foot. */
export function WatchPage({ wide }: PlaceProps) {
  const isFirstVisit = useFirstVisit();
  if (isFirstVisit)
    return (
      <Suspense fallback={<VisitFrame />}>
        <FirstVisit />
      </Suspense>
    );
  return (
    <main className="watch" id="content" tabIndex={-1}>
      <Stage wide={wide} />
      <StoryBoundary name="The player">
        <WatchPlayer />
      </StoryBoundary>
    </main>
  );
}

/** The player of one story or two, by key moments unless the address says otherwise. */
function WatchPlayer() {
  const app = useApp();
  const { player, formats } = app;
  const a = useCurrentFormat();
  const against = useDocument((doc) => doc.against?.format);
  const everyStep = useDocument((doc) => placeState(doc, WATCHING).every === '1');
  useEffect(() => {
    player.setEveryStep(everyStep);
    // Elsewhere, as when presenting, the player goes by every step.
    return () => player.setEveryStep(true);
  }, [player, everyStep]);
  const b = formats.find(({ id }) => id === against);
  return (
    <Player
      player={player}
      moments={{
        a: { title: a.title, color: cssColorOf(a.id) },
        b: b ? { title: b.title, color: cssColorOf(b.id) } : null,
        onEveryStep: (on) => setEveryStep(app, on),
      }}
    />
  );
}
