import { useEffect, useEffectEvent } from 'react';
import { createStore } from 'zustand/vanilla';
import type { App } from '../../kit/app-context.ts';
import { PLACES } from '../places.ts';
import type { WordId } from './word.ts';

interface WordToOpen {
  readonly word: WordId;
  readonly part: string | null;
}

/** A word that a command, or a button elsewhere on the page, asks to open; null once the sentence has opened it. */
export const wordToOpen = createStore<WordToOpen | null>(() => null);

/** Has a word opened. Where another subject is shown, such as a lesson's, there is no sentence. */
export function openWord({ session, document }: Pick<App, 'session' | 'document'>, asked: WordToOpen): void {
  showSentence({ session, document });
  wordToOpen.setState(asked, true);
}

/** Goes where the sentence is shown. */
export function showSentence({ session, document }: Pick<App, 'session' | 'document'>): void {
  const doc = document.getState();
  const shown = PLACES.find(({ id }) => id === doc.view);
  if (shown?.hasOwnSubject?.(doc)) session.setView(PLACES[0].id);
}

/** Calls `open` with each word that is asked for, also with one from before the sentence was there. */
export function useWordToOpen(open: (asked: WordToOpen) => void): void {
  const tell = useEffectEvent(open);
  useEffect(() => {
    const answer = (): void => {
      const asked = wordToOpen.getState();
      if (asked === null) return;
      wordToOpen.setState(null, true);
      tell(asked);
    };
    answer();
    return wordToOpen.subscribe(answer);
  }, []);
}
