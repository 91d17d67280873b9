/*
 * Bounds on input from outside the page: links, pasted texts, question sets, config.json, messages to an embedded
 * story, reports. Each bound is far above any real need, and low enough that the page answers any input within 200 ms.
 * Lengths of texts are in UTF-16 units.
 *
 * Readers of matrix files have other bounds, which follow from the file formats, and work in a thread that can be
 * stopped.
 */

/** Length to which errors quote an untrusted text. */
export const QUOTED_LENGTH = 60;

/** Rows or columns of a matrix at most: indices are 32-bit integers on the GPU. */
export const MAX_EXTENT = 2 ** 31 - 1;

/** Values of a link. Values that contain code, questions or a model have separate bounds. */
export const LINK_BOUNDS = {
  /** length of one value: several times the longest address that servers accept */
  value: 2 ** 15,
} as const;

/** The region of a matrix that a story, the animation of a format, draws. */
export const REGION_BOUNDS = {
  rows: 64,
  /** rows × columns at most: a region wider than 64 columns has fewer rows, so that its story takes no longer */
  cells: 64 * 64,
} as const;

/** The maximum number of columns of a story's region with this many rows. */
export const regionColumns = (rows: number): number => Math.floor(REGION_BOUNDS.cells / Math.max(1, rows));

/** Whether the region of a story may have this shape. */
export const isRegionShape = (rows: number, cols: number): boolean =>
  rows <= REGION_BOUNDS.rows && cols <= regionColumns(rows);

/** A matrix that the user edited. A link contains it cell by cell. */
export const EDITED_BOUNDS = {
  /** rows, and columns, at most */
  side: 64,
  /** characters of all its cells, written out with four digits */
  length: 2 ** 16,
} as const;

/** A small matrix that a link contains whole, as its source. */
export const LINK_CELLS_BOUNDS = {
  /** characters of its cells: about 500 non-zeros with short numbers, which mail and chat programs do not cut off */
  length: 4000,
  /** rows, and columns, at most */
  side: 4096,
  /** rows × columns at most */
  cells: 2 ** 20,
  /** characters of its name */
  name: 100,
} as const;

/** A config.json, and a model in a link. */
export const MODEL_BOUNDS = {
  /** characters: many times as many as real files have */
  length: 2 ** 20,
  /** characters of a model's name, which has to fit above a chart */
  name: 60,
  /** maximum of any size: of a layer, a vocabulary, all heads together, or any other count */
  size: 2 ** 24,
} as const;

/** A set of questions in a link, and the matrices that it contains or generates. */
export const QUESTION_BOUNDS = {
  /** characters of a set: more than all its cells written out */
  length: 2 ** 19,
  /** as many as an hour of a lesson needs */
  questions: 40,
  side: EDITED_BOUNDS.side,
  /** cells of all matrices of a set: ten of the largest, or forty of 32 × 32. The story of a cell takes up to 20 µs. */
  cells: 40 * 2 ** 10,
  /** cells of all matrices tried for a question until its answers differ: four of the largest, or 128 of 4 × 32 */
  cellsTried: 2 ** 14,
} as const;

/** The progress that this browser stores: far more lessons, exercises and questions per lesson than exist. */
export const PROGRESS_BOUNDS = { entries: 1000 } as const;

/** A file of benchmark reports: far more than a run produces, and no more than the page can show. */
export const REPORT_BOUNDS = {
  /** JSON of this length is parsed in a tenth of a second */
  bytes: 24 * 2 ** 20,
  reports: 1000,
  /** measured kernels and refusals of one report; `rowsInAll`: of all reports in a file */
  rows: 5000,
  rowsInAll: 20_000,
  samples: 200_000,
  failures: 1000,
  notes: 100,
  /** sizes of an operation */
  sizes: 16,
  /** properties of any other object with free names */
  properties: 100,
  text: 10_000,
  /** characters of the name of a recording's device, and of its driver */
  recordingName: 80,
  /** in a list of recorded devices */
  recordings: 100,
  /** nested lists and objects */
  depth: 16,
} as const;
