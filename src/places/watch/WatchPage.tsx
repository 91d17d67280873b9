import './watch.css';
import { Suspense } from 'react';
import type { PlaceProps } from '../../kit/place.ts';
import { lazyPart } from '../../kit/browser/lazy-part.ts';
import { WATCH } from './address.ts';
import { useFirstVisit } from './first-visit/use-first-visit.ts';
import { VisitFrame } from './first-visit/VisitFrame.tsx';

const firstVisit = async () => (await import('./first-visit/FirstVisit.tsx')).FirstVisit;
const FirstVisit = lazyPart(firstVisit);
const stagePage = async () => (await import('./stage/Stage.tsx')).StagePage;
const StagePage = lazyPart(stagePage);

// Without waiting for what the page needs before it is drawn. What does not arrive is asked for again.
const hash = globalThis.location?.hash;
if (hash === '') firstVisit().catch(() => {});
else if (hash?.includes(`/${WATCH.id}?`)) stagePage().catch(() => {});

/** What somebody sees who comes without an address; or the stage and its player. */
export function WatchPage({ wide }: PlaceProps) {
  const isFirstVisit = useFirstVisit();
  return isFirstVisit ? (
    <Suspense fallback={<VisitFrame />}>
      <FirstVisit />
    </Suspense>
  ) : (
    <Suspense fallback={<main className="watch" id="content" tabIndex={-1} aria-busy="true" />}>
      <StagePage wide={wide} />
    </Suspense>
  );
}
