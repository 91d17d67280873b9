import './watch.css';
import { Suspense } from 'react';
import type { PlaceProps } from '../../kit/place.ts';
import { lazyPart } from '../../kit/browser/lazy-part.ts';
import { StoryBoundary } from '../../kit/frame/Boundary.tsx';
import { useFirstVisit } from './first-visit/use-first-visit.ts';
import { VisitFrame } from './first-visit/VisitFrame.tsx';
import { Stage } from './stage/Stage.tsx';
import { WatchPlayer } from './WatchPlayer.tsx';

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
