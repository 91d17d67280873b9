/* The sentence at the top of the page names its subject; each of its words opens a popover: here by request. */

import { useEffect, useEffectEvent } from 'react';
import { createStore } from 'zustand/vanilla';
import type { App } from '../../kit/app-context.ts';
import { PLACES } from '../places.ts';
import type { WordId, WordPart } from './sentence-word.ts';

interface RequestedWord {
  readonly word: WordId;
  /** which button of the word, or which panel of the chooser, opens it; null: the word itself */
  readonly part: WordPart | null;
}

/** The word of the sentence that a command or a button elsewhere wants opened; null once it is open. */
export const requestedWord = createStore<RequestedWord | null>(() => null);

/** Opens a word of the sentence; leaves a place that has none, such as a lesson, whose subject is its own. */
export function openWord({ session, document }: Pick<App, 'session' | 'document'>, request: RequestedWord): void {
  showSentence({ session, document });
  requestedWord.setState(request, true);
}

/** Goes to a place that shows the sentence, unless the current one does. */
export function showSentence({ session, document }: Pick<App, 'session' | 'document'>): void {
  const doc = document.getState();
  const shown = PLACES.find(({ id }) => id === doc.view);
  if (shown?.hasOwnSubject?.(doc)) session.setView(PLACES[0].id);
}

/** Calls `open` with each requested word, even one that was requested before the sentence existed. */
export function useRequestedWord(open: (request: RequestedWord) => void): void {
  const onRequest = useEffectEvent(open);
  useEffect(() => {
    const handle = (): void => {
      const request = requestedWord.getState();
      if (request === null) return;
      requestedWord.setState(null, true);
      onRequest(request);
    };
    handle();
    return requestedWord.subscribe(handle);
  }, []);
}
