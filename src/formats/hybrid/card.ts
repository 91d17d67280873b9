import type { FormatCard } from '../../core/format.ts';
import type { FormatStory } from '../../story/format-story.ts';
import { effectiveDensity, type HybridParams, params, overheadBits, admissionOdds, expectedReason } from './params.ts';

/** A compact ELL for rows with few non-zeros, a dense tail for the others. Training stores sparse activations in it. */
export const card: FormatCard<HybridParams, FormatStory<HybridParams>> = {
  id: 'hybrid',
  title: 'hybrid',
  summary: 'Short rows in a compact ELL, longer ones in a dense tail.',
  shortSummary: 'Short rows packed, the long ones dense.',
  group: 'activations',
  searchWords: 'hyb, ell and tail, sakana',
  source: {
    title: 'Sparser, Faster, Lighter Transformer Language Models',
    authors: 'Edoardo Cetin, Stefano Peluchetti, Emilio Castillo, Akira Naruse, Mana Murakami, Llion Jones',
    year: 2026,
    url: 'https://arxiv.org/abs/2603.23198',
  },
  bestExample: {
    id: 'digits-gate-l1-1e-2',
    what: 'sparse activations',
    opensFirst: true, // weights that are only pruned are refused, or show nothing of the format
    // A token that fires too many neurons for its slots.
    window: { row: 42, col: 747, rows: 6, cols: 32 },
  },
  colors: { light: '#7C19B6', dark: '#B777FF' },
  params,
  effort: 1, // encoding time, CSR is 1
  expectedEffectiveDensity: effectiveDensity,
  overheadBits,
  admissionOdds,
  expectedReason,
  story: () => import('./story/index.ts').then((m) => m.story),
};
