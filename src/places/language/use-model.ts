import { useCallback } from 'react';
import { useApp } from '../../kit/app-context.ts';
import { useChoices } from '../../kit/browser/choices.ts';
import { shippedModel } from '../../theory/models/shipped-models.ts';
import { PLACE_FIELDS } from './fields.ts';
import { type LanguageSubject, sourceOf } from './subject.ts';

/** Makes the place about another model that comes with the page: in the sentence where that is about one, else here alone. */
export function useOpenModel({ isOfSentence, pruning }: LanguageSubject): (id: string) => void {
  const { session, document } = useApp();
  const [, choose] = useChoices(PLACE_FIELDS);
  return useCallback(
    (id) => {
      const model = shippedModel(id);
      if (model === null) return;
      if (!isOfSentence) choose({ model: id });
      else void session.restore({ ...document.getState(), source: sourceOf(model, pruning), window: null, step: 0 });
    },
    [isOfSentence, pruning, session, document, choose],
  );
}
