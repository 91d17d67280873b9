import { type ShareCounts, withEqualShares, WORDS } from '../../core/kernel/equal-shares.ts';
import type { BitmaskEncoded } from './layout.ts';

/**
 * The row starts, followed by equal shares of the values, as shaders/common/staged.wgsl reads them with
 * rows_of_words: a share skips the words of the rows before its own. O(shares * log rows).
 */
export function valueShares(e: BitmaskEncoded, counts: ShareCounts): Uint32Array<ArrayBuffer> {
  const starts = withEqualShares(e.rowPtr, counts);
  for (let at = e.rows + 1; at < starts.length; at += WORDS) starts[at + 2] = starts[at + 1] * e.wordsPerRow;
  return starts;
}
