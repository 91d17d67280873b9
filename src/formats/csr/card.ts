import type { FormatCard } from '../../core/format.ts';
import { VALUE_BITS } from '../../core/number/index.ts';
import { indexBitsFor } from '../../theory/shared-params.ts';
import type { FormatStory } from '../../story/format-story.ts';
import { type CsrParams, params, sizeReason } from './params.ts';

/** CSR (compressed sparse rows) in the list of formats. */
export const card: FormatCard<CsrParams, FormatStory<CsrParams>> = {
  id: 'csr',
  title: 'CSR',
  summary: 'Every non-zero with its column index, row by row, and where each row starts.',
  shortSummary: 'Each weight with its column number, row after row.',
  group: 'classic',
  searchWords: 'compressed sparse row, scipy, cusparse',
  source: null,
  bestExample: { id: 'power-law-graph', what: 'a graph' },
  params,
  effort: 1, // encoding time; others are relative to CSR
  colors: { light: '#30367E', dark: '#4F56CE' },
  // d (b + i) / b: density d, b bits per value, i per index; indptr left out
  expectedEffectiveDensity(density, { valueType, indexBits }, shape) {
    const bits = VALUE_BITS[valueType];
    const size = (density * (bits + indexBitsFor(indexBits, shape))) / bits;
    return { best: size, expected: size, worst: size };
  },
  overheadBits: (_, { rows }) => 32 * (rows + 1),
  expectedReason: (_, p, shape) => sizeReason(indexBitsFor(p.indexBits, shape) / 8, VALUE_BITS[p.valueType] / 8),
  published: () => import('./published.ts').then((m) => m.published),
  story: () => import('./story/index.ts').then((m) => m.story),
};
