import type { FormatCard } from '../../core/format.ts';
import type { FormatStory } from '../../story/format-story.ts';
import {
  effectiveDensity,
  params,
  type SlideSparseParams,
  overheadBits,
  admissionOdds,
  expectedReason,
  expectedZeroBits,
  requiredPruning,
} from './params.ts';

/** (2N-2):2N sparsity, divided into overlapping 2:4 windows and compressed: two of four values, and two bits for each. */
export const card: FormatCard<SlideSparseParams, FormatStory<SlideSparseParams>> = {
  id: 'slidesparse',
  title: 'SlideSparse',
  summary: 'Groups with two zeros or more, slid into windows of four that keep two.',
  shortSummary: 'Groups slid into windows of four that keep two.',
  group: 'N:M',
  searchWords: 'slide sparse, structured, 6:8, semi-structured, 2:4',
  source: {
    title: 'SlideSparse: Fast and Flexible (2N-2):2N Structured Sparsity',
    authors:
      'Hanyong Shao, Yingbo Hao, Ting Song, Yan Xia, Di Zhang, Shaohan Huang, Xun Wu, Songchen Xu, Le Xu, Li Dong, Zewen Chi, Yi Zou, Furu Wei',
    year: 2026,
    url: 'https://arxiv.org/abs/2603.05232',
  },
  bestExample: { id: 'digits-fc1-6-8', what: 'weights, six in eight left', opensFirst: true },
  headline: { name: 'SlideSparse', does: 'slides windows', invites: 'slide a window' },
  colors: { light: '#7C6808', dark: '#CAAB48' },
  params,
  effort: 3.5, // encoding time relative to CSR
  expectedEffectiveDensity: effectiveDensity,
  expectedZeroBits,
  requiredPruning,
  overheadBits,
  admissionOdds,
  expectedReason,
  story: () => import('./story/index.ts').then((m) => m.story),
};
