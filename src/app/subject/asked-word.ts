import { useEffect, useEffectEvent } from 'react';
import { createStore } from 'zustand/vanilla';
import type { WordId } from './word.ts';

interface AskedWord {
  readonly word: WordId;
  readonly part: string | null;
}

/** A word that a command, or a button elsewhere on the page, asks to open; null once the sentence has opened it. */
export const askedWord = createStore<AskedWord | null>(() => null);

/** Calls `open` with each word that is asked for, also with one from before the sentence was there. */
export function useAskedWord(open: (asked: AskedWord) => void): void {
  const tell = useEffectEvent(open);
  useEffect(() => {
    const answer = (): void => {
      const asked = askedWord.getState();
      if (asked === null) return;
      askedWord.setState(null, true);
      tell(asked);
    };
    answer();
    return askedWord.subscribe(answer);
  }, []);
}
