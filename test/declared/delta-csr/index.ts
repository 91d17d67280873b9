import { declareFormat } from '../../../src/core/declared/declare.ts';
import { counted } from '../../../src/core/text/words.ts';
import { card } from './card.ts';
import kernel from './spmv_scalar.wgsl?raw';

/**
 * delta CSR. CONTRIBUTING.md (A toy format) copies it, and its kernel to shaders/, which is imported without '?raw'.
 * What is not here, such as `multiply` and checks, is derived by `declareFormat`; its story is derived by the registry.
 */
export const deltaCsr = declareFormat({
  ...card,
  aboutZeros: 'The others are stored with a one-byte skip.', // after 'Most weights here are zero.'
  kernel: { path: 'delta-csr/spmv_scalar.wgsl', code: kernel, includes: [] },
  *encode(A, { data, skips, escapes, indptr, escptr }, _, narrate) {
    indptr.push(0);
    escptr.push(0);
    for (const row of A) {
      let next = 0;
      for (let i = 0; i < row.length; i++) {
        const column = row.columns[i];
        const skip = column - next;
        data.push(row.values[i]);
        // 255 says: read the next escape. So a skip of 255 escapes as well.
        skips.push(Math.min(skip, 255));
        if (skip >= 255) escapes.push(skip);
        narrate?.(
          skip < 255
            ? `${counted(skip, 'empty column')} before column {column ${column}}.`
            : `A skip of ${skip} escapes.`,
          row,
          column,
        );
        next = column + 1;
      }
      indptr.push(data.length);
      escptr.push(escapes.length);
      narrate?.(`Row {row ${row.index}} ends.`, row);
      yield;
    }
  },
  decode({ data, skips, escapes, indptr, escptr }, { rows }, put) {
    for (let r = 0; r < rows; r++) {
      let next = 0;
      let escape = escptr[r];
      for (let i = indptr[r]; i < indptr[r + 1]; i++) {
        next += skips[i] === 255 ? escapes[escape++] : skips[i];
        put(r, next++, data[i]);
      }
    }
  },
});
