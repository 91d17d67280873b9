import { type CsrMatrix, type Matrix, subMatrix } from '../core/matrix/index.ts';
import type { GenerateSpec } from '../generate/generate.ts';
import { type AppDocument, type Catalog, decodeHash, defaultWindow } from '../state/index.ts';
import { demosOf } from './demonstrations/index.ts';
import { LessonError } from './lesson.ts';
import { readCells, typedMatrix } from './own-matrix.ts';

/** The prefix of a demonstration's address ('trial'). The rest is as for Watch, with its id instead of a format's. */
export const DEMO_ADDRESS = '#2/trial?';

/** The prefix of an address of Watch, the page that shows how a format stores a matrix. */
export const WATCH_ADDRESS = '#2/watch?';

/** Whether an address names a figure in a lesson: a demonstration, or a format in Watch. */
export function isFigureAddress(address: string): boolean {
  return isDemoAddress(address) || address.startsWith(WATCH_ADDRESS);
}

/** Whether an address names another page, such as Compare; some pages have figures for lessons. */
export function isPageAddress(address: string): boolean {
  return !isFigureAddress(address) && /^#2\/[a-z]+(?:\/[a-z-]+)?\?/.test(address);
}

function isDemoAddress(address: string): boolean {
  return address.startsWith(DEMO_ADDRESS);
}

/** A figure's cells that a set of questions names: `own=1:0.5;4:-2,,0:1`, without the position that Watch writes. */
const SET_CELLS = /([?&])own=(?!\d+,\d+,\d+,\d+:)([^&]*)/;

/** A figure's address in the form of Watch, for parsing, without the cells of a set's matrix. */
function watchAddress(address: string): string {
  return address.replace(DEMO_ADDRESS, WATCH_ADDRESS).replace(SET_CELLS, '$1');
}

/** The id of the format, or of the demonstration, in a figure's address; '' if it has none. */
export function formatOfAddress(address: string): string {
  return /[?&]a=([^&]*)/.exec(address)?.[1] ?? '';
}

/**
 * The document (page state) in a figure's address. Throws LessonError if the address is wrong, or if its matrix is of
 * another kind than `specOf` expects.
 */
export function figureDocument(address: string, catalog: Catalog): AppDocument {
  const figureCatalog = isDemoAddress(address) ? { ...catalog, formats: demosOf(catalog.formats) } : catalog;
  const { document, problems, missingFormats = [] } = decodeHash(watchAddress(address), figureCatalog);
  if (problems.length > 0) throw new LessonError(problems.join(' '));
  // A custom format is known only after its code has run.
  if (missingFormats.length > 0)
    throw new LessonError(`figure: ${missingFormats[0].id} was not run, so nothing is known of it`);
  specOf(document);
  return { ...document, formatB: null };
}

/** The spec of a document's matrix, or if it was typed, of random ones like it. Throws LessonError if it is neither. */
export function specOf({ source }: AppDocument): GenerateSpec {
  if (source.kind === 'generated') return source.spec;
  if (source.kind === 'cells') return specLike(typedMatrix(source));
  throw new LessonError(`figure: found a matrix of kind '${source.kind}', expected a generated or a typed one`);
}

/** Random matrices of the shape and about the density of a typed one, for further questions. */
export function specLike({ rows, cols, nnz }: CsrMatrix): GenerateSpec {
  const density = Math.min(1, Math.max(0.05, Number((nnz / (rows * cols)).toFixed(2))));
  return { pattern: 'uniform', rows, cols, density, seed: 1 };
}

/** The cells that a user typed, in the window of a figure; null if its matrix was generated. Throws LessonError. */
export function userMatrix(address: string, { source, window, edited }: AppDocument): CsrMatrix | null {
  const cells = SET_CELLS.exec(address)?.[2];
  if (cells !== undefined && source.kind === 'generated') return readCells(cells, source.spec.rows, source.spec.cols);
  if (edited !== null && window) return readCells(edited, window.rows, window.cols);
  if (source.kind !== 'cells') return null;
  return windowOf(typedMatrix(source), window);
}

/** The part of a figure's matrix in this window; null: the default window of Watch. Throws LessonError if outside. */
export function windowOf(matrix: Matrix, namedWindow: AppDocument['window']): CsrMatrix {
  const window = namedWindow ?? defaultWindow(matrix);
  const { row, col, rows, cols } = window;
  if (row + rows > matrix.rows || col + cols > matrix.cols) {
    throw new LessonError(
      `figure, win: found rows ${row} to ${row + rows - 1} and columns ${col} to ${col + cols - 1}, expected them in a matrix of ${matrix.rows} × ${matrix.cols}`,
    );
  }
  return subMatrix(matrix, window);
}
