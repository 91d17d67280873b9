import { useCallback } from 'react';
import type { Pruning } from '../../../engine/matrix/source-types.ts';
import { useApp } from '../../../kit/app-context.ts';
import { useChoices } from '../../../kit/browser/choices.ts';
import { previewedPruning } from '../../../kit/forms/previewed-pruning.ts';
import { isBrought } from '../theory/brought.ts';
import { PLACE_FIELDS } from './fields.ts';
import { matrixPruningOf } from '../overrides/matrix-overrides.ts';
import { type LanguageSubject, sourceOf } from './subject.ts';
import { withSource } from '../../../state/index.ts';

/**
 * Returns a function that changes the pruning of the model: in the sentence, which is then about this model; for a brought
 * model only in this place. One history entry.
 */
export function usePrune({ model, isOfSentence }: LanguageSubject): (pruning: Pruning | null) => void {
  const { session, document } = useApp();
  const [, choose] = useChoices(PLACE_FIELDS);
  return useCallback(
    (pruning) => {
      if (isBrought(model.id)) choose({ prune: matrixPruningOf(pruning) });
      else if (isOfSentence) {
        // The sentence shows the preview until the pruned model is open.
        previewedPruning.setState(pruning, true);
        void session.prune(pruning).finally(() => {
          if (previewedPruning.getState() === pruning) previewedPruning.setState(null, true);
        });
      } else void session.restore(withSource(document.getState(), sourceOf(model, pruning)));
    },
    [session, document, model, isOfSentence, choose],
  );
}
