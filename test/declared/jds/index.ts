import { declareFormat } from '../../../src/core/declared/declare.ts';
import { card } from './card.ts';
import kernel from './spmv_scalar.wgsl?raw';

/** JDS (jagged diagonal storage): rows are sorted by length, and non-zero j of the row at position i is at starts[j] + i. */
export const jds = declareFormat({
  ...card,
  aboutZeros: 'Sorted rows need no padding.',
  kernel: { path: 'jds/spmv_scalar.wgsl', code: kernel, includes: [] },
  kernelTitle: 'lane per sorted row',
  passes: 2,
  refuses: ({ rows }) =>
    rows > 65_536 ? { reason: `${rows} rows, more than the 65536 of 16-bit row numbers`, remedy: 'Use CSR.' } : null,
  *encode(A, { permutation, starts, indices, values }, { rows }) {
    const lengths: number[] = [];
    for (const row of A) {
      lengths.push(row.length);
      yield;
    }
    const sorted = Array.from(lengths, (_, row) => row).toSorted((a, b) => lengths[b] - lengths[a]);
    const longest = rows > 0 ? lengths[sorted[0]] : 0;
    let length = 0;
    for (let j = 0; j <= longest; j++) {
      starts.push(length);
      length += lengths.filter((n) => n > j).length;
    }
    starts.push(length);
    indices.zeros(length);
    values.zeros(length);
    for (const [position, r] of sorted.entries()) {
      permutation.push(r);
      const row = A.row(r);
      for (let j = 0; j < row.length; j++) {
        indices.set(starts.get(j) + position, row.columns[j]);
        values.set(starts.get(j) + position, row.values[j]);
      }
      yield;
    }
  },
  decode({ permutation, starts, indices, values }, { rows }, put) {
    for (let i = 0; i < rows; i++) {
      let j = 0;
      while (starts[j] + i < starts[j + 1]) {
        put(permutation[i], indices[starts[j] + i], values[starts[j] + i]);
        j++;
      }
    }
  },
  order: 'any',
  // The longest row is known only once the matrix is read, so the length of `starts` is not checked by its declaration.
  checkLengths({ starts }, violations) {
    const [before, last] = [starts.at(-2) ?? -1, starts.at(-1) ?? -1];
    violations.expect('starts', null, 'the element before the last', before, last, 'the last');
  },
});
