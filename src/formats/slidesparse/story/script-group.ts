import { VALUE_BITS } from '../../../core/number/index.ts';
import { keptColumn, keptValue, windowStart } from '../layout.ts';
import { KEPT, STRIDE, WINDOW, windowsPerGroup } from '../params.ts';
import { firstWindow, type Group, type SlideSparseTrace } from './trace.ts';

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
export interface SlowWindow {
  /** within the row, as the arrays count it */
  readonly window: number;
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
  /** its first column in the cut */
  readonly first: number;
  /** its columns that are in the cut */
  readonly cells: readonly Cell[];
  readonly windows: readonly SlowWindow[];
  /** weights that stay, and of those the ones that are stored as 0 or as infinity */
  readonly weights: number;
  readonly lost: number;
  /** the third weight that window 0 covers: window 1 takes it; null where there is none */
  readonly third: number | null;
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

/** Weights that stay and lie in the first window of a group. */
const inFirstWindow = ({ columns, windowOf }: Group): readonly number[] =>
  columns.filter((c, i) => c < WINDOW && windowOf[i] >= 0);

/**
 * The group to follow: the first whose first four columns hold three weights, of which window 0 leaves one to window 1; or
 * four; else the fullest one. Whole groups come first. Null where the cut holds no weights. O(groups).
 */
export function slowGroup(t: SlideSparseTrace): SlowGroup | null {
  const width = 2 * t.params.halfGroup;
  const isWhole = ({ group }: Group): boolean => (group + 1) * width <= t.window.cols;
  // Where some groups are pruned, one of them is followed: it shows what goes.
  const isPruned = t.groups.some(({ windowOf }) => windowOf.includes(-1));
  const wanted = (count: number) => (group: Group) =>
    inFirstWindow(group).length === count &&
    windowsPerGroup(t.params) > 1 &&
    isWhole(group) &&
    group.windowOf.includes(-1) === isPruned;
  const stays = ({ windowOf }: Group): number => windowOf.filter((by) => by >= 0).length;
  const rank = (group: Group): number => (isWhole(group) ? 2 * width : 0) + stays(group);
  const fullest = t.groups.toSorted((a, b) => rank(b) - rank(a))[0];
  const chosen = t.groups.find(wanted(3)) ?? t.groups.find(wanted(4)) ?? fullest;
  return chosen ? groupOf(t, chosen) : null;
}

function groupOf(t: SlideSparseTrace, group: Group): SlowGroup {
  const { params, window: cut } = t;
  const first = group.group * 2 * params.halfGroup;
  const cells = Array.from({ length: Math.min(2 * params.halfGroup, cut.cols - first) }, (_, c): Cell => {
    const by = group.windowOf[group.columns.indexOf(c)] ?? -1;
    const cell = t.cells[group.row * cut.cols + first + c];
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
  return {
    t,
    index: t.groups.indexOf(group),
    row: group.row,
    first,
    cells,
    windows,
    weights: kept.length,
    lost: kept.filter(isLost).length,
    third: inFirstWindow(group)[KEPT] ?? null,
  };
}

function windowOf({ encoded, params }: SlideSparseTrace, group: Group, w: number): SlowWindow {
  const window = firstWindow(group, params) + w;
  const at = group.row * encoded.windowsPerRow + window;
  const boxes = Array.from({ length: KEPT }, (_, k): Box => {
    const column = keptColumn(encoded, group.row, window, k);
    const taker = group.windowOf[group.columns.indexOf(column - group.group * 2 * params.halfGroup)];
    return {
      index: at * KEPT + k,
      place: column - windowStart(params, window),
      column,
      value: keptValue(encoded, group.row, window, k),
      // A box may repeat a column that another window took: its zero is there only because there are two boxes.
      isEmpty: taker !== w,
    };
  });
  return { window, start: w * STRIDE, boxes, takes: group.windowOf.filter((by) => by === w).length };
}

/** Bytes of a box: its weight, and a quarter of a byte for its place. */
export const weightBytes = ({ params }: SlideSparseTrace): number => VALUE_BITS[params.valueType] / 8;
export const PLACE_BYTES = 1 / 4;

/** Columns of the group in the cut that two windows cover: their x are copied twice. */
export const coveredTwice = ({ cells, windows }: SlowGroup): number =>
  cells.filter((_, c) => windows.filter(({ start }) => c >= start && c < start + WINDOW).length === 2).length;

/** Copies of x that the windows of the group get. */
export const copiesOfX = (group: SlowGroup): number => group.cells.length + coveredTwice(group);

/** What the windows of the group add to the row's sum, and all of them together. */
export function sumsOf({ t, index, windows }: SlowGroup): {
  readonly byWindow: readonly number[];
  readonly all: number;
} {
  const byWindow = windows.map(({ window }) => {
    const step = t.steps.find(
      ({ detail }) => detail.kind === 'multiply' && detail.group === index && detail.window === window,
    );
    return (step?.effects ?? []).reduce((sum, effect) => sum + (effect.kind === 'accumulate' ? effect.value : 0), 0);
  });
  return { byWindow, all: byWindow.reduce((a, b) => a + b, 0) };
}
