import { lengthProblem } from '../allocate.ts';
import type { Size } from '../comparison/comparison.ts';
import { type Support, checkValues } from '../encoded/admission.ts';
import { addChecksumSteps } from '../encoded/checksum.ts';
import { type EncodedMatrix, namedArrays } from '../encoded/encoded.ts';
import { bitsOf as classBits, ledger, type StorageLedger } from '../encoded/ledger.ts';
import { FormatError } from '../errors.ts';
import type { Shape } from '../format.ts';
import { rowsPerYield, type Steps } from '../job.ts';
import { CsrMatrix, type Matrix, rowBuffer } from '../matrix/index.ts';
import { f16Value, packedQ4, Q4_GROUP, Q4_ZERO, VALUE_BITS } from '../number/index.ts';
import { listText } from '../text/words.ts';
import { type Builder, builderOf } from './builders.ts';
import { declaredLength, resolved, valueTypeOf } from './card.ts';
import { lastCounted } from '../comparison/counts.ts';
import type { ArrayDeclaration, Counts, EncodingDeclaration, Put, RowReader } from './declaration.ts';
import { matrixOfPuts } from './matrix-of-puts.ts';
import type { Row } from './record.ts';
import { PutRecorder } from './recorders.ts';
import { bytesOf, type Elements, type ElementType, elementType, sharesBytes, unpacked } from './element-type.ts';
import { fieldElements, fieldsOf, WordBuilder } from './word-fields.ts';

/* Derives the members of a format from its declaration: admits, encode, decode, multiply, storage, sizes. */

type Params = Record<string, unknown>;

/** The declaration of a format with its types erased. */
export type AnyDeclaration = EncodingDeclaration<string, Params, EncodedMatrix>;

/** A declared array with its name and, in `element`, its parsed element type. */
export interface TypedDeclaration extends ArrayDeclaration {
  readonly name: string;
  readonly element: ElementType;
}

type Rejected = Support & { ok: false };

/** Names in every encoding that no array may have. */
const TAKEN = ['rows', 'cols', 'nnz', 'checksums'];

/** The declared arrays for these parameters and this shape, in order. Throws RangeError for a wrong name or type. */
export function arraysOf(d: AnyDeclaration, p: object, shape: Shape): readonly TypedDeclaration[] {
  return Object.entries(d.arrays(resolved(d.params, p as Params, shape), shape)).map(([name, array]) => {
    if (TAKEN.includes(name) || name in d.params)
      throw new RangeError(`${d.id}: found an array named '${name}', expected a name that no number of the format has`);
    const element = elementType(array.type);
    if (element) return { ...array, name, element };
    throw new RangeError(
      `${d.id}: found ${name} of type '${array.type}', expected u1 to u32, i2 to i32, f16, bf16 or f32`,
    );
  });
}

/** Why a format rejects a matrix, by its shape or `refuses`; null: `overflows` and values are not checked yet. */
function rejectionOf(d: AnyDeclaration, m: Matrix, p: object): Rejected | null {
  const arrays = arraysOf(d, p, m);
  const wide = tooWide(arrays, m.cols);
  if (wide) return wide;
  // If several arrays are too long, the reason names the longest.
  const bytesIn = (array: TypedDeclaration): number => (declaredLength(array, m) ?? 0) * (array.element.bits / 8);
  const [longest] = arrays.toSorted((a, b) => bytesIn(b) - bytesIn(a));
  const reason = lengthProblem(longest.name, bytesIn(longest), 1);
  if (reason) return { ok: false, reason, remedy: d.shorter ?? 'Choose a part of the matrix.' };
  const rejected = d.refuses?.(m, resolved(d.params, p as Params, m));
  return rejected ? { ok: false, ...rejected } : null;
}

/** Why column numbers do not fit the types of their arrays and fields; null if they fit. */
function tooWide(arrays: readonly TypedDeclaration[], cols: number): Rejected | null {
  for (const array of arrays) {
    const { name, element, columns } = array;
    const columnCount = columns?.below ?? cols;
    /** types that store column numbers */
    const types = (isUsed(array) ? fieldsOf(array) : []).flatMap(({ name: field, type: { bits }, columns: column }) =>
      column ? [{ bits, what: `the ${bits} bits of a ${field}`, remedy: column.remedy }] : [],
    );
    if (columns) {
      const { remedy = 'Choose 32 index bits.' } = columns;
      types.push({ bits: element.bits, what: `${element.bits}-bit indices`, remedy });
    }
    const narrow = types.find(({ bits }) => columnCount > 2 ** bits);
    if (!narrow) continue;
    const reason = `${name}: found ${columnCount} columns, expected at most ${2 ** narrow.bits} for ${narrow.what}`;
    return { ok: false, reason, remedy: narrow.remedy };
  }
  return null;
}

/** Whether parameters use an array: if not, it is empty even for this sample, wide enough to fill any other. */
function isUsed(array: TypedDeclaration): boolean {
  return declaredLength(array, { rows: 1, cols: 2 ** 20, nnz: 1 }) !== 0;
}

/** Why a matrix does not fit its arrays, found by reading the whole matrix (`overflows`); null if it fits. */
function overflowOf(d: AnyDeclaration, m: Matrix, p: object): Rejected | null {
  const overflow = d.overflows?.(m, resolved(d.params, p as Params, m));
  return overflow ? { ok: false, ...overflow } : null;
}

/** Whether a format supports a matrix: checks `refuses`, lengths, `overflows` and values. O(rows * cols) at worst. */
export function admits(d: AnyDeclaration, m: Matrix, p: object): Support {
  let entry = 0; // by default non-zeros are stored in their order; neighbours share a scale
  const arrays = arraysOf(d, p, m);
  const slots = arrays.find(({ quantised }) => quantised?.slots)?.quantised?.slots?.();
  const hasF32 = offersF32(d.params);
  return (
    rejectionOf(d, m, p) ?? overflowOf(d, m, p) ?? checkValues(m, valueTypeOf(arrays), hasF32, slots ?? (() => entry++))
  );
}

/** Whether f32 is an option of any parameter, regardless of the parameter's name. */
function offersF32(params: AnyDeclaration['params']): boolean {
  return Object.values(params).some(
    (field) => field.kind === 'choice' && field.options.some(({ value }) => value === 'f32'),
  );
}

/** Reads rows into one buffer, counts them, and passes each to the builders that quantise. */
class Reader implements RowReader {
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

  /** A generator, or a result object for each row, would take most of the time with millions of short rows. */
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

/** The arguments of `encode`: a reader, and a builder for each array. Throws FormatError if memory is short. */
export function openEncoding(
  d: AnyDeclaration,
  m: Matrix,
  p: object,
  plan?: unknown,
): { readonly reader: Reader; readonly builders: readonly Builder[] } {
  const arrays = arraysOf(d, p, m);
  const counts: Counts = { ...countsOf(m), ...(plan ? { encoded: plan as Params } : {}) }; // the encoding as planned
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
          guess: role === 'metadata' ? m.rows + 1 : m.nnz >> 3,
          inWords,
          quantised: quantised && scales ? { by: quantised.by, scales } : null,
        });
    if (scaleNames.has(name)) builder.zeros(exact ?? 0);
    byName.set(name, builder);
  }
  const builders = arrays.flatMap(({ name }) => byName.get(name) ?? []);
  const quantisers = builders.filter((_, i) => arrays[i].quantised);
  return { reader: new Reader(m, quantisers), builders };
}

/** Encodes a matrix, and yields progress. Throws FormatError if the format cannot store it. */
export function* encodeSteps(d: AnyDeclaration, m: Matrix, p: object): Steps<EncodedMatrix> {
  const rejected = rejectionOf(d, m, p);
  if (rejected) throw new FormatError(rejected.reason);
  const { rows, cols, nnz } = m;
  const params = resolved(d.params, p as Params, m);
  const plan = d.plan ? yield* d.plan(m, params) : undefined;
  const { reader, builders } = openEncoding(d, m, p, plan);
  const total = (d.passes ?? 1) * rows;
  const pause = rowsPerYield(cols);
  const out = Object.fromEntries(builders.map((b) => [b.name, b]));
  const running = d.encode(reader, out, { ...params, rows, cols }, undefined, plan); // undefined: no story is recorded
  let step = running.next();
  for (let next = pause; !step.done; step = running.next()) {
    if (step.value) yield step.value;
    if (reader.rowsRead < next) continue;
    next = reader.rowsRead + pause;
    yield { what: 'encoding rows', done: Math.min(reader.rowsRead, total), total };
  }
  if (step.value === false) throw noSlotError(d, m, p);
  const arrays = Object.fromEntries(builders.map((builder) => [builder.name, builder.finish()]));
  const encoded = { rows, cols, nnz, ...params, ...step.value, ...arrays };
  checkPadding(d, encoded, builders);
  return yield* addChecksumSteps(encoded, total);
}

/** The error for an `encode` that returned false, with the reason that `admits` returns. */
function noSlotError(d: AnyDeclaration, m: Matrix, p: object): FormatError {
  return new FormatError(
    overflowOf(d, m, p)?.reason ?? `${d.id}: encode returned false, expected overflows to return a reason`,
  );
}

/** Throws RangeError if `encode` appended other padding than declared. */
function checkPadding(d: AnyDeclaration, e: Omit<EncodedMatrix, 'checksums'>, builders: readonly Builder[]): void {
  if (builders.every(({ padding }) => padding === 0)) return;
  const encoded = { ...e, checksums: {} };
  arraysOf(d, e, e).forEach((array, i) => {
    const { padding } = builders[i];
    if (padding === 0) return;
    const found = `${d.id}: encode pads ${padding} elements of ${array.name}`;
    if (!array.padding) throw new RangeError(`${found}, expected its declaration to have padding: { says, count }`);
    const count = sumOf(causesOf(array, encoded));
    if (count !== padding) throw new RangeError(`${found}, expected ${count}, as its declaration counts`);
  });
}

/** The padding of an array by cause: the number of elements, and their description. */
function causesOf(array: TypedDeclaration, e: EncodedMatrix) {
  const length = elementCount(array, e);
  const encoded = { ...e, length };
  return [array.padding ?? []].flat().map(({ says = [], count }) => {
    const names = [typeof says === 'function' ? says(encoded) : says].flat();
    return { count: count?.(encoded) ?? length - e.nnz, names };
  });
}

const sumOf = (causes: ReturnType<typeof causesOf>): number => causes.reduce((sum, { count }) => sum + count, 0);

/** Number of elements of an array in an encoding. */
export function elementCount(array: TypedDeclaration, e: EncodedMatrix): number {
  const declared = declaredLength(array, { ...countsOf(e), encoded: { ...e } });
  if (declared !== null) return declared;
  const memory = namedArrays(e).get(array.name);
  return Math.floor(((memory?.byteLength ?? 0) * 8) / array.element.bits);
}

const countsOf = ({ rows, cols, nnz }: Shape & { readonly nnz: number }): Counts => ({ rows, cols, nnz });

/** Whether several elements share a word or byte. */
export const isPacked = ({ element, inWords }: TypedDeclaration): boolean => inWords === true || sharesBytes(element);

/** Bytes of the memory of `length` elements. */
export function memoryBytes({ element, inWords }: TypedDeclaration, length: number): number {
  return inWords ? 4 * Math.ceil((length * element.bits) / 32) : bytesOf(element, length);
}

/** The elements of every array as numbers; a scale for each row is not applied to them. O(elements). */
export function elementsOf(d: AnyDeclaration, e: EncodedMatrix): Readonly<Record<string, Elements>> {
  const memory = namedArrays(e);
  return Object.fromEntries(
    arraysOf(d, e, e).flatMap((array) => {
      const { name, element, quantised } = array;
      const data = memory.get(name) ?? new Uint8Array(0);
      const length = elementCount(array, e);
      const fields = fieldsOf(array).map((field) => [
        `${name}.${field.name}`,
        fieldElements(data as Uint32Array, field),
      ]);
      // Codes of 4 bits, with a scale for every 32.
      if (quantised?.by === Q4_GROUP) {
        const scales = memory.get(quantised.scales) ?? new Uint16Array(0);
        const numberOf = (i: number): number =>
          (packedQ4(data as Uint8Array, i) - Q4_ZERO) * f16Value(scales[Math.floor(i / Q4_GROUP)]);
        return [[name, Float32Array.from({ length }, (_, i) => numberOf(i))]];
      }
      const isPlain = !isPacked(array) && (element.bits !== 16 || element.name === 'u16');
      return [[name, isPlain ? (data as Elements) : unpacked(data, element, length)], ...fields];
    }),
  );
}

/** Runs `decode`: `put` gets values, with any scale of their row applied. `watched` may wrap arrays to record reads. */
export function runDecode(
  d: AnyDeclaration,
  e: EncodedMatrix,
  put: Put,
  watched: (name: string, elements: Elements) => Elements = (_, elements) => elements,
): void {
  const byRow = arraysOf(d, e, e).find(({ quantised }) => quantised?.by === 'row')?.quantised;
  const scales = byRow ? namedArrays(e).get(byRow.scales) : undefined;
  const { rows, cols, nnz } = e;
  const size = { ...resolved(d.params, e as unknown as Params, e), rows, cols, nnz };
  // Reading a field counts as reading its word.
  const arrays = Object.entries(elementsOf(d, e)).map(
    ([name, elements]) => [name, watched(name.replace(/\..*/, ''), elements)] as const,
  );
  d.decode(Object.fromEntries(arrays), size, scales ? (r, c, code) => put(r, c, Math.fround(code * scales[r])) : put);
}

/** The matrix that `decode` puts, without zeros. Throws FormatError for cells outside, out of order or put twice. */
export function decode(d: AnyDeclaration, e: EncodedMatrix): CsrMatrix {
  if (d.order === 'any') return decodeInAnyOrder(d, e);
  const { rows, cols } = e;
  let columns = new Uint32Array(Math.max(64, e.nnz));
  let values = new Float32Array(columns.length);
  const indptr = new Uint32Array(rows + 1);
  let n = 0;
  let [lastRow, lastColumn] = [0, -1];
  runDecode(d, e, (row, column, value) => {
    if (value === 0) return;
    const isAfter = row > lastRow || (row === lastRow && column > lastColumn);
    const isCell = row >>> 0 === row && column >>> 0 === column && row < rows && column < cols;
    if (!isCell || !isAfter) {
      throw new FormatError(
        `${d.id}: decode puts row ${row}, column ${column}, expected cells of ${rows} × ${cols} one after the other, row by row`,
      );
    }
    if (n === columns.length) {
      const [fullColumns, fullValues] = [columns, values];
      columns = new Uint32Array(2 * n);
      values = new Float32Array(2 * n);
      columns.set(fullColumns);
      values.set(fullValues);
    }
    columns[n] = column;
    values[n++] = value;
    indptr[row + 1]++;
    lastRow = row;
    lastColumn = column;
  });
  for (let r = 0; r < rows; r++) indptr[r + 1] += indptr[r];
  return new CsrMatrix({ rows, cols, indptr, indices: columns.subarray(0, n), data: values.subarray(0, n) });
}

function decodeInAnyOrder(d: AnyDeclaration, e: EncodedMatrix): CsrMatrix {
  const recorder = new PutRecorder(e.rows, e.cols);
  runDecode(d, e, (row, column, value) => recorder.put(row, column, value));
  const { puts, outside } = recorder.result();
  const { matrix, repeated } = matrixOfPuts(puts, e);
  const wrong = outside ?? (repeated && `row ${repeated.row}, column ${repeated.col} twice`);
  if (wrong !== null)
    throw new FormatError(`${d.id}: decode puts ${wrong}, expected cells of ${e.rows} × ${e.cols}, once each`);
  return matrix;
}

/** y = A x with the cells that `decode` puts: sums in f64. */
export function multiply(d: AnyDeclaration, e: EncodedMatrix, x: Float32Array, y: Float32Array): void {
  const sums = new Float64Array(e.rows);
  runDecode(d, e, (row, column, value) => {
    if (value !== 0) sums[row] += value * x[column];
  });
  y.set(sums);
}

/** Bytes by array and class. O(arrays). */
export function storage(d: AnyDeclaration, e: EncodedMatrix): StorageLedger {
  const arrays = arraysOf(d, e, e);
  const memory = namedArrays(e);
  const listed = d.listed?.flatMap((name) => arrays.filter((array) => array.name === name)) ?? arrays;
  return ledger(
    listed.filter(isUsed).map((array) => {
      const { name, element, role, inWords, dtype } = array;
      const { length = 0, byteLength: bytes = 0 } = memory.get(name) ?? {};
      const elements = elementCount(array, e);
      const causes = causesOf(array, e);
      const paddingCount = sumOf(causes);
      const tailBits = bytes * 8 - elements * element.bits;
      const notes = causes.flatMap(({ count, names }) => (count > 0 ? names : []));
      if (tailBits > 0) notes.push('the tail');
      const fields = fieldsOf(array);
      const shared = `${fields.map(({ type }) => type.name).join(' | ')} in u32`;
      const plain = isPacked(array) ? `${element.bits}-bit in ${inWords ? 'u32' : 'u8'}` : element.name;
      return {
        array: name,
        dtype: dtype ?? (fields.length > 0 ? shared : plain),
        length,
        bytes,
        bits:
          fields.length > 0
            ? wordBits(array, elements, paddingCount)
            : classBits(role, bytes * 8, paddingCount * element.bits + tailBits),
        ...(notes.length > 0 && { note: listText(notes) }),
      };
    }),
    e.rows * e.cols * VALUE_BITS[valueTypeOf(arrays)],
  );
}

/** Bits of words by purpose: heads (words without fields), fields, and words of padding. */
function wordBits(array: TypedDeclaration, words: number, paddingCount: number): StorageLedger['totalBits'] {
  const { heads } = array;
  const headCount = heads ? Math.ceil(words / heads.every) : 0;
  const bits = classBits(heads?.role ?? 'metadata', 32 * headCount);
  for (const { role, type } of fieldsOf(array)) bits[role] += (words - headCount - paddingCount) * type.bits;
  bits.padding += 32 * paddingCount;
  return bits;
}

/** Bytes before encoding; 'open' (unknown) if a length is not declared, 'refused' if column numbers do not fit. */
export function bytesFromCounts(d: AnyDeclaration, known: Counts, p: object): Size {
  const counts = known.rowCounts ? { ...known, longest: lastCounted(known.rowCounts) } : known;
  let bytes = 0;
  const arrays = arraysOf(d, p, counts);
  if (tooWide(arrays, counts.cols)) return 'refused';
  for (const array of arrays) {
    const length = declaredLength(array, counts);
    if (length === null) return 'open';
    bytes += memoryBytes(array, length);
  }
  return bytes;
}
