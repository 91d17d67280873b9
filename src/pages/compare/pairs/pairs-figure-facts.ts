/*
 * The figure on pairs of rows. EC-SpMV stores rows that share columns together: one round pairs each row with the row
 * that shares the most columns with it, and covers the weights in those columns.
 */

import type { FigureFacts } from '../../../story/figure-facts.ts';
import { type AppDocument, pageState } from '../../../state/index.ts';
import type { SharedPairs } from '../../../theory/shared-pairs.ts';
import { COMPARE_FIELDS } from '../address.ts';
import type { ModelPairs } from '../service/service.ts';
import recorded from '../../../theory/shared-pairs.json';

/** One model with a quarter of its weights left by magnitude, by Wanda, and by Wanda with training after it. */
export const PRUNED_MODELS = [
  { id: 'magnitude', title: 'by magnitude', model: 'tales', pruning: { way: 'magnitude', density: 0.25 } },
  { id: 'wanda', title: 'by Wanda', model: 'tales', pruning: { way: 'wanda', density: 0.25 } },
  { id: 'trained', title: 'by Wanda, trained on', model: 'tales-pruned', pruning: null },
] as const;

export type PrunedModelId = (typeof PRUNED_MODELS)[number]['id'];

/** The pairs in the shipped models; a test counts them again. */
export const RECORDED_PAIRS: Readonly<Record<PrunedModelId, ModelPairs>> = recorded;

/** Shares of the weights that pairs of rows cover: in the model, and with as many weights in random columns. */
export function pairedShares({ nnz, paired, random }: SharedPairs): Pick<SharedPairs, 'paired' | 'random'> {
  return { paired: paired / nnz, random: random / nnz };
}

/** The figure's facts, for a lesson's text: {trained.paired}, {trained.down.paired}. Throws Error for any other. */
export function pairsFigureFacts(document: AppDocument): FigureFacts {
  const { lesson = '' } = pageState(document, COMPARE_FIELDS).choices;
  if (lesson !== 'pairs') throw new Error(`x.lesson: found '${lesson.slice(0, 40)}', expected pairs`);
  return {
    caption: 'Tales, 25\u202f% left · weights that one round of pairs covers',
    answeredBy: 'the model',
    number(name) {
      const [, id, part = 'all', side] = /^(magnitude|wanda|trained)(?:\.(down))?\.(paired|random)$/.exec(name) ?? [];
      const row = PRUNED_MODELS.find((one) => one.id === id);
      if (!row) return null;
      const shares = pairedShares(RECORDED_PAIRS[row.id][part === 'down' ? 'down' : 'all']);
      return side === 'paired' ? shares.paired : shares.random;
    },
    questionOf: () => null, // it asks none
  };
}
