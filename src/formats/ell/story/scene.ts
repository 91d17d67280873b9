import { box, frame } from '../../../core/story/marks.ts';
import { floatAt } from '../../../core/number/index.ts';
import {
  cellName,
  curve,
  elementName,
  type MarkLook,
  magnitudeLevels,
  matrixPanel,
  memoryPanels,
  pageStart,
  slotPanel,
  ticks,
} from '../../../core/story/scene-parts.ts';
import { vectorPanels } from '../../../core/story/scene-vectors.ts';
import type { Link, Mark, Panel, Scene, Tone } from '../../../core/story/scene.ts';
import { counted, valueText } from '../../../core/story/words.ts';
import { codeOf } from './code.ts';
import { narrate } from './narration.ts';
import type { EllStep, EllTrace } from './trace.ts';

/**
 * Rows in view: cells and slots side by side have room for fewer than a matrix alone, and below each other for fewer
 * still.
 */
const ROWS_SHOWN = 16;
const FEW_CELL_ROWS = 5;
const FEW_SLOT_ROWS = 4;

/** The state at a step: what is filled by then, and the positions that it is about. */
interface State {
  readonly step: EllStep | null;
  readonly row: number;
  /** counts known so far */
  readonly counted: number;
  /** rows whose slots are complete, padding included */
  readonly rows: number;
  /** slots of the next row that are filled */
  readonly slots: number;
  /** element of values and indices in the middle of the picture */
  readonly element: number;
  /**
   * Whether all is stored, and cells and slots are drawn side by side. Until then curves lead down from the cells, so
   * their targets come first: on a small screen the slots would come in between.
   */
  readonly packed: boolean;
  readonly multiplying: boolean;
}

/** The picture after step `stepNumber`; 0 is the initial state. Pure. */
export function scene(t: EllTrace, stepNumber: number): Scene {
  const state = stateAt(t, stepNumber === 0 ? null : t.steps[stepNumber - 1].detail);
  const { step } = state;
  const isCounting = step === null || step.kind === 'count' || step.kind === 'allocate';
  const isFilling = step?.kind === 'slot' || step?.kind === 'padding';
  const panels = [
    matrixPanel(t.window, {
      row: state.row,
      rowsShown: state.packed ? ROWS_SHOWN : FEW_CELL_ROWS,
      look: (row, _col, ordinal) => slotLook(t, state, row, ordinal - t.window.indptr[row]),
      overlay: countedRow(t, state),
      ...(state.packed ? { band: 0 } : {}),
    }),
    ...(isCounting ? [countsPanel(t, state)] : []),
    ...(isFilling ? [nowPanel(t, state)] : []),
    slotsPanel(t, state),
    elementsPanel(t, state),
    ...(isCounting ? [] : [countsPanel(t, state)]),
    ...vectors(t, state),
    ...memory(t, state),
  ];
  return { panels, links: links(t, state), narration: narrate(t, step), code: codeOf(step) };
}

function stateAt(t: EllTrace, step: EllStep | null): State {
  const { rows, counts } = t.encoded;
  const before = { counted: rows, rows: 0, slots: 0, element: 0, packed: false, multiplying: false };
  const after = { counted: rows, rows, slots: 0, packed: true };
  switch (step?.kind) {
    case undefined:
      return { step, row: 0, ...before, counted: 0 };
    case 'count':
      return { step, row: step.row, ...before, counted: step.row + 1 };
    case 'allocate':
      return { step, row: 0, ...before };
    case 'slot': {
      const element = step.slot * rows + step.row;
      return { step, row: step.row, ...before, rows: step.row, slots: step.slot + 1, element };
    }
    case 'padding':
      return { step, row: step.row, ...before, rows: step.row + 1, element: counts[step.row] * rows + step.row };
    case 'packed':
      return { step, row: Math.max(0, rows - 1), ...after, element: 0, multiplying: false };
    case 'round':
      return { step, row: 0, ...after, element: step.slot * rows, multiplying: true };
    case 'multiplied':
      return { step, row: 0, ...after, element: 0, multiplying: true };
  }
}

/**
 * Whether a slot is filled: its value, or that it is empty. A row whose slots are all used is complete with its last.
 */
function isPresent(t: EllTrace, state: State, row: number, slot: number): boolean {
  return row < state.rows || (row === state.rows && slot < state.slots) || t.encoded.width === 0;
}

/** How a slot is drawn: its cell, its position in the row, its elements and their bytes share names. */
function slotLook({ encoded }: EllTrace, { step }: State, row: number, slot: number): MarkLook {
  const { rows, counts, indices } = encoded;
  const index = slot * rows + row;
  const about = [elementName('values', index), elementName('indices', index)];
  if (slot < counts[row]) about.push(cellName(row, indices[index]));
  switch (step?.kind) {
    case 'slot':
      return step.row === row && step.slot === slot ? { about, focus: true } : { about };
    case 'padding':
      return step.row === row && slot >= counts[row] ? { about, focus: true } : { about };
    case 'round':
      if (step.slot === slot) return { about, focus: slot < counts[row] };
      return { about, state: 'dim' };
    default:
      return { about };
  }
}

function toneOf({ encoded: { rows, counts } }: EllTrace, index: number, main: Tone): Tone {
  return Math.floor(index / rows) < counts[index % rows] ? main : 'padding';
}

/** The row that is being counted, outlined. */
function countedRow({ window: { cols } }: EllTrace, { step }: State): readonly Mark[] {
  if (step?.kind !== 'count' || cols === 0) return [];
  const { row } = step;
  return [frame('row', 0, row, cols, 1, { focus: true, label: `row ${row}` })];
}

/** The row that is being filled, right below the cells that it comes from: curves end there. Panel id 'now'. */
function nowPanel(t: EllTrace, state: State): Panel {
  const { row } = state;
  return {
    id: 'now',
    unit: 'cell',
    columns: Math.max(1, t.encoded.width),
    rows: 1,
    rowLabels: [{ at: 0, text: String(row), strong: true }],
    focus: { x: Math.max(0, state.slots - 1), y: 0 },
    marks: slotMarks(t, state, row, 0, magnitudeLevels(t.window), 'now '),
  };
}

/** The rows pushed to the left, with their empty slots: the picture that gives the format its shape. */
function slotsPanel(t: EllTrace, state: State): Panel {
  const { rows, width } = t.encoded;
  const shown = Math.min(rows, state.packed ? ROWS_SHOWN : FEW_SLOT_ROWS);
  const top = pageStart(rows, state.row, shown);
  const levelOf = magnitudeLevels(t.window);
  const marks: Mark[] = [];
  for (let row = top; row < top + shown; row++)
    for (const mark of slotMarks(t, state, row, row - top, levelOf)) marks.push(mark);
  return {
    id: 'slots',
    title: 'slots',
    caption: `${counted(width, 'slot')} per row`,
    unit: 'cell',
    columns: Math.max(1, width),
    rows: Math.max(1, shown),
    columnLabels: ticks(0, width),
    rowLabels: ticks(top, top + shown),
    focus: { x: 0, y: state.row - top },
    marks,
    ...(state.packed ? { band: 0 } : {}),
  };
}

/** The slots of one row in line `y` of a panel; their ids begin with `prefix`. */
function slotMarks(
  t: EllTrace,
  state: State,
  row: number,
  y: number,
  levelOf: (value: number) => number,
  prefix = '',
): readonly Mark[] {
  const { rows, width, counts, values, indices } = t.encoded;
  const marks: Mark[] = [];
  for (let slot = 0; slot < width; slot++) {
    const index = slot * rows + row;
    const used = slot < counts[row];
    const base = box(`${prefix}slot ${row},${slot}`, slot, y);
    if (!isPresent(t, state, row, slot)) {
      marks.push({ ...base, tone: 'neutral', state: 'ghost', label: `row ${row}, slot ${slot}: not there yet` });
      continue;
    }
    const what = used ? `column ${indices[index]}: ${valueText(floatAt(values, index))}` : 'empty';
    marks.push({
      ...base,
      tone: used ? 'values' : 'padding',
      level: used ? levelOf(floatAt(values, index)) : 0,
      label: `row ${row}, slot ${slot}, ${what}`,
      ...slotLook(t, state, row, slot),
      ...(used ? { from: cellName(row, indices[index]) } : {}),
    });
  }
  return marks;
}

function elementsPanel(t: EllTrace, state: State): Panel {
  const { rows, values, indices } = t.encoded;
  const look = (i: number): MarkLook => slotLook(t, state, i % rows, Math.floor(i / rows));
  const present = (i: number): boolean => isPresent(t, state, i % rows, Math.floor(i / rows));
  return slotPanel({
    id: 'elements',
    caption: 'in memory: slot 0 of every row, then slot 1',
    focus: state.element,
    lines: [
      {
        array: 'values',
        length: values.length,
        tone: (i) => toneOf(t, i, 'values'),
        text: (i) => valueText(floatAt(values, i)),
        present,
        look,
      },
      {
        array: 'indices',
        length: indices.length,
        tone: (i) => toneOf(t, i, 'indices'),
        text: (i) => String(indices[i]),
        present,
        look,
      },
    ],
  });
}

function countsPanel({ encoded: { rows, counts } }: EllTrace, state: State): Panel {
  return slotPanel({
    id: 'counts',
    focus: state.row,
    lines: [
      {
        array: 'counts',
        length: rows,
        tone: 'metadata',
        text: (i) => String(counts[i]),
        present: (i) => i < state.counted,
        look: (i) => (isCurrentCount(state, i) ? { focus: true } : {}),
      },
    ],
  });
}

function isCurrentCount({ step }: State, row: number): boolean {
  return (step?.kind === 'count' || step?.kind === 'padding') && step.row === row;
}

/** x and y, once they are needed. */
function vectors(t: EllTrace, { step, multiplying }: State): readonly Panel[] {
  if (!multiplying) return [];
  const { rows, width, counts, indices } = t.encoded;
  const reads: number[] = [];
  const writes: number[] = [];
  const slot = step?.kind === 'round' ? step.slot : width - 1;
  if (step?.kind === 'round') {
    for (let row = 0; row < rows; row++) {
      if (slot >= counts[row]) continue;
      reads.push(indices[slot * rows + row]);
      writes.push(row);
    }
  }
  const y = (row: number): number => (width === 0 ? 0 : t.sums[slot * rows + row]);
  return vectorPanels({ x: t.x, reads, y, rows, writes });
}

function memory(t: EllTrace, state: State): readonly Panel[] {
  const { rows, values, indices, counts } = t.encoded;
  const look = (i: number): MarkLook => slotLook(t, state, i % rows, Math.floor(i / rows));
  const present = (i: number): boolean => isPresent(t, state, i % rows, Math.floor(i / rows));
  const shared = { present, look, focus: state.element };
  return memoryPanels([
    { array: 'values', data: values, tone: (i) => toneOf(t, i, 'values'), ...shared },
    { array: 'indices', data: indices, tone: (i) => toneOf(t, i, 'indices'), ...shared },
    {
      array: 'counts',
      data: counts,
      tone: 'metadata',
      present: (i) => i < state.counted,
      look: (i) => (isCurrentCount(state, i) ? { focus: true } : {}),
      focus: state.row,
    },
  ]);
}

function links({ window: { cols } }: EllTrace, { step }: State): readonly Link[] {
  switch (step?.kind) {
    case 'count':
      return cols === 0 ? [] : [curve('row', elementName('counts', step.row))];
    case 'slot':
      return [curve(cellName(step.row, step.col), `now slot ${step.row},${step.slot}`)];
    default:
      return [];
  }
}
