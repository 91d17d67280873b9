import {
  activation,
  describeNarrations,
  openingSaid,
  type Said,
  type Seen,
  sizeSaid,
  value,
} from '../../../test/narrations.ts';
import { hybrid } from './index.ts';
import { story } from './story/index.ts';
import { narrate } from './story/narration.ts';

const RULES = {
  opening:
    '{rows token} × {cols hidden neuron} with {nnz non-zero}. The hybrid keeps tokens that fire few neurons compact, the others dense.',
  refused:
    'This window is refused: the tail is too short. The story takes a longer one. {long row} {long:has|have} more than {slots non-zero}, the first is row {first} with {count}, and the tail has room for {room row}, {wanted}/{share} of {rows}',
  goesOn: '. The story’s tail is for ',
  all: 'all rows',
  part: '{one}/{share} of the rows',
  roundedUp: ', rounded up',
  rows: ', {capacity row}.',
  nothingWaits: ': nothing waits until all rows are counted.',
  noRows: 'There are no rows, so no room is reserved.',
  noTail: 'Every row gets {slots slot}, one for each column. So there is no tail.',
  room: 'Room is set aside first: {slots slot} for each row, a tail of {capacity row}. The tail is for ',
  tailed: 'Row {row} has {count non-zero}, more than {slots}: it goes whole to tail row {place}.',
  emptyRow: 'Row {row} has {count non-zero}: its slots stay empty.',
  slots: 'Row {row} has {count non-zero}, at most {slots}: its slots keep values and {bits}-bit columns.',
  inTail: '{used} of {rows row} {used:lies|lie} in the tail. ',
  readTail: 'Row {row}, in the tail, reads {cols} cells for {count non-zero}: y[{row}] = {y}.',
  readNone: 'Row {row} is empty: y[{row}] = {y}.',
  read: 'Row {row} reads {count slot}, with one x per slot: y[{row}] = {y}.',
  multiplied: 'y is complete. All rows of a part have one length, which suits a simple kernel.',
} as const;

function* tell(seen: Seen): Generator<readonly Said[]> {
  const { rows, cols, nnz, columns, wanted, arrays, x } = seen;
  const rowSlots = Number(wanted.rowSlots);
  const slots = Math.min(rowSlots, cols);
  const long = columns.flatMap(({ length }, row) => (length > rowSlots ? [row] : []));
  const roomOf = (share: number): number => (cols > rowSlots ? Math.ceil(rows / share) : 0);
  const asked = Number(wanted.tailShare);
  const share = [8, 2, 1].find((s) => s <= asked && roomOf(s) >= long.length) ?? 1;
  const capacity = roomOf(share);
  const roundedUp = (s: number): readonly Said[] => (rows % s === 0 ? [] : [[RULES.roundedUp]]);
  const shareSaid: readonly Said[] =
    share === 1 ? [[RULES.all]] : [[RULES.part, { one: 1, share }], ...roundedUp(share)];

  yield [...openingSaid(seen, 'activations'), [RULES.opening, { rows, cols, nnz }]];
  if (share !== asked) {
    const refusal = { long: long.length, slots: rowSlots, first: long[0], count: columns[long[0]].length };
    yield [
      [RULES.refused, { ...refusal, room: roomOf(asked), wanted: 1, share: asked, rows }],
      ...roundedUp(asked),
      [RULES.goesOn],
      ...shareSaid,
      [RULES.rows, { capacity }],
    ];
  } else if (rows === 0) yield [[RULES.noRows]];
  else if (cols <= rowSlots) yield [[RULES.noTail, { slots }]];
  else yield [[RULES.room, { slots, capacity }], ...shareSaid, [RULES.nothingWaits]];

  const bits = 8 * arrays.indices.BYTES_PER_ELEMENT;
  for (const [row, { length: count }] of columns.entries()) {
    const facts = { row, count, slots };
    if (long.includes(row)) yield [[RULES.tailed, { ...facts, place: long.indexOf(row) }]];
    else if (count === 0) yield [[RULES.emptyRow, { row, count }]];
    else yield [[RULES.slots, { ...facts, bits }]];
  }

  const used = long.length;
  const inTail = long.reduce((sum, row) => sum + columns[row].length, 0);
  const unused = rows * slots - (nnz - inTail);
  yield [
    [RULES.inTail, { used, rows }],
    sizeSaid(seen, {
      values: 16 * nnz,
      indices: 16 * (nnz - inTail),
      metadata: 32 * (2 * rows + used),
      padding: 32 * unused + 16 * (capacity * cols - inTail) + 32 * (capacity - used),
    }),
  ];
  for (const [row, inRow] of columns.entries()) {
    const tail = long.indexOf(row);
    let sum = 0;
    for (const [slot, column] of inRow.entries()) {
      const weight =
        tail < 0 ? activation(arrays.values, row * slots + slot) : activation(arrays.tail, tail * cols + column);
      if (weight !== 0) sum += weight * x[column];
    }
    const facts = { row, y: value(sum) };
    const count = inRow.length;
    if (tail >= 0) yield [[RULES.readTail, { ...facts, cols, count }]];
    else if (count === 0) yield [[RULES.readNone, facts]];
    else yield [[RULES.read, { ...facts, count }]];
  }
  yield [[RULES.multiplied]];
}

describeNarrations({ format: hybrid, story, narrate, rules: RULES, tell });
