import { useCallback } from 'react';
import type { Pruning } from '../../engine/matrix/pruning-way.ts';
import { useApp } from '../../kit/app-context.ts';
import { type LanguageSubject, sourceOf } from './subject.ts';

/** Prunes the model otherwise: the sentence says so, and is about this model from then on. One entry of the history. */
export function usePrune({ model, isOfSentence }: LanguageSubject): (pruning: Pruning | null) => void {
  const { session, document } = useApp();
  return useCallback(
    (pruning) => {
      if (isOfSentence) void session.prune(pruning);
      else void session.restore({ ...document.getState(), source: sourceOf(model, pruning), window: null, step: 0 });
    },
    [session, document, model, isOfSentence],
  );
}
