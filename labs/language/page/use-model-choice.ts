import { useMemo } from 'react';
import type { MatrixSource } from '../../../src/engine/matrix/source-types.ts';
import { useDocument, useSession } from '../../../src/kit/app-context.ts';
import { useChoices } from '../../../src/kit/browser/choices.ts';
import { isImported } from '../theory/imported.ts';
import { useImported } from './bring/use-bringing.ts';
import { pageState } from '../../../src/state/index.ts';
import { LANGUAGE_FIELDS } from './address.ts';
import { SHARED_FIELDS } from './fields.ts';
import { asPruning, importedModelChoice, languageModelChoice, type LanguageModelChoice } from './model-choice.ts';

/** The source of the matrix that is being opened; if there is none, of the document’s matrix. */
export function useRequestedSource(): MatrixSource {
  const requested = useSession((s) => s.opening?.source);
  const source = useDocument((doc) => doc.source);
  return requested ?? source;
}

/**
 * The language model to show, and its pruning, as last requested. 'waiting' until it is known whether an imported
 * model is still in this browser; 'missing' if it is not.
 */
export function useChosenModel(): LanguageModelChoice | 'waiting' | 'missing' {
  const source = useDocument((doc) => doc.source);
  const requested = useRequestedSource();
  const [{ model: chosen, prune }] = useChoices(SHARED_FIELDS);
  const isInAddress = useDocument((doc) => pageState(doc, LANGUAGE_FIELDS).choices.prune !== undefined);
  const isImportedModel = isImported(chosen);
  const models = useImported(isImportedModel);
  return useMemo(() => {
    if (!isImportedModel) {
      return languageModelChoice(source, chosen, { requested, addressPruning: isInAddress ? asPruning(prune) : null });
    }
    if (models === null) return 'waiting';
    const model = models.find(({ id }) => id === chosen);
    return model ? importedModelChoice(model, prune) : 'missing';
  }, [isImportedModel, source, requested, chosen, prune, isInAddress, models]);
}

/** `useChosenModel` for presentations and exported files, where a shipped model replaces a missing or awaited model. */
export function useChosenModelOrShipped(): LanguageModelChoice {
  const source = useDocument((doc) => doc.source);
  const modelChoice = useChosenModel();
  return useMemo(
    () => (typeof modelChoice === 'string' ? languageModelChoice(source, '') : modelChoice),
    [source, modelChoice],
  );
}
