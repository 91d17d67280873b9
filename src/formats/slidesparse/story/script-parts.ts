import { cellText, counter, type DrawingLayout, GUTTER, NARROW, WIDE, words } from '../../../core/story/drawing.ts';
import { cellName, elementName, magnitudeLevels } from '../../../core/story/scene-parts.ts';
import type { Drawing, DrawnLink, DrawnMark } from '../../../core/story/scene.ts';
import { valueText } from '../../../core/story/words.ts';
import { WINDOWS_PER_WORD } from '../layout.ts';
import { KEPT, WINDOW, windowsPerGroup } from '../params.ts';
import { type Box, PLACE_BYTES, type SlowGroup, type SlowWindow, weightBytes } from './script-group.ts';
import type { SlideSparseTrace } from './trace.ts';

/** What the pictures of one group have in common: its weights above, and what is stored of them below. */

/** Room left of the first cell and right of the last, for the frame of a window. */
const EDGE = 4;
/** The widest column. */
const MAX_PITCH = 92;
/** Narrower windows are stored side by side, on a phone at most three in a line. */
const MAX_WINDOW = { wide: 170, narrow: 110 } as const;
const WINDOWS_IN_LINE = 3;

/** Where the parts of a group's pictures stand, in points. */
export interface Grid {
  readonly layout: DrawingLayout;
  readonly isWide: boolean;
  readonly width: number;
  /** left edge of column 0, and from a column to the next */
  readonly x: number;
  readonly pitch: number;
  /** right edge of the last column */
  readonly end: number;
  readonly columnsY: number;
  readonly cellsY: number;
  readonly cellHeight: number;
  readonly placesY: number;
  readonly storedY: number;
  readonly storedHeight: number;
}

export function gridOf(layout: DrawingLayout, { params }: Pick<SlideSparseTrace, 'params'>): Grid {
  const isWide = layout === 'wide';
  const x = isWide ? GUTTER : EDGE;
  const { width } = isWide ? WIDE : NARROW;
  const pitch = Math.min(MAX_PITCH, (width - x - EDGE) / (2 * params.halfGroup));
  const end = x + 2 * params.halfGroup * pitch;
  const common = { layout, isWide, width, x, pitch, end };
  if (isWide)
    return { ...common, columnsY: 4, cellsY: 26, cellHeight: 44, placesY: 80, storedY: 184, storedHeight: 36 };
  const lines = Math.ceil(windowsPerGroup(params) / WINDOWS_IN_LINE);
  const [storedY, storedHeight] = lines === 1 ? [226, 44] : [200, lines === 2 ? 38 : 32];
  return { ...common, columnsY: 20, cellsY: 40, cellHeight: 46, placesY: 96, storedY, storedHeight };
}

/** Left edge of a column of the group. */
export const columnX = ({ x, pitch }: Grid, column: number): number => x + column * pitch;

/** Advance of a digit over its size. */
export const DIGIT = 0.61;

/** A number in a cell, with fewer digits if it is narrow; nothing where none fits. */
export function numberIn(value: number, width: number, size: number, digits = 2): string {
  const isRounded = !Number.isInteger(value) && Math.abs(value) >= 0.005 && Math.abs(value) < 99.5;
  const many = `${value < 0 ? '\u2212' : ''}${Math.abs(value).toFixed(digits)}`;
  const rounded = isRounded ? [many, cellText(value, 40), cellText(value, 0)] : [];
  return [...rounded, valueText(value)].find((text) => text.length * size * DIGIT <= width) ?? '';
}

/** Words left of a row of a wide picture. */
function rowLabel(grid: Grid, id: string, y: number, text: string): readonly DrawnMark[] {
  return grid.isWide ? [words(`label ${id}`, { x: 0, y }, text, { size: 12 })] : [];
}

interface CellChange {
  /** its weight was taken before, or has left */
  readonly isDim?: boolean;
  readonly isGone?: boolean;
  /** it is drawn as before pruning */
  readonly isUnpruned?: boolean;
}

/** The columns and weights of the group. */
export function weightMarks(
  grid: Grid,
  group: SlowGroup,
  change: (column: number) => CellChange = () => ({}),
): readonly DrawnMark[] {
  const levelOf = magnitudeLevels(group.t.window);
  const marks: DrawnMark[] = [
    ...rowLabel(grid, 'columns', grid.columnsY, 'column'),
    ...rowLabel(grid, 'weights', grid.cellsY + grid.cellHeight / 2 - 9, 'weights'),
  ];
  if (!grid.isWide) marks.push(words('label columns', { x: EDGE, y: 0 }, 'columns and weights', { size: 11 }));
  for (const [c, { column, value: left, pruned, by }] of group.cells.entries()) {
    const x = columnX(grid, c);
    const w = grid.pitch - 2;
    const middle = x + w / 2;
    marks.push(
      words(`column ${column}`, { x: middle, y: grid.columnsY }, String(column), {
        align: 'middle',
        face: 'mono',
        size: 12,
      }),
    );
    const { isDim = false, isGone = false, isUnpruned = false } = change(c);
    const place = { x, y: grid.cellsY, w, h: grid.cellHeight } as const;
    if (isGone) {
      marks.push({ id: 'left behind', shape: 'frame', tone: 'danger', state: 'ghost', ...place });
      continue;
    }
    const size = grid.isWide && w >= 50 ? 14 : w >= 26 ? 12 : 10;
    const goes = isUnpruned && pruned !== 0;
    const value = goes ? pruned : left;
    const isZero = by < 0 && !goes;
    marks.push({
      id: cellName(group.row, column),
      shape: 'box',
      tone: isZero ? 'neutral' : 'values',
      level: isZero ? 0 : levelOf(value),
      ...place,
      size: isZero ? 11 : size,
      text: isZero ? '0' : numberIn(value, w - 3, size),
      label: `row ${group.row}, column ${column}: ${valueText(value)}`,
      about: [cellName(group.row, column)],
      ...(isDim && { state: 'dim' as const }),
    });
    if (goes) marks.push({ id: `goes ${column}`, shape: 'frame', tone: 'danger', state: 'ghost', ...place });
    marks.push({
      id: wayOut(group, column),
      shape: 'box',
      tone: 'values',
      x: x + w * (grid.isWide ? 0.24 : 0.12),
      y: grid.cellsY + grid.cellHeight + 1,
      w: 0,
      h: 0,
    });
  }
  return marks;
}

/** Where the arrow of a weight starts: beside its place, which is below the middle of its cell. */
const wayOut = ({ row }: SlowGroup, column: number): string => `way out of ${cellName(row, column)}`;

/** The frame over the columns of a window that are in the cut; none where all of them lie behind its edge. */
export function windowFrame(grid: Grid, group: SlowGroup, window: number, before = false): readonly DrawnMark[] {
  const { start } = group.windows[window];
  const count = Math.min(WINDOW, group.cells.length - start);
  if (count <= 0) return [];
  return [
    {
      id: before ? 'window before' : 'window',
      shape: 'frame',
      tone: before ? 'neutral' : 'format',
      ...(before ? { state: 'ghost' as const } : { from: `window at ${window}` }),
      x: columnX(grid, start) - 2,
      y: grid.cellsY - 3,
      w: count * grid.pitch + 2,
      h: grid.cellHeight + 6,
      label: `window ${window}`,
    },
  ];
}

/** The places 0 to 3 below the columns of a window: they move with it. */
export function placeMarks(grid: Grid, group: SlowGroup, window: number): readonly DrawnMark[] {
  const { start } = group.windows[window];
  const count = Math.min(WINDOW, group.cells.length - start);
  const digits = Array.from({ length: Math.max(0, count) }, (_, i) =>
    words(
      `place ${i}`,
      { x: columnX(grid, start + i) + (grid.pitch - 2) / 2, y: grid.placesY },
      [{ text: String(i), strong: true, tone: 'indices' }],
      { align: 'middle', face: 'mono', size: 13, tone: 'indices' },
    ),
  );
  const at = grid.isWide ? { x: 0, y: grid.placesY } : { x: grid.width, y: 0 };
  const text = grid.isWide ? 'place' : 'below: places in the window';
  const align = grid.isWide ? 'start' : 'end';
  return [words('label places', at, text, { size: grid.isWide ? 12 : 11, tone: 'indices', align }), ...digits];
}

export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** Where a window's two boxes are stored. */
export function storedRect(grid: Grid, group: SlowGroup, window: number): Rect {
  const count = group.windows.length;
  const inLine = grid.isWide ? count : Math.min(WINDOWS_IN_LINE, count);
  const room = grid.isWide ? grid.width - GUTTER : grid.width;
  const pitch = Math.min(MAX_WINDOW[grid.layout], room / inLine);
  const middle = (grid.x + grid.end) / 2;
  const start = Math.max(grid.width - room, middle - (inLine * pitch) / 2);
  const line = Math.floor(window / inLine);
  return {
    x: start + (window % inLine) * pitch + 4,
    y: grid.storedY + line * (grid.storedHeight + 26),
    w: pitch - 8,
    h: grid.storedHeight,
  };
}

/** Lower edge of all that is stored, with the names of the windows. */
export const storedEnd = (grid: Grid, group: SlowGroup): number =>
  storedRect(grid, group, group.windows.length - 1).y + grid.storedHeight + (grid.isWide ? 22 : 24);

/** The id of the place of a box, as a mark. */
const placeId = ({ index }: Box): string => `place of ${elementName('values', index)}`;

/** What is stored so far: weights of the first `values` boxes, places of the first `places`; the others are empty outlines. */
export interface Stored {
  readonly values: number;
  readonly places: number;
  /** the window that is at work: its name is emphasised */
  readonly window?: number;
}

export function storedMarks(grid: Grid, group: SlowGroup, stored: Stored): readonly DrawnMark[] {
  const marks: DrawnMark[] = [
    ...rowLabel(grid, 'stored', grid.storedY + grid.storedHeight / 2 - 9, 'stored'),
    ...(grid.isWide
      ? []
      : [
          words('label stored', { x: EDGE, y: storedEnd(grid, group) }, 'stored: weights and their places', {
            size: 11,
          }),
        ]),
  ];
  for (const [w, window] of group.windows.entries()) {
    const { x, y, w: width, h } = storedRect(grid, group, w);
    const half = width / 2;
    for (const [k, box] of window.boxes.entries()) {
      const ordinal = w * KEPT + k;
      const value = { x: x + k * half, y, w: half * 0.68 - 1, h };
      const place = { x: x + k * half + half * 0.68, y, w: half * 0.32 - 2, h };
      marks.push(ordinal < stored.values ? valueMark(group, box, value) : roomMark(box, { ...value, w: half - 2 }));
      if (ordinal < stored.places) marks.push(placeMark(group, window, box, place));
    }
    const isNow = stored.window === w;
    marks.push(
      words(`name of window ${w}`, { x: x + width / 2, y: y + h + 4 }, `window ${w}`, {
        align: 'middle',
        size: 11,
        ...(isNow && { tone: 'format' as const, strong: true }),
      }),
    );
  }
  return marks;
}

function roomMark({ index }: Box, rect: Rect): DrawnMark {
  return {
    id: `room ${index}`,
    shape: 'box',
    tone: 'neutral',
    state: 'ghost',
    ...rect,
    label: 'room for a weight',
  };
}

function valueMark({ row }: SlowGroup, box: Box, rect: Rect): DrawnMark {
  const name = elementName('values', box.index);
  const size = rect.w >= 40 ? 12 : 11;
  const text = numberIn(box.value, rect.w - 1, size) || numberIn(box.value, rect.w - 1, 9);
  return {
    id: name,
    shape: 'box',
    tone: box.isEmpty ? 'padding' : 'values',
    level: 0,
    ...rect,
    size,
    text,
    label: box.isEmpty ? 'an empty box: a zero is stored' : `stored: ${valueText(box.value)}`,
    about: box.isEmpty ? [name] : [name, cellName(row, box.column)],
    ...(!box.isEmpty && { from: cellName(row, box.column) }),
  };
}

function placeMark({ t, row }: SlowGroup, { window }: SlowWindow, box: Box, rect: Rect): DrawnMark {
  const word = elementName('metadata', Math.floor((row * t.encoded.windowsPerRow + window) / WINDOWS_PER_WORD));
  return {
    id: placeId(box),
    shape: 'box',
    tone: 'indices',
    level: 0,
    ...rect,
    text: String(box.place),
    label: `place ${box.place} in the window, 2 bits`,
    about: [word, cellName(row, box.column)],
    from: `place ${box.place}`,
  };
}

/** From the weights and places of a window to its boxes, as far as they are stored. */
export function fallLinks(grid: Grid, group: SlowGroup, { values, places, window }: Stored): readonly DrawnLink[] {
  // Arrows to a second line would cross the first.
  if (window === undefined || storedRect(grid, group, window).y > grid.storedY) return [];
  return group.windows[window].boxes.flatMap((box, k): DrawnLink[] => {
    const ordinal = window * KEPT + k;
    if (box.isEmpty || ordinal >= values) return [];
    const name = elementName('values', box.index);
    const fall: DrawnLink = {
      id: `fall of ${name}`,
      from: wayOut(group, box.column),
      to: name,
      kind: 'curve',
      tone: 'values',
      arrow: true,
    };
    if (ordinal >= places) return [fall];
    const note: DrawnLink = {
      id: `note of ${name}`,
      from: `place ${box.place}`,
      to: placeId(box),
      kind: 'curve',
      tone: 'indices',
    };
    return [fall, note];
  });
}

/** Bytes of the group so far. */
export function groupCounter(
  layout: DrawingLayout,
  group: SlowGroup,
  { values, places }: Stored,
): readonly DrawnMark[] {
  const bytes = weightBytes(group.t);
  const boxes = group.windows.flatMap((window) => window.boxes);
  const isUsed = ({ isEmpty }: Box): boolean => !isEmpty;
  const held = boxes.slice(0, values).filter(isUsed).length * bytes;
  const noted = boxes.slice(0, places).filter(isUsed).length * PLACE_BYTES;
  const all = values * bytes + places * PLACE_BYTES;
  const empty = all - held - noted;
  return counter(layout, {
    title: 'bytes',
    parts: [
      { tone: 'values', value: held, label: `weights ${held}` },
      { tone: 'indices', value: noted, label: `their places ${noted}` },
      ...(empty > 0 ? [{ tone: 'padding' as const, value: empty, label: `empty ${empty}` }] : []),
    ],
    of: group.cells.length * bytes,
    number: String(all),
    unit: `of ${group.cells.length * bytes} bytes`,
    note: `dense: ${group.cells.length * bytes}, for this group of ${group.cells.length} columns`,
  });
}

/** A drawing of its layout's size. */
export function drawingOf(
  layout: DrawingLayout,
  marks: readonly DrawnMark[],
  links: readonly DrawnLink[] = [],
): Drawing {
  return { ...(layout === 'wide' ? WIDE : NARROW), marks, links };
}
