import { useCallback } from 'react';
import type { Pruning } from '../../../engine/matrix/source-types.ts';
import { useApp } from '../../../kit/app-context.ts';
import { useChoices } from '../../../kit/browser/choices.ts';
import { previewedPruning } from '../../../kit/forms/previewed-pruning.ts';
import { withSource } from '../../../state/index.ts';
import { shippedModel } from '../../../theory/models/known-models.ts';
import { matrixPruningOf } from '../overrides/matrix-overrides.ts';
import { isBrought } from '../theory/brought.ts';
import { PLACE_FIELDS } from './fields.ts';
import { languageSubject, type LanguageSubject, sourceOf } from './subject.ts';

/**
 * Returns a function that changes the model of the place. A shipped model goes into the sentence, the line at the top of the
 * page, if that is about one; otherwise, and for a brought model (opened from the reader's own files), only this place changes.
 */
export function useOpenModel(): (id: string) => void {
  const { session, document } = useApp();
  const [, choose] = useChoices(PLACE_FIELDS);
  return useCallback(
    (id) => {
      if (isBrought(id)) return choose({ model: id });
      const model = shippedModel(id);
      if (model === null) return;
      const requested = session.store.getState().opening?.source ?? document.getState().source;
      const current = languageSubject(requested, id);
      if (!current.isPageSubject) return choose({ model: id });
      // The default follows the sentence.
      choose({ model: PLACE_FIELDS.model.default });
      if (current.model.id === id) return;
      void session.restore(withSource(document.getState(), sourceOf(model, current.pruning)));
    },
    [session, document, choose],
  );
}

/**
 * Returns a function that changes the pruning of the model: in the sentence, which is then about this model; for a brought
 * model only in this place. One history entry.
 */
export function usePrune({ model, isPageSubject }: LanguageSubject): (pruning: Pruning | null) => void {
  const { session, document } = useApp();
  const [, choose] = useChoices(PLACE_FIELDS);
  return useCallback(
    (pruning) => {
      if (isBrought(model.id)) choose({ prune: matrixPruningOf(pruning) });
      else if (isPageSubject) {
        // The sentence shows the preview until the pruned model is open.
        previewedPruning.setState(pruning, true);
        void session.prune(pruning).finally(() => {
          if (previewedPruning.getState() === pruning) previewedPruning.setState(null, true);
        });
      } else void session.restore(withSource(document.getState(), sourceOf(model, pruning)));
    },
    [session, document, model, isPageSubject, choose],
  );
}
