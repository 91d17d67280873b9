/*
 * What the story of SlideSparse shows of a trace: cells, boxes and groups, the group that it follows, and bytes. Here a
 * window is four columns of the 2:4 pattern; the part of the matrix in the story, `window` of the trace, is the region.
 */

import type { DeclaredTrace } from '../../../story/declared/trace.ts';
import { toDense } from '../../../core/matrix/index.ts';
import { VALUE_BITS } from '../../../core/number/index.ts';
import { cellUnit, unitText } from '../../../story/cell-unit.ts';
import { type CountedBytes, totalOf } from '../../../story/flow/counter-bar.ts';
import { type FrameContext, isRefused } from '../../../story/frames.ts';
import { numbersIn } from '../../../story/trace.ts';
import { bytesNumber, counted } from '../../../core/text/words.ts';
import {
  keptColumn,
  keptValue,
  type SlideSparseEncoded,
  usedWindows,
  windowsPerRowOf,
  windowStart,
} from '../layout.ts';
import { KEPT, type SlideSparseParams, STRIDE, WINDOW, windowsPerGroup } from '../params.ts';

export type SlideSparseTrace = DeclaredTrace<SlideSparseEncoded>;

/** A box, one of the two values that a window stores, with its index in `values` and its column in the region. */
export interface Box {
  readonly index: number;
  readonly window: number;
  /** position of its column in the window, 0 to 3 */
  readonly slot: number;
  readonly column: number;
  readonly value: number;
  /** whether it is a zero that fills a window with fewer than two weights */
  readonly isEmpty: boolean;
}

/** A cell of the region before anything is pruned. */
export interface Cell {
  readonly column: number;
  readonly value: number;
  /** the window, in its group, that stores the weight; -1 if the cell is 0 after pruning */
  readonly taker: number;
  /** the value that this window stores */
  readonly stored: number;
}

/** Whether pruning removed the weight of a cell. */
export const isPruned = ({ value, taker }: Cell): boolean => taker < 0 && value !== 0;
const isStored = ({ taker }: Cell): boolean => taker >= 0;

interface Row {
  readonly cells: readonly Cell[];
  readonly boxes: readonly Box[];
}

/** The rows of the region (the part of a matrix in the story), with their boxes. O(cells + stores). */
export function rowsOf({ encoded: e, stores, window: region, rejected }: SlideSparseTrace): readonly Row[] {
  const { rows, cols } = region;
  // Indices of padding in values and in metadata, which have it at the same indices.
  const empty = new Set(stores.at.filter((_, i) => stores.isPadding[i] === 1));
  const unpruned = toDense(rejected ?? region);
  return Array.from({ length: rows }, (_row, row): Row => {
    const boxes = Array.from({ length: KEPT * usedWindows(cols, e) }, (_box, i): Box => {
      const [w, k] = [Math.floor(i / KEPT), i % KEPT];
      const index = row * e.windowsPerRow * KEPT + i;
      const column = keptColumn(e, row, w, k);
      const position = column - windowStart(e, w);
      return { index, window: w, slot: position, column, value: keptValue(e, row, w, k), isEmpty: empty.has(index) };
    });
    const takers = new Map(boxes.flatMap((box) => (box.isEmpty ? [] : [[box.column, box] as const])));
    const cells = Array.from({ length: cols }, (_cell, column): Cell => {
      const box = takers.get(column);
      const taker = box ? box.window % windowsPerGroup(e) : -1;
      return { column, value: unpruned[row * cols + column], taker, stored: box?.value ?? 0 };
    });
    return { cells, boxes };
  });
}

/** 2N columns of a row, a group of the pattern (2N-2):2N, with at least one weight before pruning. */
export interface Group {
  readonly row: number;
  /** its number in the row */
  readonly group: number;
  /** its cells that are in the region */
  readonly cells: readonly Cell[];
}

/** The groups of these rows that contain weights, or all. */
export function groupsOf(
  { halfGroup }: SlideSparseParams,
  rows: readonly Row[],
  which: 'with weights' | 'all' = 'with weights',
): readonly Group[] {
  const width = 2 * halfGroup;
  return rows.flatMap(({ cells }, row) =>
    Array.from({ length: Math.ceil(cells.length / width) }, (_, group): Group => {
      return { row, group, cells: cells.slice(group * width, (group + 1) * width) };
    }).filter((group) => which === 'all' || group.cells.some(({ value }) => value !== 0)),
  );
}

/** Columns, in the group, of the weights that window 0 covers. Window 0 stores the first two, window 1 the others. */
const inFirstWindow = ({ cells }: Group): readonly number[] =>
  cells.flatMap((cell, c) => (c < WINDOW && isStored(cell) ? [c] : []));

/** The group that the frames (pictures) of the story are about, with its windows, weights and texts. */
export type FollowedGroup = NonNullable<ReturnType<typeof followedGroup>>;

/**
 * The group that the story follows. In this order: the group that the user edited last; the first whole group whose first
 * four columns keep three weights, so that window 0 leaves one to window 1; a whole group that keeps four there; any group
 * that keeps three or four there; the fullest, whole groups first. If groups have pruned weights, only these are candidates
 * (the edited group excepted).
 * Null if the region contains no weights or, with `which` 'all', no cells. O(cells).
 */
export function followedGroup(t: SlideSparseTrace, which: 'with weights' | 'all' = 'with weights') {
  const { encoded: e } = t;
  const [width, count] = [2 * e.halfGroup, windowsPerGroup(e)];
  const rows = rowsOf(t);
  const groups = groupsOf(e, rows, which);
  const slides = (group: Group): boolean => count > 1 && inFirstWindow(group).length > KEPT;
  const isWhole = ({ cells }: Group): boolean => cells.length === width;
  const pruned = groups.filter(({ cells }) => cells.some(isPruned));
  const candidates = pruned.length > 0 ? pruned : groups;
  /** Whether a whole group slides and has this many weights in window 0. */
  const startsWith = (weights: number) => (group: Group) =>
    slides(group) && inFirstWindow(group).length === weights && isWhole(group);
  const rank = (group: Group): number => (isWhole(group) ? 2 * width : 0) + group.cells.filter(isStored).length;
  const fullest = candidates.toSorted((a, b) => rank(b) - rank(a)).at(0);
  const edited = groups.find(
    ({ row, cells }) => row === t.editedCell?.row && cells.some(({ column }) => column === t.editedCell?.col),
  );
  const followed =
    edited ??
    candidates.find(startsWith(KEPT + 1)) ??
    candidates.find(startsWith(WINDOW)) ??
    candidates.find(slides) ??
    fullest;
  if (!followed) return null;
  const ofRow = rows[followed.row];
  const windows = Array.from({ length: count }, (_, w) => {
    const first = KEPT * (followed.group * count + w);
    const boxes = ofRow.boxes.slice(first, first + KEPT);
    const filledBoxes = boxes.filter(({ isEmpty }) => !isEmpty);
    return { start: w * STRIDE, boxes, weightCount: filledBoxes.length };
  });
  const unit = cellUnit(ofRow.cells.map(({ value }) => value));
  const cellTexts = followed.cells.flatMap(({ value, stored }) => [unitText(value, unit), unitText(stored, unit)]);
  return {
    ...numbersIn(t),
    ...followed,
    t,
    windows,
    ofRow,
    weights: followed.cells.filter(isStored).length,
    /** column, in the group, of the third weight that window 0 covers, which window 1 stores; null if there is none */
    third: count > 1 ? (inFirstWindow(followed).at(KEPT) ?? null) : null,
    /** whether a weight slides on to window 1 in any group of the region */
    slidesInRegion: groups.some(slides),
    /** whether the region begins where a group of the matrix does: if not, its groups are no groups of the matrix */
    isAligned: (t.origin?.col ?? 0) % width === 0,
    /** weights of the region that pruning removed */
    prunedInRegion: groups.reduce((sum, { cells }) => sum + cells.filter(isPruned).length, 0),
    /** the unit in which cells write the weights of the row */
    unit,
    /** all texts in the cells of the group */
    texts: [...new Set(cellTexts)],
  };
}

/** Bytes of a weight. */
export const weightBytes = ({ valueType }: Pick<SlideSparseParams, 'valueType'>): number => VALUE_BITS[valueType] / 8;
/** Bytes of a weight's slot: its position in the window, in two bits. */
export const SLOT_BYTES = 1 / 4;

/** Bytes of `weightCount` weights and their positions, of `empty` boxes, and of scales. */
export function countedBytes(
  e: Pick<SlideSparseParams, 'valueType'>,
  counts: { readonly weightCount: number; readonly empty: number; readonly scale?: number },
): readonly CountedBytes[] {
  const { weightCount, empty, scale = 0 } = counts;
  return [
    { tone: 'values', bytes: weightCount * weightBytes(e), name: 'weights' },
    { tone: 'indices', bytes: weightCount * SLOT_BYTES, name: 'slots' },
    { tone: 'padding', bytes: empty * (weightBytes(e) + SLOT_BYTES), name: 'empty boxes' },
    { tone: 'metadata', bytes: scale, name: 'scale' },
  ];
}

/** The bytes of a row, and the windows and groups they are in. */
export type RowBytes = ReturnType<typeof rowBytes>;

/** How the bytes of a row add up: '4 groups × 13.5 bytes = 54 bytes.' */
export function rowSumText({ t: { encoded: e } }: FollowedGroup, { groups, filling, parts }: RowBytes): string {
  const each = KEPT * (weightBytes(e) + SLOT_BYTES);
  const fills = filling > 0 ? ` + ${filling} \u00d7 ${each} to fill the row` : '';
  const scale = e.valueType === 'i8' ? ' + 4 of scale' : '';
  const used = `${counted(groups, 'group')} \u00d7 ${windowsPerGroup(e) * each} bytes`;
  return `${used}${fills}${scale} = ${bytesNumber(totalOf(parts))} bytes.`;
}

/**
 * Bytes of the row: in the whole matrix, if it is wider than the region, has the same parameters and has no empty boxes;
 * otherwise in the region.
 */
export function rowBytes({ t, ofRow }: FollowedGroup, context: Pick<FrameContext, 'wholeMatrix' | 'wholeFacts'>) {
  const { wholeMatrix } = context;
  const { encoded: e, window: region } = t;
  const matrixParams = wholeMatrix?.params as Partial<SlideSparseParams> | undefined;
  const hasSameParams = matrixParams?.halfGroup === e.halfGroup && matrixParams.valueType === e.valueType;
  const isOfMatrix =
    wholeMatrix !== null &&
    hasSameParams &&
    wholeMatrix.cols > region.cols &&
    wholeMatrix.ledger.totalBits.padding === 0;
  const cols = isOfMatrix ? wholeMatrix.cols : region.cols;
  const isPart = wholeMatrix !== null && hasSameParams && !isOfMatrix && wholeMatrix.cols > region.cols;
  const storedBytes = (columns: number): number =>
    windowsPerRowOf(columns, e) * KEPT * (weightBytes(e) + SLOT_BYTES) + (e.valueType === 'i8' ? 4 : 0);
  const windows = windowsPerRowOf(cols, e);
  const weightCount = isOfMatrix ? windows * KEPT : ofRow.cells.filter(isStored).length;
  return {
    parts: countedBytes(e, { weightCount, empty: windows * KEPT - weightCount, scale: e.valueType === 'i8' ? 4 : 0 }),
    dense: cols * weightBytes(e),
    groups: Math.ceil(cols / (2 * e.halfGroup)),
    /** whether it is only a part of the matrix's row, or may be: the width of a rejected matrix is not known here */
    isPart: isPart || isRefused(context),
    /** the row of the matrix, if the region has only a part of it and its empty boxes are not known */
    ofMatrix: isPart
      ? {
          groups: Math.ceil(wholeMatrix.cols / (2 * e.halfGroup)),
          stored: storedBytes(wholeMatrix.cols),
          dense: wholeMatrix.cols * weightBytes(e),
        }
      : null,
    /** groups in the region */
    groupsInRegion: Math.ceil(region.cols / (2 * e.halfGroup)),
    windows,
    /** windows that only fill the row up to whole words of metadata */
    filling: windows - usedWindows(cols, e),
  };
}
