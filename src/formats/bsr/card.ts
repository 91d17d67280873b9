import type { FormatCard } from '../../core/format.ts';
import { type BsrParams, effectiveDensity, params, overheadBits, expectedReason, expectedZeroBits } from './params.ts';

/** Block compressed sparse rows: CSR whose entries are small dense blocks, the structure that block pruning leaves. */
export const card: FormatCard<BsrParams> = {
  id: 'bsr',
  title: 'BSR',
  summary: 'Square blocks that are not empty, stored whole, zeros too, with one index each.',
  gist: 'Whole blocks, each with one block number.',
  group: 'classic',
  also: 'block sparse row, blocked, blocks',
  source: null,
  shownBestOn: { id: 'pruned-blocks', what: 'weights pruned block by block' },
  colors: { light: '#674907', dark: '#C38C00' },
  params,
  effort: 3,
  examples: [{ id: 'pruned-blocks', title: 'Pruned block by block: here blocks pay', params: { blockSize: 4 } }],
  expectedEffectiveDensity: effectiveDensity,
  expectedZeroBits,
  overheadBits,
  expectedReason,
  story: () => import('./story/index.ts').then((m) => m.story),
};
