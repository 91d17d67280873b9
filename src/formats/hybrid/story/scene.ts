import { bf16Value } from '../../../core/number/index.ts';
import {
  cellName,
  elementName,
  magnitudeLevels,
  matrixPanel,
  memoryPanels,
  pageStart,
  rowFrame,
  slotPanel,
} from '../../../core/story/scene-parts.ts';
import { vectorPanels } from '../../../core/story/scene-vectors.ts';
import type { Link, Mark, Panel, Scene } from '../../../core/story/scene.ts';
import { codeOf } from './code.ts';
import { NONE } from '../layout.ts';
import { narrate } from './narration.ts';
import type { HybridStep, HybridTrace } from './trace.ts';
import { box } from '../../../core/story/marks.ts';
import { counted, valueText } from '../../../core/story/words.ts';

/** Rows of the compact part in view; fewer if other panels matter more. */
const COMPACT_ROWS_SHOWN = 6;
const FEW_ROWS_SHOWN = 3;
/** Tail rows and slots of a row in view. */
const TAIL_SHOWN = 3;
const SLOTS_SHOWN = 8;
/** A slot is two units wide: value and column. */
const SLOT = 2;
/** Of the compact part, and of what is known of each row. */
const COMPACT_BAND = 1;

/** The rows of each part. */
interface Progress {
  /** the row in the middle of the picture */
  readonly row: number;
  /** rows that are stored */
  readonly rows: number;
  /** whether the step is about that row */
  readonly isAboutRow: boolean;
  /** whether other panels matter more than many rows: the separate row and the map, or x and y */
  readonly isDetail: boolean;
}

/** Id of the separate mark of the first non-zeros of a row that a step stores. */
function nowId(e: HybridTrace['encoded'], row: number, ordinal: number, column: number): string {
  const place = e.tailMap[row];
  return place === NONE ? `now value ${row * e.slots + ordinal}` : `now tail ${place * e.cols + column}`;
}

/** Slots of a row in view. */
function slotsShown({ encoded }: HybridTrace): number {
  return Math.min(encoded.slots, SLOTS_SHOWN);
}

/**
 * The row that a step stores, right below the cells that it comes from: its slots, or all of its cells. Panel id 'now'.
 */
function nowPanel(t: HybridTrace, { row }: Progress): Panel {
  const { encoded: e } = t;
  const inTail = e.tailMap[row] !== NONE;
  const columns = inTail ? e.cols : SLOT * slotsShown(t);
  const marks = inTail ? tailMarks(t, row, 0, true, 'now ') : slotMarks(t, row, 0, true, true, 'now ');
  return {
    id: 'now',
    unit: inTail ? 'cell' : 'slot',
    columns: Math.max(1, columns),
    rows: 1,
    rowLabels: [{ at: 0, text: String(row), strong: true }],
    ...(inTail ? { grid: { rows: 1 } } : {}),
    marks,
  };
}

/** The slots of a few rows, value and column each. Panel id 'compact'. */
function compactPanel(t: HybridTrace, { row, rows, isAboutRow, isDetail }: Progress): Panel {
  const { encoded: e } = t;
  const shown = Math.min(e.rows, isDetail ? FEW_ROWS_SHOWN : COMPACT_ROWS_SHOWN);
  const top = pageStart(e.rows, row, shown);
  const slots = slotsShown(t);
  const marks: Mark[] = [];
  for (let r = top; r < top + shown; r++) {
    for (const mark of slotMarks(t, r, r - top, r < rows, isAboutRow && r === row)) marks.push(mark);
  }
  const part = slots < e.slots ? `, the first ${slots} shown` : '';
  return {
    id: 'compact',
    band: COMPACT_BAND,
    title: 'compact part',
    caption: `${counted(e.slots, 'slot')} per row${part}`,
    unit: 'slot',
    columns: Math.max(1, SLOT * slots),
    rows: Math.max(1, shown),
    rowLabels: Array.from({ length: shown }, (_, i) => ({
      at: i,
      text: String(top + i),
      strong: isAboutRow && top + i === row,
    })),
    focus: { x: 0, y: Math.max(0, row - top) },
    marks,
  };
}

/** The slots of one row in line `y` of a panel; their ids begin with `prefix`. */
function slotMarks(
  t: HybridTrace,
  row: number,
  y: number,
  isThere: boolean,
  isHere: boolean,
  prefix = '',
): readonly Mark[] {
  const { encoded: e } = t;
  const inTail = e.tailMap[row] !== NONE;
  const used = inTail ? 0 : e.counts[row];
  const marks: Mark[] = [];
  for (let s = 0; s < slotsShown(t); s++) {
    const at = row * e.slots + s;
    const left = SLOT * s;
    const about = [elementName('values', at), elementName('indices', at)];
    const where = `row ${row}, slot ${s}`;
    if (!isThere || s >= used) {
      const why = isThere ? (inTail ? 'in the tail' : 'empty') : 'not there yet';
      const look = isThere ? ({ tone: 'padding' } as const) : ({ tone: 'neutral', state: 'ghost' } as const);
      marks.push(box(`${prefix}slot ${at}`, left, y, { w: SLOT, ...look, label: `${where}: ${why}`, about }));
      continue;
    }
    const column = e.indices[at];
    const value = valueText(bf16Value(e.values[at]));
    const from = cellName(row, column);
    const shared = { w: 1, about: [...about, from], from, ...(isHere ? { focus: true } : {}) };
    marks.push(
      box(`${prefix}value ${at}`, left, y, {
        tone: 'values',
        text: value,
        label: `${where}: ${value} of column ${column}`,
        ...shared,
      }),
      box(`${prefix}column ${at}`, left + 1, y, {
        tone: 'indices',
        text: String(column),
        label: `${where}: column ${column}`,
        ...shared,
      }),
    );
  }
  return marks;
}

/** Tail rows with all their cells; free ones, which no product reads, are dashed. Panel id 'tail'. */
function tailPanel(t: HybridTrace, { row, rows, isAboutRow, multiplying }: State): Panel {
  const { encoded: e } = t;
  const all = multiplying ? Math.max(1, e.tailUsed) : e.tailCapacity;
  const shown = Math.min(all, TAIL_SHOWN);
  const stored = Array.from(e.tailRows.subarray(0, e.tailUsed)).filter((r) => r < rows).length;
  const inTail = e.tailMap[row] ?? NONE;
  const top = pageStart(all, inTail === NONE ? Math.max(0, stored - 1) : inTail, shown);
  const marks: Mark[] = [];
  for (let place = top; place < top + shown; place++) {
    const y = place - top;
    if (place < stored) {
      const r = e.tailRows[place];
      for (const mark of tailMarks(t, r, y, isAboutRow && r === row)) marks.push(mark);
      continue;
    }
    marks.push(
      box(`free ${place}`, 0, y, { w: Math.max(1, e.cols), state: 'ghost', label: `tail row ${place}: free` }),
    );
  }
  const part = shown < all ? `, ${shown} shown` : '';
  return {
    id: 'tail',
    title: 'dense tail',
    caption: `${stored} of ${counted(e.tailCapacity, 'row')} in use${part}`,
    unit: 'cell',
    columns: Math.max(1, e.cols),
    rows: Math.max(1, shown),
    grid: { rows: Math.max(1, shown) },
    rowLabels: Array.from({ length: shown }, (_, y) => ({ at: y, text: String(top + y) })),
    focus: { x: 0, y: Math.max(0, stored - 1 - top) },
    marks,
  };
}

/** What a row in the tail holds, in line `y` of a panel; ids begin with `prefix`. */
function tailMarks(
  { encoded: e, window }: HybridTrace,
  row: number,
  y: number,
  isHere: boolean,
  prefix = '',
): readonly Mark[] {
  const levelOf = magnitudeLevels(window);
  const place = e.tailMap[row];
  const marks: Mark[] = [];
  for (let i = window.indptr[row]; i < window.indptr[row + 1]; i++) {
    const column = window.indices[i];
    const at = place * e.cols + column;
    const value = bf16Value(e.tail[at]);
    const from = cellName(row, column);
    marks.push(
      box(`${prefix}tail ${at}`, column, y, {
        tone: 'values',
        level: levelOf(value),
        label: `tail row ${place}, column ${column}: ${valueText(value)}`,
        about: [elementName('tail', at), from],
        from,
        ...(isHere ? { focus: true } : {}),
      }),
    );
  }
  return marks;
}

const ROWS_SHOWN = 8;

/** The state at a step. */
interface State extends Progress {
  readonly step: HybridStep | null;
  readonly multiplying: boolean;
}

/** The picture after step `stepNumber`; 0 is the initial state. Pure. */
export function scene(t: HybridTrace, stepNumber: number): Scene {
  const step = stepNumber === 0 ? null : t.steps[stepNumber - 1].detail;
  const state = stateAt(t, step);
  const panels = [
    {
      ...matrixPanel(t.window, {
        row: state.row,
        rowsShown: ROWS_SHOWN,
        overlay: state.isAboutRow ? rowFrame(t.window, state.row).map((mark) => ({ ...mark, focus: true })) : [],
      }),
      title: 'activations',
    },
    ...(step?.kind === 'route' ? [nowPanel(t, state)] : []),
    compactPanel(t, state),
    mapPanel(t, state),
    ...(t.encoded.tailCapacity > 0 ? [tailPanel(t, state)] : []),
    ...vectors(t, state),
    ...memory(t, state),
  ];
  const drawn = new Set(panels.flatMap((panel) => panel.marks.map((mark) => mark.id)));
  return {
    panels,
    links: links(t, state).filter((link) => drawn.has(link.from) && drawn.has(link.to)),
    narration: narrate(t, step),
    code: codeOf(t, step),
  };
}

function stateAt({ encoded: { rows } }: HybridTrace, step: HybridStep | null): State {
  const last = Math.max(0, rows - 1);
  const whole = { step, isAboutRow: false, isDetail: false, multiplying: false };
  switch (step?.kind) {
    case undefined:
    case 'room':
      return { ...whole, row: 0, rows: 0 };
    case 'route':
      return { ...whole, isAboutRow: true, isDetail: true, row: step.row, rows: step.row + 1 };
    case 'stored':
      return { ...whole, row: last, rows };
    case 'row':
      return { ...whole, isAboutRow: true, isDetail: true, row: step.row, rows, multiplying: true };
    case 'multiplied':
      return { ...whole, isDetail: true, row: last, rows, multiplying: true };
  }
}

/** Count and part of every row. Panel id 'map'. */
function mapPanel({ encoded: { rows, counts, tailMap } }: HybridTrace, state: State): Panel {
  const look = (r: number): { focus?: true } => (state.isAboutRow && r === state.row ? { focus: true } : {});
  const present = (r: number): boolean => r < state.rows;
  return slotPanel({
    id: 'map',
    band: COMPACT_BAND,
    focus: state.row,
    lines: [
      { array: 'counts', length: rows, tone: 'metadata', text: (r) => String(counts[r]), present, look },
      {
        array: 'tailMap',
        length: rows,
        tone: 'metadata',
        text: (r) => (tailMap[r] === NONE ? '–' : String(tailMap[r])),
        present,
        look,
      },
    ],
  });
}

/** x and y, once they are needed. */
function vectors(t: HybridTrace, { step, multiplying, row }: State): readonly Panel[] {
  if (!multiplying) return [];
  const { rows, cols, indptr, indices } = t.window;
  const isRow = step?.kind === 'row';
  const isDense = isRow && t.encoded.tailMap[row] !== NONE;
  const reads = !isRow
    ? []
    : isDense
      ? Array.from({ length: cols }, (_, c) => c)
      : Array.from(indices.subarray(indptr[row], indptr[row + 1]));
  return vectorPanels({ x: t.x, reads, y: (r) => (r <= row ? t.sums[r] : null), rows, writes: isRow ? [row] : [] });
}

function memory({ encoded: e }: HybridTrace, state: State): readonly Panel[] {
  const isUsed = (at: number): boolean => {
    const r = Math.floor(at / e.slots);
    return e.tailMap[r] === NONE && at - r * e.slots < e.counts[r];
  };
  const present = (at: number): boolean => Math.floor(at / e.slots) < state.rows;
  const place = e.tailMap[state.row] ?? NONE;
  const tailFocus = place === NONE ? 0 : place * e.cols;
  const focus = state.row * e.slots;
  const isStored = (at: number): boolean => {
    const r = e.tailRows[Math.floor(at / e.cols)];
    return r !== NONE && r < state.rows;
  };
  return memoryPanels([
    { array: 'values', data: e.values, tone: (i) => (isUsed(i) ? 'values' : 'padding'), present, focus },
    { array: 'indices', data: e.indices, tone: (i) => (isUsed(i) ? 'indices' : 'padding'), present, focus },
    ...(e.tail.length > 0
      ? [
          {
            array: 'tail',
            data: e.tail,
            tone: (i: number) => (bf16Value(e.tail[i]) === 0 ? ('padding' as const) : ('values' as const)),
            present: isStored,
            focus: tailFocus,
          },
        ]
      : []),
  ]);
}

/** The non-zeros of the row on their way to its slots; for the tail, where all go straight down, the first. */
function links(t: HybridTrace, { step }: State): readonly Link[] {
  if (step?.kind !== 'route') return [];
  const { window, encoded: e } = t;
  const { row } = step;
  const first = window.indptr[row];
  const drawn = Math.min(e.counts[row], e.tailMap[row] === NONE ? slotsShown(t) : 1);
  return Array.from(window.indices.subarray(first, first + drawn), (column, i) => ({
    id: `store ${i}`,
    from: cellName(row, column),
    to: nowId(e, row, i, column),
    kind: 'curve',
    tone: 'neutral',
  }));
}
