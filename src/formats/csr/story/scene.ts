import { frame } from '../../../core/story/marks.ts';
import { floatAt } from '../../../core/number/index.ts';
import {
  cellName,
  curve,
  elementName,
  type MarkLook,
  matrixPanel,
  memoryPanels,
  rowFrame,
  slotPanel,
  startsPanel,
} from '../../../core/story/scene-parts.ts';
import { vectorPanels } from '../../../core/story/scene-vectors.ts';
import type { Link, Panel, Scene } from '../../../core/story/scene.ts';
import { valueText } from '../../../core/story/words.ts';
import { codeOf } from './code.ts';
import { narrate } from './narration.ts';
import type { CsrStep, CsrTrace } from './trace.ts';

/** The state at a step: what is stored by then, and the positions that it is about. */
interface State {
  readonly step: CsrStep | null;
  readonly row: number;
  /** entry in the middle of the picture */
  readonly entry: number;
  /** entries stored so far */
  readonly stored: number;
  /** elements of indptr known so far */
  readonly offsets: number;
  /** elements of y that are final; null while packing */
  readonly sums: number | null;
}

/** The picture after step `stepNumber`; 0 is the initial state. Pure. */
export function scene(t: CsrTrace, stepNumber: number): Scene {
  const state = stateAt(t, stepNumber === 0 ? null : t.steps[stepNumber - 1].detail);
  const { step } = state;
  const panels = [
    matrixPanel(t.window, {
      row: state.row,
      look: (row, _col, ordinal) => entryLook(t, state, row, ordinal),
      overlay: rowFrame(t.window, state.row),
    }),
    entriesPanel(t, state),
    startsPanel('indptr', t.encoded.indptr, state.row, state.offsets, (i) => isCurrentOffset(state, i)),
    ...vectors(t, state),
    ...memory(t, state),
  ];
  return { panels, links: links(t, state), narration: narrate(t, step), code: codeOf(step) };
}

function stateAt(t: CsrTrace, step: CsrStep | null): State {
  const { indptr } = t.encoded;
  const { rows, nnz } = t.window;
  const end = { row: Math.max(0, rows - 1), entry: Math.max(0, nnz - 1) };
  const packed = { stored: nnz, offsets: rows + 1 };
  switch (step?.kind) {
    case undefined:
      return { step, row: 0, entry: 0, stored: 0, offsets: 1, sums: null };
    case 'entry':
      return { step, row: step.row, entry: step.entry, stored: step.entry + 1, offsets: step.row + 1, sums: null };
    case 'row-end': {
      const stored = indptr[step.row + 1];
      return { step, row: step.row, entry: Math.max(0, stored - 1), stored, offsets: step.row + 2, sums: null };
    }
    case 'packed':
      return { step, ...end, ...packed, sums: null };
    case 'product':
      return { step, row: step.row, entry: step.entry, ...packed, sums: step.row };
    case 'sum': {
      const last = Math.max(0, indptr[step.row + 1] - 1);
      return { step, row: step.row, entry: last, ...packed, sums: step.row + 1 };
    }
    case 'multiplied':
      return { step, ...end, ...packed, sums: rows };
  }
}

/** How an entry is drawn: its cell, slots and bytes share names, so that they light up together. */
function entryLook({ encoded }: CsrTrace, { step, row: current, sums }: State, row: number, entry: number): MarkLook {
  const about = [cellName(row, encoded.indices[entry]), elementName('data', entry), elementName('indices', entry)];
  if ((step?.kind === 'entry' || step?.kind === 'product') && step.entry === entry) return { about, focus: true };
  if (sums !== null && step?.kind !== 'multiplied' && row !== current) return { about, state: 'dim' };
  return { about };
}

function entriesPanel(t: CsrTrace, state: State): Panel {
  const { data, indices, indptr, nnz } = t.encoded;
  const look = (entry: number): MarkLook => entryLook(t, state, t.rowOf[entry], entry);
  const present = (entry: number): boolean => entry < state.stored;
  const panel = slotPanel({
    id: 'entries',
    focus: state.entry,
    lines: [
      {
        array: 'data',
        length: nnz,
        tone: 'values',
        text: (i) => valueText(floatAt(data, i)),
        present,
        look,
        from: (i) => cellName(t.rowOf[i], indices[i]),
      },
      { array: 'indices', length: nnz, tone: 'indices', text: (i) => String(indices[i]), present, look },
    ],
  });
  if (state.row >= t.window.rows) return panel;
  const start = indptr[state.row];
  const w = Math.min(indptr[state.row + 1], state.stored) - start;
  if (w <= 0) return panel;
  const outline = frame('row entries', start, 0, w, 2, {
    label: `row ${state.row}: entries ${start} to ${start + w - 1}`,
  });
  return { ...panel, marks: [...panel.marks, outline] };
}

/** Elements of indptr in focus: the one that is stored, or the two that delimit a row that is read. */
function isCurrentOffset({ step }: State, index: number): boolean {
  if (step?.kind === 'row-end') return index === step.row + 1;
  return (step?.kind === 'product' || step?.kind === 'sum') && (index === step.row || index === step.row + 1);
}

/** x and y, once they are needed. */
function vectors(t: CsrTrace, { step, row, sums }: State): readonly Panel[] {
  if (sums === null) return [];
  const reads = step?.kind === 'product' ? [step.col] : [];
  const writes = step?.kind === 'multiplied' ? [] : [row];
  const y = (i: number): number | null => {
    if (step?.kind === 'product' && i === step.row) return step.sum;
    return i < sums ? t.y[i] : null;
  };
  return vectorPanels({ x: t.x, reads, y, rows: t.window.rows, writes });
}

function memory(t: CsrTrace, state: State): readonly Panel[] {
  const { data, indices, indptr } = t.encoded;
  const look = (entry: number): MarkLook => entryLook(t, state, t.rowOf[entry], entry);
  const present = (entry: number): boolean => entry < state.stored;
  return memoryPanels([
    { array: 'data', data, tone: 'values', present, look, focus: state.entry },
    { array: 'indices', data: indices, tone: 'indices', present, look, focus: state.entry },
    {
      array: 'indptr',
      data: indptr,
      tone: 'metadata',
      present: (i) => i < state.offsets,
      look: (i) => (isCurrentOffset(state, i) ? { focus: true } : {}),
      focus: state.row,
    },
  ]);
}

function links(t: CsrTrace, { step }: State): readonly Link[] {
  switch (step?.kind) {
    case 'entry':
      return [curve(cellName(step.row, step.col), elementName('data', step.entry))];
    case 'row-end': {
      const end = t.encoded.indptr[step.row + 1];
      return end > t.encoded.indptr[step.row]
        ? [curve(elementName('indices', end - 1), elementName('indptr', step.row + 1))]
        : [];
    }
    case 'product':
      return [curve(elementName('indices', step.entry), elementName('x', step.col))];
    default:
      return [];
  }
}
