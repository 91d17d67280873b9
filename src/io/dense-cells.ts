import { ReadError } from '../core/errors.ts';
import type { Job } from '../core/job.ts';
import { denseMatrix, type Matrix, type StoredCells, StoredDenseMatrix } from '../core/matrix/index.ts';
import {
  ELEMENT_BYTES,
  elementConverter,
  elementTable,
  type ElementType,
  narrowBits,
  swapBytes,
  swapsBytes,
  typedElements,
} from './elements.ts';
import type { MatrixCount, ReadResult } from './file-format.ts';
import { amount, allocate, endedEarly } from './read-checks.ts';
import { readBatches, readPieces } from './pieces.ts';
import type { FileSource } from './source.ts';
import { ValueLosses } from './value-losses.ts';

// Reads the cells of dense matrices from .npy, .npz, safetensors and GGUF.

/** Where and how a source stores the cells of a dense matrix. */
export interface DenseLayout {
  readonly rows: number;
  readonly cols: number;
  readonly type: ElementType;
  readonly isBigEndian?: boolean;
  /** column by column */
  readonly isFortranOrder?: boolean;
  /** elements from a row to the next, and from a column to the next, in place of either order */
  readonly strides?: Strides;
  readonly dataOffset?: number;
  /** the type's name in the file, for messages */
  readonly typeName: string;
  /** notes of the result that come before those of reading; default: none */
  readonly notes?: readonly string[];
}

type Strides = readonly [row: number, column: number];

/** Reads a dense matrix. Types of more than 16 bits become f32. Throws ReadError if bytes are missing. */
export async function readDense(source: FileSource, layout: DenseLayout, job: Job): Promise<ReadResult> {
  const { rows, cols, type } = layout;
  const losses = new ValueLosses();
  const cells = makeCells(rows, cols, type);
  const end = await fillCells(source, layout, cells, losses, job);
  return { matrix: matrixOfCells(rows, cols, cells, type), notes: notesOf(layout, end, losses) };
}

/** Like `readDense`, but only counts the non-zeros, in pieces: no cells are kept. */
export async function countDense(source: FileSource, layout: DenseLayout, job: Job): Promise<MatrixCount> {
  const { rows, cols, type, isBigEndian = false, dataOffset = 0 } = layout;
  const losses = new ValueLosses();
  const convert = elementConverter(type, isBigEndian, losses);
  let nnz = 0;
  const end = await readBatches(source, dataOffset, rows * cols * ELEMENT_BYTES[type], job, (batch, length) => {
    const elements = convert(batch, length);
    for (let i = 0; i < elements.length; i++) nnz += elements[i] === 0 ? 0 : 1;
  });
  return { rows, cols, nnz, notes: notesOf(layout, end, losses) };
}

/** Notes about a matrix from a source that ended at byte `end`. Throws ReadError if bytes are missing. */
function notesOf(layout: DenseLayout, end: number, losses: ValueLosses): readonly string[] {
  const { rows, cols, type, dataOffset = 0, notes = [] } = layout;
  const expected = elementsOf(layout) * ELEMENT_BYTES[type];
  const available = end - dataOffset;
  if (available < expected) {
    throw new ReadError(
      endedEarly(end, `${Math.max(0, available)} of ${expected}`, `${rows} × ${cols} of ${layout.typeName}`),
    );
  }
  const unread =
    available > expected
      ? [
          `${amount(available - expected, 'byte')} after the array ${available - expected === 1 ? 'was' : 'were'} not read.`,
        ]
      : [];
  return [...notes, ...unread, ...losses.notes()];
}

/** An array for cells: bits of types of 8 and 16 bits, f32 of wider ones. Throws ReadError if memory is short. */
export function makeCells(rows: number, cols: number, type: ElementType): StoredCells | Float32Array {
  const count = rows * cols;
  const size = elementTable(type) ? ELEMENT_BYTES[type] : 4;
  const Cells = size === 1 ? Uint8Array : size === 2 ? Uint16Array : Float32Array;
  return allocate(`${rows} × ${cols} cells`, size * count, () => new Cells(count));
}

/** The matrix of cells from `makeCells`. */
export function matrixOfCells(
  rows: number,
  cols: number,
  cells: StoredCells | Float32Array,
  type: ElementType,
): Matrix {
  const table = elementTable(type);
  return table && !(cells instanceof Float32Array)
    ? new StoredDenseMatrix(rows, cols, cells, table)
    : denseMatrix(rows, cols, cells as Float32Array);
}

/** Reads the cells. Returns the size of the source in bytes. */
function fillCells(
  source: FileSource,
  layout: DenseLayout,
  cells: StoredCells | Float32Array,
  losses: ValueLosses,
  job: Job,
): Promise<number> {
  const { rows, cols, type, isBigEndian = false, isFortranOrder = false, dataOffset = 0 } = layout;
  const size = ELEMENT_BYTES[type];
  const length = elementsOf(layout) * size;
  const swaps = swapsBytes(type, isBigEndian);
  const keepsBits = !(cells instanceof Float32Array); // cells are stored as in the file
  if (layout.strides && !keepsBits) {
    return eachElement(source, layout, losses, job, (cell, value) => (cells[cell] = value));
  }
  if ((keepsBits || type === 'f32') && !swaps && !isFortranOrder && !layout.strides) {
    // The file has the bytes of the cells in their order.
    const bytes = new Uint8Array(cells.buffer);
    return readPieces(source, dataOffset, length, job, (piece, byteOffset) => bytes.set(piece, byteOffset));
  }
  const setCells = layout.strides
    ? fromStrides(cells, layout)
    : isFortranOrder
      ? fromFortranOrder(cells, [rows, cols])
      : rowMajor(cells);
  const convert = elementConverter(type, isBigEndian, losses);
  return readBatches(source, dataOffset, length, job, (batch, batchLength, byteOffset) => {
    if (!keepsBits) return setCells(convert(batch, batchLength), byteOffset / size);
    if (swaps) swapBytes(batch, batchLength, size);
    setCells(narrowBits(batch, batchLength, size), byteOffset / size);
  });
}

/** Writes consecutive elements of the file to row-major cells; `first`: the number of elements before them. */
type SetCells = (elements: StoredCells | Float32Array, first: number) => void;

/** A `SetCells` for elements in row-major order. */
export function rowMajor(cells: StoredCells | Float32Array): SetCells {
  return (elements, first) => cells.set(elements, first);
}

/** The index in each dimension of the nth element in Fortran order, in which the first index changes fastest. */
export function fortranIndex(nth: number, shape: readonly number[]): number[] {
  let remaining = nth;
  return shape.map((n) => {
    const i = remaining % n;
    remaining = (remaining - i) / n;
    return i;
  });
}

/** A `SetCells` for elements in Fortran order. */
export function fromFortranOrder(cells: StoredCells | Float32Array, shape: readonly number[]): SetCells {
  const strides = shape.map((_, d) => shape.slice(d + 1).reduce((product, n) => product * n, 1));
  return (elements, first) => {
    const index = fortranIndex(first, shape);
    let cell = index.reduce((sum, i, d) => sum + i * strides[d], 0);
    for (let i = 0; i < elements.length; i++) {
      cells[cell] = elements[i];
      cell += strides[0];
      // A dimension whose index has reached its end restarts at 0, and the next dimension advances.
      for (let d = 0; ++index[d] === shape[d] && d + 1 < shape.length; d++) {
        index[d] = 0;
        cell += strides[d + 1] - shape[d] * strides[d];
      }
    }
  };
}

/** The elements of a source from the first cell to the last. */
function elementsOf({ rows, cols, strides }: Pick<DenseLayout, 'rows' | 'cols' | 'strides'>): number {
  if (!strides || rows * cols === 0) return rows * cols;
  return (rows - 1) * strides[0] + (cols - 1) * strides[1] + 1;
}

/** A `SetCells` for elements with any strides. */
function fromStrides(cells: StoredCells | Float32Array, layout: DenseLayout): SetCells {
  return (elements, first) => {
    eachCell(layout, first, elements.length, (cell, i) => (cells[cell] = elements[i]));
  };
}

/**
 * Calls `visit` with every cell, in any order: its index in row-major order, its value as f32, and unrounded. Elements that
 * are no cell are not counted in `losses`. Resolves with the size of the source in bytes.
 */
export function eachElement(
  source: FileSource,
  layout: DenseLayout,
  losses: ValueLosses,
  job: Job,
  visit: (cell: number, value: number, exact: number) => void,
): Promise<number> {
  const { type, isBigEndian = false, dataOffset = 0 } = layout;
  const size = ELEMENT_BYTES[type];
  const convert = elementConverter(type, isBigEndian, new ValueLosses());
  return readBatches(source, dataOffset, elementsOf(layout) * size, job, (batch, length, from) => {
    const values = convert(batch, length);
    const elements = elementTable(type) ? values : typedElements(type, batch, length / size);
    eachCell(layout, from / size, length / size, (cell, i) => {
      const exact = Number(elements[i]);
      if (values[i] !== exact) losses.count(exact);
      visit(cell, values[i], exact);
    });
  });
}

/**
 * Calls `visit` with the cells among `count` elements of a source from `first` on: the index of the cell in row-major order,
 * and the number of its element from `first` on.
 */
function eachCell(
  { rows, cols, strides = [cols, 1] }: DenseLayout,
  first: number,
  count: number,
  visit: (cell: number, i: number) => void,
): void {
  const isByRows = strides[0] >= strides[1];
  // Lines are rows or columns, the ones with the larger stride: then few lines have elements in the range.
  const [outer, inner] = isByRows ? strides : [strides[1], strides[0]];
  const [lines, length] = isByRows ? [rows, cols] : [cols, rows];
  const end = first + count;
  const [firstLine, lastLine] = indicesIn(first - (length - 1) * inner, end, outer, lines);
  for (let line = firstLine; line < lastLine; line++) {
    const start = line * outer;
    const [from, to] = indicesIn(first - start, end - start, inner, length);
    for (let i = from; i < to; i++) {
      visit(isByRows ? line * cols + i : i * cols + line, start + i * inner - first);
    }
  }
}

/** The range of indices i below `limit` for which i * stride is in [from, to). */
function indicesIn(from: number, to: number, stride: number, limit: number): readonly [from: number, to: number] {
  if (stride === 0) return from <= 0 && to > 0 ? [0, limit] : [0, 0];
  return [Math.max(0, Math.ceil(from / stride)), Math.min(limit, Math.ceil(to / stride))];
}
