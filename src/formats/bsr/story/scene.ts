import {
  cellName,
  curve,
  elementName,
  magnitudeLevels,
  type MarkLook,
  matrixPanel,
  memoryPanels,
  type MemoryStrip,
  pageStart,
  slotPanel,
} from '../../../core/story/scene-parts.ts';
import { vectorPanels } from '../../../core/story/scene-vectors.ts';
import type { Link, Mark, Panel, Scene } from '../../../core/story/scene.ts';
import { counted, valueText } from '../../../core/story/words.ts';
import { cellValue } from '../layout.ts';
import { codeOf } from './code.ts';
import { narrate } from './narration.ts';
import { type BsrStep, type BsrTrace } from './trace.ts';

/** Cells side by side in the panel of stored blocks. */
const BLOCK_CELLS_SHOWN = 48;

/** Where a step stands: what is stored by then, and which places it is about. */
interface State {
  readonly step: BsrStep | null;
  /** block row in the middle of the picture */
  readonly blockRow: number;
  /** block in the middle of the picture */
  readonly block: number;
  /** blocks stored so far */
  readonly stored: number;
  /** elements of indptr known so far */
  readonly offsets: number;
  /** whether zeros that came along are told apart from values */
  readonly zeros: boolean;
  /** block rows whose sums are final; null while packing */
  readonly sums: number | null;
}

/** The picture after the step with this number; 0 is before anything happened. Pure. */
export function scene(t: BsrTrace, stepNumber: number): Scene {
  const state = stateAt(t, stepNumber === 0 ? null : t.steps[stepNumber - 1].detail);
  const { step } = state;
  const panels = [
    gridPanel(t, state),
    ...(state.stored > 0 ? [blocksPanel(t, state)] : []),
    indexPanel(t, state),
    offsetsPanel(t, state),
    ...vectors(t, state),
    ...memory(t, state),
  ];
  // Large windows are drawn in part: a link whose end is not drawn is left out.
  const drawn = new Set(panels.flatMap((panel) => panel.marks.map((mark) => mark.id)));
  return {
    panels,
    links: links(t, state).filter(({ from, to }) => drawn.has(from) && drawn.has(to)),
    narration: narrate(t, step),
    code: codeOf(step, t.params.valueType),
  };
}

function stateAt(t: BsrTrace, step: BsrStep | null): State {
  const { indptr, indices } = t.encoded;
  const blockRows = indptr.length - 1;
  const last = Math.max(0, indices.length - 1);
  const packed = { stored: indices.length, offsets: blockRows + 1, zeros: true };
  switch (step?.kind) {
    case undefined:
      return { step, blockRow: 0, block: 0, stored: 0, offsets: 1, zeros: false, sums: null };
    case 'count': {
      const { blockRow } = step;
      const block = Math.min(last, indptr[blockRow]);
      return { step, blockRow, block, stored: 0, offsets: blockRow + 2, zeros: false, sums: null };
    }
    case 'block':
      return {
        ...packed,
        step,
        blockRow: step.blockRow,
        block: step.block,
        stored: step.block + 1,
        zeros: false,
        sums: null,
      };
    case 'zeros':
      return { ...packed, step, blockRow: step.blockRow, block: indptr[step.blockRow], sums: null };
    case 'packed':
      return { ...packed, step, blockRow: Math.max(0, blockRows - 1), block: last, sums: null };
    case 'product':
      return { ...packed, step, blockRow: step.blockRow, block: step.block, sums: step.blockRow };
    case 'sum': {
      const block = Math.max(0, indptr[step.blockRow + 1] - 1);
      return { ...packed, step, blockRow: step.blockRow, block, sums: step.blockRow + 1 };
    }
    case 'multiplied':
      return { ...packed, step, blockRow: Math.max(0, blockRows - 1), block: last, sums: blockRows };
  }
}

/** The block that a cell of the window lies in, or -1 where it is not stored. O(log blocks). */
function blockAt({ encoded: { indptr, indices, blockSize } }: BsrTrace, row: number, col: number): number {
  const blockRow = Math.floor(row / blockSize);
  const wanted = Math.floor(col / blockSize);
  let low = indptr[blockRow];
  let high = indptr[blockRow + 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (indices[middle] < wanted) low = middle + 1;
    else high = middle;
  }
  return low < indptr[blockRow + 1] && indices[low] === wanted ? low : -1;
}

/** Element of data of a cell of the window. */
function elementOf({ encoded: { blockSize } }: BsrTrace, block: number, row: number, col: number): number {
  return (block * blockSize + (row % blockSize)) * blockSize + (col % blockSize);
}

function isCurrent({ step }: State, block: number): boolean {
  return (step?.kind === 'block' || step?.kind === 'product') && step.block === block;
}

/** While one block row is looked at, the others step back. */
function lookOf(t: BsrTrace, state: State, block: number): MarkLook {
  if (isCurrent(state, block)) return { focus: true };
  const { step, blockRow } = state;
  const busy = step?.kind === 'zeros' || step?.kind === 'product' || step?.kind === 'sum';
  return busy && t.blockRowOf[block] !== blockRow ? { state: 'dim' } : {};
}

/** The window under its grid of blocks; those that hold anything are framed once they are counted. */
function gridPanel(t: BsrTrace, state: State): Panel {
  const { blockSize, rows } = t.encoded;
  return matrixPanel(t.window, {
    row: Math.min(Math.max(0, rows - 1), state.blockRow * blockSize),
    caption: `blocks of ${blockSize} × ${blockSize}`,
    look: (row, col) => {
      const block = blockAt(t, row, col);
      const { focus: _cellsAreFramed, ...look } = lookOf(t, state, block);
      return { ...look, about: [elementName('data', elementOf(t, block, row, col)), elementName('indices', block)] };
    },
    overlay: [...gridLines(t), ...blockFrames(t, state)],
  });
}

/** The grid: a line above every block row but the first. Frames show the blocks that hold anything. */
function gridLines({ encoded: { rows, cols, blockSize } }: BsrTrace): readonly Mark[] {
  const line = { shape: 'line', tone: 'neutral', state: 'dim' } as const;
  const marks: Mark[] = [];
  for (let y = blockSize; y < rows && cols > 0; y += blockSize) {
    marks.push({ ...line, id: `grid row ${y}`, x: 0, y, w: cols, h: Math.min(blockSize, rows - y) });
  }
  return marks;
}

function blockFrames(t: BsrTrace, state: State): readonly Mark[] {
  const { rows, cols, blockSize, indices, indptr } = t.encoded;
  const counted = Math.min(indices.length, state.offsets > 1 ? indptr[state.offsets - 1] : 0);
  const marks: Mark[] = [];
  for (let b = 0; b < counted; b++) {
    const row = t.blockRowOf[b] * blockSize;
    const col = indices[b] * blockSize;
    const now = isCurrent(state, b) || (state.step?.kind === 'count' && t.blockRowOf[b] === state.blockRow);
    marks.push({
      id: `block ${b}`,
      shape: 'frame',
      x: col,
      y: row,
      w: Math.min(blockSize, cols - col),
      h: Math.min(blockSize, rows - row),
      tone: 'format',
      label: `block ${b}: block row ${t.blockRowOf[b]}, block column ${indices[b]}`,
      about: [elementName('indices', b)],
      ...(now ? { focus: true } : {}),
    });
  }
  return marks;
}

/** Stored blocks side by side, as their cells lie in data row by row. Panel id 'blocks'. */
function blocksPanel(t: BsrTrace, state: State): Panel {
  const { rows, cols, blockSize, data, indices } = t.encoded;
  const blocks = indices.length;
  const wide = blockSize + 1;
  const shown = Math.min(blocks, Math.max(2, Math.floor(BLOCK_CELLS_SHOWN / wide)));
  const first = pageStart(blocks, state.block, shown);
  const levelOf = magnitudeLevels(t.window);
  const marks: Mark[] = [];
  for (let b = first; b < first + shown; b++) {
    const left = (b - first) * wide;
    const look = lookOf(t, state, b);
    for (let cell = 0; cell < blockSize ** 2; cell++) {
      const index = b * blockSize ** 2 + cell;
      const row = t.blockRowOf[b] * blockSize + Math.floor(cell / blockSize);
      const col = indices[b] * blockSize + (cell % blockSize);
      const inside = row < rows && col < cols;
      const value = inside ? cellValue(t.encoded, index, row) : 0;
      const name = elementName('data', index);
      const place = inside ? `row ${row}, column ${col}` : 'beyond the matrix';
      const box = {
        id: `stored ${index}`,
        shape: 'box',
        x: left + (cell % blockSize),
        y: Math.floor(cell / blockSize),
        w: 1,
        h: 1,
      } as const;
      if (b >= state.stored) {
        marks.push({ ...box, tone: 'neutral', state: 'ghost', label: `${name}: not there yet`, about: [name] });
        continue;
      }
      marks.push({
        ...box,
        tone: data[index] === 0 || value === 0 ? 'padding' : 'values',
        level: value === 0 ? (state.zeros ? 0.6 : 0) : levelOf(value),
        label: `${name}, ${place}: ${valueText(value)}`,
        about: [name, elementName('indices', b), ...(inside ? [cellName(row, col)] : [])],
        ...look,
        ...(inside && value !== 0 ? { from: cellName(row, col) } : {}),
      });
    }
  }
  const labels = Array.from({ length: shown }, (_, i) => ({ at: i * wide, text: String(first + i) }));
  return {
    id: 'blocks',
    title: 'data',
    caption: `${counted(blocks, 'block')} of ${blockSize ** 2} cells, one after the other`,
    unit: 'cell',
    columns: Math.max(1, shown * wide - 1),
    rows: blockSize,
    columnLabels: labels,
    focus: { x: (state.block - first) * wide, y: 0 },
    marks,
  };
}

function indexPanel(t: BsrTrace, state: State): Panel {
  const { indices } = t.encoded;
  return slotPanel({
    id: 'indices',
    focus: state.block,
    lines: [
      {
        array: 'indices',
        length: indices.length,
        tone: 'indices',
        text: (i) => String(indices[i]),
        present: (i) => i < state.stored,
        look: (i) => lookOf(t, state, i),
      },
    ],
  });
}

function isCurrentOffset({ step, blockRow }: State, index: number): boolean {
  if (step?.kind === 'count') return index === blockRow + 1;
  return (step?.kind === 'product' || step?.kind === 'sum') && (index === blockRow || index === blockRow + 1);
}

function offsetsPanel({ encoded: { indptr } }: BsrTrace, state: State): Panel {
  return slotPanel({
    id: 'offsets',
    focus: state.blockRow,
    lines: [
      {
        array: 'indptr',
        length: indptr.length,
        tone: 'metadata',
        text: (i) => String(indptr[i]),
        present: (i) => i < state.offsets,
        look: (i) => (isCurrentOffset(state, i) ? { focus: true } : {}),
      },
    ],
  });
}

/** x and y, from the moment they are needed. */
function vectors(t: BsrTrace, { step, blockRow, sums }: State): readonly Panel[] {
  if (sums === null) return [];
  const { rows, cols, blockSize, indices } = t.encoded;
  const first = step?.kind === 'product' ? indices[step.block] * blockSize : 0;
  const reads = step?.kind === 'product' ? range(first, Math.min(cols, first + blockSize)) : [];
  const top = blockRow * blockSize;
  const writes = step?.kind === 'multiplied' ? [] : range(top, Math.min(rows, top + blockSize));
  const y = (row: number): number | null => {
    if (step?.kind === 'product' && row >= top && row < top + blockSize) {
      return t.sums[step.block * blockSize + (row - top)];
    }
    return row < sums * blockSize ? t.y[row] : null;
  };
  return vectorPanels({ x: t.x, reads, y, rows, writes });
}

function range(start: number, end: number): readonly number[] {
  return Array.from({ length: Math.max(0, end - start) }, (_, i) => start + i);
}

function memory(t: BsrTrace, state: State): readonly Panel[] {
  const { blockSize, data, indices, indptr, scales } = t.encoded;
  const cells = blockSize ** 2;
  const blockOf = (i: number): number => Math.floor(i / cells);
  const strips: MemoryStrip[] = [
    {
      array: 'data',
      data,
      tone: (i) => (data[i] === 0 ? 'padding' : 'values'),
      present: (i) => blockOf(i) < state.stored,
      look: (i) => lookOf(t, state, blockOf(i)),
      focus: state.block * cells,
    },
    {
      array: 'indices',
      data: indices,
      tone: 'indices',
      present: (i) => i < state.stored,
      look: (i) => lookOf(t, state, i),
      focus: state.block,
    },
    {
      array: 'indptr',
      data: indptr,
      tone: 'metadata',
      present: (i) => i < state.offsets,
      look: (i) => (isCurrentOffset(state, i) ? { focus: true } : {}),
      focus: state.blockRow,
    },
  ];
  if (scales.length > 0) {
    const known = Math.max(0, state.offsets - 1) * blockSize;
    strips.push({
      array: 'scales',
      data: scales,
      tone: 'metadata',
      present: (i) => i < known,
      focus: Math.min(scales.length - 1, state.blockRow * blockSize),
    });
  }
  return memoryPanels(strips);
}

function links(t: BsrTrace, { step }: State): readonly Link[] {
  const { blockSize, indices } = t.encoded;
  switch (step?.kind) {
    case 'block':
      return [curve(`block ${step.block}`, `stored ${step.block * blockSize ** 2}`)];
    case 'product':
      return [curve(elementName('indices', step.block), elementName('x', indices[step.block] * blockSize))];
    default:
      return [];
  }
}
