import { frame } from '../../../core/story/marks.ts';
import {
  cellName,
  curve,
  elementName,
  type MarkLook,
  matrixPanel,
  type MemoryStrip,
  memoryPanels,
  slotPanel,
} from '../../../core/story/scene-parts.ts';
import { vectorPanels } from '../../../core/story/scene-vectors.ts';
import type { Link, Mark, Panel, Scene, Tone } from '../../../core/story/scene.ts';
import { valueText } from '../../../core/story/words.ts';
import { Q4_GROUP_BYTES } from '../../../core/number/index.ts';
import { asI4, cellValue, type DenseI4 } from '../layout.ts';
import { codeOf } from './code.ts';
import { narrate } from './narration.ts';
import type { DenseStep, DenseTrace } from './trace.ts';

/** The state at a step: what is stored by then, and the positions that it is about. */
interface State {
  readonly step: DenseStep | null;
  readonly row: number;
  /** cells, counted in strides, that this step is about: [start, end) */
  readonly start: number;
  readonly end: number;
  /** cells stored so far */
  readonly stored: number;
  /** scales known so far */
  readonly scales: number;
  /** elements of y that are final; null while packing */
  readonly sums: number | null;
}

/** The picture after step `stepNumber`; 0 is the initial state. Pure. */
export function scene(t: DenseTrace, stepNumber: number): Scene {
  const state = stateAt(t, stepNumber === 0 ? null : t.steps[stepNumber - 1].detail);
  const { step } = state;
  const frame = loadFrame(t, state);
  const panels = [
    matrixPanel(t.window, { row: state.row, look: (row, col) => cellLook(t, state, row, col), overlay: frame }),
    dataPanel(t, state),
    ...vectors(t, state),
    ...memory(t, state),
  ];
  return { panels, links: links(t, state), narration: narrate(t, step), code: codeOf(step, t.params.valueType) };
}

function stateAt(t: DenseTrace, step: DenseStep | null): State {
  const { stride, scales } = t.encoded;
  const { rows } = t.window;
  const last = Math.max(0, rows - 1);
  const cells = cellCount(t);
  const packed = { stored: cells, scales: scales.length };
  const isI4 = t.params.valueType === 'i4';
  switch (step?.kind) {
    case undefined:
      return { step, row: 0, start: 0, end: 0, stored: 0, scales: 0, sums: null };
    case 'scale': {
      const start = step.row * stride;
      return { step, row: step.row, start, end: start, stored: start, scales: step.row + 1, sums: null };
    }
    case 'group-scale': {
      const start = step.row * stride + step.load * t.cellsPerLoad;
      const known = start / t.cellsPerLoad + 1;
      return { step, row: step.row, start, end: start, stored: start, scales: known, sums: null };
    }
    case 'store': {
      const start = step.row * stride + step.load * t.cellsPerLoad;
      const end = start + t.cellsPerLoad;
      const known = isI4 ? end / t.cellsPerLoad : step.row + 1;
      return { step, row: step.row, start, end, stored: end, scales: known, sums: null };
    }
    case 'packed':
      return { step, row: last, start: cells, end: cells, ...packed, sums: null };
    case 'products': {
      const start = step.row * stride + step.load * t.cellsPerLoad;
      return { step, row: step.row, start, end: start + t.cellsPerLoad, ...packed, sums: step.row };
    }
    case 'sum': {
      const start = step.row * stride;
      return { step, row: step.row, start, end: start, ...packed, sums: step.row + 1 };
    }
    case 'multiplied':
      return { step, row: last, start: 0, end: 0, ...packed, sums: rows };
  }
}

/** Cells including the padding of rows. */
function cellCount({ encoded: { rows, stride } }: DenseTrace): number {
  return rows * stride;
}

/** The cells of the load, outlined; nothing in a step without a load, or if only padding is left. */
function loadFrame(t: DenseTrace, { step, row }: State): readonly Mark[] {
  if (step?.kind !== 'store' && step?.kind !== 'products' && step?.kind !== 'group-scale') return [];
  const x = step.load * t.cellsPerLoad;
  const w = Math.min(t.window.cols, x + t.cellsPerLoad) - x;
  if (w <= 0) return [];
  const label = `row ${row}, columns ${x} to ${x + w - 1}`;
  return [frame('load', x, row, w, 1, { focus: true, label })];
}

/** A cell shares the name of its element, so that cell, slot and bytes light up together. */
function cellLook(t: DenseTrace, { sums, step, row: current }: State, row: number, col: number): MarkLook {
  const about = [elementName('data', row * t.encoded.stride + col)];
  return sums !== null && step?.kind !== 'multiplied' && row !== current ? { about, state: 'dim' } : { about };
}

/** What an element of data (in i4 half of one) holds: a cell, or padding past the last column. */
function elementFacts(t: DenseTrace, index: number): { row: number; col: number; tone: Tone } {
  const { stride, cols } = t.encoded;
  const row = Math.floor(index / stride);
  const col = index - row * stride;
  return { row, col, tone: col < cols ? 'values' : 'padding' };
}

function elementLook(t: DenseTrace, { start, end }: State): (index: number) => MarkLook {
  return (index) => {
    const { row, col } = elementFacts(t, index);
    const about = col < t.window.cols ? [cellName(row, col)] : [];
    return index >= start && index < end ? { about, focus: true } : { about };
  };
}

/** Element in the middle of the picture. */
function middle(t: DenseTrace, { start, end }: State): number {
  return Math.max(0, Math.min((start + end) >> 1, cellCount(t) - 1));
}

function dataPanel(t: DenseTrace, state: State): Panel {
  return slotPanel({
    id: 'data',
    focus: middle(t, state),
    lines: [
      {
        array: 'data',
        length: cellCount(t),
        tone: (i) => elementFacts(t, i).tone,
        text: (i) => {
          const { row, col } = elementFacts(t, i);
          return valueText(cellValue(t.encoded, row, col));
        },
        present: (i) => i < state.stored,
        look: elementLook(t, state),
        from: (i) => {
          const { row, col } = elementFacts(t, i);
          return cellValue(t.encoded, row, col) === 0 ? undefined : cellName(row, col);
        },
      },
    ],
  });
}

/** x and y, once they are needed. */
function vectors(t: DenseTrace, { step, row, sums }: State): readonly Panel[] {
  if (sums === null) return [];
  const reads: number[] = [];
  if (step?.kind === 'products') {
    const first = step.load * t.cellsPerLoad;
    for (let col = first; col < Math.min(t.window.cols, first + t.cellsPerLoad); col++) reads.push(col);
  }
  const y = (i: number): number | null => {
    if (step?.kind === 'products' && i === step.row) return step.sum;
    return i < sums ? t.y[i] : null;
  };
  return vectorPanels({ x: t.x, reads, y, rows: t.window.rows, writes: step?.kind === 'multiplied' ? [] : [row] });
}

function memory(t: DenseTrace, state: State): readonly Panel[] {
  const { data, scales } = t.encoded;
  const i4 = asI4(t.encoded);
  if (i4) return memoryPanels(stripsOfI4(t, i4, state));
  const strips: MemoryStrip[] = [
    {
      array: 'data',
      data,
      tone: (i) => elementFacts(t, i).tone,
      present: (i) => i < state.stored,
      look: elementLook(t, state),
      focus: middle(t, state),
    },
  ];
  if (t.params.valueType === 'i8') {
    strips.push({
      array: 'scales',
      data: scales,
      tone: 'metadata',
      present: (i) => i < state.scales,
      look: (i) => (i === state.row && state.step?.kind !== 'store' ? { focus: true } : {}),
      focus: state.row,
    });
  }
  return memoryPanels(strips);
}

/** Bytes of two cells each, 16 columns apart, and the scales of the groups. */
function stripsOfI4(t: DenseTrace, { data, scales }: DenseI4, state: State): readonly MemoryStrip[] {
  const { cellsPerLoad: group } = t;
  const cellsOf = (byte: number): readonly [low: number, high: number] => {
    const low = Math.floor(byte / Q4_GROUP_BYTES) * group + (byte % Q4_GROUP_BYTES);
    return [low, low + Q4_GROUP_BYTES];
  };
  const look = elementLook(t, state);
  const focus = middle(t, state);
  const at = Math.min(Math.floor(state.start / group), Math.max(0, scales.length - 1));
  const isOne = state.step?.kind === 'group-scale' || state.step?.kind === 'products';
  return [
    {
      array: 'data bytes',
      title: 'data',
      data,
      tone: (i) => elementFacts(t, cellsOf(i)[0]).tone,
      present: (i) => cellsOf(i)[0] < state.stored,
      look: (i) => ({ ...look(cellsOf(i)[0]), about: cellsOf(i).map((cell) => elementName('data', cell)) }),
      focus: Math.floor(focus / group) * Q4_GROUP_BYTES + (focus % Q4_GROUP_BYTES),
    },
    {
      array: 'scales',
      data: scales,
      tone: 'metadata',
      present: (i) => i < state.scales,
      look: (i) => (isOne && i === at ? { focus: true } : {}),
      focus: at,
    },
  ];
}

/** From the cells to their elements, and from the elements to their x. */
function links(t: DenseTrace, { step, start }: State): readonly Link[] {
  if (step?.kind !== 'store' && step?.kind !== 'products') return [];
  const col = step.load * t.cellsPerLoad;
  const count = Math.min(t.window.cols - col, t.cellsPerLoad);
  if (count <= 0) return [];
  const half = count >> 1;
  const element = elementName('data', start + half);
  return [step.kind === 'store' ? curve('load', element) : curve(element, elementName('x', col + half))];
}
