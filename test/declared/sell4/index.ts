import { declareFormat } from '../../../src/core/declared/declare.ts';
import kernel from './spmv_scalar.wgsl?raw';
import { card } from './card.ts';

/** SELL-4: element j of row r is at starts[r / 4] + 4 j + r mod 4. */
export const sell4 = declareFormat({
  ...card,
  aboutZeros: 'A slice of four keeps its longest row.',
  frames: () => import('./story.ts'),
  kernel: { path: 'sell4/spmv_scalar.wgsl', code: kernel, includes: [] },
  passes: 2,
  *encode(A, { starts, indices, values }, { rows, cols }, narrate) {
    let length = 0;
    let longest = 0;
    starts.push(0);
    for (const row of A) {
      longest = Math.max(longest, row.length);
      if (row.index % 4 === 3 || row.index === rows - 1) {
        length += 4 * longest;
        starts.push(length);
        narrate?.(`The longest row of this slice has ${longest}.`, row);
        longest = 0;
      }
      yield;
    }
    indices.zeros(length);
    values.zeros(length);
    const slots = Uint32Array.from({ length: cols }, (_, j) => 4 * j);
    let nnz = 0;
    for (const row of A) {
      const first = starts.get(Math.floor(row.index / 4)) + (row.index % 4);
      indices.setEvery(first, 4, row.columns, row.length);
      // A value that rounds to 0 is like what only fills.
      nnz += values.setAt(slots, row.values, row.length, first);
      narrate?.(`{row ${row.index}} takes every fourth slot.`, row);
      yield;
    }
    return { nnz };
  },
  decode({ starts, indices, values }, { rows }, put) {
    for (let r = 0; r < rows; r++) {
      const slice = Math.floor(r / 4);
      for (let at = starts[slice] + (r % 4); at < starts[slice + 1]; at += 4) {
        if (values[at] !== 0) put(r, indices[at], values[at]);
      }
    }
  },
  rules: {
    indices: 'ascend along the non-zeros of a row, below cols',
    values: 'nnz of them are not 0',
  },
});
