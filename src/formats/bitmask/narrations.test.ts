import {
  bitsOfValue,
  describeNarrations,
  groupScaleSaid,
  openingSaid,
  rowScaleSaid,
  type Said,
  SCALE_RULES,
  type Seen,
  sizeSaid,
  stored,
  value,
} from '../../../test/narrations.ts';
import { bitmask } from './index.ts';
import { story } from './story/index.ts';
import { narrate } from './story/narration.ts';

const RULES = {
  opening:
    'This {rows} × {cols} window holds {nnz non-zero}. A bitmask has a bit for each of its {cells cell}: is a value stored?',
  ...SCALE_RULES,
  valueOfGroup: 'Value {last}',
  valuesOfGroup: 'Values {first} to {last}',
  bit: 'Row {row} holds {value} in column {column}: bit {bit} of mask[{word}] is set. The value goes to values[{at}].',
  emptyRow: 'Row {row} is empty: rowPtr[{next}] is {end} again.',
  rowEnd: 'Row {row} ends with {count set bit}: rowPtr[{next}] = {end}, where the next row begins.',
  lastRowEnd: 'Row {row} ends with {count set bit}: rowPtr[{next}] = {end}, where the last row ends.',
  packed: '{nnz bit} of {bits} {nnz:is|are} set. ',
  skippedOne: 'mask[{word}] is {zero}: column {first} of row {row} is skipped at once.',
  skipped: 'mask[{word}] is {zero}: columns {first} to {last} of row {row} are skipped at once.',
  wordOfOne: 'mask[{word}], column {first} of row {row}, has {set set bit}.',
  word: 'mask[{word}], columns {first} to {last} of row {row}, has {set set bit}.',
  firstProduct:
    'No bit of row {row} is set before column {column}: its value is values[{start} + {before}]. Times x: {value} × {x} = {product}. The row adds up to {sum} so far.',
  product:
    '{before bit} of row {row} {before:is|are} set before column {column}: its value is values[{start} + {before}]. Times x: {value} × {x} = {product}. The row adds up to {sum} so far.',
  nothing: 'No bit of row {row} is set: y[{row}] is {zero}.',
  sum: 'Row {row} is done after {count product}: y[{row}] = {y}.',
  multiplied:
    'y is complete after {nnz multiplication}. {words mask word} had to be read, {empty} of them empty: the mask costs the same, however few bits are set.',
} as const;

/** The number of value `at`, decoded from the arrays. */
function numberAt({ params, arrays: { values, scales } }: Seen, row: number, at: number): number {
  if (params.valueType === 'i8') return Math.fround(values[at] * scales[row]);
  if (params.valueType !== 'i4') return stored(values, at);
  const half = Math.floor(values[Math.floor(at / 2)] / 16 ** (at % 2)) % 16;
  return (half - 8) * stored(scales, Math.floor(at / 32));
}

function* tell(seen: Seen): Generator<readonly Said[]> {
  const { rows, cols, nnz, columns, params, arrays, x } = seen;
  const perRow = Math.ceil(cols / 32);
  yield [...openingSaid(seen, 'weights'), [RULES.opening, { rows, cols, nnz, cells: rows * cols }]];
  let at = 0;
  for (const [row, inRow] of columns.entries()) {
    if (params.valueType === 'i8') yield [rowScaleSaid(seen, row)];
    for (const column of inRow) {
      if (params.valueType === 'i4' && at % 32 === 0) {
        const last = Math.min(nnz, at + 32) - 1;
        const which: Said = last === at ? [RULES.valueOfGroup, { last }] : [RULES.valuesOfGroup, { first: at, last }];
        yield [which, groupScaleSaid(stored(arrays.scales, at / 32))];
      }
      const word = row * perRow + Math.floor(column / 32);
      yield [[RULES.bit, { row, value: value(numberAt(seen, row, at)), column, bit: column % 32, word, at }]];
      at++;
    }
    if (inRow.length === 0) yield [[RULES.emptyRow, { row, next: row + 1, end: at }]];
    else
      yield [
        [row === rows - 1 ? RULES.lastRowEnd : RULES.rowEnd, { row, count: inRow.length, next: row + 1, end: at }],
      ];
  }
  const valueBits = bitsOfValue(seen);
  yield [
    [RULES.packed, { nnz, bits: rows * perRow * 32 }],
    sizeSaid(seen, {
      values: nnz * valueBits,
      indices: rows * cols,
      metadata: 32 * (rows + 1) + 8 * arrays.scales.byteLength,
      padding: rows * (32 * perRow - cols) + 8 * arrays.values.byteLength - nnz * valueBits,
    }),
  ];
  at = 0;
  let empty = 0;
  for (const [row, inRow] of columns.entries()) {
    const start = at;
    let sum = 0;
    for (let first = 0; first < cols; first += 32) {
      const last = Math.min(cols, first + 32) - 1;
      const word = row * perRow + first / 32;
      const here = inRow.filter((column) => column >= first && column <= last);
      if (here.length === 0) empty++;
      const covered = { word, row, first };
      const set = here.length;
      if (set === 0 && first === last) yield [[RULES.skippedOne, { ...covered, zero: 0 }]];
      else if (set === 0) yield [[RULES.skipped, { ...covered, last, zero: 0 }]];
      else if (first === last) yield [[RULES.wordOfOne, { ...covered, set }]];
      else yield [[RULES.word, { ...covered, last, set }]];
      for (const column of here) {
        const weight = numberAt(seen, row, at);
        const before = at - start;
        sum += weight * x[column];
        const facts = {
          row,
          column,
          start,
          before,
          value: value(weight),
          x: value(x[column]),
          product: value(weight * x[column]),
          sum: value(sum),
        };
        yield [[before === 0 ? RULES.firstProduct : RULES.product, facts]];
        at++;
      }
    }
    if (inRow.length === 0) yield [[RULES.nothing, { row, zero: 0 }]];
    else yield [[RULES.sum, { row, count: inRow.length, y: value(sum) }]];
  }
  const words = rows * perRow;
  yield [[RULES.multiplied, { nnz, words, empty }]];
}

describeNarrations({ format: bitmask, story, narrate, rules: RULES, tell });
