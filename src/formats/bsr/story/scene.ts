import { box, bracket, frame, notThereYet } from '../../../core/story/marks.ts';
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
  startsPanel,
} from '../../../core/story/scene-parts.ts';
import { vectorPanels } from '../../../core/story/scene-vectors.ts';
import type { Link, Mark, Panel, Scene } from '../../../core/story/scene.ts';
import { valueText } from '../../../core/story/words.ts';
import { cellValue } from '../layout.ts';
import { codeOf } from './code.ts';
import { narrate } from './narration.ts';
import { type BsrStep, type BsrTrace } from './trace.ts';

/** Cells side by side in the panel of stored blocks. */
const BLOCK_CELLS_SHOWN = 48;
/** Below the cells of the blocks: their numbers, which may be larger than a cell. */
const NUMBER_Y = 0.25;
const NUMBER_HEIGHT = 1.5;

/** The state at a step: what is stored by then, and the positions that it is about. */
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
  /** block rows whose sums are final; null while packing */
  readonly sums: number | null;
}

/** The picture after step `stepNumber`; 0 is the initial state. Pure. */
export function scene(t: BsrTrace, stepNumber: number): Scene {
  const state = stateAt(t, stepNumber === 0 ? null : t.steps[stepNumber - 1].detail);
  const { step } = state;
  const panels = [
    gridPanel(t, state),
    ...(state.stored > 0 ? [blocksPanel(t, state)] : []),
    // Targets of curves are drawn right below; none leads to indptr, so x follows indices.
    startsPanel('indptr', t.encoded.indptr, state.blockRow, state.offsets, (i) => isCurrentOffset(state, i)),
    indexPanel(t, state),
    ...vectors(t, state),
    ...memory(t, state),
  ];
  // Of large windows only a page is drawn: a link is left out if one of its ends is not drawn.
  const drawn = new Set(panels.flatMap((panel) => panel.marks.map((mark) => mark.id)));
  return {
    panels,
    links: links(t, state).filter(({ from, to }) => drawn.has(from) && drawn.has(to)),
    narration: narrate(t, step),
    code: codeOf(step),
  };
}

function stateAt(t: BsrTrace, step: BsrStep | null): State {
  const { indptr, indices } = t.encoded;
  const blockRows = indptr.length - 1;
  const last = Math.max(0, indices.length - 1);
  const packed = { stored: indices.length, offsets: blockRows + 1 };
  switch (step?.kind) {
    case undefined:
      return { step, blockRow: 0, block: 0, stored: 0, offsets: 1, sums: null };
    case 'count': {
      const { blockRow } = step;
      const block = Math.min(last, indptr[blockRow]);
      return { step, blockRow, block, stored: 0, offsets: blockRow + 2, sums: null };
    }
    case 'block':
      return {
        ...packed,
        step,
        blockRow: step.blockRow,
        block: step.block,
        stored: step.block + 1,
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

/** The block of a cell of the window, or -1 if it is not stored. O(log blocks). */
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

/** While one block row is in focus, the others are dimmed. */
function lookOf(t: BsrTrace, state: State, block: number): MarkLook {
  const { step, blockRow } = state;
  const busy = step?.kind === 'zeros' || step?.kind === 'product' || step?.kind === 'sum';
  return busy && t.blockRowOf[block] !== blockRow ? { state: 'dim' } : {};
}

/** Like `lookOf`, for separate outlines: a block has a frame instead, for all of its cells. */
function elementLook(t: BsrTrace, state: State, block: number): MarkLook {
  return isCurrent(state, block) ? { focus: true } : lookOf(t, state, block);
}

/** The window under its grid of blocks. */
function gridPanel(t: BsrTrace, state: State): Panel {
  const { blockSize, rows } = t.encoded;
  return matrixPanel(t.window, {
    row: Math.min(Math.max(0, rows - 1), state.blockRow * blockSize),
    caption: `blocks of ${blockSize} × ${blockSize}`,
    look: (row, col) => {
      const block = blockAt(t, row, col);
      return {
        ...lookOf(t, state, block),
        about: [elementName('data', elementOf(t, block, row, col)), elementName('indices', block)],
      };
    },
    overlay: blockFrames(t, state),
  });
}

/**
 * The grid, a thin frame for every block: paler for those that are not counted yet and for empty ones. The blocks in
 * focus come last, above the frames of their neighbours.
 */
function blockFrames(t: BsrTrace, state: State): readonly Mark[] {
  const { rows, cols, blockSize } = t.encoded;
  const marks: Mark[] = [];
  const current: Mark[] = [];
  for (let y = 0; y < rows && cols > 0; y += blockSize) {
    for (let x = 0; x < cols; x += blockSize) {
      const blockRow = y / blockSize;
      const place = `block row ${blockRow}, block column ${x / blockSize}`;
      const b = blockRow < state.offsets - 1 ? blockAt(t, y, x) : -1;
      const w = Math.min(blockSize, cols - x);
      const h = Math.min(blockSize, rows - y);
      if (b < 0) {
        marks.push(frame(`grid ${blockRow},${x / blockSize}`, x, y, w, h, { state: 'dim', label: place }));
        continue;
      }
      const isCounted = state.step?.kind === 'count' && blockRow === state.blockRow;
      const isHere = isCounted || isCurrent(state, b);
      (isHere ? current : marks).push(
        frame(`block ${b}`, x, y, w, h, {
          label: `block ${b}: ${place}`,
          about: [elementName('indices', b)],
          ...(isHere ? { focus: true } : {}),
        }),
      );
    }
  }
  return [...marks, ...current];
}

/** First block in view: all of the block row in focus if they fit, else around its block. */
function firstShown(
  { encoded: { indices, indptr } }: BsrTrace,
  { step, blockRow, block }: State,
  shown: number,
): number {
  const isRow = step?.kind === 'zeros' || step?.kind === 'sum';
  if (isRow) return Math.min(indptr[blockRow], indices.length - shown);
  return pageStart(indices.length, block, shown);
}

/**
 * Stored blocks side by side, their cells in the order of data row by row; their numbers below. Panel id 'blocks',
 * without a title: a curve comes from above.
 */
function blocksPanel(t: BsrTrace, state: State): Panel {
  const { rows, cols, blockSize, data, indices } = t.encoded;
  const wide = blockSize + 1;
  const shown = Math.min(indices.length, Math.max(2, Math.floor(BLOCK_CELLS_SHOWN / wide)));
  const first = firstShown(t, state, shown);
  const levelOf = magnitudeLevels(t.window);
  const marks: Mark[] = [];
  const frames: Mark[] = [];
  for (let b = first; b < first + shown; b++) {
    const left = (b - first) * wide;
    const look = lookOf(t, state, b);
    const areZerosNarrated = state.step?.kind === 'zeros' && t.blockRowOf[b] === state.blockRow;
    const about = [elementName('indices', b)];
    for (let cell = 0; cell < blockSize ** 2; cell++) {
      const index = b * blockSize ** 2 + cell;
      const row = t.blockRowOf[b] * blockSize + Math.floor(cell / blockSize);
      const col = indices[b] * blockSize + (cell % blockSize);
      const inside = row < rows && col < cols;
      const value = inside ? cellValue(t.encoded, index, row) : 0;
      const name = elementName('data', index);
      const place = inside ? `row ${row}, column ${col}` : 'beyond the matrix';
      const slot = box(`stored ${index}`, left + (cell % blockSize), Math.floor(cell / blockSize), { about: [name] });
      if (b >= state.stored) {
        marks.push({ ...slot, ...notThereYet(name) });
        continue;
      }
      marks.push({
        ...slot,
        tone: data[index] === 0 || value === 0 ? 'padding' : 'values',
        level: value === 0 ? (areZerosNarrated ? 1 : 0.3) : levelOf(value),
        label: `${name}, ${place}: ${valueText(value)}`,
        about: [name, ...about, ...(inside ? [cellName(row, col)] : [])],
        ...look,
        ...(inside && value !== 0 ? { from: cellName(row, col) } : {}),
      });
    }
    // Without a text if it is not stored yet: the numbers appear with the blocks.
    marks.push(
      bracket(`number ${b}`, left, blockSize + NUMBER_Y, blockSize, String(b), {
        h: NUMBER_HEIGHT,
        label: `block ${b}`,
        about,
        ...(isCurrent(state, b) ? { focus: true } : b < state.stored ? look : { state: 'dim' }),
      }),
    );
    if (isCurrent(state, b)) {
      frames.push(
        frame(`stored block ${b}`, left, 0, blockSize, blockSize, { focus: true, label: `block ${b} in data`, about }),
      );
    }
  }
  return {
    id: 'blocks',
    unit: 'cell',
    columns: Math.max(1, shown * wide - 1),
    // Whole blocks, so that a panel that is cut ends with complete rows.
    rows: blockSize + 2,
    rowLabels: [
      { at: 0, text: 'data' },
      { at: blockSize + NUMBER_Y, text: 'block' },
    ],
    focus: { x: (Math.max(first, Math.min(first + shown - 1, state.block)) - first) * wide, y: 0 },
    marks: [...marks, ...frames],
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
        look: (i) => elementLook(t, state, i),
      },
    ],
  });
}

function isCurrentOffset({ step, blockRow }: State, index: number): boolean {
  if (step?.kind === 'count') return index === blockRow + 1;
  return (step?.kind === 'product' || step?.kind === 'sum') && (index === blockRow || index === blockRow + 1);
}

/** x and y, once they are needed. */
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
      look: (i) => elementLook(t, state, blockOf(i)),
      focus: state.block * cells,
    },
    {
      array: 'indices',
      data: indices,
      tone: 'indices',
      present: (i) => i < state.stored,
      look: (i) => elementLook(t, state, i),
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

function links({ encoded: { blockSize, indices, cols } }: BsrTrace, { step }: State): readonly Link[] {
  switch (step?.kind) {
    case 'block':
      return [curve(`block ${step.block}`, `stored block ${step.block}`)];
    case 'product': {
      // Near the middle of what is read, and midway between the numbers above, so that the curve avoids them.
      const middle = blockSize >> 1;
      const column = Math.min(cols - 1, indices[step.block] * blockSize + (middle < 4 ? middle : middle - 2));
      return [curve(elementName('indices', step.block), elementName('x', column))];
    }
    default:
      return [];
  }
}
