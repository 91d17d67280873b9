import {
  decimals,
  describeNarrations,
  joined,
  listed,
  name,
  openingSaid,
  percent,
  type Said,
  type Seen,
  sizeSaid,
  value,
} from '../../../test/narrations.ts';
import { bf16Value } from '../../core/number/index.ts';
import { twell } from './index.ts';
import { RULES } from './narration-rules.ts';
import { story } from './story/index.ts';
import { narrate } from './story/narration.ts';
import type { TwellTrace } from './story/trace.ts';

/** What the story makes up. */
type MadeUp = Pick<TwellTrace, 'block' | 'backward'>;

/** The window with the numbers that several steps need. */
interface Tiled extends Seen {
  readonly isPacked: boolean;
  readonly width: number;
  readonly slots: number;
  readonly capacity: number;
  readonly tiles: number;
  /** columns of each tile of each row */
  readonly inTiles: readonly (readonly (readonly number[])[])[];
  readonly isOut: readonly boolean[];
  /** columns of every row that is stored, none of the others */
  readonly kept: readonly (readonly number[])[];
  /** the first of the longest rows that are stored */
  readonly walked: number;
}

function tiled(seen: Seen): Tiled {
  const { rows, cols, columns, params } = seen;
  const isPacked = params.layout === 'packed';
  const width = Number(params.tileWidth);
  const slots = width / Number(params.compression);
  const capacity = slots - (isPacked ? 1 : 0);
  const tiles = Math.ceil(cols / width);
  const inTiles = columns.map((inRow) =>
    Array.from({ length: tiles }, (_, t) => inRow.filter((column) => Math.floor(column / width) === t)),
  );
  const isOut = inTiles.map((ofRow) => ofRow.some(({ length }) => length > capacity));
  const kept = columns.map((inRow, row) => (isOut[row] ? [] : inRow));
  const longest = Math.max(0, ...kept.map(({ length }) => length));
  const walked = rows === 0 ? 0 : kept.findIndex(({ length }) => length === longest);
  return { ...seen, isPacked, width, slots, capacity, tiles, inTiles, isOut, kept, walked };
}

/** The stored entries of a tile row, decoded from the arrays. */
function entriesOf(
  { arrays, isPacked, slots, tiles }: Tiled,
  row: number,
  tile: number,
): readonly { readonly column: number; readonly bits: number }[] {
  const at = (row * tiles + tile) * slots;
  const count = isPacked ? arrays.words[at] : arrays.counts[row * tiles + tile];
  return Array.from({ length: count }, (_, i) =>
    isPacked
      ? { column: arrays.words[at + 1 + i] % 2 ** 16, bits: Math.floor(arrays.words[at + 1 + i] / 2 ** 16) }
      : { column: arrays.indices[at + i], bits: arrays.values[at + i] },
  );
}

function* tell(seen: Seen, t: MadeUp): Generator<readonly Said[]> {
  const s = tiled(seen);
  yield* opening(s);
  yield* gate(s);
  yield* tiles(s);
  yield* word(s);
  yield* overflow(s);
  yield* walk(s, t);
  yield* route(s);
  yield* backward(s, t);
  yield* skipped(s);
}

function keptSaid({ rows, cols, nnz }: Tiled): readonly Said[] {
  const cells = rows * cols;
  if (cells === 0) return [[RULES.noNeurons]];
  if (nnz === 0) return [[RULES.noneFires, { zero: 0, cells }]];
  const zeros = { zero: 0, zeros: cells - nnz, cells };
  return [[RULES.someFire, zeros], nnz === 1 ? [RULES.keepsOne] : [RULES.keeps, { nnz }]];
}

function* opening(s: Tiled): Generator<readonly Said[]> {
  const { rows, cols, nnz, cells, columns } = s;
  const negatives = cells.filter((cell) => cell < 0).length;
  yield [
    ...openingSaid(s, 'activations'),
    ...keptSaid(s),
    ...(negatives === 0 ? [] : [[RULES.negatives, { negatives }] as const]),
  ];
  yield [[RULES.ell]];
  const longest = Math.max(0, ...columns.map(({ length }) => length));
  const row = columns.findIndex(({ length }) => length === longest);
  const slots = rows * longest;
  if (longest === 0) yield [[RULES.noWidth]];
  else yield [[RULES.width, { longest, row, empty: slots - nnz, slots }]];
  yield [[RULES.passes, { bytes: 2 * rows * cols }]];
}

function* gate(s: Tiled): Generator<readonly Said[]> {
  const { rows, cols, width, walked: row, cells } = s;
  if (rows * cols === 0) {
    yield [[RULES.noTile]];
    return;
  }
  const counts = Array.from({ length: s.tiles }, (_, tile) => entriesOf(s, row, tile).length);
  const kept = Math.max(...counts);
  const tile = counts.indexOf(kept);
  const columns = Math.min(width, cols - tile * width);
  yield [[RULES.gate, { tile, inputs: 4, columns, row }]];
  const hasNegatives = cells.some((cell) => cell < 0);
  if (s.isOut[row]) yield [[RULES.reluOut, { zero: 0, row }]];
  else yield [[RULES.relu, { zero: 0, kept, columns }], ...(hasNegatives ? [[RULES.reluNegatives] as const] : [])];
  yield [[RULES.epilogue]];
}

function columnsSaid({ width, cols }: Tiled, tile: number): Said {
  const [first, last] = [tile * width, Math.min(cols, (tile + 1) * width) - 1];
  return first === last ? [RULES.column, { first }] : [RULES.columns, { first, last }];
}

function* tiles(s: Tiled): Generator<readonly Said[]> {
  const { rows, capacity, isPacked, inTiles, isOut } = s;
  const order = Array.from({ length: s.tiles }, (_, t) => t).toSorted((a, b) => (b % 2) - (a % 2) || a - b);
  for (const tile of order) {
    let stored = 0;
    for (let row = 0; row < rows; row++) {
      const count = inTiles[row][tile].length;
      const where: readonly Said[] = [[RULES.tokenTile, { row, tile }], columnsSaid(s, tile)];
      if (isOut[row] && count > capacity) yield [...where, [RULES.overflows, { count, capacity }]];
      else if (isOut[row]) yield [...where, [RULES.wouldFit]];
      else if (count > 0) {
        stored += count;
        const empty = capacity - count;
        yield [
          ...where,
          [RULES.holds, { count }],
          empty === 0 ? [RULES.full] : [RULES.unused, { empty }],
          isPacked ? [RULES.notedWord, { zero: 0, count }] : [RULES.notedCount, { count }],
        ];
      } else {
        const first = row;
        const isEmpty = (r: number): boolean => r < rows && !isOut[r] && inTiles[r][tile].length === 0;
        while (isEmpty(row + 1)) row++;
        const lead: Said = first === row ? [RULES.oneEmpty, { first, tile }] : [RULES.moreEmpty, { first, row, tile }];
        yield [lead, columnsSaid(s, tile), [RULES.countZero, { zero: 0 }]];
      }
    }
    const tokens = isOut.filter((is) => !is).length;
    yield [
      [RULES.tile, { tile, stored, tokens }],
      ...(tile % 2 === 1 ? [[RULES.notDone, { before: tile - 1 }] as const] : []),
    ];
  }
  if (s.tiles === 0) yield [[RULES.noTile]];
}

function* word(s: Tiled): Generator<readonly Said[]> {
  const { kept, walked: row, cells, cols, isPacked } = s;
  const column = kept[row]?.at(-1) ?? 300;
  const isReal = kept.some(({ length }) => length > 0);
  const number = isReal ? cells[row * cols + column] : 1;
  const bits = isReal ? (entriesOf(s, row, Math.floor(column / s.width)).at(-1)?.bits ?? 0) : 0x3f80;
  const stored = bf16Value(bits);
  const what = { value: value(number), column };
  yield [
    isReal ? [RULES.value, { row, ...what }] : [RULES.example, what],
    [RULES.f32, { bits: 32, exponent: 8, fraction: 23 }],
  ];
  const hex = (word: number, digits: number) => name(`0x${word.toString(16).toUpperCase().padStart(digits, '0')}`);
  const isExact = stored === number || (Number.isNaN(stored) && Number.isNaN(number));
  yield [
    [RULES.bf16, { half: 16, hex: hex(bits, 4) }],
    isExact
      ? [RULES.exact]
      : [RULES.rounded, { value: value(number), stored: name(String(stored).replaceAll('-', '−')) }],
  ];
  const joinedWord = bits * 2 ** 16 + column;
  if (isPacked) {
    yield [[RULES.columnPacked, { column, half: 16, reach: 2 ** 16 }]];
    yield [[RULES.word, { hex: hex(joinedWord, 8), word: joinedWord }]];
  } else {
    yield [[RULES.columnSplit, { column, bits: 32 }]];
    yield [[RULES.wordSplit]];
  }
}

/** What the published kernel reads of a tile row with more non-zeros than slots: the numbers of lost and repeated ones. */
function published(count: number, slots: number, wraps: boolean) {
  const words = new Map<number, number>();
  words.set(0, 0);
  for (let i = 1; i <= count; i++) words.set(wraps ? ((i - 1) % slots) + 1 : i, i);
  const read = Array.from({ length: count }, (_, i) => words.get((i + 1) % slots));
  const timesOf = (number: number): number => read.filter((word) => word === number).length;
  const numbers = Array.from({ length: count }, (_, i) => i + 1);
  return {
    lost: numbers.filter((number) => timesOf(number) === 0),
    repeated: numbers.filter((number) => timesOf(number) > 1),
    countsRead: timesOf(0),
    inPadding: [...words.keys()].filter((at) => at >= slots && at < slots + 4).length,
    below: [...words.keys()].filter((at) => at >= slots + 4).length,
  };
}

function* overflow(s: Tiled): Generator<readonly Said[]> {
  const { width, slots, capacity, isPacked, inTiles, params } = s;
  const isTooFull = s.isOut.includes(true);
  let [row, tile, real] = [0, 0, 0];
  for (const [r, ofRow] of inTiles.entries()) {
    for (const [t, { length }] of ofRow.entries()) if (length > real) [row, tile, real] = [r, t, length];
  }
  if (real === 0) yield [[RULES.noneFull]];
  else yield [[RULES.fullest, { tile, row, real, capacity }]];

  const held = (inTiles[row]?.[tile] ?? []).map((column) => column - tile * width);
  const free = Array.from({ length: width }, (_, c) => c).filter((c) => !held.includes(c));
  const wanted = isTooFull ? real : Math.max(real, capacity + 2);
  const hot = [...held, ...free.slice(0, wanted - real)].toSorted((a, b) => a - b);
  const count = hot.length;
  const lost = count - capacity;
  const who: Said = isTooFull ? [RULES.token, { row }] : [RULES.madeUp];
  yield [who, [RULES.hot, { count, tile, capacity, lost }]];

  for (const wraps of isPacked ? [true, false] : []) {
    const p = published(count, slots, wraps);
    const named = (numbers: readonly number[]) => listed(numbers.map((number) => tile * width + hot[number - 1]));
    const said: Said[] = wraps
      ? [[RULES.wraps, { slots }]]
      : [
          [RULES.goesOn, { inPadding: p.inPadding }],
          ...(p.below > 0 ? [[RULES.below, { below: p.below }] as const] : []),
          [RULES.colon],
        ];
    if (p.lost.length > 3) said.push([RULES.lostMany, { lost: p.lost.length, count }]);
    else said.push([p.lost.length === 1 ? RULES.lostOne : RULES.lost, { columns: named(p.lost) }]);
    if (p.repeated.length > 3) said.push([RULES.repeatedMany, { repeated: p.repeated.length }]);
    else if (p.repeated.length > 0)
      said.push([p.repeated.length === 1 ? RULES.repeatedOne : RULES.repeated, { columns: named(p.repeated) }]);
    if (p.countsRead > 0) said.push([RULES.countRead, { zero: 0 }]);
    yield [...said, [RULES.stop]];
  }

  const roomAt = (compression: number): number => width / compression - (isPacked ? 1 : 0);
  const from = Number(params.compression);
  const to = [8, 4, 2].find((compression) => compression < from && roomAt(compression) >= count);
  if (to === undefined) {
    yield [[RULES.noLower, { two: 2, places: roomAt(2), width }]];
  } else {
    const bytes = (compression: number): number =>
      isPacked ? (4 * width) / compression : (6 * width) / compression + 4;
    yield [[RULES.lower, { from, to, times: value(bytes(to) / bytes(from)) }]];
  }
  yield [[RULES.hybrid, { bytes: 2 * s.cols }]];
}

/** The products of the walked token: per non-zero its neuron, activation, input sum and the outputs after it. */
function walkedEntries(s: Tiled, { block: { width: k, x, up, down } }: MadeUp) {
  const y = new Float64Array(k);
  if (s.rows === 0) return [];
  return Array.from({ length: s.tiles }, (_, tile) => entriesOf(s, s.walked, tile).map((e) => ({ ...e, tile })))
    .flat()
    .map(({ column, bits, tile }) => {
      const h = bf16Value(bits);
      const weights = Array.from({ length: k }, (_, i) => up[column * k + i]);
      const u = weights.reduce((sum, weight, i) => sum + x[i] * weight, 0);
      for (let i = 0; i < k; i++) y[i] += h * u * down[column * k + i];
      return { column, tile, h, u, weights, y: Array.from(y) };
    });
}

function* walk(s: Tiled, t: MadeUp): Generator<readonly Said[]> {
  const { rows, cols, kept, isOut, walked: token, x } = s;
  for (let row = 0; row < rows; row++) {
    if (isOut[row]) {
      yield [[RULES.rowOut, { row }]];
      continue;
    }
    let y = 0;
    for (let tile = 0; tile < s.tiles; tile++) {
      for (const { column, bits } of entriesOf(s, row, tile)) y += bf16Value(bits) * x[column];
    }
    const first: readonly Said[] = row === 0 ? [[RULES.firstRow]] : [];
    const count = kept[row].length;
    if (count === 0) yield [...first, [RULES.rowNone, { row, y: value(y) }]];
    else yield [...first, [RULES.row, { row, tiles: s.tiles, count, y: value(y) }]];
  }
  const entries = walkedEntries(s, t);
  const count = entries.length;
  const inputs = Array.from(t.block.x);
  for (const [i, { column, tile, h, u, weights, y }] of entries.slice(0, 3).entries()) {
    const lead: readonly Said[] = i === 0 ? [[RULES.block, { token, inputs: inputs.length }]] : [];
    yield [...lead, [RULES.entry, { number: i + 1, count, tile, column, h: value(h) }]];
    const terms = joined(
      inputs.map((input, k) => joined([value(input), value(weights[k])], ' × ')),
      ' + ',
    );
    yield [[RULES.up, { column, terms, u: value(u) }]];
    yield [[RULES.down, { h: value(h), u: value(u), product: value(h * u), column, y: listed(y.map(value)) }]];
  }
  if (count === 0) yield [[RULES.noWalk, { zero: 0 }]];
  else yield [[RULES.walked, { token, count, cols }]];
}

function* route(s: Tiled): Generator<readonly Said[]> {
  const { rows, cols, nnz, columns, inTiles, slots } = s;
  const room = 4;
  const tail = columns.flatMap(({ length }, row) => (length > room ? [row] : []));
  for (const [row, { length: count }] of columns.entries()) {
    if (count <= room) {
      yield [[RULES.compact, { row, count, room }]];
      continue;
    }
    const clamped = inTiles[row].reduce((sum, { length }) => sum + Math.min(length, slots), 0);
    yield [
      [RULES.tail, { row, count, room, place: tail.indexOf(row) }],
      ...(clamped === count ? [] : [[RULES.clamped, { slots, clamped }] as const]),
      ...(clamped === count
        ? []
        : [clamped > room ? ([RULES.stop] as const) : ([RULES.without, { missing: count - clamped }] as const)]),
    ];
  }
  if (rows === 0) yield [[RULES.noRoute]];
  const inTail = tail.reduce((sum, row) => sum + columns[row].length, 0);
  if (tail.length === 0) yield [[RULES.noneRouted, { rows }]];
  else yield [[RULES.routed, { tail: tail.length, rows, share: percent(inTail, nnz) }]];
  yield [[RULES.transpose]];
  const perColumn = Array.from({ length: cols }, (_, c) => columns.filter((inRow) => inRow.includes(c)).length);
  const count = Math.max(0, ...perColumn);
  const column = perColumn.indexOf(count);
  if (count === 0) yield [[RULES.noColumn]];
  else if (count > room) yield [[RULES.longColumn, { column, count, room }]];
  else yield [[RULES.shortColumn, { column, count }]];
}

function* backward(s: Tiled, t: MadeUp): Generator<readonly Said[]> {
  const { kept, cols, walked: token } = s;
  const [first] = walkedEntries(s, t);
  if (kept.every(({ length }) => length === 0)) {
    yield [[RULES.noGradient]];
    return;
  }
  const { width: k, down } = t.block;
  let back = 0;
  for (let i = 0; i < k; i++) back += t.backward.dy[token * k + i] * down[first.column * k + i];
  yield [[RULES.dh, { count: kept[token].length, cols, token, column: first.column, back: value(back) }]];
  yield [[RULES.both, { du: value(back * first.h), dh: value(back * first.u), column: first.column }]];
  const perColumn = Array.from({ length: cols }, (_, c) => kept.filter((inRow) => inRow.includes(c)).length);
  const tokens = Math.max(...perColumn);
  yield [[RULES.weights, { column: perColumn.indexOf(tokens), tokens }]];
}

function* skipped(s: Tiled): Generator<readonly Said[]> {
  const { rows, cols, nnz, isOut, kept, isPacked, slots, tiles: perRow } = s;
  const cells = rows * cols;
  if (cells === 0) {
    for (let i = 0; i < 3; i++) yield [[RULES.noCells]];
    return;
  }
  const out = isOut.filter(Boolean).length;
  yield [
    [RULES.adds, { nnz, cells, skipped: percent(cells - nnz, cells) }],
    ...(out === 0 ? [] : [[RULES.includes, { out }] as const]),
  ];
  const stored = kept.reduce((sum, { length }) => sum + length, 0);
  const tileRows = rows * perRow;
  const slotBits = isPacked ? 32 : 48;
  const empty = tileRows * slots - stored - (isPacked ? tileRows : 0);
  yield [
    sizeSaid(s, {
      values: 16 * stored,
      indices: (slotBits - 16) * stored,
      metadata: 32 * tileRows,
      padding: slotBits * empty,
    }),
  ];
  const density = nnz / cells;
  yield [[RULES.limit, { share: value(100 * density), times: decimals(3 / (1 + 2 * density), 2) }]];
}

describeNarrations({ format: twell, story, narrate, rules: RULES, tell });
