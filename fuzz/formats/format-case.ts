// Cases of the fuzz target for formats: a random matrix, the formats that encode it, and smaller cases for shrinking.

import { defaultParams, type ParamField } from '../../src/core/format.ts';
import { csrMatrix, denseMatrix, type Matrix } from '../../src/core/matrix/index.ts';
import type { Random } from '../../src/core/number/random.ts';
import { formatById, formats } from '../../src/formats/registry.ts';
import { entriesOf, type Table } from '../oracle/matrix.ts';
import { rangesToRemove } from '../pieces.ts';
import { randomTable, randomVector } from './matrices.ts';

export type Params = Readonly<Record<string, unknown>>;

/** A format with parameters. */
export interface Encoding {
  readonly format: string;
  readonly params: Params;
}

/** How the matrix of a case is stored: densely, as CSR, or as an object that only returns rows. */
const STORAGES = ['dense', 'csr', 'rows'] as const;

/** A matrix, its storage, its encoding, a vector, and a seed for damage. */
export interface FormatCase {
  readonly table: Table;
  /** how the matrix is stored */
  readonly as: (typeof STORAGES)[number];
  readonly encodings: readonly Encoding[];
  readonly x: Float32Array;
  readonly seed: number;
}

/** A random matrix and every registered format, each with random parameters. */
export function randomFormatCase(random: Random): FormatCase {
  const table = randomTable(random);
  return {
    table,
    as: STORAGES[random.below(STORAGES.length)],
    encodings: formats.map((format) => ({ format: format.id, params: randomParams(random, format.params) })),
    x: randomVector(random, table.cols),
    seed: random.u32(),
  };
}

/** Random values of the parameters of a format. */
function randomParams(random: Random, spec: object): Params {
  const values = Object.entries(spec as Record<string, ParamField<unknown>>).map(([name, field]) => {
    if (field.kind === 'choice') return [name, field.options[random.below(field.options.length)].value];
    // The limits, the default, and small numbers are likely to show faults.
    const candidates = [
      field.min,
      Number(field.default),
      field.max,
      field.min + random.below(4),
      field.min + random.below(200),
    ];
    return [name, Math.min(field.max, candidates[random.below(candidates.length)])];
  });
  return Object.fromEntries(values) as Params;
}

/** The matrix of a case in its storage. */
export function matrixOf({ table, as }: Pick<FormatCase, 'table' | 'as'>): Matrix {
  const { rows, cols, cells } = table;
  if (as === 'dense') return denseMatrix(rows, cols, cells.slice());
  const entries = entriesOf(table);
  if (as === 'csr') {
    const indptr = new Uint32Array(rows + 1);
    for (const [row] of entries) indptr[row + 1]++;
    for (let r = 0; r < rows; r++) indptr[r + 1] += indptr[r];
    return csrMatrix({
      rows,
      cols,
      indptr,
      indices: Uint32Array.from(entries, ([, col]) => col),
      data: Float32Array.from(entries, ([, , value]) => value),
    });
  }
  return {
    rows,
    cols,
    nnz: entries.length,
    readRow(row, into) {
      let n = 0;
      for (let col = 0; col < cols; col++) {
        if (cells[row * cols + col] === 0) continue;
        into.columns[n] = col;
        into.values[n++] = cells[row * cols + col];
      }
      return n;
    },
  };
}

/** Smaller cases: one format, fewer rows, columns and entries, plainer values and parameters. */
export function* smallerFormatCases(c: FormatCase): Iterable<FormatCase> {
  if (c.encodings.length > 1) {
    for (const encoding of c.encodings) yield { ...c, encodings: [encoding] };
    return;
  }
  yield* smallerShapes(c);
  yield* fewerEntries(c);
  if (c.as !== 'dense') yield { ...c, as: 'dense' };
  if (c.x.some((value) => value !== 1)) yield { ...c, x: new Float32Array(c.x.length).fill(1) };
  const [{ format, params }] = c.encodings;
  for (const [name, defaultValue] of Object.entries(defaultParams<object>(formatById(format).params))) {
    if (params[name] === defaultValue) continue;
    yield { ...c, encodings: [{ format, params: { ...params, [name]: defaultValue } }] };
  }
  yield* plainerValues(c);
}

/** Cases without some rows or columns. */
function* smallerShapes(c: FormatCase): Iterable<FormatCase> {
  const { rows, cols } = c.table;
  for (const [from, to] of rangesToRemove(rows)) {
    const oldRow = (r: number): number => (r < from ? r : r + to - from);
    yield { ...c, table: tableOf(rows - (to - from), cols, (r, col) => c.table.cells[oldRow(r) * cols + col]) };
  }
  for (const [from, to] of rangesToRemove(cols)) {
    const oldColumn = (col: number): number => (col < from ? col : col + to - from);
    const width = cols - (to - from);
    yield {
      ...c,
      table: tableOf(rows, width, (r, col) => c.table.cells[r * cols + oldColumn(col)]),
      x: Float32Array.from({ length: width }, (_, col) => c.x[oldColumn(col)]),
    };
  }
}

/** Cases without some entries. */
function* fewerEntries(c: FormatCase): Iterable<FormatCase> {
  const entries = entriesOf(c.table);
  if (entries.length < 2) return;
  for (const [from, to] of rangesToRemove(entries.length)) {
    const cells = c.table.cells.slice();
    for (const [row, col] of entries.slice(from, to)) cells[row * c.table.cols + col] = 0;
    yield { ...c, table: { ...c.table, cells } };
  }
}

/** Cases with ones, or with values of fewer digits. */
function* plainerValues(c: FormatCase): Iterable<FormatCase> {
  const ones = c.table.cells.map((value) => (value === 0 ? 0 : 1));
  if (c.table.cells.some((value, i) => !Object.is(value, ones[i]))) yield { ...c, table: { ...c.table, cells: ones } };
  for (const [i, value] of c.table.cells.entries()) {
    // A value is replaced by 1, or by itself with two digits if that is shorter as a text.
    for (const plainer of [1, Math.fround(Number(value.toPrecision(2)))]) {
      if (Object.is(value, plainer) || value === 0 || value === 1 || Number.isNaN(plainer)) continue;
      if (plainer !== 1 && String(plainer).length >= String(value).length) continue;
      const cells = c.table.cells.slice();
      cells[i] = plainer;
      yield { ...c, table: { ...c.table, cells } };
    }
  }
}

/** A table with these cells. */
function tableOf(rows: number, cols: number, cell: (row: number, col: number) => number): Table {
  const cells = new Float32Array(rows * cols);
  for (let r = 0; r < rows; r++) for (let col = 0; col < cols; col++) cells[r * cols + col] = cell(r, col);
  return { rows, cols, cells };
}

/** A number for JSON; -0 and numbers that are not finite are texts, since JSON does not have them. */
function jsonNumber(value: number): number | string {
  if (Object.is(value, -0)) return '-0';
  return Number.isFinite(value) ? value : String(value);
}

/** A case as JSON, with the cells other than 0 as entries. */
export function formatCaseToJson({ table, as, encodings, x, seed }: FormatCase): unknown {
  const entries = [...table.cells.entries()]
    .filter(([, value]) => !Object.is(value, 0))
    .map(([i, value]) => [Math.floor(i / table.cols), i % table.cols, jsonNumber(value)]);
  return { rows: table.rows, cols: table.cols, entries, as, encodings, x: Array.from(x, jsonNumber), seed };
}

/** A case as JSON: entries are [row, column, value]. */
interface JsonCase extends Pick<FormatCase, 'as' | 'encodings' | 'seed'> {
  readonly rows: number;
  readonly cols: number;
  readonly entries: readonly (readonly [number, number, number | string])[];
  readonly x: readonly (number | string)[];
}

/** The case that `formatCaseToJson` wrote. */
export function formatCaseFromJson(value: unknown): FormatCase {
  const { rows, cols, entries, as, encodings, x, seed } = value as JsonCase;
  const cells = new Float32Array(rows * cols);
  for (const [row, col, number] of entries) cells[row * cols + col] = Number(number);
  return { table: { rows, cols, cells }, as, encodings, x: Float32Array.from(x, Number), seed };
}
