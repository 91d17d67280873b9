/* Commands and buttons of any page open the popover of a word (matrix, format ...) in the selection bar. */

import { useEffect, useEffectEvent } from 'react';
import { createStore } from 'zustand/vanilla';
import type { App } from '../../kit/app-context.ts';
import { PAGES } from '../pages.ts';
import type { WordId, WordPart } from './selection-item.ts';

interface RequestedWord {
  readonly word: WordId;
  /** the button of the word or the panel of the matrix picker that is opened; null: the word itself */
  readonly part: WordPart | null;
}

/** The word of the selection bar that is to be opened; null once it is open. */
export const requestedWord = createStore<RequestedWord | null>(() => null);

/** Opens a word of the selection bar; first leaves a page without the bar, such as a lesson. */
export function openWord({ session, document }: Pick<App, 'session' | 'document'>, request: RequestedWord): void {
  showSelectionBar({ session, document });
  requestedWord.setState(request, true);
}

/** Goes to the first page, which shows the selection bar, unless the current page shows it. */
export function showSelectionBar({ session, document }: Pick<App, 'session' | 'document'>): void {
  const doc = document.getState();
  const page = PAGES.find(({ id }) => id === doc.view);
  if (page?.hidesSelectionBar?.(doc)) session.setView(PAGES[0].id);
}

/** Calls `open` with each requested word, even if the request is older than the selection bar. */
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
