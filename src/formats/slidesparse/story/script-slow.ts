import { type DrawingLayout, GUTTER, polyline, words } from '../../../core/story/drawing.ts';
import { cellName, elementName } from '../../../core/story/scene-parts.ts';
import type { Drawing, DrawnLink, DrawnMark } from '../../../core/story/scene.ts';
import { valueText } from '../../../core/story/words.ts';
import { KEPT, patternName, STRIDE, WINDOW } from '../params.ts';
import { PUBLISHED_PATTERN } from '../published.ts';
import type { SlowGroup } from './script-group.ts';
import {
  columnX,
  drawingOf,
  fallLinks,
  type Grid,
  gridOf,
  groupCounter,
  numberIn,
  placeMarks,
  type Rect,
  type Stored,
  storedEnd,
  storedMarks,
  storedRect,
  weightMarks,
  windowFrame,
} from './script-parts.ts';

/** The pictures of one group, slowly: windows slide over its weights and store them. */

const neighboursText = ['no', 'one', 'two', 'three', 'four'] as const;

/** The first four columns side by side that hold more weights than the unit has room for. */
function tooFull({ cells }: SlowGroup): { readonly start: number; readonly count: number } | null {
  for (let start = 0; start < cells.length; start += WINDOW) {
    const count = cells.slice(start, start + WINDOW).filter(({ by }) => by >= 0).length;
    if (count > KEPT) return { start, count };
  }
  return null;
}

/** Nothing yet; the weights before the smallest ones go; those that are left; and a unit that is too small for them. */
export type NeighboursPart = 'none' | 'full' | 'weights' | 'unit';

/** The weights of the group, and a unit that is too small for some of them. */
export function neighbourMarks(layout: DrawingLayout, group: SlowGroup, part: NeighboursPart): readonly DrawnMark[] {
  if (part === 'none') return [];
  const grid = gridOf(layout, group.t);
  if (part === 'full') return weightMarks(grid, group, () => ({ isUnpruned: true }));
  const weights = weightMarks(grid, group);
  return part === 'weights' ? weights : [...weights, ...bracketMarks(grid, group), ...unitMarks(grid, group)];
}

function bracketMarks(grid: Grid, group: SlowGroup): readonly DrawnMark[] {
  const y = grid.cellsY + grid.cellHeight + 5;
  const full = tooFull(group);
  if (!full) {
    const text = 'counted in fours from the left, none holds three';
    return [words('neighbours', { x: columnX(grid, 0), y: y + 10, w: grid.width - grid.x }, text)];
  }
  const [left, right] = [columnX(grid, full.start), columnX(grid, full.start + WINDOW) - 2];
  const many = `${neighboursText[full.count]} weights in four neighbours: `;
  const text = `${many}${full.count - KEPT === 1 ? 'one' : 'two'} too many for the unit`;
  // Words of the right half would end outside.
  const from = Math.min(left, grid.width - (grid.isWide ? 360 : grid.width - grid.x));
  const points = [
    [left, y],
    [left, y + 8],
    [right, y + 8],
    [right, y],
  ] as const;
  return [
    polyline('neighbours bracket', points, { tone: 'danger', thickness: 1.5 }),
    words('neighbours', { x: from, y: y + 12, w: grid.width - from }, text, { tone: 'danger', strong: true }),
  ];
}

function unitMarks(grid: Grid, { t }: SlowGroup): readonly DrawnMark[] {
  // Where nothing is published of the pattern, the picture ends with the unit.
  const isLast = patternName(t.params.halfGroup) !== PUBLISHED_PATTERN;
  const [x, y] = grid.isWide ? [GUTTER, isLast ? 176 : 136] : [grid.x, isLast ? 200 : 148];
  const [w, h] = grid.isWide ? [156, 46] : [108, 44];
  const box = (k: number): DrawnMark => ({
    id: `unit box ${k}`,
    shape: 'box',
    tone: 'neutral',
    state: 'ghost',
    x: x + 5 + (k * (w - 8)) / 2,
    y: y + 5,
    w: (w - 8) / 2 - 2,
    h: h - 10,
    label: 'room for a weight',
  });
  const said = '2:4 = two of four. The unit takes four neighbours, has room for two weights, and skips the two zeros.';
  return [
    { id: 'unit', shape: 'frame', tone: 'ink', x, y, w, h, label: 'the unit of some GPUs' },
    box(0),
    box(1),
    words('label unit', grid.isWide ? { x: 0, y: y + 14 } : { x, y: y + h + 4 }, '2:4 unit', { size: 12 }),
    words('unit says', { x: x + w + 14, y: y + (grid.isWide ? 4 : -4), w: grid.isWide ? 330 : 210 }, said, {
      tone: 'ink',
      size: 13,
    }),
  ];
}

/** More windows than this are drawn in two lines, which none of them overlaps. */
const MAX_LINES = 3;

/** The windows below the weights; the first `shown` of them have been left behind. */
export function overlapPicture(layout: DrawingLayout, group: SlowGroup, shown: number): Drawing {
  const grid = gridOf(layout, group.t);
  const count = group.windows.length;
  const lines = count <= MAX_LINES ? count : 2;
  const top = grid.cellsY + grid.cellHeight + 22;
  const height = grid.isWide ? 42 : 40;
  const step = grid.isWide ? (lines === MAX_LINES ? 58 : 66) : 72;
  const windows = group.windows.slice(0, shown).flatMap(({ start }, w): readonly DrawnMark[] => {
    const x = columnX(grid, start);
    const y = top + (w % lines) * step;
    const further = w > 0 && lines === count ? furtherMarks(grid, w, start, y - (grid.isWide ? 0 : 12)) : [];
    return [...overlapMarks(w, { x, y, w: WINDOW * grid.pitch - 2, h: height }), ...further];
  });
  const y = top + lines * step + (grid.isWide ? 0 : 4);
  const room = shown === count ? roomWords(grid, group, y) : [];
  return drawingOf(layout, [...weightMarks(grid, group), ...windows, ...room]);
}

/** A window with its name and its two boxes; it starts its way where the window before it stands. */
function overlapMarks(w: number, place: Rect): readonly DrawnMark[] {
  const { x, y, w: width, h } = place;
  const hasWords = width >= 150;
  const nameWidth = hasWords ? 66 : 16;
  const box = Math.min(80, (width - nameWidth - 16) / 2);
  return [
    {
      id: `window at ${w}`,
      shape: 'frame',
      tone: 'format',
      ...place,
      label: `window ${w}`,
      ...(w > 0 && { from: `window at ${w - 1}` }),
    },
    words(`window name ${w}`, { x: x + 8, y: y + h / 2 - 9 }, hasWords ? `window ${w}` : String(w), {
      tone: 'format',
      strong: true,
    }),
    ...Array.from({ length: KEPT }, (_, k): DrawnMark => ({
      id: `box ${w}.${k}`,
      shape: 'box',
      tone: 'neutral',
      state: 'ghost',
      x: x + nameWidth + 10 + k * box,
      y: y + 7,
      w: box - 4,
      h: h - 14,
      label: 'room for a weight',
    })),
  ];
}

/** How far a window lies behind the one before. */
function furtherMarks(grid: Grid, w: number, start: number, y: number): readonly DrawnMark[] {
  const [from, to] = [columnX(grid, start - STRIDE) + 4, columnX(grid, start) - 8];
  const line = y + 14;
  const points = [
    [from, line],
    [to, line],
    [to - 5, line - 3.5],
    [to, line],
    [to - 5, line + 3.5],
  ] as const;
  const text = grid.isWide ? '2 columns further' : '+2';
  return [
    polyline(`way ${w}`, points, { tone: 'ink', thickness: 1.25 }),
    words(`further ${w}`, { x: from, y: line + 3 }, text, { size: 12 }),
  ];
}

function roomWords(grid: Grid, { windows, cells }: SlowGroup, y: number): readonly DrawnMark[] {
  const room = KEPT * windows.length;
  const count = windows.length;
  const sum = `${count} ${count === 1 ? 'window' : 'windows'} × ${KEPT} boxes = room for ${room}.`;
  const inTwo =
    count < 2
      ? ''
      : `  Each fits the unit: four columns, two weights. Columns ${cells[0].column + STRIDE} to ${cells[0].column + STRIDE * count - 1} lie in two windows: a second chance.`;
  return [
    words(
      'room',
      { x: grid.x, y, w: grid.width - grid.x },
      [{ text: sum, strong: true, tone: 'ink' }, { text: inTwo }],
      {
        size: 14,
      },
    ),
  ];
}

interface Slow extends Stored {
  readonly window: number;
  /** weights of windows before this one are dim, or also those of this one */
  readonly dimBelow: number;
  /** the third weight of window 0: on its way down, or hanging */
  readonly third?: 'falls' | 'hangs';
  /** the column and the place of the third weight are marked */
  readonly isMarked?: boolean;
  /** how the bytes so far add up */
  readonly note?: string;
}

/** Below this, a note of two lines would meet the counter on a phone. */
const LAST_NOTE = 380;

/** A window over the weights, and what is stored so far. */
export function slowPicture(layout: DrawingLayout, group: SlowGroup, slow: Slow): Drawing {
  const grid = gridOf(layout, group.t);
  const marks: DrawnMark[] = [
    ...weightMarks(grid, group, (c) => {
      const { by } = group.cells[c];
      return { isDim: by >= 0 && by < slow.dimBelow, isGone: slow.third !== undefined && c === group.third };
    }),
    ...(slow.window > 0 ? windowFrame(grid, group, slow.window - 1, true) : []),
    ...windowFrame(grid, group, slow.window),
    ...(slow.third ? [] : placeMarks(grid, group, slow.window)),
    ...(slow.window > 0 && !slow.third ? slideMarks(grid, group, slow.window) : []),
    ...storedMarks(grid, group, slow),
    ...groupCounter(layout, group, slow),
    ...(slow.isMarked ? ringMarks(grid, group, slow.window) : []),
  ];
  if (slow.note !== undefined) {
    const at = grid.isWide ? { x: columnX(grid, WINDOW) + 10, y: 134 } : { x: grid.x, y: storedEnd(grid, group) + 22 };
    // The sum stays on one line, and is alone above the counter where windows are stored in three lines.
    const sum = slow.note.replaceAll(' ', '\u00a0');
    const note = at.y > LAST_NOTE ? sum : `Each place, 0 to 3, takes 2 bits: ¼ byte. ${sum}`;
    marks.push(words('note', { ...at, w: grid.width - at.x }, note, { size: grid.isWide ? 12 : 11 }));
  }
  if (slow.third) {
    const odd = oddMarks(grid, group, slow.third);
    return drawingOf(layout, [...marks, ...odd.marks], odd.links);
  }
  return drawingOf(layout, marks, fallLinks(grid, group, slow));
}

/** By how much the window has slid. */
function slideMarks(grid: Grid, group: SlowGroup, window: number): readonly DrawnMark[] {
  const { start } = group.windows[window];
  if (start >= group.cells.length) return [];
  const [from, to] = [columnX(grid, start - STRIDE), columnX(grid, start) - 8];
  const y = grid.placesY + 9;
  const middle = (from + to) / 2;
  const half = grid.isWide ? 14 : 10;
  const look = { tone: 'format', thickness: 1.5 } as const;
  const shaft = [
    [from, y],
    [middle - half, y],
  ] as const;
  const arrow = [
    [middle + half, y],
    [to, y],
    [to - 5, y - 3.5],
    [to, y],
    [to - 5, y + 3.5],
  ] as const;
  return [
    polyline('slid from', shaft, look),
    polyline('slid to', arrow, look),
    words('slid by', { x: middle, y: grid.placesY }, `+${STRIDE}`, {
      align: 'middle',
      tone: 'format',
      strong: true,
      face: 'mono',
    }),
  ];
}

/** Rings around the column of the third weight and around its place. */
function ringMarks(grid: Grid, { third, cells, windows }: SlowGroup, window: number): readonly DrawnMark[] {
  if (third === null) return [];
  const x = columnX(grid, third) + (grid.pitch - 2) / 2 - 11;
  const at = `column ${cells[third].column} is place ${third - windows[window].start}`;
  return [
    { id: 'ring column', shape: 'frame', tone: 'ink', x, y: grid.columnsY - 2, w: 22, h: 20, label: at },
    { id: 'ring place', shape: 'frame', tone: 'indices', x, y: grid.placesY - 1, w: 22, h: 20, label: at },
  ];
}

/** The third weight meets a window that is full, and hangs in the air. */
function oddMarks(
  grid: Grid,
  group: SlowGroup,
  third: 'falls' | 'hangs',
): { readonly marks: readonly DrawnMark[]; readonly links: readonly DrawnLink[] } {
  if (group.third === null) return { marks: [], links: [] };
  const { column, value } = group.cells[group.third];
  const full = storedRect(grid, group, 0);
  const w = Math.max(30, Math.min(64, grid.pitch - 6));
  const h = 32;
  const size = w >= 44 ? 13 : 10;
  const right = columnX(grid, group.third) + grid.pitch * 0.95;
  const at =
    third === 'falls' ? { x: full.x + full.w - w / 2, y: full.y - h - 8 } : { x: right, y: grid.isWide ? 104 : 116 };
  const isLargest = group.cells.every((cell) => Math.abs(cell.value) <= Math.abs(value));
  const text = isLargest ? 'the largest: it must not be lost' : 'it must not be lost';
  const wordsAt = grid.isWide ? { x: right + w + 12, y: 112 } : { x: right + w + 8, y: 118 };
  const hung: DrawnMark = {
    id: cellName(group.row, column),
    shape: 'box',
    tone: 'values',
    level: 1,
    ...at,
    w,
    h,
    size,
    text: numberIn(value, w - 1, size),
    label: `row ${group.row}, column ${column}: ${valueText(value)} does not fit`,
    about: [cellName(group.row, column)],
  };
  const marks: DrawnMark[] = [
    { id: 'full frame', shape: 'frame', tone: 'format', x: full.x - 3, y: full.y - 3, w: full.w + 4, h: full.h + 6 },
    words('full', { x: full.x, y: full.y - 24 }, 'full', { tone: 'format', strong: true }),
    hung,
  ];
  const falls: DrawnLink = {
    id: 'falls',
    from: 'left behind',
    to: 'full frame',
    kind: 'curve',
    tone: 'danger',
    arrow: true,
  };
  if (third === 'falls') return { marks, links: [] };
  const bounces: DrawnLink = {
    id: 'bounces',
    from: elementName('values', group.windows[0].boxes[KEPT - 1].index),
    to: hung.id,
    kind: 'curve',
    tone: 'danger',
    arrow: true,
    dashed: true,
  };
  marks.push(
    words('lost', { ...wordsAt, w: grid.width - wordsAt.x }, text, { tone: 'danger', strong: true, size: 12 }),
  );
  return { marks, links: [falls, bounces] };
}
