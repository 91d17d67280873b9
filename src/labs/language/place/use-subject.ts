import { useMemo } from 'react';
import { useDocument } from '../../../kit/app-context.ts';
import { useChoices } from '../../../kit/browser/choices.ts';
import { isBrought } from '../theory/brought.ts';
import { useBrought } from './bring/use-bringing.ts';
import { PLACE_FIELDS } from './fields.ts';
import { broughtSubject, languageSubject, type LanguageSubject } from './subject.ts';

/**
 * What the place is about. 'waiting' while nobody knows yet whether the model of the address is in this browser, 'missing' if
 * a person would have to bring it.
 */
export function useSubject(): LanguageSubject | 'waiting' | 'missing' {
  const source = useDocument((doc) => doc.source);
  const [{ model: chosen, prune }] = useChoices(PLACE_FIELDS);
  const isOwn = isBrought(chosen);
  const models = useBrought(isOwn);
  return useMemo(() => {
    if (!isOwn) return languageSubject(source, chosen);
    if (models === null) return 'waiting';
    const model = models.find(({ id }) => id === chosen);
    return model ? broughtSubject(model, prune) : 'missing';
  }, [isOwn, source, chosen, prune, models]);
}

/** The same for what is drawn beside the page: while a model is missing, it is about one that comes with the page. */
export function useSubjectOrUsual(): LanguageSubject {
  const source = useDocument((doc) => doc.source);
  const subject = useSubject();
  return useMemo(() => (typeof subject === 'string' ? languageSubject(source, '') : subject), [source, subject]);
}
