import type { DeclaredTrace } from '../../../core/declared/story/trace.ts';
import { toDense } from '../../../core/matrix/index.ts';
import { VALUE_BITS } from '../../../core/number/index.ts';
import { cellUnit, unitText } from '../../../core/story/cell-unit.ts';
import { type CountedBytes, totalOf } from '../../../core/story/flow/counter-bar.ts';
import type { FrameContext } from '../../../core/story/frames.ts';
import { numbersIn } from '../../../core/story/trace.ts';
import { counted } from '../../../core/story/words.ts';
import {
  keptColumn,
  keptValue,
  type SlideSparseEncoded,
  usedWindows,
  windowsPerRowOf,
  windowStart,
} from '../layout.ts';
import { KEPT, type SlideSparseParams, STRIDE, WINDOW, windowsPerGroup } from '../params.ts';
import prefillI8 from '../../../theory/models/prefill-i8.json';

export type SlideSparseTrace = DeclaredTrace<SlideSparseEncoded>;

/** One of the two boxes of a window of a row: its index in `values`, its column in the cut, and what is stored. */
export interface Box {
  readonly index: number;
  readonly window: number;
  /** of its column in the window, 0 to 3 */
  readonly place: number;
  readonly column: number;
  readonly value: number;
  /** whether it holds none of the weights that the window took */
  readonly isEmpty: boolean;
}

/** A cell of the cut before anything is pruned. */
export interface Cell {
  readonly column: number;
  readonly value: number;
  /** the window of its group that takes it, -1 where no weight is left; and what is stored of it */
  readonly by: number;
  readonly stored: number;
}

/** Whether the weight of a cell went, or stays. */
export const isGone = ({ value, by }: Cell): boolean => by < 0 && value !== 0;
const stays = ({ by }: Cell): boolean => by >= 0;

interface Row {
  readonly cells: readonly Cell[];
  readonly boxes: readonly Box[];
}

/** The rows of the cut, with the boxes of their groups. O(cells + stores). */
export function rowsOf({ encoded: e, stores, window, refused }: SlideSparseTrace): readonly Row[] {
  const { rows, cols } = window;
  // Of values and of places, which are filled up together.
  const empty = new Set(stores.at.filter((_, i) => stores.isPadding[i] === 1));
  const asked = toDense(refused ?? window);
  return Array.from({ length: rows }, (_row, row): Row => {
    const boxes = Array.from({ length: KEPT * usedWindows(cols, e) }, (_box, i): Box => {
      const [w, k] = [Math.floor(i / KEPT), i % KEPT];
      const index = row * e.windowsPerRow * KEPT + i;
      const column = keptColumn(e, row, w, k);
      const place = column - windowStart(e, w);
      return { index, window: w, place, column, value: keptValue(e, row, w, k), isEmpty: empty.has(index) };
    });
    const takers = new Map(boxes.flatMap((box) => (box.isEmpty ? [] : [[box.column, box] as const])));
    const cells = Array.from({ length: cols }, (_cell, column): Cell => {
      const box = takers.get(column);
      const by = box ? box.window % windowsPerGroup(e) : -1;
      return { column, value: asked[row * cols + column], by, stored: box?.value ?? 0 };
    });
    return { cells, boxes };
  });
}

/** A group that holds weights. Columns are counted from its start unless they are said to be those of the cut. */
export interface Group {
  readonly row: number;
  /** its number in the row */
  readonly group: number;
  /** its cells that are in the cut */
  readonly cells: readonly Cell[];
}

/** The groups with weights, row by row. */
export function groupsOf({ halfGroup }: SlideSparseParams, rows: readonly Row[]): readonly Group[] {
  const width = 2 * halfGroup;
  return rows.flatMap(({ cells }, row) =>
    Array.from({ length: Math.ceil(cells.length / width) }, (_, group): Group => {
      return { row, group, cells: cells.slice(group * width, (group + 1) * width) };
    }).filter((group) => group.cells.some(({ value }) => value !== 0)),
  );
}

/** Columns of weights that stay in the first window of a group: window 0 keeps two, the third slides on to window 1. */
const inFirstWindow = ({ cells }: Group): readonly number[] =>
  cells.flatMap((cell, c) => (c < WINDOW && stays(cell) ? [c] : []));

/** The group that the frames follow, and what they know of it. */
export type FollowedGroup = NonNullable<ReturnType<typeof followedGroup>>;

/**
 * The group to follow: the one that a person edited last; else, of those in which weights were pruned, or of all if none was, the
 * first whole group whose first four columns hold three weights, so that window 0 leaves one to window 1; else one with four;
 * else the fullest, whole groups first. Null where the cut holds no weights. O(cells).
 */
export function followedGroup(t: SlideSparseTrace) {
  const { encoded: e } = t;
  const [width, count] = [2 * e.halfGroup, windowsPerGroup(e)];
  const rows = rowsOf(t);
  const groups = groupsOf(e, rows);
  const slides = (group: Group): boolean => count > 1 && inFirstWindow(group).length > KEPT;
  const isWhole = ({ cells }: Group): boolean => cells.length === width;
  const pruned = groups.filter(({ cells }) => cells.some(isGone));
  const among = pruned.length > 0 ? pruned : groups;
  const holding = (n: number) => (group: Group) => slides(group) && inFirstWindow(group).length === n && isWhole(group);
  const rank = (group: Group): number => (isWhole(group) ? 2 * width : 0) + group.cells.filter(stays).length;
  const fullest = among.toSorted((a, b) => rank(b) - rank(a)).at(0);
  const edited = groups.find(
    ({ row, cells }) => row === t.editedCell?.row && cells.some(({ column }) => column === t.editedCell?.col),
  );
  const chosen =
    edited ?? among.find(holding(KEPT + 1)) ?? among.find(holding(WINDOW)) ?? among.find(slides) ?? fullest;
  if (!chosen) return null;
  const ofRow = rows[chosen.row];
  const windows = Array.from({ length: count }, (_, w) => {
    const first = KEPT * (chosen.group * count + w);
    const boxes = ofRow.boxes.slice(first, first + KEPT);
    const taken = boxes.filter(({ isEmpty }) => !isEmpty);
    return { start: w * STRIDE, boxes, takes: taken.length };
  });
  const unit = cellUnit(ofRow.cells.map(({ value }) => value));
  const written = chosen.cells.flatMap(({ value, stored }) => [unitText(value, unit), unitText(stored, unit)]);
  return {
    ...numbersIn(t),
    ...chosen,
    t,
    windows,
    ofRow,
    weights: chosen.cells.filter(stays).length,
    /** the third weight that window 0 covers: window 1 takes it; null where there is none */
    third: count > 1 ? (inFirstWindow(chosen).at(KEPT) ?? null) : null,
    slidesInCut: groups.some(slides),
    goneInCut: groups.reduce((sum, { cells }) => sum + cells.filter(isGone).length, 0),
    /** how cells write the weights of its row, and all that those of the group write */
    unit,
    texts: [...new Set(written)],
  };
}

/** Bytes of a weight, and of the place that is noted with it. */
export const weightBytes = ({ valueType }: Pick<SlideSparseParams, 'valueType'>): number => VALUE_BITS[valueType] / 8;
export const PLACE_BYTES = 1 / 4;

/** Bytes of `held` weights and their places, of `empty` boxes without one, and of scales. */
export function countedBytes(
  e: Pick<SlideSparseParams, 'valueType'>,
  of: { readonly held: number; readonly empty: number; readonly scale?: number },
): readonly CountedBytes[] {
  const { held, empty, scale = 0 } = of;
  return [
    { tone: 'values', bytes: held * weightBytes(e), name: 'weights' },
    { tone: 'indices', bytes: held * PLACE_BYTES, name: 'places' },
    { tone: 'padding', bytes: empty * (weightBytes(e) + PLACE_BYTES), name: 'empty boxes' },
    { tone: 'metadata', bytes: scale, name: 'scale' },
  ];
}

/** The bytes of a row, and the windows and groups they are in. */
export type RowBytes = ReturnType<typeof rowBytes>;

/** What the bytes of a row are the product of. */
export function rowSumText({ t: { encoded: e } }: FollowedGroup, { groups, filling, parts }: RowBytes): string {
  const each = KEPT * (weightBytes(e) + PLACE_BYTES);
  const fills = filling > 0 ? ` + ${filling} \u00d7 ${each} to fill the row` : '';
  const scale = e.valueType === 'i8' ? ' + 4 of scale' : '';
  const used = `${counted(groups, 'group')} \u00d7 ${windowsPerGroup(e) * each} bytes`;
  return `${used}${fills}${scale} = ${totalOf(parts)} bytes.`;
}

/** What the row stores: in the whole matrix where that is known, of the same parameters and without empty boxes; else in the cut. */
export function rowBytes({ t, ofRow }: FollowedGroup, { whole }: Pick<FrameContext, 'whole'>) {
  const { encoded: e, window: cut } = t;
  const own = whole?.params as Partial<SlideSparseParams> | undefined;
  const isAlike = own?.halfGroup === e.halfGroup && own.valueType === e.valueType;
  const isWhole = whole !== null && isAlike && whole.cols > cut.cols && whole.ledger.totalBits.padding === 0;
  const cols = isWhole ? whole.cols : cut.cols;
  const windows = windowsPerRowOf(cols, e);
  const held = isWhole ? windows * KEPT : ofRow.cells.filter(stays).length;
  return {
    parts: countedBytes(e, { held, empty: windows * KEPT - held, scale: e.valueType === 'i8' ? 4 : 0 }),
    dense: cols * weightBytes(e),
    groups: Math.ceil(cols / (2 * e.halfGroup)),
    /** of them in the cut */
    shown: Math.ceil(cut.cols / (2 * e.halfGroup)),
    windows,
    /** windows that only fill the row up to whole words of places */
    filling: windows - usedWindows(cols, e),
  };
}

/** A whole model that reads as many tokens at once as were timed, in 8 bits, without the GPU’s 2:4 unit: against dense in 8 bits. */
export function prefillOf(pattern: string) {
  const { rows } = prefillI8.at[prefillI8.at.length - 1];
  const msOf = (of: (row: (typeof rows)[number]) => boolean): number => rows.find(of)?.ms ?? Number.NaN;
  const dense = msOf((row) => row.valueType === 'i8' && row.pattern === undefined);
  return { times: dense / msOf((row) => row.pattern === pattern), card: prefillI8.on.replace('NVIDIA ', '') };
}
