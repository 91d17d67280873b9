import type { MatrixSource, Pruning } from '../../../engine/matrix/source-types.ts';
import type { BroughtModel } from '../models/brought-models.ts';
import { baseOf } from '../../../state/index.ts';
import { isBrought } from '../theory/brought.ts';
import { SHIPPED_MODELS, type ShippedModel, shippedModel } from '../../../theory/models/known-models.ts';
import type { MatrixPruning } from '../overrides/matrix-overrides.ts';

/** A model that writes: shipped with the page, or brought, that is, opened by a person from an address or from files. */
export type LanguageModel = Pick<ShippedModel, 'id' | 'shape'>;

/** What the place Language is about: a model that writes, and its pruning. */
export interface LanguageSubject {
  readonly model: LanguageModel;
  /** the same for all matrices of its blocks; null: unpruned */
  readonly pruning: Pruning | null;
  /**
   * whether the sentence at the top of the page names this model. If not, a shipped model has the page's pruning, or the
   * usual one if the page has none
   */
  readonly isPageSubject: boolean;
}

/** The shipped model of a source, if there is one. */
export function shippedModelOf(source: MatrixSource): ShippedModel | null {
  const base = baseOf(source);
  return base.kind === 'model' ? shippedModel(base.model) : null;
}

/** The pruning of this place if the document is about something else, which is unpruned. */
const DEFAULT_PRUNING = { way: 'wanda', density: 0.6 } as const satisfies Pruning;

/**
 * The shipped model of the document, which the sentence at the top of the page names, or else the one chosen here. Its pruning
 * is the document's, or to 60 % by Wanda if that is something else and unpruned. `requested`: the next source, being opened.
 */
export function languageSubject(source: MatrixSource, chosen: string, requested = source): LanguageSubject {
  const model = shippedModelOf(requested);
  const pruning = requested.kind === 'pruned' ? requested.pruning : null;
  if (model) return { model, pruning, isPageSubject: shippedModelOf(source) === model };
  return {
    model: shippedModel(chosen) ?? SHIPPED_MODELS[0],
    pruning: pruning ?? DEFAULT_PRUNING,
    isPageSubject: false,
  };
}

/** The shipped model whose neurons are mostly 0; in the others all neurons fire. */
export const RELU_MODEL = 'tales-relu';

/**
 * The subject for views of neurons, unpruned whatever the document says: the shipped model with ReLU, whose neurons are mostly
 * 0, or the brought model as it is.
 */
export function withReluModel(subject: LanguageSubject): LanguageSubject {
  const model = isBrought(subject.model.id) ? subject.model : (shippedModel(RELU_MODEL) ?? subject.model);
  if (model.id === subject.model.id && subject.pruning === null) return subject;
  return { model, pruning: null, isPageSubject: false };
}

/** How the slider for the share left prunes a model that is unpruned. */
export function defaultMethod({ id }: LanguageModel): 'wanda' | 'magnitude' {
  return isBrought(id) ? 'magnitude' : DEFAULT_PRUNING.way;
}

/** A brought model with the pruning chosen here: the document is about something else. */
export function broughtSubject({ id, config }: BroughtModel, chosen: MatrixPruning): LanguageSubject {
  return { model: { id, shape: config }, pruning: asPruning(chosen), isPageSubject: false };
}

function asPruning(pruning: MatrixPruning): Pruning | null {
  if (pruning.way === 'none') return null;
  return pruning.way === 'n-of-m' ? { way: pruning.way, kept: pruning.kept, group: pruning.group } : pruning;
}

/** The share of weights that a pruning leaves. */
export function densityOf(pruning: Pruning | null): number {
  if (pruning === null) return 1;
  return 'density' in pruning ? pruning.density : pruning.kept / pruning.group;
}

/**
 * The same way of pruning with another share left; for N:M, which fixes the share, and for an unpruned model by the way
 * `byDefault`. Brought models have no tales from which Wanda could take inputs.
 */
export function withDensity(
  pruning: Pruning | null,
  density: number,
  byDefault: 'wanda' | 'magnitude' = DEFAULT_PRUNING.way,
): Pruning | null {
  if (density >= 1) return null;
  if (pruning?.way === 'random') return { ...pruning, density };
  return { way: pruning === null || pruning.way === 'n-of-m' ? byDefault : pruning.way, density };
}

/** The subject as a source for the document: the whole model, or one of its matrices. */
export function sourceOf(
  { id }: LanguageModel,
  pruning: Pruning | null,
  at: { readonly layer?: number; readonly matrix?: string } = {},
): MatrixSource {
  const base = { kind: 'model', model: id, ...at } as const;
  return pruning === null ? base : { kind: 'pruned', base, pruning };
}
