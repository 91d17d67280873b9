import { useEffect, useEffectEvent } from 'react';
import { createStore } from 'zustand/vanilla';
import type { App } from '../../kit/app-context.ts';
import { PLACES } from '../places.ts';
import type { WordId } from './sentence-word.ts';

interface RequestedWord {
  readonly word: WordId;
  readonly part: string | null;
}

/** The word that a command or a button elsewhere asks to open; null once the sentence has opened it. */
export const requestedWord = createStore<RequestedWord | null>(() => null);

/** Asks the sentence to open a word. A place with a subject of its own, such as a lesson, has no sentence, so this leaves it. */
export function openWord({ session, document }: Pick<App, 'session' | 'document'>, asked: RequestedWord): void {
  showSentence({ session, document });
  requestedWord.setState(asked, true);
}

/** Goes to a place that shows the sentence. */
export function showSentence({ session, document }: Pick<App, 'session' | 'document'>): void {
  const doc = document.getState();
  const shown = PLACES.find(({ id }) => id === doc.view);
  if (shown?.hasOwnSubject?.(doc)) session.setView(PLACES[0].id);
}

/** Calls `open` with each requested word, even one that was requested before the sentence existed. */
export function useRequestedWord(open: (asked: RequestedWord) => void): void {
  const tell = useEffectEvent(open);
  useEffect(() => {
    const answer = (): void => {
      const asked = requestedWord.getState();
      if (asked === null) return;
      requestedWord.setState(null, true);
      tell(asked);
    };
    answer();
    return requestedWord.subscribe(answer);
  }, []);
}
