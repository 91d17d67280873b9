import type { FormatCard } from '../../core/format.ts';
import type { FormatStory } from '../../story/format-story.ts';
import { type EcCsrParams, params, expectedReason } from './params.ts';

/** EC-SpMV (EC-CSR) in the list of formats: blocks of rows that share columns, each with a list of short deltas. */
export const card: FormatCard<EcCsrParams, FormatStory<EcCsrParams>> = {
  id: 'ec-csr',
  title: 'EC-SpMV',
  summary: 'Blocks of rows that share columns, each with one list of short deltas.',
  shortSummary: 'Rows that share columns store them once.',
  group: 'pruned weights',
  searchWords: 'ec-csr, ecspmv, block extraction',
  source: {
    title: 'Toward Efficient SpMV in Sparse LLMs via Block Extraction and Compressed Storage',
    authors: 'Junqing Lin, Jingwei Sun, Mingge Lu, Guangzhong Sun',
    year: 2025,
    url: 'https://arxiv.org/abs/2507.12205',
  },
  bestExample: { id: 'planted-blocks', what: 'rows that share enough columns', opensFirst: true },
  headline: { name: 'EC-SpMV', does: 'extracts blocks', invites: 'share column lists', example: 'ec-spmv-eight-rows' },
  colors: { light: '#DB7526', dark: '#BB5C04' },
  params,
  examples: [
    {
      id: 'ec-spmv-eight-rows',
      title: 'Eight rows, shared in pairs, fours and all, 2 lanes of 2',
      params: { lanes: 2, vectorSize: 2, deltaBits: 8, maxGranularity: 8, maxRounds: 0 }, // 0: no limit
    },
    // Block extraction ends after two rounds here; blocks have one, two and four rows (levels).
    {
      id: 'ec-csr-two-rounds',
      title: 'Two rounds and three levels, 2 lanes of 2',
      params: { lanes: 2, vectorSize: 2, deltaBits: 8, maxGranularity: 8, maxRounds: 0 }, // 0: no limit
    },
  ],
  effort: 100, // encoding time, CSR is 1
  expectedReason,
  published: () => import('./published.ts').then((m) => m.published),
  story: () => import('./story/index.ts').then((m) => m.story),
};
