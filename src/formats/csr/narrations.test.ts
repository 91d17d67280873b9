import {
  describeNarrations,
  openingSaid,
  type Said,
  type Seen,
  sizeSaid,
  stored,
  value,
} from '../../../test/narrations.ts';
import { csr } from './index.ts';
import { story } from './story/index.ts';
import { narrate } from './story/narration.ts';

const RULES = {
  opening: 'This {rows} × {cols} window holds {nnz non-zero}. CSR keeps each with its column, row by row.',
  entry: 'Row {row} holds {value} in column {column}. The value goes to data[{at}], the column to indices[{at}].',
  empty: 'Row {row} is empty: indptr[{next}] is {end} again.',
  rowEnd: 'Row {row} has {count entry|entries}: indptr[{next}] = {first} + {count} = {end}.',
  packed: '{nnz non-zero} and {starts row start} are stored. ',
  product:
    'indices[{at}] is {column}, so data[{at}] meets x[{column}]: {value} × {x} = {product}. Row {row} adds up to {sum} so far.',
  nothing: 'Row {row} has no entries: y[{row}] is {zero}.',
  sum: 'Row {row} is done after {count product}: y[{row}] = {y}.',
  multiplied: 'y is complete after {nnz multiplication}. Dense would take {cells}.',
} as const;

function* tell(seen: Seen): Generator<readonly Said[]> {
  const { rows, cols, nnz, columns, arrays, x } = seen;
  yield [...openingSaid(seen, 'weights'), [RULES.opening, { rows, cols, nnz }]];
  let at = 0;
  for (const [row, inRow] of columns.entries()) {
    const first = at;
    for (const column of inRow) {
      yield [[RULES.entry, { row, value: value(stored(arrays.data, at)), column, at }]];
      at++;
    }
    const facts = { row, next: row + 1, end: at };
    if (inRow.length === 0) yield [[RULES.empty, facts]];
    else yield [[RULES.rowEnd, { ...facts, first, count: inRow.length }]];
  }
  const indexBits = 8 * arrays.indices.BYTES_PER_ELEMENT;
  yield [
    [RULES.packed, { nnz, starts: rows + 1 }],
    sizeSaid(seen, {
      values: nnz * (seen.params.valueType === 'f32' ? 32 : 16),
      indices: nnz * indexBits,
      metadata: 32 * (rows + 1),
    }),
  ];
  at = 0;
  for (const [row, inRow] of columns.entries()) {
    let sum = 0;
    for (const column of inRow) {
      const weight = stored(arrays.data, at);
      sum += weight * x[column];
      yield [
        [
          RULES.product,
          {
            at,
            column,
            value: value(weight),
            x: value(x[column]),
            product: value(weight * x[column]),
            row,
            sum: value(sum),
          },
        ],
      ];
      at++;
    }
    if (inRow.length === 0) yield [[RULES.nothing, { row, zero: 0 }]];
    else yield [[RULES.sum, { row, count: inRow.length, y: value(sum) }]];
  }
  yield [[RULES.multiplied, { nnz, cells: rows * cols }]];
}

describeNarrations({ format: csr, story, narrate, rules: RULES, tell });
