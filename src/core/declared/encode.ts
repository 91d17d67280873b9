// Derives `encodeSteps` from a declaration: runs the declared `encode` with a reader of the matrix and array builders.

import { addChecksumSteps } from '../encoded/checksum.ts';
import type { EncodedMatrix } from '../encoded/encoded.ts';
import { FormatError } from '../errors.ts';
import { rowsPerYield, type Steps } from '../job.ts';
import { type Matrix, rowBuffer } from '../matrix/index.ts';
import type { Builder } from './builder.ts';
import { builderOf } from './builders.ts';
import { declaredLength, resolved } from './card.ts';
import type { Counts, RowReader } from './declaration.ts';
import type { Row } from './record.ts';
import { WordBuilder } from './word-fields.ts';
import {
  type Params,
  type AnyDeclaration,
  arraysOf,
  countsOf,
  paddingCauses,
  paddingCount,
} from './declared-arrays.ts';
import { shapeRejection, overflowRejection } from './supports.ts';

/** Reads rows of a matrix into one buffer, counts them, and passes each to the builders that quantise. */
class MatrixReader implements RowReader {
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number;
  /** rows read so far, some of them several times */
  rowsRead = 0;
  readonly #matrix: Matrix;
  readonly #quantisers: readonly Builder[];
  readonly #row: { index: number; length: number } & ReturnType<typeof rowBuffer>;

  constructor(m: Matrix, quantisers: readonly Builder[]) {
    this.rows = m.rows;
    this.cols = m.cols;
    this.nnz = m.nnz;
    this.#matrix = m;
    this.#quantisers = quantisers;
    this.#row = { index: 0, length: 0, ...rowBuffer(m.cols) };
  }

  row(index: number): Row {
    this.#row.index = index;
    this.#row.length = this.#matrix.readRow(index, this.#row);
    this.rowsRead++;
    if (this.#quantisers.length > 0) for (const builder of this.#quantisers) builder.begin(this.#row);
    return this.#row;
  }

  /**
   * Iterates over all rows. Not a generator, and one result object for all rows: either would take most of the time with
   * millions of short rows.
   */
  [Symbol.iterator](): Iterator<Row, undefined> {
    let next = 0;
    const row = { done: false as const, value: this.#row };
    const end = { done: true as const, value: undefined };
    return {
      next: () => {
        if (next === this.rows) return end;
        this.row(next++);
        return row;
      },
    };
  }
}

/**
 * Creates the arguments of `encode`: a reader, and a builder for each array in declared order. `plan`: the result of the
 * declared `plan`. Throws FormatError if memory is short.
 */
export function openEncoding(
  d: AnyDeclaration,
  m: Matrix,
  p: object,
  plan?: unknown,
): { readonly reader: MatrixReader; readonly builders: readonly Builder[] } {
  const arrays = arraysOf(d, p, m);
  // Declared lengths read members of the encoding, which does not exist yet: the plan has members of the same names.
  const encoded = plan as Params | undefined;
  const counts: Counts = { ...countsOf(m), ...(encoded && { encoded }) };
  const scaleNames = new Set(arrays.flatMap(({ quantised }) => quantised?.scales ?? []));
  // Scales first: quantised values are computed with them.
  const byName = new Map<string, Builder>();
  for (const array of arrays.toSorted((a, b) => Number(scaleNames.has(b.name)) - Number(scaleNames.has(a.name)))) {
    const { name, element, quantised, inWords = false, role } = array;
    const exact = declaredLength(array, counts);
    const scales = quantised && byName.get(quantised.scales);
    const builder = array.fields
      ? new WordBuilder(array, exact)
      : builderOf(name, element, {
          exact,
          // An initial capacity, in elements; it grows.
          guess: role === 'metadata' ? m.rows + 1 : m.nnz >> 3,
          inWords,
          quantised: quantised && scales ? { by: quantised.by, scales } : null,
        });
    if (scaleNames.has(name)) builder.zeros(exact ?? 0);
    byName.set(name, builder);
  }
  const builders = arrays.flatMap(({ name }) => byName.get(name) ?? []);
  const quantisers = builders.filter((_, i) => arrays[i].quantised);
  return { reader: new MatrixReader(m, quantisers), builders };
}

/** Encodes a matrix and yields its progress. Throws FormatError if the format cannot store the matrix. */
export function* encodeSteps(d: AnyDeclaration, m: Matrix, p: object): Steps<EncodedMatrix> {
  const rejected = shapeRejection(d, m, p);
  if (rejected) throw new FormatError(rejected.reason);
  const { rows, cols, nnz } = m;
  const params = resolved(d.params, p as Params, m);
  const plan = d.plan ? yield* d.plan(m, params) : undefined;
  const { reader, builders } = openEncoding(d, m, p, plan);
  const total = (d.passes ?? 1) * rows; // rows that `encode` reads
  const rowsPerStep = rowsPerYield(cols);
  const out = Object.fromEntries(builders.map((builder) => [builder.name, builder]));
  const narrate = undefined; // texts of steps are for stories only
  const running = d.encode(reader, out, { ...params, rows, cols }, narrate, plan);
  let step = running.next();
  for (let nextYield = rowsPerStep; !step.done; step = running.next()) {
    if (step.value) yield step.value;
    if (reader.rowsRead < nextYield) continue;
    nextYield = reader.rowsRead + rowsPerStep;
    yield { what: 'encoding rows', done: Math.min(reader.rowsRead, total), total };
  }
  if (step.value === false) throw encodeRefusedError(d, m, p);
  const arrays = Object.fromEntries(builders.map((builder) => [builder.name, builder.finish()]));
  const encoded = { rows, cols, nnz, ...params, ...step.value, ...arrays };
  checkPadding(d, encoded, builders);
  return yield* addChecksumSteps(encoded, total);
}

/** The error for an `encode` that returned false: it refuses the matrix for the reason that `admits` returns. */
function encodeRefusedError(d: AnyDeclaration, m: Matrix, p: object): FormatError {
  return new FormatError(
    overflowRejection(d, m, p)?.reason ?? `${d.id}: encode returned false, expected overflows to return a reason`,
  );
}

/** Throws RangeError if `encode` appended more or less padding than declared. */
function checkPadding(d: AnyDeclaration, e: Omit<EncodedMatrix, 'checksums'>, builders: readonly Builder[]): void {
  if (builders.every(({ padding }) => padding === 0)) return;
  const encoded = { ...e, checksums: {} };
  arraysOf(d, e, e).forEach((array, i) => {
    const { padding } = builders[i];
    if (padding === 0) return;
    const found = `${d.id}: encode pads ${padding} elements of ${array.name}`;
    if (!array.padding) throw new RangeError(`${found}, expected its declaration to have padding: { says, count }`);
    const declared = paddingCount(paddingCauses(array, encoded));
    if (declared !== padding) throw new RangeError(`${found}, expected ${declared}, as its declaration counts`);
  });
}
