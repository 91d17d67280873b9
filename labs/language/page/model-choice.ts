// The model and the pruning that the page Language shows, and the source of the document that belongs to them.

import type { MatrixSource, Pruning } from '../../../src/engine/matrix/source-types.ts';
import type { ImportedModel } from '../models/imported-model.ts';
import { baseOf } from '../../../src/state/index.ts';
import { isImported } from '../theory/imported.ts';
import { SHIPPED_MODELS, type ShippedModel, shippedModel } from '../../../src/theory/models/known-models.ts';
import type { MatrixPruning } from '../overrides/matrix-overrides.ts';

/** A language model: shipped, or imported from an address or files. */
export type LanguageModel = Pick<ShippedModel, 'id' | 'shape'>;

/** What the page on language models shows: a model and its pruning. */
export interface LanguageModelChoice {
  readonly model: LanguageModel;
  /** the same for all matrices of its blocks; null: unpruned */
  readonly pruning: Pruning | null;
  /** whether the whole application is about this model, which the selection bar names */
  readonly isPageModel: boolean;
}

/** The shipped model that a matrix comes from; null if it comes from elsewhere. */
export function shippedModelOf(source: MatrixSource): ShippedModel | null {
  const base = baseOf(source);
  return base.kind === 'model' ? shippedModel(base.model) : null;
}

/** The pruning at the first visit: the text is still good, and breaks as the user moves the slider. */
export const FIRST_PRUNING = { way: 'wanda', density: 0.9 } as const satisfies MatrixPruning;

/** The pruning if the document (page state) has neither a shipped model nor a pruning. */
const DEFAULT_PRUNING = { way: 'wanda', density: 0.6 } as const satisfies Pruning;

/**
 * The shipped model of the document, with its pruning; else the shipped model with the id `chosenId`, with the
 * document's pruning or the default. `requested`: the source that is being opened. `addressPruning`: the pruning in the
 * address of the page.
 */
export function languageModelChoice(
  source: MatrixSource,
  chosenId: string,
  requested = source,
  addressPruning: Pruning | null = null,
): LanguageModelChoice {
  const model = shippedModelOf(requested);
  const pruning = requested.kind === 'pruned' ? requested.pruning : null;
  if (model) return { model, pruning, isPageModel: shippedModelOf(source) === model };
  return {
    model: shippedModel(chosenId) ?? SHIPPED_MODELS[0],
    pruning: addressPruning ?? pruning ?? DEFAULT_PRUNING,
    isPageModel: false,
  };
}

/** The shipped model with ReLU, in which most neurons are 0; in the others all neurons fire. */
export const RELU_MODEL = 'tales-relu';

/** The unpruned model for views of neurons: the shipped model with ReLU, or the imported model. */
export function withReluModel(modelChoice: LanguageModelChoice): LanguageModelChoice {
  const model = isImported(modelChoice.model.id) ? modelChoice.model : (shippedModel(RELU_MODEL) ?? modelChoice.model);
  if (model.id === modelChoice.model.id && modelChoice.pruning === null) return modelChoice;
  return { model, pruning: null, isPageModel: false };
}

/** The method by which the slider prunes an unpruned model: imported models have no texts for Wanda's calibration. */
export function defaultMethod({ id }: LanguageModel): 'wanda' | 'magnitude' {
  return isImported(id) ? 'magnitude' : DEFAULT_PRUNING.way;
}

/** An imported model with the pruning chosen on this page. */
export function importedModel({ id, config }: ImportedModel, pruning: MatrixPruning): LanguageModelChoice {
  return { model: { id, shape: config }, pruning: asPruning(pruning), isPageModel: false };
}

export function asPruning(pruning: MatrixPruning): Pruning | null {
  if (pruning.way === 'none') return null;
  return pruning.way === 'n-of-m' ? { way: pruning.way, kept: pruning.kept, group: pruning.group } : pruning;
}

/** The share of weights that a pruning leaves. */
export function densityOf(pruning: Pruning | null): number {
  if (pruning === null) return 1;
  return 'density' in pruning ? pruning.density : pruning.kept / pruning.group;
}

/** The same pruning with another share left; `byDefault` for N:M, which fixes the share, and for an unpruned model. */
export function withDensity(
  pruning: Pruning | null,
  density: number,
  byDefault: 'wanda' | 'magnitude' = DEFAULT_PRUNING.way,
): Pruning | null {
  if (density >= 1) return null;
  if (pruning?.way === 'random') return { ...pruning, density };
  return { way: pruning === null || pruning.way === 'n-of-m' ? byDefault : pruning.way, density };
}

/** The selection as a source for the document: the whole model, or one of its matrices. */
export function sourceOf(
  { id }: LanguageModel,
  pruning: Pruning | null,
  at: { readonly layer?: number; readonly matrix?: string } = {},
): MatrixSource {
  const base = { kind: 'model', model: id, ...at } as const;
  return pruning === null ? base : { kind: 'pruned', base, pruning };
}
