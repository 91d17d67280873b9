import { useCallback } from 'react';
import type { Pruning } from '../../../src/engine/matrix/source-types.ts';
import { useApp } from '../../../src/kit/app-context.ts';
import { useChoices } from '../../../src/kit/browser/choices.ts';
import { previewedPruning } from '../../../src/kit/forms/use-density.ts';
import { withSource } from '../../../src/state/index.ts';
import { shippedModel } from '../../../src/theory/models/known-models.ts';
import { matrixPruningOf } from '../overrides/matrix-overrides.ts';
import { isImported } from '../theory/imported.ts';
import { SHARED_FIELDS } from './fields.ts';
import { type LanguageModelChoice, pruningOf, shippedModelOf, sourceOf } from './model-choice.ts';

/**
 * Returns a function that changes the model. If the document (page state) is about a shipped model and the new model is
 * shipped, too, the document changes; otherwise, as for an imported model, only the choice of this page.
 */
export function useChangeModel(): (id: string) => void {
  const { session, document } = useApp();
  const [, choose] = useChoices(SHARED_FIELDS);
  return useCallback(
    (id) => {
      if (isImported(id)) return choose({ model: id });
      const model = shippedModel(id);
      if (model === null) return;
      const requested = session.store.getState().opening?.source ?? document.getState().source;
      const documentModel = shippedModelOf(requested);
      if (documentModel === null) return choose({ model: id });
      // This clears the page's own choice, so that the document decides.
      choose({ model: SHARED_FIELDS.model.default });
      if (documentModel.id === id) return;
      void session.restore(withSource(document.getState(), sourceOf(model, pruningOf(requested))));
    },
    [session, document, choose],
  );
}

/**
 * Returns a function that changes the pruning of the model: in the document, which then is about this model; for an
 * imported model, only in the choices of this page. A change is one entry of the browser history.
 */
export function usePrune({ model, isDocumentModel }: LanguageModelChoice): (pruning: Pruning | null) => void {
  const { session, document } = useApp();
  const [, choose] = useChoices(SHARED_FIELDS);
  return useCallback(
    (pruning) => {
      if (isImported(model.id)) choose({ prune: matrixPruningOf(pruning) });
      else if (isDocumentModel) {
        // The page shows the new pruning before the pruned model is open.
        previewedPruning.setState(pruning, true);
        void session.prune(pruning).finally(() => {
          if (previewedPruning.getState() === pruning) previewedPruning.setState(null, true);
        });
      } else void session.restore(withSource(document.getState(), sourceOf(model, pruning)));
    },
    [session, document, model, isDocumentModel, choose],
  );
}
