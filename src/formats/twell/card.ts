import type { FormatCard } from '../../core/format.ts';
import type { FormatStory } from '../../story/format-story.ts';
import {
  capacityOf,
  effectiveDensity,
  params,
  type TwellParams,
  unusable,
  admissionOdds,
  expectedReason,
} from './params.ts';

/** Tile-wise ELL: every tile of a row packs its non-zeros separately, so that a GEMM can write its output as TwELL. */
export const card: FormatCard<TwellParams, FormatStory<TwellParams>> = {
  id: 'twell',
  title: 'TwELL',
  summary: 'Activations packed inside tiles, each with fixed slots and a count.',
  shortSummary: 'Tiles of a sparse matrix, with a fixed number of slots.',
  group: 'activations',
  searchWords: 'tiled ell, activation sparsity, relu, sakana',
  source: {
    title: 'Sparser, Faster, Lighter Transformer Language Models',
    authors: 'Edoardo Cetin, Stefano Peluchetti, Emilio Castillo, Akira Naruse, Mana Murakami, Llion Jones',
    year: 2026,
    url: 'https://arxiv.org/abs/2603.23198',
  },
  bestExample: { id: 'digits-gate-l1-3e-2', what: 'sparse activations', opensFirst: true }, // pruned weights do not fit
  headline: { name: 'TwELL', does: 'packs tiles', invites: 'pack what fires', example: 'digits-gate-l1-1e-2' },
  examples: [
    {
      id: 'digits-gate-l1-1e-2',
      title: 'Tokens that fire one, none and three neurons of a tile',
      // With fewer slots, a single tile of one token would not fit.
      params: { compression: 2 },
      needsParams: true, // the default parameters refuse this matrix
    },
  ],
  colors: { light: '#7C4AEB', dark: '#ABA7F3' },
  params,
  effort: 1, // encoding time, CSR is 1
  unusable,
  expectedEffectiveDensity: effectiveDensity,
  admissionOdds,
  expectedReason,
  tiles: (p) => ({ width: p.tileWidth, capacity: capacityOf(p) }),
  story: () => import('./story/index.ts').then((m) => m.story),
};
