import { useMemo } from 'react';
import type { MatrixSource } from '../../../engine/matrix/source-types.ts';
import { useDocument, useSession } from '../../../kit/app-context.ts';
import { useChoices } from '../../../kit/browser/choices.ts';
import { isBrought } from '../theory/brought.ts';
import { useBrought } from './bring/use-bringing.ts';
import { PLACE_FIELDS } from './fields.ts';
import { broughtSubject, languageSubject, type LanguageSubject } from './subject.ts';

/** The source of the document’s matrix or, while another is being opened, of that one. */
export function useRequestedSource(): MatrixSource {
  const requested = useSession((s) => s.opening?.source);
  const source = useDocument((doc) => doc.source);
  return requested ?? source;
}

/**
 * What the place Language is about, a model and its pruning, as last requested: it needs no opened matrix. 'waiting'
 * until it is known whether the model of the address is in this browser, 'missing' if it would have to be opened again.
 */
export function useSubject(): LanguageSubject | 'waiting' | 'missing' {
  const source = useDocument((doc) => doc.source);
  const requested = useRequestedSource();
  const [{ model: chosen, prune }] = useChoices(PLACE_FIELDS);
  const isOwn = isBrought(chosen);
  const models = useBrought(isOwn);
  return useMemo(() => {
    if (!isOwn) return languageSubject(source, chosen, requested);
    if (models === null) return 'waiting';
    const model = models.find(({ id }) => id === chosen);
    return model ? broughtSubject(model, prune) : 'missing';
  }, [isOwn, source, requested, chosen, prune, models]);
}

/**
 * The subject where the place's picture is shown without its page: full screen, embedded in another page, in exported
 * files. Nobody can open a missing model there, so a shipped one replaces it.
 */
export function useSubjectOrShipped(): LanguageSubject {
  const source = useDocument((doc) => doc.source);
  const subject = useSubject();
  return useMemo(() => (typeof subject === 'string' ? languageSubject(source, '') : subject), [source, subject]);
}
