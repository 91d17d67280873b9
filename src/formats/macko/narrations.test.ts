import {
  bitsOfValue,
  describeNarrations,
  groupScaleSaid,
  joined,
  name,
  openingSaid,
  rowScaleSaid,
  type Said,
  SCALE_RULES,
  type Seen,
  sizeSaid,
  stored,
  value,
} from '../../../test/narrations.ts';
import { f16Value } from '../../core/number/index.ts';
import { macko } from './index.ts';
import { story } from './story/index.ts';
import { narrate } from './story/narration.ts';

const RULES = {
  opening: '{nnz weight} in {rows} × {cols} cells. MACKO stores each with its skip: the empty columns before it.',
  ...SCALE_RULES,
  groupOfOne: 'Entry {last}',
  group: 'Entries {first} to {last}',
  padFromStart: 'Before the first weight of row {row}, ',

  pad: '{left} columns are skipped, but {bits bit} {bits:counts|count} to {max}. So MACKO stores {count zero} on the way: {left} = {max} + {own} + {rest}.',
  padOnce:
    '{left} columns are skipped, but {bits bit} {bits:counts|count} to {max}. So MACKO stores a zero on the way: {left} = {max} + {own} + {rest}.',
  padAgain: '{left} more columns are skipped, so another zero is stored: {left} = {max} + {own} + {rest}.',
  emitAfterPadding: '{skip column} {skip:is|are} left to skip. ',
  emitRightAfterPadding: 'No column is left to skip. ',
  emit: '{skip column} {skip:is|are} skipped. ',
  emitNext: 'No column is skipped. ',
  stores: 'MACKO stores {value} and {skip}.',
  emptyRow: 'Row {row} is empty and stores nothing: indptr[{next}] is {end} again.',
  endsBefore: 'Row {row} ends with its last non-zero; zeros after it are not stored. ',
  endsFull: 'Row {row} ends with its last non-zero. ',
  nextRow: 'The next row starts at entry {end}.',
  lastRow: 'There are {end entry|entries} in all.',
  byteOfOne: 'Byte {byte} holds one skip, that of entry {first}: {value}.',
  byteOfTwo: 'The skips of entries {first} and {last} share byte {byte}, the first in its low half: {terms} = {value}.',
  byte: 'The skips of entries {first} to {last} share byte {byte}, the first in its lowest bits: {terms} = {value}.',
  word: 'Four bytes make word {word}, low byte first: {hex}. One {bits}-bit load brings the skips of {entries entry|entries}.',
  noEntries: 'No weights, no entries: indptr is all that is stored.',
  noEntriesScales: 'No weights, no entries: indptr and the scales are all that is stored.',
  starts: 'indptr says at which entry every row begins. {tail zero} {tail:fills|fill} the last group of {group}. ',
  startsWhole: 'indptr says at which entry every row begins. {entries entry|entries} fill whole groups of {group}. ',
  alignedOne: 'Row {row} is entry {start}',
  aligned: 'Row {row} is entries {start} to {last}',
  unmasked: ': whole groups of {group}, nothing is masked. ',
  masked: '. ',
  load: 'One load brings {group} values ({bytes} bytes) and their skips, from a multiple of {group} on',
  loads: '{loads} loads bring {group} values ({bytes} bytes) and their skips, from a multiple of {group} on',
  stop: '.',
  before: ': here entry {aligned}. The {before} before {before:is|are} masked.',
  after: ': here entry {aligned}. The {after} after {after:is|are} masked.',
  both: ': here entry {aligned}. The {before} before and {after} after are masked.',
  loadRow: 'Row {row}',
  loadPart: 'Row {row}, entries {chunk} to {last}',
  lanes: ': each of {lanes lane} loads {group} entries; masked entries count as {zero}.',
  sums: 'Every lane adds up its own {group} skips: {sums}.',
  scan0: 'The scan, first level: every lane adds the sum of its left neighbour. Now they hold {sums}.',
  scan1:
    'Second level: every lane adds what is two lanes to the left. Each now holds the sum up to its own end: {sums}. With {usual} lanes it takes {levels} levels.',
  columns: 'Each lane starts where the previous one ends',
  carried: ', and {carry} is carried over from earlier entries',
  formula: '. Column = skips so far + number of the entry in its row.',
  gather: 'The lanes fetch x at their columns, from {lines cache line} of {bytes} bytes.',
  product: 'Value times x, added up inside each lane: {products}. Padding adds {zero}.',
  noSum: 'Row {row} has no entries: y[{row}] = {zero}.',
  sum: 'The lanes add their sums, in two levels again: y[{row}] = {y}.',
} as const;

/** Entries that a lane reads at a time, and lanes in the picture. */
const GROUP = 8;
const LANES = 4;
const CHUNK = LANES * GROUP;

/** Entries are read in groups: the last one is filled. */
const placesOf = (entries: number): number => Math.ceil(entries / GROUP) * GROUP;

/** The stored entries of a row, decoded from the arrays: the column that each reaches, its delta and its number. */
interface Entry {
  readonly column: number;
  readonly delta: number;
  readonly number: number;
  readonly isPadding: boolean;
}

function entriesOf({ rows, columns, params, arrays: { deltas, indptr, values, scales } }: Seen): readonly Entry[][] {
  const bits = Number(params.deltaBits);
  return Array.from({ length: rows }, (_, row) => {
    let column = -1;
    return Array.from({ length: indptr[row + 1] - indptr[row] }, (_, i): Entry => {
      const entry = indptr[row] + i;
      const word = deltas[Math.floor((entry * bits) / 32)];
      const delta = Math.floor(word / 2 ** ((entry * bits) % 32)) % 2 ** bits;
      column += delta + 1;
      const raw = params.valueType === 'i4' ? 0 : stored(values, entry);
      const half = Math.floor(values[Math.floor(entry / 2)] / 16 ** (entry % 2)) % 16;
      const number =
        {
          i8: Math.fround(raw * scales[row]),
          i4: (half - 8) * f16Value(scales[Math.floor(entry / 32)]),
        }[String(params.valueType)] ?? raw;
      return { column, delta, number, isPadding: !columns[row].includes(column) };
    });
  });
}

function* tell(seen: Seen): Generator<readonly Said[]> {
  yield [...openingSaid(seen, 'weights'), [RULES.opening, { rows: seen.rows, cols: seen.cols, nnz: seen.nnz }]];
  const entries = entriesOf(seen);
  yield* scan(seen, entries);
  yield* pack(seen, entries.flat());
  yield* align(seen);
  yield* multiply(seen, entries);
}

function* scan(seen: Seen, entries: readonly (readonly Entry[])[]): Generator<readonly Said[]> {
  const { rows, cols, params, arrays } = seen;
  const bits = Number(params.deltaBits);
  const reach = 2 ** bits;
  for (const [row, inRow] of entries.entries()) {
    if (params.valueType === 'i8') yield [rowScaleSaid(seen, row)];
    let previous = -1;
    /** the place of the entry before: that of padding, too */
    let place = -1;
    for (const [i, { column: at, isPadding, number }] of inRow.entries()) {
      yield* groupScale(seen, arrays.indptr[row] + i);
      const column = inRow.slice(i).find((entry) => !entry.isPadding)?.column ?? -1;
      const skip = column - place - 1;
      const sum = { left: skip, max: reach - 1, own: 1, rest: skip - reach };
      if (isPadding && place === previous) {
        const start: readonly Said[] = previous < 0 ? [[RULES.padFromStart, { row }]] : [];
        const count = inRow.slice(i).findIndex((entry) => !entry.isPadding);
        yield [...start, [count === 1 ? RULES.padOnce : RULES.pad, { ...sum, bits, ...(count > 1 && { count }) }]];
      } else if (isPadding) yield [[RULES.padAgain, sum]];
      else {
        const stores: Said = [RULES.stores, { value: value(number), skip }];
        const some = skip > 0 ? { skip } : {};
        if (place === previous) yield [[skip > 0 ? RULES.emit : RULES.emitNext, some], stores];
        else yield [[skip > 0 ? RULES.emitAfterPadding : RULES.emitRightAfterPadding, some], stores];
        previous = column;
      }
      place = at;
    }
    const end = arrays.indptr[row + 1];
    if (inRow.length === 0) yield [[RULES.emptyRow, { row, next: row + 1, end }]];
    else
      yield [
        [previous === cols - 1 ? RULES.endsFull : RULES.endsBefore, { row }],
        [row === rows - 1 ? RULES.lastRow : RULES.nextRow, { end }],
      ];
  }
}

/** The scale of 32 entries, in front of the first of them. */
function* groupScale({ params, arrays: { indptr, scales } }: Seen, entry: number): Generator<readonly Said[]> {
  if (params.valueType !== 'i4' || entry % 32 !== 0) return;
  const last = Math.min(entry + 32, indptr[indptr.length - 1]) - 1;
  const where: Said = last === entry ? [RULES.groupOfOne, { last }] : [RULES.group, { first: entry, last }];
  yield [where, groupScaleSaid(f16Value(scales[entry / 32]))];
}

function* pack(seen: Seen, entries: readonly Entry[]): Generator<readonly Said[]> {
  const { rows, nnz, params, arrays } = seen;
  const bits = Number(params.deltaBits);
  const perByte = 8 / bits;
  const count = entries.length;
  const bytes = Math.ceil(count / perByte);
  for (let byte = 0; byte < bytes; byte++) {
    const first = byte * perByte;
    const deltas = entries.slice(first, first + perByte).map(({ delta }) => delta);
    const sum = deltas.reduce((all, delta, i) => all + delta * 2 ** (bits * i), 0);
    const terms = joined(
      deltas.map((delta, i) => (i === 0 ? delta : name(`${delta} × ${2 ** (bits * i)}`))),
      ' + ',
    );
    if (deltas.length === 1) yield [[RULES.byteOfOne, { byte, first, value: sum }]];
    else {
      const rule = bits === 4 ? RULES.byteOfTwo : RULES.byte;
      yield [[rule, { byte, first, last: first + deltas.length - 1, terms, value: sum }]];
    }
    if (byte % 4 < 3 && byte < bytes - 1) continue;
    const word = Math.floor(byte / 4);
    const perWord = 32 / bits;
    const inWord = entries.slice(word * perWord, (word + 1) * perWord);
    const packed = inWord.reduce((all, { delta }, i) => all + delta * 2 ** (bits * i), 0);
    const hex = name(`0x${packed.toString(16).padStart(8, '0')}`);
    yield [[RULES.word, { word, hex, bits: 32, entries: inWord.length }]];
  }
  const tail = placesOf(count) - count;
  const none = params.valueType === 'i8' && rows > 0 ? RULES.noEntriesScales : RULES.noEntries;
  // Nothing is aligned either: the chapter on that says the same.
  if (count === 0) yield* [[[none]], [[none]]] as const;
  else {
    const valueBits = bitsOfValue(seen);
    const starts: Said =
      tail === 0 ? [RULES.startsWhole, { entries: count, group: GROUP }] : [RULES.starts, { group: GROUP, tail }];
    yield [
      starts,
      sizeSaid(seen, {
        values: nnz * valueBits,
        indices: nnz * bits,
        metadata: 32 * (rows + 1) + 8 * arrays.scales.byteLength,
        padding: (placesOf(count) - nnz) * valueBits + 32 * arrays.deltas.length - nnz * bits,
      }),
    ];
  }
}

function* align(seen: Seen): Generator<readonly Said[]> {
  const { rows, arrays } = seen;
  const bytes = (GROUP * bitsOfValue(seen)) / 8;
  const load: Said =
    bytes > 16 ? [RULES.loads, { loads: bytes / 16, group: GROUP, bytes }] : [RULES.load, { group: GROUP, bytes }];
  for (let row = 0; row < rows; row++) {
    const [start, end] = [arrays.indptr[row], arrays.indptr[row + 1]];
    if (start === end) continue;
    const range: Said =
      end - start === 1 ? [RULES.alignedOne, { row, start }] : [RULES.aligned, { row, start, last: end - 1 }];
    const before = start % GROUP;
    const after = (GROUP - (end % GROUP)) % GROUP;
    const aligned = start - before;
    if (before + after === 0) yield [range, [RULES.unmasked, { group: GROUP }], load, [RULES.stop]];
    else if (after === 0) yield [range, [RULES.masked], load, [RULES.before, { aligned, before }]];
    else if (before === 0) yield [range, [RULES.masked], load, [RULES.after, { aligned, after }]];
    else yield [range, [RULES.masked], load, [RULES.both, { aligned, before, after }]];
  }
}

function* multiply({ arrays, x }: Seen, entries: readonly (readonly Entry[])[]): Generator<readonly Said[]> {
  const usual = 32;
  const levels = Math.log2(usual);
  for (const [row, inRow] of entries.entries()) {
    const [start, end] = [arrays.indptr[row], arrays.indptr[row + 1]];
    const first = start - (start % GROUP);
    for (let chunk = first; chunk < end && inRow.length > 0; chunk += CHUNK) {
      const inChunk = inRow.flatMap((entry, i) =>
        start + i >= chunk && start + i < chunk + CHUNK ? [{ ...entry, at: start + i - chunk }] : [],
      );
      const perLane = Array.from({ length: LANES }, (_, lane) =>
        inChunk.filter(({ at }) => Math.floor(at / GROUP) === lane),
      );
      const sums = perLane.map((lane) => lane.reduce((all, { delta }) => all + delta, 0));
      const upTo = (lane: number, lanes: number): number =>
        sums.slice(Math.max(0, lane + 1 - lanes), lane + 1).reduce((all, sum) => all + sum, 0);
      const products = perLane.map((lane) => lane.reduce((all, e) => all + e.number * x[e.column], 0));
      const carry = inRow.slice(0, Math.max(0, chunk - start)).reduce((all, { delta }) => all + delta, 0);
      const lines = new Set(inChunk.map(({ column }) => Math.floor(column / 16))).size;
      const loads: Said =
        end - first > CHUNK ? [RULES.loadPart, { row, chunk, last: chunk + CHUNK - 1 }] : [RULES.loadRow, { row }];
      yield [loads, [RULES.lanes, { lanes: LANES, group: GROUP, zero: 0 }]];
      yield [[RULES.sums, { group: GROUP, sums: joined(sums, ', ') }]];
      yield [
        [
          RULES.scan0,
          {
            sums: joined(
              sums.map((_, lane) => upTo(lane, 2)),
              ', ',
            ),
          },
        ],
      ];
      const scanned = joined(
        sums.map((_, lane) => upTo(lane, 4)),
        ', ',
      );
      yield [[RULES.scan1, { sums: scanned, usual, levels }]];
      yield [[RULES.columns], ...(carry > 0 ? [[RULES.carried, { carry }] as const] : []), [RULES.formula]];
      yield [[RULES.gather, { lines, bytes: 64 }]];
      yield [[RULES.product, { products: joined(products.map(value), ', '), zero: 0 }]];
    }
    const y = inRow.reduce((all, { number, column }) => all + number * x[column], 0);
    if (inRow.length === 0) yield [[RULES.noSum, { row, zero: 0 }]];
    else yield [[RULES.sum, { row, y: value(y) }]];
  }
}

describeNarrations({ format: macko, story, narrate, rules: RULES, tell });
