import {
  describeNarrations,
  openingSaid,
  percent,
  type Said,
  type Seen,
  sizeSaid,
  stored,
  value,
} from '../../../test/narrations.ts';
import { ell } from './index.ts';
import { story } from './story/index.ts';
import { narrate } from './story/narration.ts';

const RULES = {
  opening:
    'This {rows} × {cols} window holds {nnz non-zero}. ELLPACK pushes rows to the left; each gets as many slots as the longest needs.',
  count: 'Row {row} holds {count non-zero}. The longest row so far has {longest}.',
  allocate:
    'The longest row has {width non-zero}, so every row gets {width slot}. {empty} of {slots slot} will stay empty.',
  slot: 'Row {row} holds {value} in column {column}: slot {slot} of the row. Slot {slot} of all rows lies together: this is element {slot} × {rows} + {row} = {element}.',
  padding:
    'Row {row} has {count non-zero}: {empty} of its {width slot} {empty:is|are} padding. Padding has value {zero} and column {zero}.',
  packed: '{empty} of {slots slot} {empty:is|are} padding. ',
  allBusy:
    'Slot {slot} of every row, one lane each: every lane adds a product. Neighbouring lanes read neighbouring elements.',
  round: 'Slot {slot} of every row, one lane each: {busy lane} {busy:adds|add} a product, {idle} {idle:waits|wait}.',
  nothing: 'There is nothing to multiply: every y is {zero}.',
  multiplied: 'y is complete after {width round}. {slots turn} for {nnz product}: {idle}\u202f% of them were idle.',
} as const;

function* tell(seen: Seen): Generator<readonly Said[]> {
  const { rows, cols, nnz, columns, arrays } = seen;
  const width = Math.max(0, ...columns.map(({ length }) => length));
  const slots = rows * width;
  const empty = slots - nnz;
  yield [...openingSaid(seen, 'weights'), [RULES.opening, { rows, cols, nnz }]];
  let longest = 0;
  for (const [row, { length: count }] of columns.entries()) {
    longest = Math.max(longest, count);
    yield [[RULES.count, { row, count, longest }]];
  }
  yield [[RULES.allocate, { width, slots, empty }]];
  for (const [row, inRow] of columns.entries()) {
    for (const [slot, column] of inRow.entries()) {
      const element = slot * rows + row;
      yield [[RULES.slot, { row, value: value(stored(arrays.values, element)), column, slot, rows, element }]];
    }
    const count = inRow.length;
    if (count === width) continue;
    yield [[RULES.padding, { row, count, empty: width - count, width, zero: 0 }]];
  }
  const valueBits = seen.params.valueType === 'f32' ? 32 : 16;
  const indexBits = 8 * arrays.indices.BYTES_PER_ELEMENT;
  yield [
    [RULES.packed, { empty, slots }],
    sizeSaid(seen, {
      values: nnz * valueBits,
      indices: nnz * indexBits,
      metadata: 32 * rows,
      padding: empty * (valueBits + indexBits),
    }),
  ];
  for (let slot = 0; slot < width; slot++) {
    const busy = columns.filter(({ length }) => length > slot).length;
    if (busy === rows) yield [[RULES.allBusy, { slot }]];
    else yield [[RULES.round, { slot, busy, idle: rows - busy }]];
  }
  if (slots === 0) yield [[RULES.nothing, { zero: 0 }]];
  else yield [[RULES.multiplied, { width, slots, nnz, idle: percent(empty, slots) }]];
}

describeNarrations({ format: ell, story, narrate, rules: RULES, tell });
