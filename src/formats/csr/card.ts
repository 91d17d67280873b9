import type { FormatCard } from '../../core/format.ts';
import { type CsrParams, effectiveDensity, params, overheadBits, expectedReason } from './params.ts';

/** Compressed sparse rows: the format of the field, and the baseline of the papers. */
export const card: FormatCard<CsrParams> = {
  id: 'csr',
  title: 'CSR',
  summary: 'Every non-zero with its column index, row by row, and where each row starts.',
  gist: 'Each weight with its column number, row after row.',
  group: 'classic',
  also: 'compressed sparse row, scipy, cusparse',
  source: null,
  shownBestOn: { id: 'power-law-graph', what: 'a graph' },
  colors: { light: '#30367E', dark: '#4F56CE' },
  params,
  effort: 1,
  expectedEffectiveDensity: effectiveDensity,
  overheadBits,
  expectedReason,
  published: () => import('./published.ts').then((m) => m.published),
  story: () => import('./story/index.ts').then((m) => m.story),
};
