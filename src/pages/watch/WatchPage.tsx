import './watch.css';
import { type ReactNode, Suspense, useState } from 'react';
import { useStore } from 'zustand';
import type { PageProps } from '../../kit/page.ts';
import { useApp } from '../../kit/app-context.ts';
import { usePhone } from '../../kit/stage/use-frame-context.ts';
import { lazyPart } from '../../kit/browser/lazy-part.ts';
import { WATCH } from './address.ts';
import { useFirstVisit } from './first-visit/use-first-visit.ts';

/** Shown while the code of the first screen loads; index.html shows the same. */
function FirstVisitSkeleton() {
  return (
    <main className="visit-frame w-full" aria-busy="true">
      <div className="skeleton-line h-3" />
      <div className="skeleton-line skeleton-line--short h-3" />
      <div className="skeleton-picture" />
      <div className="skeleton-bar rounded-[4px] bg-cell" />
      <div className="skeleton-bar rounded-[4px] bg-cell" />
    </main>
  );
}

const loadFirstVisit = async () => (await import('./first-visit/FirstVisit.tsx')).FirstVisit;
const FirstVisit = lazyPart(loadFirstVisit);
const loadStagePage = async () => (await import('./stage/Stage.tsx')).StagePage;
const StagePage = lazyPart(loadStagePage);

// Loading begins before the page is drawn. If it fails, it is tried again when the part is shown.
const hash = globalThis.location?.hash;
if (hash === '') loadFirstVisit().catch(() => {});
else if (hash?.includes(`/${WATCH.id}?`)) loadStagePage().catch(() => {});

/** The page Watch: at first the first screen, then the stage, a format's story with its player. */
export function WatchPage({ isWide }: PageProps) {
  const { player } = useApp();
  const isFirstVisit = useFirstVisit();
  const showsFrames = useStore(player.store, ({ frame }) => frame !== null);
  const isPhone = usePhone() && showsFrames;
  const [isFull, setFull] = useState(false);
  return isFirstVisit ? (
    <Suspense fallback={<FirstVisitSkeleton />}>
      <FirstVisit />
    </Suspense>
  ) : (
    <Suspense fallback={<WatchMain isPhone={isPhone} />}>
      <WatchMain isPhone={isPhone} isFull={isFull}>
        <StagePage isWide={isWide} phone={isPhone ? { isFull, setFull } : null} />
      </WatchMain>
    </Suspense>
  );
}

interface WatchMainProps {
  readonly isPhone: boolean;
  readonly isFull?: boolean;
  readonly children?: ReactNode;
}

/** The main element of the page. On a phone, a story shown frame by frame has its own layout and may fill the page. */
function WatchMain({ isPhone, isFull = false, children }: WatchMainProps) {
  return (
    <main
      className="watch grid flex-1 grid-cols-1 grid-rows-[minmax(0,1fr)_auto] min-w-0 min-h-0"
      id="content"
      tabIndex={-1}
      data-phone={isPhone || undefined}
      data-full={(isPhone && isFull) || undefined}
      aria-busy={children === undefined || undefined}
    >
      {children}
    </main>
  );
}
