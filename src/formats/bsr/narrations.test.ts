import {
  bitsOfValue,
  describeNarrations,
  joined,
  openingSaid,
  type Said,
  type Seen,
  sizeSaid,
  stored,
  value,
} from '../../../test/narrations.ts';
import { bsr } from './index.ts';
import { story } from './story/index.ts';
import { narrate } from './story/narration.ts';

const RULES = {
  opening:
    'A grid cuts this {rows} × {cols} window of {nnz non-zero} into {blocks block} of {size} × {size}. BSR stores a block whole, or not at all if it is empty.',
  row: 'row {first}',
  rows: 'rows {first} to {last}',
  where: 'Block row {block}, ',
  none: ': none of its {of block} is stored. So indptr[{next}] is {end} again.',
  count: ': {found} of its {of block} {found:holds|hold} something. So indptr[{next}] = {end}.',
  block:
    'Block {at} begins in column {first}: indices[{at}] = {index}, since {index} × {size} = {first}. Its {cells} cells, {held non-zero} among them, go to data[{from}] to data[{to}].',
  noZeros: 'Block row {block}: all {cells cell} of its {blocks block} are non-zeros. BSR is made for this.',
  zeros:
    'Block row {block}: its {blocks block} {blocks:has|have} {cells cell}. The {zeros zero} among them {zeros:is|are} stored and multiplied.',
  packed: '{blocks block} of {cells} cells, with one index each. ',
  meetsOne: 'Block {at} meets x[{first}], found through one index. Each element of x serves ',
  meets: 'Block {at} meets x[{first}] to x[{last}], found through one index. Each element of x serves ',
  noBlocks: 'Block row {block} has no blocks: y is {zero} in ',
  sum: 'Block row {block}: y is {y} in ',
  more: 'Block row {block}: y is {y} … in ',
  end: '.',
  scaled: '. Each was multiplied by the scale of its row.',
  multiplied: 'y is complete after {cells multiplication}, zeros included; the window has {nnz non-zero}.',
} as const;

function* tell(seen: Seen): Generator<readonly Said[]> {
  const { rows, cols, nnz, columns, params, arrays, x } = seen;
  const size = Number(params.blockSize);
  const [down, across] = [Math.ceil(rows / size), Math.ceil(cols / size)];
  const square = size * size;
  const isScaled = params.valueType === 'i8';
  /** block columns of every block row, from the cells themselves */
  const grid = Array.from({ length: down }, (_, b) => {
    const held = columns.slice(b * size, (b + 1) * size).flat();
    return [...new Set(held.map((column) => Math.floor(column / size)))].toSorted((p, q) => p - q);
  });
  const cell = (block: number, r: number, c: number, row: number): number => {
    const raw = stored(arrays.data, block * square + r * size + c);
    return isScaled ? Math.fround(raw * arrays.scales[row]) : raw;
  };
  /** the cells of a block that are inside the window, as row, column and number */
  const cellsOf = (b: number, block: number, index: number): readonly (readonly [number, number, number])[] => {
    const found: (readonly [number, number, number])[] = [];
    for (let r = 0; r < size && b * size + r < rows; r++) {
      for (let c = 0; c < size && index * size + c < cols; c++) {
        found.push([b * size + r, index * size + c, cell(block, r, c, b * size + r)]);
      }
    }
    return found;
  };
  const rowsSaid = (b: number): Said => {
    const [first, last] = [b * size, Math.min(rows, (b + 1) * size) - 1];
    return first === last ? [RULES.row, { first }] : [RULES.rows, { first, last }];
  };

  yield [...openingSaid(seen, 'weights'), [RULES.opening, { rows, cols, nnz, blocks: down * across, size }]];
  let end = 0;
  for (const [block, indices] of grid.entries()) {
    end += indices.length;
    const facts = { of: across, next: block + 1, end };
    const count: Said = indices.length === 0 ? [RULES.none, facts] : [RULES.count, { ...facts, found: indices.length }];
    yield [[RULES.where, { block }], rowsSaid(block), count];
  }
  let at = 0;
  let total = 0;
  const heldIn: number[] = [];
  for (const [block, indices] of grid.entries()) {
    heldIn.push(0);
    for (const index of indices) {
      const held = cellsOf(block, at, index).filter(([, , number]) => number !== 0).length;
      heldIn[block] += held;
      total += held;
      const [from, to] = [at * square, (at + 1) * square - 1];
      yield [[RULES.block, { at, first: index * size, index, size, cells: square, held, from, to }]];
      at++;
    }
  }
  for (const [block, { length: blocks }] of grid.entries()) {
    if (blocks === 0) continue;
    const cells = blocks * square;
    const held = heldIn[block];
    if (held === cells) yield [[RULES.noZeros, { block, cells, blocks }]];
    else yield [[RULES.zeros, { block, blocks, cells, zeros: cells - held }]];
  }
  const bits = bitsOfValue(seen);
  yield [
    [RULES.packed, { blocks: end, cells: square }],
    sizeSaid(seen, {
      values: total * bits,
      indices: 32 * end,
      metadata: 32 * (down + 1) + (isScaled ? 32 * rows : 0),
      padding: (end * square - total) * bits,
    }),
  ];
  at = 0;
  for (const [block, indices] of grid.entries()) {
    const y = new Float64Array(Math.min(size, rows - block * size));
    for (const index of indices) {
      for (const [row, column, number] of cellsOf(block, at, index)) {
        if (number !== 0) y[row - block * size] += number * x[column];
      }
      const [first, last] = [index * size, Math.min(cols, (index + 1) * size) - 1];
      const meets: Said = first === last ? [RULES.meetsOne, { at, first }] : [RULES.meets, { at, first, last }];
      yield [meets, rowsSaid(block), [RULES.end]];
      at++;
    }
    const shown = joined(Array.from(y.subarray(0, 4), value), ', ');
    const rule = y.length > 4 ? RULES.more : RULES.sum;
    const sum: Said = indices.length === 0 ? [RULES.noBlocks, { block, zero: 0 }] : [rule, { block, y: shown }];
    yield [sum, rowsSaid(block), [isScaled && indices.length > 0 ? RULES.scaled : RULES.end]];
  }
  yield [[RULES.multiplied, { cells: end * square, nnz }]];
}

describeNarrations({ format: bsr, story, narrate, rules: RULES, tell });
