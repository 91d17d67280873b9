import {
  bitsOfValue,
  decimals,
  describeNarrations,
  listed,
  name,
  openingSaid,
  percent,
  rowScaleSaid,
  type Said,
  SCALE_RULES,
  type Seen,
  stored,
  totalBytes,
  value,
} from '../../../test/narrations.ts';
import { matrixOf } from '../../../test/matrices.ts';
import { type Group, groupsByHand } from './groups-by-hand.ts';
import { slideSparse } from './index.ts';
import { RULES } from './narration-rules.ts';
import { story } from './story/index.ts';
import { narrate } from './story/narration.ts';
import type { SlideSparseTrace } from './story/trace.ts';

interface Slid extends Seen {
  readonly half: number;
  readonly width: number;
  readonly perGroup: number;
  /** windows of a row: those of its groups, and with those that fill its last word of metadata */
  readonly used: number;
  readonly perRow: number;
  readonly pattern: string;
  readonly groups: readonly Group[];
}

function slid(seen: Seen): Slid {
  const half = Number(seen.params.halfGroup);
  const [width, perGroup] = [2 * half, half - 1];
  const used = Math.ceil(seen.cols / width) * perGroup;
  const groups = groupsByHand(seen, half);
  const pattern = `${width - 2}:${width}`;
  return { ...seen, half, width, perGroup, used, perRow: 8 * Math.ceil(used / 8), pattern, groups };
}

function* tell(seen: Seen, t: Pick<SlideSparseTrace, 'examples'>): Generator<readonly Said[]> {
  const s = slid(seen);
  const { rows, cols, nnz, width } = s;
  yield [...openingSaid(s, 'weights'), [RULES.opening, { rows, cols, nnz, allowed: width - 2, width }]];
  yield* prune(s);
  yield* slide(s);
  yield* compress(s);
  yield* lift(s);
  yield* multiply(s);
  yield* pays(s);
  yield* theorem(s, t);
}

const rangeSaid = (first: number, end: number): Said =>
  end - first === 1 ? [RULES.column, { first }] : [RULES.columns, { first, last: end - 1 }];

const cellOf = ({ cells, cols, width }: Slid, { row, group }: Group, column: number): number =>
  cells[row * cols + group * width + column];

function* prune(s: Slid): Generator<readonly Said[]> {
  const { width, cols, pattern, groups } = s;
  const allowed = width - 2;
  yield [[RULES.accuracy, { dense: decimals(54, 1), two: decimals(15.3, 1), six: decimals(51.6, 1) }]];
  const columnsOf = (group: number): Said => rangeSaid(group * width, Math.min(cols, (group + 1) * width));
  const full = groups.filter(({ columns }) => columns.length > allowed);
  for (const found of full) {
    const { row, group, columns, windowOf } = found;
    const cells = columns.map((column) => ({ stays: windowOf.has(column), cell: cellOf(s, found, column) }));
    const going = cells.filter(({ stays }) => !stays);
    const staying = cells.filter(({ stays }) => stays);
    const isTied = going.some((a) => staying.some((b) => Object.is(Math.abs(a.cell), Math.abs(b.cell))));
    yield [
      [RULES.row, { row }],
      columnsOf(group),
      [
        RULES.tooFull,
        { count: columns.length, allowed, going: listed(going.map(({ cell }) => value(cell))), gone: going.length },
      ],
      ...(isTied ? [[RULES.tied] as const] : []),
      ...(staying.some(({ cell }) => Number.isNaN(cell)) ? [[RULES.nan] as const] : []),
    ];
  }
  if (full.length > 0) return;
  const count = Math.max(0, ...groups.map(({ columns }) => columns.length));
  const fullest = groups.find(({ columns }) => columns.length === count);
  if (!fullest) yield [[RULES.nothingFits, { pattern: name(pattern) }]];
  else {
    const { row, group } = fullest;
    yield [[RULES.fits, { width, allowed, row }], columnsOf(group), [RULES.fullest, { count }]];
  }
}

function* slide(s: Slid): Generator<readonly Said[]> {
  const { cols, width, perGroup, groups } = s;
  for (const [index, found] of groups.entries()) {
    const { row, group, windowOf } = found;
    for (let w = 0; w < perGroup; w++) {
      const start = group * width + 2 * w;
      const window = group * perGroup + w;
      const lead: Said = [RULES.window, { row, group, window }];
      if (start >= cols) {
        yield [lead, [RULES.past]];
        continue;
      }
      const sees: readonly Said[] = [lead, [RULES.sees], rangeSaid(start, Math.min(cols, start + 4))];
      const seen = [...windowOf].filter(([c]) => c >= 2 * w && c < 2 * w + 4).toSorted(([a], [b]) => a - b);
      const before = seen.filter(([, by]) => by < w).map(([c]) => group * width + c);
      const here = seen.filter(([, by]) => by === w).map(([c]) => value(cellOf(s, found, c)));
      const later = seen.filter(([, by]) => by > w).map(([c]) => value(cellOf(s, found, c)));
      const columns = listed(before);
      if (seen.length === 0) yield [...sees, [RULES.zeros]];
      else if (here.length === 0) yield [...sees, [RULES.taken, { columns, taken: before.length }]];
      else {
        const values = listed(here);
        const keeps: Said =
          before.length === 0
            ? [RULES.keeps, { values }]
            : [RULES.keepsAfter, { columns, values, taken: before.length }];
        if (later.length === 0) yield [...sees, keeps, [RULES.stop]];
        else
          yield [
            ...sees,
            keeps,
            [RULES.leaves, { values: listed(later), next: window + 1 }],
            ...(index === 0 && w === 0 ? [[RULES.twoAtMost] as const] : []),
          ];
      }
    }
  }
  if (groups.length === 0) yield [[RULES.noSlide]];
}

/** A kept slot of a window: its place, its column, and what is stored. */
function keptOf({ arrays, perRow, perGroup, width, params }: Slid, row: number, window: number) {
  const at = row * perRow + window;
  const nibble = Math.floor(arrays.metadata[Math.floor(at / 8)] / 16 ** (at % 8)) % 16;
  const start = Math.floor(window / perGroup) * width + 2 * (window % perGroup);
  return [nibble % 4, Math.floor(nibble / 4)].map((slot, k) => {
    const raw = stored(arrays.values, 2 * at + k);
    const number = params.valueType === 'i8' ? Math.fround(raw * arrays.scales[row]) : raw;
    return { slot, column: start + slot, raw, number };
  });
}

function* compress(s: Slid): Generator<readonly Said[]> {
  const { rows, perGroup, perRow, width, groups, params } = s;
  for (let row = 0; row < rows; row++) {
    if (params.valueType === 'i8') yield [rowScaleSaid(s, row)];
    let window = 0;
    for (const found of groups.filter((group) => group.row === row)) {
      const first = found.group * perGroup;
      yield* fill(s, row, window, first);
      for (window = first; window < first + perGroup; window++) {
        const kept = keptOf(s, row, window);
        const [{ slot: low }, { slot: high }] = kept;
        const slots = { first: low, second: high };
        const own = [...found.windowOf].filter(([, by]) => by === window - first).map(([c]) => c);
        const changes = kept.flatMap(({ column, number }): readonly Said[] => {
          const at = column - found.group * width;
          if (!own.includes(at)) return [];
          const cell = cellOf(s, found, at);
          const change = { value: value(cell), type: name(String(params.valueType)) };
          if (number === 0) return [[RULES.lost, { ...change, zero: 0 }]];
          if (Number.isFinite(cell) && !Number.isFinite(number))
            return [[RULES.infinite, { ...change, stored: value(number) }]];
          return [];
        });
        const rule = [RULES.none, RULES.one, RULES.two][own.length];
        yield [
          [RULES.window, { row, group: found.group, window }],
          [rule, slots],
          [RULES.code, { ...slots, four: 4, nibble: low + 4 * high }],
          ...changes,
        ];
      }
    }
    yield* fill(s, row, window, perRow);
  }
  if (rows * perRow === 0) yield [[RULES.noCompress]];
}

function* fill(s: Slid, row: number, first: number, end: number): Generator<readonly Said[]> {
  const { used, perRow: windows } = s;
  if (first === end) return;
  const count = end - first;
  const lead: Said = count === 1 ? [RULES.fillOne, { row, first }] : [RULES.fill, { row, first, last: end - 1 }];
  if (first >= used) yield [[RULES.roundsUp, { row, count, windows }]];
  else {
    const [low, high] = keptOf(s, row, first);
    yield [lead, [RULES.noNonZero, { first: low.slot, second: high.slot }]];
  }
}

/** The activations before they are quantised, as the page makes them up: one decimal, never 0. */
const activationOf = (column: number): number => ((7 * column) % 10) / 2 - 2 || 0.5;

function* lift({ cols, width, perGroup, used, params }: Slid): Generator<readonly Said[]> {
  if (cols === 0) {
    yield [[RULES.noLift]];
    return;
  }
  const activations = Array.from({ length: cols }, (_, c) => activationOf(c));
  const largest = Math.max(...activations.map(Math.abs));
  if (params.valueType === 'f16') yield [[RULES.inPlace, { bits: 8 }]];
  const step = name((largest / 127).toPrecision(3));
  yield [[RULES.absmax, { pass: 1, cols, largest: value(largest), divisor: 127, step }]];
  yield [[RULES.quantise, { pass: 2, one: 1, limit: 127 }]];
  for (let window = 0; window < used; window++) {
    const group = Math.floor(window / perGroup);
    const start = group * width + 2 * (window % perGroup);
    if (start >= cols) {
      yield [[RULES.liftPast, { group, window }]];
      continue;
    }
    yield [[RULES.lift, { group, window }], rangeSaid(start, Math.min(cols, start + 4)), [RULES.asBytes]];
  }
  yield [[RULES.fused, { fused: 2 * cols + 4 * used, apart: 4 * cols + 4 * used }]];
}

function* multiply(s: Slid): Generator<readonly Said[]> {
  const { rows, cols, perGroup, groups, params, x } = s;
  const isI8 = params.valueType === 'i8';
  const activations = Array.from({ length: cols }, (_, c) => activationOf(c));
  const step = Math.fround(Math.max(...activations.map(Math.abs)) * Math.fround(1 / 127));
  /** the operand of a product: in i8 the whole number that times the step is the activation */
  const operand = (column: number): number => (isI8 ? Math.round(x[column] / step) : x[column]);
  for (let row = 0; row < rows; row++) {
    let y = 0;
    const inRow = groups.filter((group) => group.row === row);
    for (const { group } of inRow) {
      for (let window = group * perGroup; window < (group + 1) * perGroup; window++) {
        const products = keptOf(s, row, window).filter(({ raw }) => raw !== 0);
        for (const { number, column } of products) if (number !== 0) y += number * x[column];
        const lead: Said = [RULES.window, { row, group, window }];
        if (products.length === 0) {
          yield [lead, [RULES.addsNothing]];
          continue;
        }
        const total = products.reduce((sum, { raw, column }) => sum + raw * operand(column), 0);
        const text = (number: number): string => (value(number) as { text: string }).text;
        const terms = name(
          products
            .map(({ raw, column }, i) => {
              const sign = i === 0 ? '' : raw < 0 ? ' − ' : ' + ';
              return `${sign}${text(i === 0 ? raw : Math.abs(raw))} × ${text(operand(column))}`;
            })
            .join(''),
        );
        const integer = name(`${total < 0 ? '−' : ''}${Math.abs(total)}`);
        if (isI8) yield [lead, [RULES.addsIntegers, { terms, total: integer }]];
        else yield [lead, [RULES.adds, { terms, total: value(total), row, y: value(y) }]];
      }
    }
    const facts = { row, y: value(y) };
    if (inRow.length === 0) yield [[RULES.emptyRow, facts]];
    else if (isI8) yield [[RULES.sumIntegers, facts]];
    else yield [[RULES.sum, facts]];
  }
  if (rows === 0) yield [[RULES.noMultiply]];
}

function* pays(s: Slid): Generator<readonly Said[]> {
  const { rows, cols, half, width, params } = s;
  const slots = 4 * (half - 1);
  const pattern = name(s.pattern);
  const gamma = slots / width;
  yield [[RULES.gamma, { width, slots, two: 2, gamma: decimals(gamma, 2) }]];
  yield [[RULES.speed, { pattern, speed: decimals(2 / gamma, 2), alpha: 2 }]];
  const bits = bitsOfValue(s);
  // Two values and a nibble for every window, against the values of the columns.
  const [own, dense] = [(half - 1) * (2 * bits + 4), width * bits];
  const type = name(String(params.valueType));
  const share = { percent: percent(Math.abs(dense - own), dense) };
  yield [
    [RULES.stored, { type, pattern }],
    own === dense ? [RULES.savesNothing] : [own < dense ? RULES.saves : RULES.takesMore, share],
  ];
  yield [
    [RULES.bytes, { total: totalBytes(s), dense: (rows * cols * bits) / 8 }],
    [RULES.rounded, { word: 8 }],
  ];
}

/** The placements of the last chapter are found by a search; what is said of each is counted here, window by window. */
function* theorem(_: Slid, { examples }: Pick<SlideSparseTrace, 'examples'>): Generator<readonly Said[]> {
  for (const [i, { sliding, columns }] of examples.entries()) {
    const { kept, window } = sliding.hardware;
    const { group } = sliding.pattern;
    const stride = window - kept;
    const windows = (group - window) / stride + 1;
    const facts = {
      pattern: name(`${sliding.pattern.kept}:${group}`),
      hardware: name(`${kept}:${window}`),
      windows,
      kept,
      room: windows * kept,
    };
    if (i === 0) {
      yield [[RULES.theorem1, { ...facts, min: 2, max: 8 }]];
      continue;
    }
    const seenBy = (column: number): readonly number[] =>
      Array.from({ length: windows }, (_w, w) => w).filter((w) => column >= w * stride && column < w * stride + window);
    const runs = Array.from({ length: windows }, (_l, length) =>
      Array.from({ length: windows - length }, (_f, first) => [first, first + length] as const),
    ).flat();
    const only = ([first, last]: readonly [number, number]): readonly number[] =>
      columns.filter((column) => seenBy(column).every((w) => w >= first && w <= last));
    const stuck = runs.find((run) => only(run).length > (run[1] - run[0] + 1) * kept);
    if (!stuck)
      throw new Error(`${JSON.stringify(columns)}: found windows with room for all, expected a counterexample`);
    const [first, last] = stuck;
    // A longer run would be a sentence that no example needs yet.
    if (first !== last) throw new Error(`found windows ${first} to ${last}, expected one that is overfull`);
    yield [
      [RULES.theorem2, { ...facts, columns: listed(only(stuck)) }],
      [RULES.byWindow, { first }],
      [RULES.stuck, { room: kept }],
    ];
  }
}

const NAN = matrixOf([1, Number.NaN, 3, -1, 2, 0.5, 4, 8]);

const { noScale, tooSmall, scale } = SCALE_RULES;

describeNarrations({
  format: slideSparse,
  story,
  narrate,
  rules: { ...RULES, noScale, tooSmall, scale },
  tell,
  more: [['NaN in a group that is too full', NAN, { halfGroup: 4, valueType: 'f16' }]],
});
