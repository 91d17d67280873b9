import type { FormatCard } from '../../core/format.ts';
import { VALUE_BITS } from '../../core/number/index.ts';
import { fact, stated } from '../../core/text/stated.ts';
import type { FormatStory } from '../../story/format-story.ts';
import { blocksAlong, type BsrParams, params } from './params.ts';

/** Bits of a block column in `indices`. */
const INDEX_BITS = 32;

/** The share of blocks that contain a non-zero: 1 - (1 - d)^cells, without loss of precision for small d. */
function storedShare(density: number, { blockSize }: BsrParams): number {
  return -Math.expm1(blockSize ** 2 * Math.log1p(-density));
}

/** BSR (block compressed sparse rows) in the list of formats: CSR whose entries are small dense blocks. */
export const card: FormatCard<BsrParams, FormatStory<BsrParams>> = {
  id: 'bsr',
  title: 'BSR',
  summary: 'Square blocks that are not empty, stored whole, zeros too, with one index each.',
  shortSummary: 'Whole blocks, each with one block number.',
  group: 'classic',
  searchWords: 'block sparse row, blocked, blocks',
  source: null,
  bestExample: { id: 'pruned-blocks', what: 'weights pruned block by block' },
  params,
  colors: { light: '#6B034E', dark: '#AF68A9' },
  effort: 3, // encoding time, CSR is 1
  examples: [{ id: 'pruned-blocks', title: 'Pruned block by block: here blocks pay', params: { blockSize: 4 } }],
  // Blocks and their indices, as if blocks divided the shape. best: every stored block is full. expected: independent
  // non-zeros. worst: every non-zero has a block to itself, until all blocks are stored.
  expectedEffectiveDensity(density, p) {
    const cells = p.blockSize ** 2;
    const perCell = 1 + INDEX_BITS / (cells * VALUE_BITS[p.valueType]);
    return {
      best: density * perCell,
      expected: storedShare(density, p) * perCell,
      worst: Math.min(1, density * cells) * perCell,
    };
  },
  expectedZeroBits: (density, p) => (storedShare(density, p) - density) * VALUE_BITS[p.valueType],
  // indptr, and the scales of i8
  overheadBits: ({ blockSize, valueType }, { rows }) =>
    32 * (blocksAlong(rows, blockSize) + 1) + (valueType === 'i8' ? 32 * rows : 0),
  expectedReason(density, p) {
    const cells = p.blockSize ** 2;
    const stored = storedShare(density, p);
    const filled = stored === 0 ? 0 : density / stored;
    return stated`${fact('stored share of blocks', stored, 'share')} of its blocks are expected to contain non-zeros, on average in ${fact('non-zeros per block', filled * cells, 'mean')} of their ${fact('cells of a block', cells)} cells`;
  },
  story: () => import('./story/index.ts').then((m) => m.story),
};
