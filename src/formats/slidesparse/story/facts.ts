import type { StoredWhole } from '../../../core/encoded/ledger.ts';
import { VALUE_BITS } from '../../../core/number/index.ts';
import { type CellUnit, cellUnit, unitText } from '../../../core/story/drawing.ts';
import type { TextRun } from '../../../core/story/scene.ts';
import type { FrameContext, RecordedMatrix } from '../../../core/story/frames.ts';
import { counted, valueText } from '../../../core/story/words.ts';
import { keptColumn, keptValue, usedWindows, windowsPerRowOf, windowStart } from '../layout.ts';
import { KEPT, type SlideSparseParams, STRIDE, WINDOW, windowsPerGroup } from '../params.ts';
import { assignWindows } from '../slide.ts';
import { firstWindow, type Group, type SlideSparseStep, type SlideSparseTrace } from './trace.ts';

/** One of the two boxes of a window. */
export interface Box {
  /** index in `values` */
  readonly index: number;
  /** of its column in the window, 0 to 3 */
  readonly place: number;
  /** in the cut */
  readonly column: number;
  /** what is stored */
  readonly value: number;
  /** whether it holds none of the weights that the window took */
  readonly isEmpty: boolean;
}

/** A window of the group that the frames follow. */
interface SlowWindow {
  /** its first column in the group */
  readonly start: number;
  readonly boxes: readonly Box[];
  /** weights that it takes */
  readonly takes: number;
}

/** The group that the frames follow. Columns are counted from its start unless they are said to be those of the cut. */
export interface SlowGroup {
  readonly t: SlideSparseTrace;
  /** of `t.groups` */
  readonly index: number;
  readonly row: number;
  /** its number in the row */
  readonly group: number;
  /** its columns that are in the cut */
  readonly cells: readonly Cell[];
  readonly windows: readonly SlowWindow[];
  /** weights that stay, and of those the ones that are stored as 0 or as infinity */
  readonly weights: number;
  readonly lost: number;
  /** the third weight that window 0 covers: window 1 takes it; null where there is none */
  readonly third: number | null;
  /** whether a weight slides on to the next window in any group of the cut */
  readonly slidesInCut: boolean;
  /** how cells write the weights of its row, and all that those of the group write */
  readonly unit: CellUnit;
  readonly texts: readonly string[];
  /** the numbers of a row and of a column in the matrix */
  rowNumber(row: number): number;
  columnNumber(column: number): number;
}

interface Cell {
  /** in the cut */
  readonly column: number;
  /** 0 where none is left */
  readonly value: number;
  /** the weight that was there before pruning, if it went */
  readonly pruned: number;
  /** the window of the group that takes it, -1 where no weight is left */
  readonly by: number;
}

/** Weights that stay and lie in the first window of a group: only a third of these slides on. */
const inFirstWindow = ({ columns, windowOf }: Group): readonly number[] =>
  columns.filter((c, i) => c < WINDOW && windowOf[i] >= 0);

/**
 * The group to follow: the first whose first four columns hold three weights, of which window 0 leaves one to window 1; or
 * four; else the fullest one. Whole groups come first. Where some are pruned, one of these is followed: it shows what goes.
 * Null where the cut holds no weights. O(groups).
 */
export function slowGroup(t: SlideSparseTrace): SlowGroup | null {
  const width = 2 * t.params.halfGroup;
  const isPruned = ({ windowOf }: Group): boolean => windowOf.includes(-1);
  const isWhole = ({ group }: Group): boolean => (group + 1) * width <= t.window.cols;
  const slides = (group: Group): boolean => windowsPerGroup(t.params) > 1 && inFirstWindow(group).length > KEPT;
  const pruned = t.groups.filter(isPruned);
  const among = pruned.length > 0 ? pruned : t.groups;
  const wanted = (count: number) => (group: Group) =>
    slides(group) && inFirstWindow(group).length === count && isWhole(group);
  const stays = ({ windowOf }: Group): number => windowOf.filter((by) => by >= 0).length;
  const rank = (group: Group): number => (isWhole(group) ? 2 * width : 0) + stays(group);
  const fullest = among.toSorted((a, b) => rank(b) - rank(a))[0];
  const chosen = among.find(wanted(KEPT + 1)) ?? among.find(wanted(WINDOW)) ?? among.find(slides) ?? fullest;
  return chosen ? groupOf(t, chosen, t.groups.some(slides)) : null;
}

function groupOf(t: SlideSparseTrace, group: Group, slidesInCut: boolean): SlowGroup {
  const { params, window: cut } = t;
  const { row } = group;
  const first = group.group * 2 * params.halfGroup;
  const cells = Array.from({ length: Math.min(2 * params.halfGroup, cut.cols - first) }, (_, c): Cell => {
    const by = group.windowOf[group.columns.indexOf(c)] ?? -1;
    const cell = t.cells[row * cut.cols + first + c];
    return { column: first + c, value: by < 0 ? 0 : cell, pruned: by < 0 ? cell : 0, by };
  });
  const windows = Array.from({ length: windowsPerGroup(params) }, (_, w) => windowOf(t, group, w));
  const kept = cells.filter(({ by }) => by >= 0);
  const stored = new Map(
    windows.flatMap(({ boxes }) =>
      boxes.flatMap(({ column, value, isEmpty }) => (isEmpty ? [] : [[column, value] as const])),
    ),
  );
  const isLost = ({ column, value }: Cell): boolean => {
    const found = stored.get(column);
    return found === 0 || (Number.isFinite(value) && !Number.isFinite(found));
  };
  const unit = cellUnit(t.cells.subarray(row * cut.cols, (row + 1) * cut.cols));
  const written = [...cells.map(({ value, pruned }) => value || pruned), ...stored.values()];
  return {
    t,
    index: t.groups.indexOf(group),
    row,
    group: group.group,
    cells,
    windows,
    weights: kept.length,
    lost: kept.filter(isLost).length,
    third: windows.length > 1 ? (inFirstWindow(group)[KEPT] ?? null) : null,
    slidesInCut,
    unit,
    texts: [...new Set(written.map((value) => unitText(value, unit)))],
    rowNumber: (r) => (t.place?.row ?? 0) + r,
    columnNumber: (column) => (t.place?.col ?? 0) + column,
  };
}

function windowOf(t: SlideSparseTrace, group: Group, w: number): SlowWindow {
  const window = firstWindow(group, t.params) + w;
  const boxes = Array.from({ length: KEPT }, (_, k) => boxOf(t, group.row, KEPT * window + k));
  return { start: w * STRIDE, boxes, takes: group.windowOf.filter((by) => by === w).length };
}

/** Box `i` of a row. */
function boxOf(t: SlideSparseTrace, row: number, i: number): Box {
  const { encoded, params } = t;
  const [window, k] = [Math.floor(i / KEPT), i % KEPT];
  const column = keptColumn(encoded, row, window, k);
  return {
    index: row * encoded.windowsPerRow * KEPT + i,
    place: column - windowStart(params, window),
    column,
    value: keptValue(encoded, row, window, k),
    // A box may repeat a column that another window took: its zero is there only because there are two boxes.
    isEmpty: takerOf(t, row, column) !== window % windowsPerGroup(params),
  };
}

/** The window of its group that takes the weight of a column; -1 where none is left. */
export function takerOf({ groups, params }: SlideSparseTrace, row: number, column: number): number {
  const width = 2 * params.halfGroup;
  const found = groups.find((one) => one.row === row && one.group === Math.floor(column / width));
  return found?.windowOf[found.columns.indexOf(column % width)] ?? -1;
}

/** The boxes of all groups of a row in the cut. */
export function boxesOfRow(t: SlideSparseTrace, row: number): readonly Box[] {
  return Array.from({ length: KEPT * usedWindows(t.window.cols, t.params) }, (_, i) => boxOf(t, row, i));
}

/** Bytes of a box: its weight, and a quarter of a byte for its place. */
const weightBytes = ({ params }: SlideSparseTrace): number => VALUE_BITS[params.valueType] / 8;
const PLACE_BYTES = 1 / 4;

/** Columns that a window of the group covers and the cut has. */
function coveredBy({ cells, windows }: SlowGroup, w: number): readonly number[] {
  const { start } = windows[w];
  return cells.slice(start, start + WINDOW).map((_, i) => start + i);
}

/** Copies of x that the windows of the group get. */
export const copiesOfX = (group: SlowGroup): number =>
  group.windows.reduce((sum, _, w) => sum + coveredBy(group, w).length, 0);

/** What the windows of the group add to the row's sum. */
function sumsOf({ t, index, group, windows }: SlowGroup): readonly number[] {
  return windows.map((_, w) => {
    const step = t.steps.find(
      ({ detail }) =>
        detail.kind === 'multiply' && detail.group === index && detail.window === group * windows.length + w,
    );
    return (step?.effects ?? []).reduce((sum, effect) => sum + (effect.kind === 'accumulate' ? effect.value : 0), 0);
  });
}

/** Decimals of sums: as many as it takes that they add up to the eye. */
const DECIMALS = [2, 3, 4];

/** What the windows add, '−0.04 − 0.63', and all of them together. */
function sumsText(g: SlowGroup): { readonly added: string; readonly all: string } {
  const sums = sumsOf(g);
  const total = sums.reduce((a, b) => a + b, 0);
  const addsUp = (digits: number): boolean => {
    const rounded = sums.reduce((sum, one) => sum + Number(one.toFixed(digits)), 0);
    return rounded.toFixed(digits) === Number(total.toFixed(digits)).toFixed(digits);
  };
  const isUsual = [...sums, total].every((sum) => Math.abs(sum) < 1e4);
  const digits = isUsual ? DECIMALS.find(addsUp) : undefined;
  const text = (sum: number): string =>
    digits === undefined
      ? valueText(sum)
      : sum
          .toFixed(digits)
          .replace('-', '\u2212')
          .replace(/^\u2212(?=[0.]+$)/, '');
  const added = sums.map((sum, i) => (i === 0 ? text(sum) : ` ${sum < 0 ? '\u2212' : '+'} ${text(Math.abs(sum))}`));
  return { added: added.join(''), all: text(total) };
}

/** What each window adds, and all of them. */
export function sumText(g: SlowGroup): readonly TextRun[] {
  const { added, all } = sumsText(g);
  const same = `${g.cells.length} weights \u00d7 ${g.cells.length} of x`;
  const { quantised } = g.t;
  const scaled = quantised ? ` x is in 8 bits, \u00d7 ${valueText(quantised.scale)}.` : '';
  return [
    { text: g.windows.length > 1 ? `The windows add ${added} = ` : 'The window adds ' },
    { text: all, strong: true, tone: 'ink' },
    { text: `, rounded: the same as ${same}.${scaled}` },
  ];
}

/** By column, the window that takes its weight; -1 for a zero or what no window took. */
export type Way = readonly number[];

/** All placements of a full group, run through the encoder's own assignment: two of its columns are zero. O(N^4). */
export function ways({ halfGroup }: Pick<SlideSparseParams, 'halfGroup'>): {
  readonly all: readonly Way[];
  readonly failures: number;
} {
  const width = 2 * halfGroup;
  const all: Way[] = [];
  let failures = 0;
  const windowOf = new Int8Array(width);
  for (let first = width - 2; first >= 0; first--) {
    for (let second = width - 1; second > first; second--) {
      const columns = Array.from({ length: width }, (_, c) => c).filter((c) => c !== first && c !== second);
      if (assignWindows(columns, columns.length, halfGroup, windowOf) < columns.length) failures++;
      const taken = new Map(columns.map((c, i) => [c, windowOf[i]]));
      all.push(Array.from({ length: width }, (_, c) => taken.get(c) ?? -1));
    }
  }
  return { all, failures };
}

/** Bytes by what they are for. */
export interface Bytes {
  readonly weights: number;
  readonly places: number;
  /** boxes without a weight, with their places */
  readonly empty: number;
  /** of 8-bit weights */
  readonly scale: number;
  readonly dense: number;
}

/** Bytes of the first windows of a group; of the last one perhaps without its places. */
export function groupBytes({ t, cells, windows }: SlowGroup, stored: number, hasPlaces = true): Bytes {
  const each = weightBytes(t);
  const boxes = windows.slice(0, stored).flatMap((window) => window.boxes);
  const known = hasPlaces ? boxes : boxes.slice(0, -KEPT);
  const full = (some: readonly Box[]): number => some.filter(({ isEmpty }) => !isEmpty).length;
  const [held, placed] = [full(boxes), full(known)];
  const empty = (boxes.length - held) * each + (known.length - placed) * PLACE_BYTES;
  return { weights: held * each, places: placed * PLACE_BYTES, empty, scale: 0, dense: cells.length * each };
}

/** What a row stores, in bytes. */
export interface RowBytes extends Bytes {
  readonly groups: number;
  /** of them in the cut */
  readonly shown: number;
  readonly windows: number;
  /** windows that only fill the row up to whole words of places */
  readonly filling: number;
  readonly all: number;
}

/** Whether every row of the matrix is as full as its windows, and stored with the parameters of the story. */
function isFull(whole: StoredWhole, params: SlideSparseParams): boolean {
  const own = whole.params as Partial<SlideSparseParams>;
  const isSame = own.halfGroup === params.halfGroup && own.valueType === params.valueType;
  return isSame && whole.ledger.totalBits.padding === 0;
}

/** The row in the whole matrix where that is known and has no empty boxes, else in the cut. */
export function rowBytes(t: SlideSparseTrace, row: number, { whole }: Pick<FrameContext, 'whole'>): RowBytes {
  const { params, window: cut } = t;
  const width = 2 * params.halfGroup;
  const isWhole = whole !== null && whole.cols > cut.cols && isFull(whole, params);
  const cols = isWhole ? whole.cols : cut.cols;
  const windows = windowsPerRowOf(cols, params);
  const own = t.groups.filter((group) => group.row === row);
  const inCut = own.reduce((sum, { windowOf: by }) => sum + by.filter((w) => w >= 0).length, 0);
  const held = isWhole ? windows * KEPT : inCut;
  const weights = held * weightBytes(t);
  const places = held * PLACE_BYTES;
  const empty = (windows * KEPT - held) * (weightBytes(t) + PLACE_BYTES);
  const scale = params.valueType === 'i8' ? 4 : 0;
  return {
    weights,
    places,
    empty,
    groups: Math.ceil(cols / width),
    shown: Math.ceil(cut.cols / width),
    windows,
    filling: windows - usedWindows(cols, params),
    scale,
    all: weights + places + empty + scale,
    dense: cols * weightBytes(t),
  };
}

/** The number of the first step that is such a one, as the player counts them: 0 is before all of them. */
export function stepOf({ steps }: SlideSparseTrace, is: (detail: SlideSparseStep) => boolean): number {
  return steps.findIndex(({ detail }) => is(detail)) + 1;
}

/** A number of x: the stories' own have one decimal. */
export const xText = (value: number): string =>
  Number.isInteger(value * 10)
    ? `${value < 0 ? '\u2212' : ''}${String(Math.abs(value)).replace(/^0\./, '.')}`
    : valueText(value);

/** '2 × 2 bytes + 2 × ¼ byte = 4.5 bytes' of so many windows. */
export function sizeText({ t }: SlowGroup, windows: number): string {
  const each = weightBytes(t);
  const boxes = KEPT * windows;
  return `${boxes} \u00d7 ${counted(each, 'byte')} + ${boxes} \u00d7 \u00bc byte = ${boxes * (each + PLACE_BYTES)} bytes.`;
}

/** What became of the weights of the group. */
export function noneLost({ weights, lost, windows }: SlowGroup): string {
  if (lost > 0) return `Out of range: ${lost} of ${counted(weights, 'weight')}.`;
  const empty = KEPT * windows.length - weights;
  return `${counted(weights, 'weight')}, none lost${empty > 0 ? `; ${counted(empty, 'empty box', 'empty boxes')}` : ''}.`;
}

/** A product with many columns of x that was recorded for a matrix of its default pattern; null if there is none. */
export function recordedProduct({ recorded }: Pick<FrameContext, 'recorded'>): RecordedMatrix | null {
  return (
    recorded?.matrices.find(
      ({ pattern, operation, density, format }) =>
        pattern === 'n-of-m' && operation === 'gemm' && Math.abs(density - 6 / 8) < 0.001 && format !== null,
    ) ?? null
  );
}

/** What the numbers in the cells mean, by the largest. */
export function unitMeans({ cells: own, unit: { name, perOne } }: SlowGroup): string {
  if (name === null) return '';
  const largest = own.reduce((max, { value }) => (Math.abs(value) > Math.abs(max) ? value : max), 0);
  return ` In ${name}: ${unitText(largest, { name, perOne })} is ${valueText(largest)}.`;
}

/** What the windows after the first two take. */
export function lastText({ windows }: SlowGroup): string {
  const count = windows.length;
  const taken = windows.slice(2).reduce((sum, { takes: more }) => sum + more, 0);
  const [who, s] = count === 3 ? ['Window 2', 's'] : [`Windows 2 to ${count - 1}`, ''];
  const does = taken === 0 ? `find${s} no more` : `take${s} the last ${taken === 1 ? 'one' : taken}`;
  return count > 2 ? `${who} ${does}. ` : '';
}

/** What the bytes of a row are the product of. */
export function rowSumText(t: SlideSparseTrace, { groups, shown, windows, filling }: RowBytes): string {
  const more = groups > shown ? `${shown} of ${groups} groups are shown. ` : '';
  const filled =
    filling > 0
      ? `${counted(filling, 'window')} more ${filling === 1 ? 'fills' : 'fill'} the row up to ${windows}. `
      : '';
  const each = `(${counted(weightBytes(t), 'byte')} + \u00bc byte for the place)`;
  const scale = t.params.valueType === 'i8' ? ', and 4 bytes of scale' : '';
  return `${more}${filled}${windows} windows: ${windows * KEPT} boxes \u00d7 ${each}${scale}.`;
}
