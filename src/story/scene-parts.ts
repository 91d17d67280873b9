import type { NamedArray } from '../core/encoded/encoded.ts';
import { largest } from '../core/number/statistics.ts';
import { type Cell, type Matrix, rowBuffer, toCsr } from '../core/matrix/index.ts';
import { box, frame, notThereYet } from './marks.ts';
import type { Label, Link, Mark, Panel, Tone } from './scene.ts';
import { countText, counted, valueText } from '../core/text/words.ts';

/*
 * The panels of every format's scene: the cells of the window (a part of a matrix) above, arrays as lines of slots (a
 * box for each element) below, their bytes at the bottom. The `about` of a mark lists the names of the cells and
 * elements that it shows; marks with a common name are highlighted together. The id of a cell or slot is its name, the
 * id of a byte is `byteId`. A large window has fewer than 3000 marks: a page of rows and of bytes, and the slots near
 * the focus.
 */

/** The name of a cell of the window. */
export function cellName(row: number, col: number): string {
  return `cell ${row},${col}`;
}

/** The cell that a mark represents, from an id such as 'cell 2,5' or 'zero cell 2,5'; null for any other mark. */
export function cellOfMark(id: string): Cell | null {
  const [, row, col] = /^(?:(?:small|row|zero|gone) )?cell (\d+),(\d+)$/.exec(id) ?? [];
  return row === undefined ? null : { row: Number(row), col: Number(col) };
}

/** The name of an element of an array. */
export function elementName(array: string, index: number): string {
  return `${array}[${index}]`;
}

function byteId(array: string, byte: number): string {
  return `${array} byte ${byte}`;
}

/** A curve between two marks, given by their ids: the most important connection in a step. */
export function curve(from: string, to: string): Link {
  return { id: 'curve', from, to, kind: 'curve', tone: 'neutral' };
}

/**
 * First item of a page of `size` out of `length` items that contains the item `focus`. Pages move by half their size,
 * so that the picture does not move with every step of the focus.
 */
export function pageStart(length: number, focus: number, size: number): number {
  if (length <= size) return 0;
  const half = Math.max(1, size >> 1);
  const start = Math.floor(focus / half) * half - (half >> 1);
  return Math.max(0, Math.min(length - size, start));
}

/** How a mark of these panels is drawn in a step. */
export interface MarkStyle {
  /** as in `Mark`: not stored yet, or not involved in this step */
  readonly state?: 'ghost' | 'dim';
  readonly focus?: boolean;
  /** overrides the panel's colour */
  readonly tone?: Tone;
  /** strength of the colour, as in `Mark` */
  readonly level?: number;
  /** names of further cells and elements that the mark shows */
  readonly highlightNames?: readonly string[];
}

/** How a window is drawn as cells. */
export interface MatrixPanelOptions {
  /** row that must be in view */
  readonly row: number;
  /** how a cell is drawn in this step; `ordinal` counts the non-zeros in row-major order from 0 */
  readonly style?: (row: number, col: number, ordinal: number) => MarkStyle;
  /** marks on top, with y counted from row 0 of the window; marks outside the view are not drawn */
  readonly overlay?: readonly Mark[];
  /** rows shown at once; default 24 */
  readonly rowsShown?: number;
  /** lines left free below the cells, for brackets; default 0 */
  readonly linesBelow?: number;
  /** where the window begins in its matrix, whose rows and columns the labels name */
  readonly origin?: { readonly row: number; readonly col: number };
}

/** Id of the panel of the window's cells in every format: a picture of two formats has only one such panel. */
export const MATRIX_PANEL = 'matrix';

const MATRIX_ROWS_SHOWN = 24;

/**
 * The window as cells: one mark per non-zero, its level by magnitude, on an empty grid. Panel id `MATRIX_PANEL`.
 * Of a window with more rows than `rowsShown` only a page is shown. O(rows + non-zeros shown).
 */
export function matrixPanel(window: Matrix, options: MatrixPanelOptions): Panel {
  const { rows, cols } = window;
  const rowsInView = Math.min(rows, options.rowsShown ?? MATRIX_ROWS_SHOWN);
  const top = pageStart(rows, options.row, rowsInView);
  const below = options.linesBelow ?? 0;
  const position = options.origin ?? { row: 0, col: 0 };
  const marks: Mark[] = [];
  const buffer = rowBuffer(cols);
  const levelOf = magnitudeLevels(window);
  let ordinal = 0;
  let focusColumn = 0;
  for (let r = 0; r < top + rowsInView; r++) {
    const n = window.readRow(r, buffer);
    for (let i = 0; i < n && r >= top; i++) {
      const col = buffer.columns[i];
      const value = buffer.values[i];
      const { highlightNames, ...style } = options.style?.(r, col, ordinal + i) ?? {};
      const name = cellName(r, col);
      if (style.focus) focusColumn = col;
      marks.push(
        box(name, col, r - top, {
          tone: 'values',
          level: levelOf(value),
          label: `row ${position.row + r}, column ${position.col + col}: ${valueText(value)}`,
          highlightNames: highlightNames ? [name, ...highlightNames] : [name],
          ...style,
        }),
      );
    }
    ordinal += n;
  }
  for (const mark of options.overlay ?? []) {
    const y = mark.y - top;
    if (y >= 0 && y + mark.h <= rowsInView + below) marks.push({ ...mark, y });
  }
  const size = `${countText(rows)} \u00d7 ${countText(cols)}`;
  const first = position.row + top;
  const inView = rowsInView === 1 ? `row ${first}` : `rows ${first} to ${first + rowsInView - 1}`;
  return {
    id: MATRIX_PANEL,
    title: 'matrix',
    caption: rowsInView < rows ? `${inView} of ${size}` : size,
    unit: 'cell',
    columns: Math.max(1, cols),
    rows: Math.max(1, rowsInView + below),
    columnLabels: ticks(0, cols, position.col),
    rowLabels: ticks(top, top + rowsInView, position.row),
    focus: { x: focusColumn, y: options.row - top },
    grid: { rows: Math.max(1, rowsInView), firstRow: top },
    marks,
  };
}

/** The outline of a row, as an overlay of a matrix panel; empty without cells. `first`: row 0 in the label. */
export function rowFrame({ rows, cols }: Matrix, row: number, first = 0): readonly Mark[] {
  if (rows === 0 || cols === 0) return [];
  return [frame('row', 0, row, cols, 1, { label: `row ${first + row}` })];
}

/** Level of a value by magnitude: from 0.15 for 0 to 1 for the window's largest and for non-finite values. */
function magnitudeLevels(window: Matrix): (value: number) => number {
  const magnitudes = toCsr(window).data.map(Math.abs).filter(Number.isFinite);
  const absMax = largest(magnitudes, 0);
  return (value) => {
    if (!Number.isFinite(value)) return 1;
    return absMax === 0 ? 0.15 : 0.15 + 0.85 * (Math.abs(value) / absMax);
  };
}

/**
 * Labels of the positions [start, end): every position, every 4th or every 8th, by their number, and the last. `from`:
 * the number in the label of position 0.
 */
export function ticks(start: number, end: number, from = 0): readonly Label[] {
  const count = end - start;
  const every = count <= 8 ? 1 : count <= 40 ? 4 : 8;
  const labels: Label[] = [];
  for (let i = Math.ceil(start / every) * every; i < end; i += every)
    labels.push({ at: i - start, text: String(from + i) });
  const last = labels.at(-1);
  if (last && end - 1 - start - last.at >= every / 2)
    labels.push({ at: end - 1 - start, text: String(from + end - 1) });
  return labels;
}

/** One array as a line of slots. */
export interface SlotLine {
  /** the array's name: the label of the line and the start of its marks' ids */
  readonly array: string;
  readonly length: number;
  /** the index that labels give its first element; default: 0 */
  readonly first?: number;
  readonly tone: Tone | ((index: number) => Tone);
  readonly text: (index: number) => string;
  /** a further text in the label of a slot, such as the bits of the element */
  readonly more?: (index: number) => string;
  /** false: an empty slot, drawn as a dashed outline; default: all are filled */
  readonly present?: (index: number) => boolean;
  /** how a slot is drawn in this step */
  readonly style?: (index: number) => MarkStyle;
  /** id of the mark from which a slot moves to its position */
  readonly from?: (index: number) => string | undefined;
}

/** Arrays that are drawn as lines of slots. */
export interface SlotPanelOptions {
  readonly id: string;
  readonly lines: readonly SlotLine[];
  /** index that must be in view */
  readonly focus: number;
}

/** Number of slots around the focus that have marks; slots further away are out of view. */
const SLOTS_SHOWN = 80;

/** A panel of arrays as lines of slots, one below the other: slot i of every array is at x = i. */
export function slotPanel(options: SlotPanelOptions): Panel {
  const lengths = options.lines.map((line) => line.length);
  const columns = largest(lengths, 1);
  const start = Math.max(0, Math.min(options.focus - (SLOTS_SHOWN >> 1), columns - SLOTS_SHOWN));
  const marks: Mark[] = [];
  options.lines.forEach((line, y) => {
    const end = Math.min(line.length, start + SLOTS_SHOWN);
    for (let i = start; i < end; i++) marks.push(slotMark(line, i, y));
  });
  const labels: Label[] = [];
  for (let i = start; i < Math.min(columns, start + SLOTS_SHOWN); i++) {
    if (i % 4 === 0) labels.push({ at: i, text: String(i + (options.lines[0].first ?? 0)) });
  }
  return {
    id: options.id,
    unit: 'slot',
    columns,
    rows: Math.max(1, options.lines.length),
    rowLabels: options.lines.map((line, y) => ({ at: y, text: line.array })),
    ...(columns > 8 ? { columnLabels: labels } : {}),
    focus: { x: Math.max(0, Math.min(columns - 1, options.focus)), y: 0 },
    marks,
  };
}

function slotMark(line: SlotLine, index: number, y: number): Mark {
  const name = elementName(line.array, index);
  const tone = typeof line.tone === 'function' ? line.tone(index) : line.tone;
  const text = line.text(index);
  // The text of an empty slot is not drawn, but reserves its width, so that nothing jumps when it appears.
  if (!(line.present?.(index) ?? true))
    return box(name, index, y, { tone, ...notThereYet(name, text), highlightNames: [name] });
  const style = line.style?.(index);
  const from = line.from?.(index);
  const more = line.more?.(index) ?? '';
  const label = `${elementName(line.array, index + (line.first ?? 0))}: ${text}${more === '' ? '' : `, ${more}`}`;
  const highlightNames = style?.highlightNames ? [name, ...style.highlightNames] : [name];
  // Assigned and not spread, which needs 20 times as long: a window has thousands of slots at each of its steps.
  const mark: Mark = { id: name, shape: 'box', x: index, y, w: 1, h: 1, tone, text, label, highlightNames };
  return Object.assign(mark, style, { highlightNames }, from === undefined ? undefined : { from });
}

/** One array, to be drawn as bytes. */
export interface MemoryStrip {
  readonly array: string;
  /** title of the strip; default: the array's name */
  readonly title?: string;
  readonly data: NamedArray;
  readonly tone: Tone | ((index: number) => Tone);
  readonly present?: (index: number) => boolean;
  /** how an element is drawn in this step */
  readonly style?: (index: number) => MarkStyle;
  /** element that must be in view */
  readonly focus: number;
}

/** Bytes of one array that are shown at once. */
const BYTES_SHOWN = 64;

/** The arrays as bytes, one panel each, side by side. Panel ids 'memory values', 'memory indices' ... */
export function memoryPanels(strips: readonly MemoryStrip[]): readonly Panel[] {
  return strips.map(memoryPanel);
}

/** The band (a line of panels) of all memory panels, and of no others. */
const MEMORY_BAND = 100;

function memoryPanel(strip: MemoryStrip): Panel {
  const { array, data } = strip;
  const size = data.BYTES_PER_ELEMENT;
  const bytes = data.byteLength;
  const bytesInView = Math.min(bytes, BYTES_SHOWN);
  const start = pageStart(bytes, strip.focus * size, bytesInView);
  const memory = new Uint8Array(data.buffer, data.byteOffset, bytes);
  const marks: Mark[] = [];
  // Bytes of one element are neighbours with the same style, so the style is computed once.
  let element = -1;
  let [present, tone]: [boolean, Tone] = [true, 'neutral'];
  let style: MarkStyle = {};
  for (let b = start; b < start + bytesInView; b++) {
    const index = Math.floor(b / size);
    const name = elementName(array, index);
    if (index !== element) {
      element = index;
      present = strip.present?.(index) ?? true;
      tone = typeof strip.tone === 'function' ? strip.tone(index) : strip.tone;
      const { highlightNames, ...elementStyle } = strip.style?.(index) ?? {};
      style = {
        highlightNames: highlightNames ? [name, ...highlightNames] : [name],
        ...(present ? elementStyle : { state: 'ghost' }),
      };
    }
    const label = present ? `byte ${b} of ${array}, in ${name}: ${memory[b]}` : `byte ${b} of ${array}: not there yet`;
    marks.push(box(byteId(array, b), b - start, 0, { tone, level: 1, label, ...style }));
  }
  const bytesText = counted(bytes, 'byte');
  return {
    id: `memory ${array}`,
    title: strip.title ?? array,
    caption: bytesInView < bytes ? `${bytesText}, ${start} to ${start + bytesInView - 1} shown` : bytesText,
    unit: 'byte',
    columns: Math.max(1, bytesInView),
    rows: 1,
    focus: { x: Math.max(0, Math.min(bytesInView - 1, strip.focus * size - start)), y: 0 },
    band: MEMORY_BAND,
    marks,
  };
}
