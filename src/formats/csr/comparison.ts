import type { FormatComparison } from '../../core/comparison/comparison.ts';
import { meanText } from '../../core/story/rounded.ts';
import { indexBitsFor } from '../../theory/index-bits.ts';
import { VALUE_BITS } from '../../core/number/index.ts';
import type { CsrEncoded } from './layout.ts';
import type { CsrParams } from './params.ts';

export const comparison: FormatComparison<CsrEncoded, CsrParams> = {
  size({ rows, cols, nnz }, { valueType, indexBits: choice }) {
    const indexBits = indexBitsFor(choice, { cols });
    return cols > 2 ** indexBits ? 'refused' : (nnz * (VALUE_BITS[valueType] + indexBits)) / 8 + (rows + 1) * 4;
  },
  why({ rows, cols, nnz }, { valueType, indexBits: choice }) {
    const indexBits = indexBitsFor(choice, { cols });
    if (nnz === 0) return 'No non-zeros: only row starts.';
    const apart = (rows * cols) / nnz;
    if (apart > indexBits) {
      return `Non-zeros lie ${meanText(apart)} columns apart: a column number of ${indexBits} bits is less than a bit for each of them.`;
    }
    const times = indexBits / VALUE_BITS[valueType];
    const cost = times === 1 ? 'as much as' : times < 1 ? 'half as much as' : 'twice as much as';
    return `A column number takes ${cost} the value; non-zeros lie only ${meanText(apart)} columns apart.`;
  },
};
