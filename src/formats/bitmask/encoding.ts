import { declareEncoding } from '../../core/declared/declare.ts';
import type { Violations } from '../../core/encoded/violations.ts';
import { meanText } from '../../core/text/rounded.ts';
import { popcount } from '../../core/statistics/half-words.ts';
import { arrays, type BitmaskArray, type BitmaskEncoded } from './layout.ts';
import { type BitmaskParams, maskBits, params, sizeReason, WORD_BITS } from './params.ts';

/** Bits of other ways to store a column, for comparison: a gap to the previous column, or the column number. */
const GAP_BITS = 4;
const COLUMN_BITS = 16;

/** How the bitmask format is encoded, decoded and checked. Its story quotes the line after each `// step: NAME`. */
export const encoding = declareEncoding<BitmaskArray, BitmaskParams, BitmaskEncoded>({
  id: 'bitmask',
  params,
  arrays,
  *encode(A, { values, mask, rowPtr }, { cols }) {
    // step: start
    rowPtr.push(0);
    for (const row of A) {
      const first = mask.length;
      mask.zeros(maskBits(cols));
      // step: bit
      mask.setAt(row.columns, 1, row.length, first);
      // step: values
      values.pushAll(row.values, row.length);
      // step: row-end
      rowPtr.push(values.length);
      yield;
    }
    return { wordsPerRow: maskBits(cols) / WORD_BITS };
  },
  decode({ values, mask }, { rows, cols }, put) {
    let next = 0;
    for (let r = 0; r < rows; r++) {
      for (let c = 0; c < cols; c++) if (mask[r * maskBits(cols) + c] === 1) put(r, c, values[next++]);
    }
  },
  rules: { mask: 'as many set bits as the row has values; 0 past the last column', scales: 'finite; above 0 for i8' },
  check,
  sizeReason,
  comparison: {
    why({ rows, cols, nnz }) {
      if (nnz === 0) return 'There are no non-zeros, and every column still takes a bit.';
      const perValue = (rows * cols) / nnz;
      const relation = perValue < GAP_BITS ? 'less than' : perValue === GAP_BITS ? 'as much as' : 'more than';
      const other = perValue <= COLUMN_BITS ? `a gap of ${GAP_BITS}` : `a column number of ${COLUMN_BITS}`;
      return `One bit per column is ${meanText(perValue)} per non-zero: ${relation} ${other} bits.`;
    },
  },
});

/** The set bits of every row are as many as its values, and none lies past the last column. O(words). */
function check({ rows, cols, wordsPerRow, mask, rowPtr }: BitmaskEncoded, v: Violations): void {
  const lastBits = cols % WORD_BITS;
  for (let r = 0; r < rows && !v.full; r++) {
    let bits = 0;
    for (let w = r * wordsPerRow; w < (r + 1) * wordsPerRow; w++) bits += popcount(mask[w]);
    v.expect('mask', r * wordsPerRow, `set bits in row ${r}`, bits, rowPtr[r + 1] - rowPtr[r], 'values of the row');
    const last = (r + 1) * wordsPerRow - 1;
    if (lastBits > 0 && mask[last] >>> lastBits !== 0) {
      v.add('mask', last, `mask[${last}]: found bits set past column ${cols - 1}, expected 0 there`);
    }
  }
}
