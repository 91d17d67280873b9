import type { FormatCard } from '../../core/format.ts';
import type { FormatStory } from '../../story/format-story.ts';
import {
  type DenseParams,
  effectiveDensity,
  params,
  overheadBits,
  expectedReason,
  expectedZeroBits,
} from './params.ts';

/** The dense format in the list of formats: every cell, zeros included. */
export const card: FormatCard<DenseParams, FormatStory<DenseParams>> = {
  id: 'dense',
  title: 'dense',
  summary: 'Every cell, zeros too, row by row, without indices: what all others are compared with.',
  shortSummary: 'Every cell, zeros too: what all others are compared with.',
  group: 'baseline',
  searchWords: 'full, unpruned, cublas, baseline, quantised',
  source: null,
  bestExample: { id: 'digits-fc2-50', what: 'weights, half of them left' },
  colors: { light: '#4D5568', dark: '#6E6C69' },
  params,
  effort: 1.2, // encoding time, CSR is 1
  expectedEffectiveDensity: effectiveDensity,
  expectedZeroBits,
  overheadBits,
  expectedReason,
  story: () => import('./story/index.ts').then((m) => m.story),
};
