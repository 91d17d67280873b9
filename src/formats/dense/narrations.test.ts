import {
  bitsOfValue,
  describeNarrations,
  divisorOf,
  type Facts,
  largestOf,
  openingSaid,
  type Said,
  type Seen,
  sizeSaid,
  stored,
  value,
} from '../../../test/narrations.ts';
import { f16Value } from '../../core/number/index.ts';
import { dense } from './index.ts';
import { story } from './story/index.ts';
import { narrate } from './story/narration.ts';

const RULES = {
  opening:
    'This {rows} × {cols} window has {cells cell}, {nnz} of them non-zero. Dense stores every cell, without indices.',
  noScale: 'Row {row} has no non-zeros to scale; its scale is {scale}.',
  tooSmall:
    'The values of row {row} are too small for a scale of their own. It is {scale}, and they are stored as {zero}.',
  scale:
    'Row {row} gets one scale for its i8 cells: a step is worth {scale}. That is its largest magnitude over {divisor}.',
  group:
    ': one scale in f16 for the group, {scale}. It is the value of the largest magnitude over {divisor}, so that {bits} bits reach from {bottom} to {top}.',
  groupOfZeros:
    ': every value is {zero}, or nearly. A scale in f16 cannot be that small: that of this group is {zero}.',
  ofOne: 'Row {row}, column {first}',
  ofMany: 'Row {row}, columns {first} to {last}',
  padding: 'Row {row} ends: {padding} zeros fill it to a multiple of {bytes} bytes.',
  full: ': {zeros} of {count cell} {count:is|are} zero. The {count} cells fill {bytes} bytes.',
  padded: ': {zeros} of {count cell} {count:is|are} zero. Padding of {padding cell} fills the {bytes} bytes.',
  packed: '{cells cell} are stored, {zeros} of them zeros. ',
  packedOne: '{cells cell} is stored, {zeros} of them zeros. ',
  onlyProduct: 'Row {row} meets x[{first}]: ',
  products: 'Row {row} meets x[{first}] to x[{last}]: ',
  soFar: '{count product}, {zeros} with a zero. The row adds up to {sum} so far.',
  sum: 'Row {row} is done after {cols product}: y[{row}] = {y}.',
  multiplied:
    'y is complete: {zeros} of {cells} multiplications had a zero. That work and memory is what sparse formats save.',
} as const;

/** The cells of a row as they are stored. */
function cellsOf({ cols, params, arrays: { data, scales } }: Seen, row: number, stride: number): readonly number[] {
  return Array.from({ length: cols }, (_, c) => {
    if (params.valueType === 'i8') return Math.fround(data[row * stride + c] * scales[row]);
    if (params.valueType !== 'i4') return stored(data, row * stride + c);
    const group = (row * stride) / 32 + Math.floor(c / 32);
    const byte = data[16 * group + (c % 16)];
    return ((c % 32 < 16 ? byte & 15 : byte >> 4) - 8) * f16Value(scales[group]);
  });
}

function* tell(seen: Seen): Generator<readonly Said[]> {
  const { rows, cols, nnz, columns, params, arrays, x } = seen;
  const perLoad = 128 / bitsOfValue(seen);
  const unit = Math.max(8, perLoad);
  const stride = Math.ceil(cols / unit) * unit;
  const cells = rows * cols;
  yield [...openingSaid(seen, 'weights'), [RULES.opening, { rows, cols, cells, nnz }]];
  let zeros = 0;
  for (let row = 0; row < rows; row++) {
    const values = cellsOf(seen, row, stride);
    if (params.valueType === 'i8') {
      const scale = arrays.scales[row];
      const largest = largestOf(seen, row);
      if (columns[row].length === 0) yield [[RULES.noScale, { row, scale: value(scale) }]];
      else if (Math.fround(largest / 127) === 0) yield [[RULES.tooSmall, { row, scale: value(scale), zero: 0 }]];
      else yield [[RULES.scale, { row, scale: value(scale), divisor: divisorOf(largest, scale) }]];
    }
    for (let first = 0; first < stride; first += perLoad) {
      const last = Math.min(cols, first + perLoad) - 1;
      const place: Said = first === last ? [RULES.ofOne, { row, first }] : [RULES.ofMany, { row, first, last }];
      if (params.valueType === 'i4') {
        const scale = f16Value(arrays.scales[(row * stride + first) / 32]);
        const group = seen.cells.subarray(row * cols + first, row * cols + last + 1);
        const largest = group.reduce((max, cell) => (Math.abs(cell) > Math.abs(max) ? cell : max), 0);
        const scaled: Facts = {
          scale: value(scale),
          divisor: value(Math.abs(largest / scale + 8) < 0.01 || Math.abs(scale) < 2 ** -14 ? -8 : largest / scale),
          bits: bitsOfValue(seen),
          bottom: value(-8 * scale),
          top: value(7 * scale),
        };
        yield [place, scale === 0 ? [RULES.groupOfZeros, { zero: 0 }] : [RULES.group, scaled]];
      }
      const count = last - first + 1;
      if (count <= 0) {
        yield [[RULES.padding, { row, padding: perLoad, bytes: (unit * bitsOfValue(seen)) / 8 }]];
        continue;
      }
      const here = values.slice(first, last + 1).filter((cell) => cell === 0).length;
      zeros += here;
      const padding = perLoad - count;
      if (padding === 0) yield [place, [RULES.full, { count, zeros: here, bytes: 16 }]];
      else yield [place, [RULES.padded, { count, zeros: here, padding, bytes: 16 }]];
    }
  }
  const bits = bitsOfValue(seen);
  yield [
    [cells === 1 ? RULES.packedOne : RULES.packed, { cells, zeros }],
    sizeSaid(seen, {
      values: cells * bits,
      padding: rows * (stride - cols) * bits,
      metadata: 8 * arrays.scales.byteLength,
    }),
  ];
  for (let row = 0; row < rows; row++) {
    const values = cellsOf(seen, row, stride);
    let sum = 0;
    for (let first = 0; first < cols; first += perLoad) {
      const here = values.slice(first, first + perLoad);
      for (const [i, cell] of here.entries()) sum += cell * x[first + i];
      const count = here.length;
      const none = here.filter((cell) => cell === 0).length;
      const met: Said =
        count === 1 ? [RULES.onlyProduct, { row, first }] : [RULES.products, { row, first, last: first + count - 1 }];
      yield [met, [RULES.soFar, { count, zeros: none, sum: value(sum) }]];
    }
    yield [[RULES.sum, { row, cols, y: value(sum) }]];
  }
  yield [[RULES.multiplied, { cells, zeros }]];
}

describeNarrations({ format: dense, story, narrate, rules: RULES, tell });
