import { lengthProblem } from '../../core/allocate.ts';
import { lastCounted } from '../../core/comparison/counts.ts';
import { declareEncoding } from '../../core/declared/declare.ts';
import type { Violations } from '../../core/encoded/violations.ts';
import { FormatError } from '../../core/errors.ts';
import { rowBuffer } from '../../core/matrix/index.ts';
import { meanText, shareText } from '../../core/text/rounded.ts';
import { fact, stated } from '../../core/text/stated.ts';
import { countText } from '../../core/text/words.ts';
import { arrays, type EllArray, type EllEncoded } from './layout.ts';
import { type EllParams, params } from './params.ts';

/** Why rows of `width` slots of at most 4 bytes do not fit into one array; null if they do. */
function whyTooLong(rows: number, width: number): string | null {
  return lengthProblem(`indices of ${rows} rows with ${width} slots`, rows * width, 4);
}

/** How ELL is encoded and checked, with slots for the longest row. The story quotes the line after `// step: NAME`. */
export const encoding = declareEncoding<EllArray, EllParams, EllEncoded>({
  id: 'ell',
  params,
  arrays,
  passes: 2,
  *encode(A, { values, indices, counts }, { rows }, narrate) {
    let width = 0;
    for (const row of A) {
      // step: count
      counts.push(row.length);
      width = Math.max(width, row.length);
      yield;
    }
    const reason = whyTooLong(rows, width);
    if (reason !== null) throw new FormatError(reason);
    narrate?.(`The longest row has ${width}: every row gets as many slots.`);
    // step: allocate
    values.zeros(width * rows);
    indices.zeros(width * rows);
    for (const row of A) {
      values.setEvery(row.index, rows, row.values, row.length);
      // step: slot
      indices.setEvery(row.index, rows, row.columns, row.length);
      yield;
    }
    return { width };
  },
  decode({ values, indices, counts }, { rows }, put) {
    for (let r = 0; r < rows; r++) {
      for (let s = 0; s < counts[r]; s++) put(r, indices[s * rows + r], values[s * rows + r]);
    }
  },
  refuses(m) {
    if (whyTooLong(m.rows, Math.min(m.cols, m.nnz)) === null) return null;
    const buffer = rowBuffer(m.cols);
    let width = 0;
    for (let r = 0; r < m.rows; r++) width = Math.max(width, m.readRow(r, buffer));
    const reason = whyTooLong(m.rows, width);
    return reason === null ? null : { reason, remedy: 'Choose a format that does not pad every row to the longest.' };
  },
  rules: {
    values: '0 in empty slots',
    indices: 'ascend in a row, below cols; 0 in empty slots',
    counts: 'add up to nnz, the largest is width',
  },
  check,
  sizeReason({ rows, nnz, width }) {
    const slots = fact('slots of a row', width, 'count', ['slot', 'slots']);
    return stated`rows padded to the longest: ${slots}, where the mean is ${fact('mean row', nnz / Math.max(1, rows), 'mean')}`;
  },
  comparison: {
    why({ rows, nnz, rowCounts }) {
      const width = lastCounted(rowCounts);
      const slots = rows * width;
      if (slots === nnz) return `All rows have ${countText(width)}: no slot is empty.`;
      return `Every row is as long as the longest, ${countText(width)}, mean ${meanText(nnz / rows)}: ${shareText(1 - nnz / slots)} of the slots are empty.`;
    },
    marks(s) {
      const longest = lastCounted(s.rowCounts);
      if (longest === 0) return [];
      const empty = shareText(1 - s.nnz / (s.rows * longest));
      return [
        { chart: { of: 'rows' }, at: longest, title: 'ELL, longest', lines: [countText(longest), `${empty} empty`] },
      ];
    },
  },
});

/** Counts add up to nnz and reach width, columns ascend and are inside, empty slots are 0. O(rows * width). */
function check({ rows, cols, nnz, width, values, indices, counts }: EllEncoded, v: Violations): void {
  let sum = 0;
  let longest = 0;
  for (const count of counts) {
    sum += count;
    longest = Math.max(longest, count);
  }
  v.expect('counts', null, 'sum of counts', sum, nnz, 'nnz');
  v.expect('counts', null, 'largest count', longest, width, 'width');
  if (v.found.length > 0) return;
  for (let r = 0; r < rows && !v.full; r++) {
    v.columns('indices', indices, { row: r, start: r, count: counts[r], step: rows }, cols);
    for (let at = counts[r] * rows + r; at < indices.length && !v.full; at += rows) {
      // The message is built only on failure: there may be millions of empty slots.
      if (indices[at] !== 0) v.expect('indices', at, `indices[${at}], an empty slot of row ${r}`, indices[at], 0);
      if (values[at] !== 0) v.expect('values', at, `values[${at}], an empty slot of row ${r}`, values[at], 0);
    }
  }
}
