import { box, bracket, frame } from '../../../core/story/marks.ts';
import { entryValue, Q4_GROUP } from '../../../core/number/index.ts';
import {
  cellName,
  curve,
  elementName,
  type MarkLook,
  MATRIX_ROWS_SHOWN,
  matrixPanel,
  entryStrip,
  memoryPanels,
  pageStart,
  rowFrame,
  slotPanel,
  startsPanel,
} from '../../../core/story/scene-parts.ts';
import { vectorPanels } from '../../../core/story/scene-vectors.ts';
import type { Link, Mark, Panel, Scene } from '../../../core/story/scene.ts';
import { valueText } from '../../../core/story/words.ts';
import { WORD_BITS } from '../params.ts';
import { codeOf } from './code.ts';
import { narrate } from './narration.ts';
import type { BitmaskStep, BitmaskTrace } from './trace.ts';

/** Lines below the cells: half a line of space, the bits, and the words that they form. */
const LINES_BELOW = 2.6;

/** The state at a step: what is stored by then, and the positions that it is about. */
interface State {
  readonly step: BitmaskStep | null;
  readonly row: number;
  /** value in the middle of the picture */
  readonly at: number;
  /** mask word in the middle of the picture */
  readonly word: number;
  /** values stored so far */
  readonly stored: number;
  /** bits of the current row that are decided: those in columns below this */
  readonly decided: number;
  /** elements of rowPtr known so far */
  readonly offsets: number;
  /** elements of y that are final; null while packing */
  readonly sums: number | null;
}

/** The picture after step `stepNumber`; 0 is the initial state. Pure. */
export function scene(t: BitmaskTrace, stepNumber: number): Scene {
  const state = stateAt(t, stepNumber === 0 ? null : t.steps[stepNumber - 1].detail);
  const { step } = state;
  const panels = [
    matrixPanel(t.window, {
      row: state.row,
      look: (row, _col, ordinal) => valueLook(t, state, row, ordinal),
      overlay: [...rowFrame(t.window, state.row), ...bits(t, state)],
      linesBelow: LINES_BELOW,
    }),
    valuesPanel(t, state),
    startsPanel('rowPtr', t.encoded.rowPtr, state.row, state.offsets, (i) => isCurrentOffset(state, i)),
    ...vectors(t, state),
    ...memory(t, state),
  ];
  return { panels, links: links(state), narration: narrate(t, step), code: codeOf(step) };
}

function stateAt(t: BitmaskTrace, step: BitmaskStep | null): State {
  const { rowPtr, rows, cols, nnz, wordsPerRow } = t.encoded;
  const packed = { stored: nnz, decided: cols, offsets: rows + 1 };
  const end = { row: Math.max(0, rows - 1), at: Math.max(0, nnz - 1), word: Math.max(0, rows * wordsPerRow - 1) };
  switch (step?.kind) {
    case undefined:
      return { step, row: 0, at: 0, word: 0, stored: 0, decided: 0, offsets: 1, sums: null };
    case 'scale': {
      const { row } = step;
      const at = t.params.valueType === 'i4' ? step.at * Q4_GROUP : rowPtr[row];
      const decided = at === rowPtr[row] ? 0 : t.window.indices[at - 1] + 1;
      const word = row * wordsPerRow + Math.floor(Math.max(0, decided - 1) / WORD_BITS);
      return { step, row, at, word, stored: at, decided, offsets: row + 1, sums: null };
    }
    case 'bit': {
      const { row, at, word } = step;
      return { step, row, at, word, stored: at + 1, decided: step.col + 1, offsets: row + 1, sums: null };
    }
    case 'row-end': {
      const { row } = step;
      const stored = rowPtr[row + 1];
      const word = Math.max(0, (row + 1) * wordsPerRow - 1);
      return { step, row, at: Math.max(0, stored - 1), word, stored, decided: cols, offsets: row + 2, sums: null };
    }
    case 'packed':
      return { step, ...end, ...packed, sums: null };
    case 'word':
      return { step, row: step.row, at: rowPtr[step.row], word: step.word, ...packed, sums: step.row };
    case 'product':
      return { step, row: step.row, at: step.at, word: step.word, ...packed, sums: step.row };
    case 'sum': {
      const word = Math.max(0, (step.row + 1) * wordsPerRow - 1);
      return { step, row: step.row, at: rowPtr[step.row], word, ...packed, sums: step.row + 1 };
    }
    case 'multiplied':
      return { step, ...end, ...packed, sums: rows };
  }
}

/** How a value is drawn: its cell, bit, slot and bytes share names, so that they light up together. */
function valueLook(t: BitmaskTrace, { step, row: current, sums }: State, row: number, at: number): MarkLook {
  const col = t.window.indices[at];
  const about = [cellName(row, col), elementName('values', at)];
  if ((step?.kind === 'bit' || step?.kind === 'product') && step.at === at) return { about, focus: true };
  if (sums !== null && step?.kind !== 'multiplied' && row !== current) return { about, state: 'dim' };
  return { about };
}

/** The current row's bits below their columns, and the words that they form. */
function bits(t: BitmaskTrace, { step, row, decided, sums }: State): readonly Mark[] {
  const { rows, cols, mask, wordsPerRow } = t.encoded;
  if (row >= rows) return [];
  const shown = Math.min(rows, MATRIX_ROWS_SHOWN);
  const y = pageStart(rows, row, shown) + shown + 0.5;
  const current = step && 'col' in step ? step.col : -1;
  const reading = sums !== null && step && 'word' in step ? step.word : -1;
  const marks: Mark[] = [];
  for (let col = 0; col < cols; col++) {
    const word = row * wordsPerRow + Math.floor(col / WORD_BITS);
    const bit = (mask[word] >>> (col % WORD_BITS)) & 1;
    const base = box(`bit ${row},${col}`, col, y, { tone: 'indices' });
    const about = [cellName(row, col), elementName('mask', word)];
    const label = `bit ${col % WORD_BITS} of mask[${word}]`;
    if (col >= decided) {
      marks.push({ ...base, state: 'ghost', label: `${label}: not there yet`, about });
      continue;
    }
    const look: MarkLook = col === current ? { focus: true } : reading >= 0 && word !== reading ? { state: 'dim' } : {};
    marks.push({ ...base, level: bit, text: String(bit), label: `${label}: ${bit}`, about, ...look });
  }
  for (let w = 0; w < wordsPerRow; w++) {
    const word = row * wordsPerRow + w;
    const x = w * WORD_BITS;
    if (decided < Math.min(cols, x + WORD_BITS)) break;
    const hex = `0x${mask[word].toString(16).padStart(8, '0')}`;
    marks.push(
      bracket(
        `word ${word}`,
        x,
        y + 1.1,
        Math.min(cols, x + WORD_BITS) - x,
        // The curve of a product comes down right here.
        cols - x >= 12 && step?.kind !== 'product' ? `mask[${word}] = ${hex}, low bit first` : '',
        {
          h: 1,
          tone: 'indices',
          label: `mask[${word}] = ${hex}: column ${x} is its lowest bit`,
          about: [elementName('mask', word)],
          ...(word === reading ? { focus: true } : {}),
        },
      ),
    );
  }
  return marks;
}

function valuesPanel(t: BitmaskTrace, state: State): Panel {
  const { rowPtr, nnz, rows } = t.encoded;
  const panel = slotPanel({
    id: 'values',
    focus: state.at,
    lines: [
      {
        array: 'values',
        length: nnz,
        tone: 'values',
        text: (i) => valueText(entryValue(t.encoded, t.rowOf[i], i)),
        present: (i) => i < state.stored,
        look: (i) => valueLook(t, state, t.rowOf[i], i),
        from: (i) => cellName(t.rowOf[i], t.window.indices[i]),
      },
    ],
  });
  if (state.row >= rows) return panel;
  const x = rowPtr[state.row];
  const w = Math.min(rowPtr[state.row + 1], state.stored) - x;
  if (w <= 0) return panel;
  const label = `row ${state.row}: values ${x} to ${x + w - 1}`;
  const outline = frame('row values', x, 0, w, 1, { label });
  return { ...panel, marks: [...panel.marks, outline] };
}

/** Elements of rowPtr in focus: the one that is stored, or the one at which a row is read. */
function isCurrentOffset({ step }: State, index: number): boolean {
  if (step?.kind === 'row-end') return index === step.row + 1;
  return (step?.kind === 'word' || step?.kind === 'product') && index === step.row;
}

/** x and y, once they are needed. */
function vectors(t: BitmaskTrace, { step, row, sums }: State): readonly Panel[] {
  if (sums === null) return [];
  const y = (i: number): number | null => {
    if (step?.kind === 'product' && i === step.row) return step.sum;
    return i < sums ? t.y[i] : null;
  };
  return vectorPanels({
    x: t.x,
    reads: step?.kind === 'product' ? [step.col] : [],
    y,
    rows: t.window.rows,
    writes: step?.kind === 'multiplied' ? [] : [row],
  });
}

function memory(t: BitmaskTrace, state: State): readonly Panel[] {
  const { values, mask, rowPtr, scales, nnz, wordsPerRow, valueType } = t.encoded;
  const { step } = state;
  const ofStored = valueType === 'i8' ? state.row + 1 : Math.ceil(state.stored / Q4_GROUP);
  const scalesKnown =
    step === null ? 0 : step.kind === 'scale' ? step.at + 1 : state.sums === null ? ofStored : scales.length;
  return memoryPanels([
    entryStrip(values, {
      present: (i) => i < state.stored,
      look: (i) => (i < nnz ? valueLook(t, state, t.rowOf[i], i) : {}),
      focus: state.at,
    }),
    {
      array: 'mask',
      data: mask,
      tone: 'indices',
      // Words before the current one are complete; the current one has its first bits.
      present: (i) => i < state.row * wordsPerRow || (state.decided > 0 && i <= state.word) || state.sums !== null,
      look: (i) => (step && 'word' in step && step.word === i ? { focus: true } : {}),
      focus: state.word,
    },
    {
      array: 'rowPtr',
      data: rowPtr,
      tone: 'metadata',
      present: (i) => i < state.offsets,
      look: (i) => (isCurrentOffset(state, i) ? { focus: true } : {}),
      focus: state.row,
    },
    ...(scales.length > 0
      ? [
          {
            array: 'scales',
            data: scales,
            tone: 'metadata',
            present: (i: number) => i < scalesKnown,
            look: (i: number) => (step?.kind === 'scale' && step.at === i ? { focus: true } : {}),
            focus: valueType === 'i8' ? state.row : Math.floor(state.at / Q4_GROUP),
          } as const,
        ]
      : []),
  ]);
}

function links({ step }: State): readonly Link[] {
  switch (step?.kind) {
    case 'bit':
      return [
        curve(cellName(step.row, step.col), elementName('values', step.at)),
        {
          id: 'to bit',
          from: cellName(step.row, step.col),
          to: `bit ${step.row},${step.col}`,
          kind: 'guide',
          tone: 'indices',
        },
      ];
    case 'product':
      return [curve(`bit ${step.row},${step.col}`, elementName('values', step.at))];
    default:
      return [];
  }
}
