import type { FormatComparison } from '../../core/comparison/comparison.ts';
import { storedBlocks } from '../../core/comparison/counts.ts';
import { meanText, shareText } from '../../core/story/rounded.ts';
import { VALUE_BITS } from '../../core/number/index.ts';
import { blocksAlong, type BsrEncoded } from './layout.ts';
import { BLOCK_SIZES, type BsrParams, INDEX_BITS } from './params.ts';

export const comparison: FormatComparison<BsrEncoded, BsrParams> = {
  blocks: BLOCK_SIZES,
  size(s, { blockSize, valueType }) {
    const cells = storedBlocks(s, blockSize) * blockSize ** 2;
    const starts = (blocksAlong(s.rows, blockSize) + 1) * 4;
    const scales = valueType === 'i8' ? s.rows * 4 : 0;
    return (cells * VALUE_BITS[valueType]) / 8 + (storedBlocks(s, blockSize) * INDEX_BITS) / 8 + starts + scales;
  },
  why(s, { blockSize }) {
    const name = `${blockSize} × ${blockSize} blocks`;
    const stored = storedBlocks(s, blockSize);
    if (stored === 0) return `All of the ${name} are empty.`;
    const all = blocksAlong(s.rows, blockSize) * blocksAlong(s.cols, blockSize);
    const held = stored === all ? `All ${name} hold` : `${shareText(stored / all)} of the ${name} hold`;
    if (s.nnz === stored * blockSize ** 2) return `${held} something, in each of their ${blockSize ** 2} cells.`;
    return `${held} something, but on average only ${meanText(s.nnz / stored)} of their ${blockSize ** 2} cells.`;
  },
};
