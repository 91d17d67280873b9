/* The loss of quality by pruning or sparse activations, as printed in the papers. */

/** Where a paper has its figures. */
interface PublishedSource {
  readonly title: string;
  readonly place: string;
  readonly url: string;
}

/** Accuracy of a language model by the pattern of its pruned weights, in percent: SlideSparse's paper. */
export const PRUNED_ACCURACY = {
  model: 'Qwen3-1.7B',
  measure: 'mean accuracy on reasoning tasks, fine-tuned alike',
  points: [
    { pruning: 'unpruned', density: 1, accuracy: 54 },
    { pruning: '6:8', density: 0.75, accuracy: 51.6 },
    { pruning: '2:4', density: 0.5, accuracy: 15.3 },
  ],
  source: {
    title: 'SlideSparse',
    place: 'figure 2 and section 2.1',
    url: 'https://arxiv.org/abs/2603.05232',
  } satisfies PublishedSource,
} as const;

/** Perplexity of a language model, dense and with the share `density` of its weights: EC-SpMV's paper. */
export const PRUNED_PERPLEXITY = {
  model: 'Llama-2-7B',
  pruning: 'SparseGPT',
  density: 0.3,
  measure: 'perplexity on WikiText',
  dense: 5.12,
  pruned: 24,
  /** approximate bytes of English per token of this model; the paper does not give them */
  bytesPerToken: 4,
  source: {
    title: 'EC-SpMV',
    place: 'section 8.4',
    url: 'https://arxiv.org/abs/2507.12205',
  } satisfies PublishedSource,
} as const;

/** Accuracy of language models whose activations an L1 term makes sparse, in percent: TwELL's paper. */
export const L1_ACCURACY = {
  measure: 'mean accuracy over seven tasks',
  /** billions of parameters; without and with the term */
  points: [
    { parameters: 0.5, without: 40.4, withL1: 40.4 },
    { parameters: 1, without: 44.6, withL1: 44.7 },
    { parameters: 1.5, without: 46.4, withL1: 46.2 },
    { parameters: 2, without: 49.1, withL1: 48.8 },
  ],
  /** for one model: mean non-zeros per token; with the term, more than the share `dead` of its neurons never fire */
  gate: { parameters: 1.5, neurons: 5632, without: 911, withL1: 29, dead: 0.3 },
  source: {
    title: 'TwELL',
    place: 'tables 1 and 3, figure 9',
    url: 'https://arxiv.org/abs/2603.23198',
  } satisfies PublishedSource,
} as const;
