import './first-minute.css';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Trace } from '../../core/story/trace.ts';
import { shownStory } from '../../state/index.ts';
import { useApp } from '../../kit/app-context.ts';
import { Icon } from '../../kit/controls/Icon.tsx';
import { useKeptFocus } from '../../kit/browser/use-kept-focus.ts';

const SEEN_KEY = 'sparsescope.seen';
/** Anybody who has not chosen by then is already looking around. */
const STAYS_MS = 40_000;

/** Whether the page was opened without a link, in a browser that has not shown this yet; marks it as shown. */
function isFirstMinute(): boolean {
  // The address has been rewritten since; index.html recorded the original.
  if (document.documentElement.dataset.linked !== undefined) return false;
  try {
    if (localStorage.getItem(SEEN_KEY) !== null) return false;
    localStorage.setItem(SEEN_KEY, '1');
    return true;
  } catch {
    // Without storage it would come back every time.
    return false;
  }
}

let isFirst: boolean | null = null;

/** One sentence about this place, with two ways to go on. Any action dismisses it for good. */
export function FirstMinute() {
  isFirst ??= isFirstMinute();
  const [shown, setShown] = useState(isFirst);
  if (!shown) return null;
  const end = (): void => {
    isFirst = false;
    setShown(false);
  };
  return <Sentence onEnd={end} />;
}

function Sentence({ onEnd }: { readonly onEnd: () => void }) {
  const { session, player, document: documentStore } = useApp();
  const element = useRef<HTMLElement>(null);
  useKeptFocus(element);
  const end = useEffectEvent(onEnd);
  useEffect(() => {
    const timer = setTimeout(() => end(), STAYS_MS);
    const first = documentStore.getState();
    // The page fills in the first window by itself.
    const stop = documentStore.subscribe((doc) => {
      if (
        doc.step !== first.step ||
        doc.format !== first.format ||
        doc.source !== first.source ||
        doc.view !== first.view
      )
        end();
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [documentStore]);
  const show = (): void => {
    const loaded = shownStory(session.store.getState().trace);
    player.seek(loaded ? firstShowing(loaded.trace) : 0);
    player.play();
    onEnd();
  };
  return (
    <section ref={element} className="first-minute" aria-label="What this is">
      <p>
        See how formats store the <strong>few weights that are left</strong> of a language model, byte by byte, and time
        them on your own GPU.
      </p>
      <button type="button" className="button button--solid" onClick={show}>
        <Icon name="play" />
        Show me
      </button>
      <button type="button" className="button" onClick={() => session.follow('lessons')}>
        Learn from the start
      </button>
      <button type="button" className="button button--icon button--bare" aria-label="Dismiss" onClick={onEnd}>
        <Icon name="close" />
      </button>
    </section>
  );
}

/** The first step that has stored anything of the matrix; those before it introduce the scene. */
function firstShowing({ steps }: Trace): number {
  const stored = steps.findIndex(({ effects }) => effects.some(({ kind }) => kind === 'store'));
  return stored < 0 ? 0 : stored + 1;
}
