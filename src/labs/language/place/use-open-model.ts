import { useCallback } from 'react';
import { useApp } from '../../../kit/app-context.ts';
import { useChoices } from '../../../kit/browser/choices.ts';
import { isBrought } from '../theory/brought.ts';
import { shippedModel } from '../../../theory/models/known-models.ts';
import { PLACE_FIELDS } from './fields.ts';
import { languageSubject, sourceOf } from './subject.ts';
import { withSource } from '../../../state/index.ts';

/**
 * Changes the model of the place. A shipped model goes into the sentence if that is about one; otherwise, and for a brought
 * model, only this place changes.
 */
export function useOpenModel(): (id: string) => void {
  const { session, document } = useApp();
  const [, choose] = useChoices(PLACE_FIELDS);
  return useCallback(
    (id) => {
      if (isBrought(id)) return choose({ model: id });
      const model = shippedModel(id);
      if (model === null) return;
      const sourceToBe = session.store.getState().opening?.source ?? document.getState().source;
      const now = languageSubject(sourceToBe, id);
      if (!now.isOfSentence) return choose({ model: id });
      // The default follows the sentence.
      choose({ model: PLACE_FIELDS.model.default });
      if (now.model.id === id) return;
      const source = sourceOf(model, now.pruning);
      void session.restore(withSource(document.getState(), source));
    },
    [session, document, choose],
  );
}
