import { box, bracket, frame } from '../../../core/story/marks.ts';
import { cellName, type MarkLook, matrixPanel } from '../../../core/story/scene-parts.ts';
import type { Label, Link, Mark, Panel } from '../../../core/story/scene.ts';
import { valueText } from '../../../core/story/words.ts';
import { windowStart } from '../layout.ts';
import { fullest, groupValue } from './narration.ts';
import { STRIDE, WINDOW, windowsPerGroup } from '../params.ts';
import { METADATA_Y, type Picture, slidId, slidWidth, slotX, storedMarks, VALUES_Y } from './scene-slots.ts';
import { memory } from './scene-storage.ts';
import { firstWindow, type Group, type SlideSparseStep, type SlideSparseTrace } from './trace.ts';

/** Rows of the window that are shown above the group, counting its own: more would push the bytes off the screen. */
export const ROWS_ABOVE = 1;

/** Prune: which groups are too full, and what is removed. */
export function pruneScene(t: SlideSparseTrace, group: Group | undefined, going: boolean): Picture {
  const width = 2 * t.params.halfGroup;
  const shown = group ?? fullest(t);
  const overlay: Mark[] = shown ? [groupFrame(t, shown)] : [];
  const row = shown?.row ?? 0;
  const look = (r: number, c: number): MarkLook => {
    if (!shown || r !== shown.row || Math.floor(c / width) !== shown.group) return { state: 'dim' };
    return goes(shown, c % width) ? { focus: true } : {};
  };
  const panels: Panel[] = [matrixPanel(t.window, { row, look, overlay, rowsShown: 12 })];
  if (shown)
    panels.push(weightsPanel(t, shown, { pruned: going, look: (c) => (goes(shown, c) ? { focus: true } : {}) }));
  return { panels, links: [] };
}

function goes({ columns, windowOf }: Group, column: number): boolean {
  const i = columns.indexOf(column);
  return i >= 0 && windowOf[i] === -1;
}

function groupFrame(t: SlideSparseTrace, { row, group }: Group): Mark {
  const width = 2 * t.params.halfGroup;
  const x = group * width;
  const w = Math.min(width, t.window.cols - x);
  return frame('group', x, row, w, 1, { tone: 'format', label: `group ${group} of row ${row}` });
}

interface WeightsOptions {
  /** also the line of what is kept */
  readonly pruned?: boolean;
  /** the current window, by its number in the group */
  readonly window?: number;
  readonly look: (column: number) => MarkLook;
}

/** The cells of one group with their values, and the windows above them. Panel id 'weights'. */
function weightsPanel(t: SlideSparseTrace, group: Group, { pruned = false, window, look }: WeightsOptions): Panel {
  const width = 2 * t.params.halfGroup;
  const start = group.group * width;
  const count = Math.min(width, t.window.cols - start);
  const marks: Mark[] = [];
  for (let c = 0; c < count; c++) {
    const value = groupValue(t, group, c);
    const gone = goes(group, c);
    // From chapter 2 on the story is that of the pruned window.
    const empty = value === 0 || (window !== undefined && gone);
    marks.push(weightMark(group, start + c, c, 0, empty ? 0 : value, look(c)));
    if (pruned) {
      const stays = weightMark(group, start + c, c, 1.3, gone ? 0 : value, {});
      marks.push({ ...stays, id: `stays ${stays.id}`, from: stays.id });
    }
  }
  if (window !== undefined) for (const mark of windowMarks(t, group, window)) marks.push(mark);
  const labels: Label[] = Array.from({ length: count }, (_, c) => ({ at: c, text: String(start + c) }));
  return {
    id: 'weights',
    title: `row ${group.row}, group ${group.group}`,
    unit: 'slot',
    columns: width,
    rows: window === undefined ? (pruned ? 2.3 : 1) : t.params.halfGroup === 2 ? 2 : 2.9,
    columnLabels: labels,
    rowLabels: [{ at: 0, text: 'weights' }, ...(pruned ? [{ at: 1.3, text: 'kept' }] : [])],
    focus: { x: window === undefined ? 0 : window * STRIDE + WINDOW / 2, y: 0 },
    marks,
  };
}

function weightMark({ row }: Group, column: number, x: number, y: number, value: number, look: MarkLook): Mark {
  const base = box(`weight ${row},${column}`, x, y);
  const where = `row ${row}, column ${column}`;
  if (value === 0) return { ...base, tone: 'neutral', label: `${where}: 0`, state: 'dim' };
  const { about, ...rest } = look;
  return {
    ...base,
    tone: 'values',
    text: valueText(value),
    label: `${where}: ${valueText(value)}`,
    about: [cellName(row, column), ...(about ?? [])],
    ...rest,
  };
}

/** The frame of the current window, and below the cells a measure for each window, on two lines since they overlap. */
function windowMarks(t: SlideSparseTrace, group: Group, window: number): Mark[] {
  const first = firstWindow(group, t.params);
  const marks: Mark[] = [];
  for (let w = 0; w < windowsPerGroup(t.params); w++) {
    const state = w < window ? ' done' : '';
    marks.push(
      bracket(`window ${w}`, w * STRIDE + 0.06, 1.15 + 0.9 * (w % 2), WINDOW - 0.12, `window ${first + w}${state}`, {
        tone: w === window ? 'format' : 'neutral',
        label: `window ${first + w}: columns ${w * STRIDE} to ${w * STRIDE + WINDOW - 1} of the group${state && ', done'}`,
        ...(w === window ? { focus: true } : w > window ? { state: 'dim' } : {}),
      }),
    );
  }
  marks.push(frame('at work', window * STRIDE, 0, WINDOW, 1, { tone: 'format', label: `window ${first + window}` }));
  return marks;
}

type GroupStep = Extract<SlideSparseStep, { kind: 'slide' | 'compress' }>;

/** Slide and Compress: one group, the windows over it, the slid row, and what is stored of it. */
export function groupScene(t: SlideSparseTrace, step: GroupStep, stepNumber: number): Picture {
  const group = t.groups[step.group];
  const now = step.window - firstWindow(group, t.params);
  const compressing = step.kind === 'compress';
  const takenBy = (column: number): number => group.windowOf[group.columns.indexOf(column)] ?? -1;
  const look = (column: number): MarkLook => {
    const by = takenBy(column);
    if (by === now) return { focus: true };
    return by >= 0 && by < now ? { state: 'dim' } : {};
  };
  const panels: Panel[] = [
    orientation(t, group, (column) => takenBy(column) === now),
    weightsPanel(t, group, { window: now, look }),
    slidPanel(t, group, {
      slid: compressing ? windowsPerGroup(t.params) - 1 : now,
      stored: compressing ? now : -1,
      now,
    }),
    ...memory(t, stepNumber, compressing ? group.row * t.encoded.windowsPerRow + step.window : null, group),
  ];
  const links: Link[] = [];
  if (!compressing) {
    for (const column of group.columns.filter((c) => takenBy(c) === now)) {
      const from = `weight ${group.row},${group.group * 2 * t.params.halfGroup + column}`;
      const to = slidId(group.row, step.window, column - now * STRIDE);
      links.push({ id: `take ${column}`, from, to, kind: 'curve', tone: 'neutral' });
    }
  }
  return { panels, links };
}

/** The row of the window with the group framed. */
function orientation(t: SlideSparseTrace, group: Group, inFocus: (column: number) => boolean): Panel {
  const width = 2 * t.params.halfGroup;
  return matrixPanel(t.pruned, {
    row: group.row,
    rowsShown: ROWS_ABOVE,
    overlay: [groupFrame(t, group)],
    look: (r, c) => {
      if (r !== group.row || Math.floor(c / width) !== group.group) return { state: 'dim' };
      return inFocus(c % width) ? { focus: true } : {};
    },
  });
}

interface SlidProgress {
  /** last window of the group that has taken its non-zeros */
  readonly slid: number;
  /** last window of the group that is stored, -1 for none */
  readonly stored: number;
  /** the window of this step */
  readonly now: number;
}

/** A group as it slides: four slots per window, their activations, and values and metadata. Panel id 'slid'. */
function slidPanel(t: SlideSparseTrace, group: Group, { slid, stored, now }: SlidProgress): Panel {
  const marks: Mark[] = [];
  const first = firstWindow(group, t.params);
  for (let w = 0; w < windowsPerGroup(t.params); w++) {
    for (let i = 0; i < WINDOW; i++)
      for (const mark of slidMarks(t, group, w, i, w <= slid, w === now)) marks.push(mark);
    for (const mark of storedMarks(t, group.row, first + w, w, w <= stored, w === now && stored >= 0)) marks.push(mark);
    marks.push(
      bracket(`two of four ${w}`, slotX(w, 0), 2.15, WINDOW, 'two of four', {
        label: `window ${first + w}: at most two of four`,
        ...(w <= slid ? {} : { state: 'dim' }),
      }),
    );
  }
  return {
    id: 'slid',
    unit: 'slot',
    columns: slidWidth(t.params),
    rows: 6.4,
    rowLabels: [
      { at: 0, text: 'slid row' },
      { at: 1.1, text: 'meets' },
      { at: VALUES_Y, text: 'values' },
      { at: METADATA_Y, text: 'metadata' },
    ],
    focus: { x: slotX(now, WINDOW / 2), y: 0 },
    marks,
  };
}

function slidMarks(t: SlideSparseTrace, group: Group, w: number, i: number, present: boolean, isNow: boolean): Mark[] {
  const window = firstWindow(group, t.params) + w;
  const inGroup = w * STRIDE + i;
  const at = group.columns.indexOf(inGroup);
  const here = at >= 0 && group.windowOf[at] === w;
  const column = windowStart(t.params, window) + i;
  const text = here ? valueText(groupValue(t, group, inGroup)) : '0';
  const id = slidId(group.row, window, i);
  const label = `window ${window}, slot ${i}, column ${column}`;
  const left = slotX(w, i);
  const name = cellName(group.row, column);
  const behind = column >= t.window.cols;
  const meets: Mark = box(`meets ${group.row},${window}.${i}`, left, 1.1, {
    text: behind ? '0' : `x${column}`,
    label: behind ? `past the row: 0` : `x[${column}]`,
    about: [`x[${column}]`],
    ...(present ? {} : { state: 'dim' }),
  });
  if (!present)
    return [box(id, left, 0, { tone: 'values', state: 'ghost', text, label: `${label}: not there yet` }), meets];
  const slot: Mark = box(id, left, 0, {
    tone: here ? 'values' : 'padding',
    text,
    label: `${label}: ${text}`,
    ...(here ? { about: [name], from: `weight ${group.row},${column}` } : {}),
    ...(isNow && here ? { focus: true } : {}),
  });
  return [slot, meets];
}
