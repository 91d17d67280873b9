/** The effect of pruning on a language model, according to a paper. */
export interface PublishedLoss {
  readonly model: string;
  readonly pruning: string;
  /** share of the weights kept */
  readonly density: number;
  readonly measure: string;
  readonly before: number;
  readonly after: number;
  readonly unit: '' | '%';
  readonly source: PublishedSource;
}

interface PublishedSource {
  readonly title: string;
  readonly place: string;
  readonly url: string;
}

const EC_SPMV: PublishedSource = {
  title: 'EC-SpMV',
  place: 'section 8.4',
  url: 'https://arxiv.org/abs/2507.12205',
};
const SLIDESPARSE: PublishedSource = {
  title: 'SlideSparse',
  place: 'figure 2 and section 2.1',
  url: 'https://arxiv.org/abs/2603.05232',
};
const TWELL: PublishedSource = {
  title: 'TwELL',
  place: 'tables 1 and 3, figure 9',
  url: 'https://arxiv.org/abs/2603.23198',
};

/** Pruned weights of language models, with figures from their papers. */
export const PUBLISHED_LOSSES: readonly PublishedLoss[] = [
  {
    model: 'Qwen3',
    pruning: '6:8',
    density: 0.75,
    measure: 'mean accuracy on reasoning tasks, fine-tuned alike',
    before: 54.0,
    after: 51.6,
    unit: '%',
    source: SLIDESPARSE,
  },
  {
    model: 'Qwen3',
    pruning: '2:4',
    density: 0.5,
    measure: 'mean accuracy on reasoning tasks, fine-tuned alike',
    before: 54.0,
    after: 15.3,
    unit: '%',
    source: SLIDESPARSE,
  },
  {
    model: 'Llama-2-7B',
    pruning: 'SparseGPT, 70 %',
    density: 0.3,
    measure: 'perplexity on WikiText, where less is better',
    before: 5.12,
    after: 24.0,
    unit: '',
    source: EC_SPMV,
  },
];

/** Language models with activations made sparse by an L1 term, TwELL paper, table 1: mean accuracy over seven tasks. */
export const PUBLISHED_GATES: readonly {
  readonly model: string;
  readonly dense: number;
  readonly sparse: number;
}[] = [
  { model: '0.5B', dense: 40.4, sparse: 40.4 },
  { model: '1B', dense: 44.6, sparse: 44.7 },
  { model: '1.5B', dense: 46.4, sparse: 46.2 },
  { model: '2B', dense: 49.1, sparse: 48.8 },
];

/**
 * Mean non-zeros per token without and with the term, and the least share of dead neurons with it: 1.5B, table 3 and
 * figure 9.
 */
export const PUBLISHED_GATE = { neurons: 5632, without: 911, with: 29, dead: 0.3 } as const;

export const GATES_SOURCE = TWELL;
