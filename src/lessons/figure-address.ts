import type { CsrMatrix } from '../core/matrix/index.ts';
import type { GenerateSpec } from '../generate/generate.ts';
import { type AppDocument, type Catalog, decodeHash } from '../state/index.ts';
import { demosOf } from './demonstrations/index.ts';
import { LessonError } from './lesson.ts';
import { readCells } from './own-matrix.ts';

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

/** A figure's address in the form of Watch, for parsing, without the cells of a user's matrix. */
function watchAddress(address: string): string {
  return address.replace(DEMO_ADDRESS, WATCH_ADDRESS).replace(/([?&])own=[^&]*/, '$1');
}

/** The id of the format, or of the demonstration, in a figure's address; '' if it has none. */
export function formatOfAddress(address: string): string {
  return /[?&]a=([^&]*)/.exec(address)?.[1] ?? '';
}

/** The document (page state) in a figure's address. Throws LessonError if wrong, or if the matrix is not generated. */
export function figureDocument(address: string, catalog: Catalog): AppDocument {
  const known = isDemoAddress(address) ? { ...catalog, formats: demosOf(catalog.formats) } : catalog;
  const { document, problems, missingFormats = [] } = decodeHash(watchAddress(address), known);
  if (problems.length > 0) throw new LessonError(problems.join(' '));
  // A custom format is known only after its code has run.
  if (missingFormats.length > 0)
    throw new LessonError(`figure: ${missingFormats[0].id} was not run, so nothing is known of it`);
  specOf(document);
  return { ...document, against: null };
}

/** The spec of a document's matrix. Throws LessonError if it is not a generated one. */
export function specOf({ source }: AppDocument): GenerateSpec {
  if (source.kind === 'generated') return source.spec;
  throw new LessonError(`figure: found a matrix of kind '${source.kind}', expected a generated one`);
}

/** A user's matrix in an address, by its cells after `&own=`; null if there is none. Throws LessonError. */
export function userMatrix(address: string, { source }: AppDocument): CsrMatrix | null {
  const cells = /[?&]own=([^&]*)/.exec(address)?.[1];
  if (cells === undefined || source.kind !== 'generated') return null;
  return readCells(cells, source.spec.rows, source.spec.cols);
}
