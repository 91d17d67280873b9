import { MAX_EXTENT } from '../core/bounds/bounds.ts';
import { allocate } from '../core/allocate.ts';
import { MatrixError, SparseScopeError } from '../core/errors.ts';
import type { Job } from '../core/job.ts';
import { CsrMatrix, csrMatrix, DenseMatrix, type Matrix, rowBuffer } from '../core/matrix/index.ts';

// Checks of the arguments that programs pass to the package: JavaScript does not enforce the types.

/** Typed arrays of numbers, Float16Array among them where it exists; a DataView is none. */
interface NumberView {
  readonly BYTES_PER_ELEMENT: number;
  readonly buffer: ArrayBufferLike;
  readonly length: number;
  readonly [index: number]: number;
}

/**
 * Numbers as an argument: a plain array without holes, or a typed array. A Float32Array is used unchanged; numbers of
 * other arrays are rounded to f32. Rejected are finite numbers beyond f32 (they would become infinite, or 0), whole
 * numbers above 2^24 that f32 would change, and anything that is not a number. NaN and infinities stay.
 */
export type NumberArray = readonly number[] | NumberView | BigInt64Array | BigUint64Array;

/** Returns the error for a wrong argument; its message has the argument's value, and what is expected. */
export function wrong(argument: string, value: unknown, expected: string): SparseScopeError {
  return new SparseScopeError(`${argument}: found ${foundText(value)}, expected ${expected}`);
}

const TYPED_ARRAY: object = Object.getPrototypeOf(Uint8Array.prototype) as object;

/**
 * The type of a typed array: 'Float64Array', also for a subclass or an array of another window. Undefined for other values.
 */
function typedArrayName(value: unknown): string | undefined {
  return Reflect.get(TYPED_ARRAY, Symbol.toStringTag, value) as string | undefined;
}

/** A value in words, for messages. */
function foundText(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return `'${value.length > 40 ? `${value.slice(0, 40)}…` : value}'`;
    case 'bigint':
      return `${value}n`;
    case 'symbol':
    case 'function':
      return `a ${typeof value}`;
    case 'object':
      return value === null ? 'null' : objectText(value);
    default:
      return String(value);
  }
}

function objectText(value: object): string {
  if (Array.isArray(value)) return `an array of ${value.length}`;
  const type = typedArrayName(value);
  if (type !== undefined || isBuiltIn(value)) {
    const name = type ?? value.constructor.name;
    const article = /^[AEIO]/.test(name) ? 'an' : 'a';
    return `${article} ${name}${type === undefined ? '' : ` of ${(value as NumberView).length}`}`;
  }
  const keys = Object.keys(value).slice(0, 5);
  return keys.length === 0 ? 'an object without properties' : `an object of ${keys.join(', ')}`;
}

const isBuiltIn = (value: object): boolean =>
  ArrayBuffer.isView(value) ||
  [ArrayBuffer, Map, Set, Date, Promise, RegExp, Error].some((type) => value instanceof type);

/** Whether a value is an object with properties: not null, not a list, not a built-in object of the language. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isBuiltIn(value);
}

/**
 * Options as an object whose own names are all known; for undefined, an object without any. Throws SparseScopeError, with
 * a similar known name if there is one.
 */
export function checkedOptions(
  argument: string,
  value: unknown,
  known: readonly string[],
): Readonly<Record<string, unknown>> {
  if (value === undefined) return {};
  if (!isObject(value)) throw wrong(argument, value, `an object with ${anyOf(known)}`);
  for (const name of Object.keys(value)) checkName(argument, name, known);
  return value;
}

/** Throws SparseScopeError unless a name is known; the message has the first similar known name, or all known names. */
export function checkName(argument: string, name: string, known: readonly string[]): void {
  if (known.includes(name)) return;
  const similar = known.find((knownName) => isNear(knownName.toLowerCase(), name.toLowerCase()));
  const names = known.join(', ') || 'none';
  throw wrong(
    argument,
    name,
    similar === undefined ? names : `'${similar}'${known.length > 1 ? ` (of ${names})` : ''}`,
  );
}

const anyOf = (known: readonly string[]): string =>
  known.length === 0 ? 'no properties' : `any of ${known.join(', ')}`;

/**
 * Whether the edit distance of two names, the number of letters to add, delete or replace, is at most `maxDistance`. Default:
 * 2, less for short names.
 */
function isNear(a: string, b: string, maxDistance = Math.min(2, Math.floor(a.length / 3))): boolean {
  let prefix = 0;
  while (prefix < a.length && a[prefix] === b[prefix]) prefix++;
  const [restA, restB] = [a.slice(prefix), b.slice(prefix)];
  if (restA === '' || restB === '') return restA.length + restB.length <= maxDistance;
  if (maxDistance === 0) return false;
  // One letter is deleted from a, added to it, or replaced.
  const [shortA, shortB] = [restA.slice(1), restB.slice(1)];
  return [
    isNear(shortA, restB, maxDistance - 1),
    isNear(restA, shortB, maxDistance - 1),
    isNear(shortA, shortB, maxDistance - 1),
  ].includes(true);
}

/** One of several choices, such as 'cold' or 'warm'. Throws SparseScopeError for any other value. */
export function checkedChoice<T extends string>(argument: string, value: unknown, choices: readonly T[]): T {
  const choice = choices.find((allowed) => allowed === value);
  if (choice === undefined) throw wrong(argument, value, `one of ${choices.join(', ')}`);
  return choice;
}

/** A whole number from `min` to `max`. Throws SparseScopeError for any other value. */
export function checkedWhole(argument: string, value: unknown, min: number, max: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
  throw wrong(argument, value, `a whole number from ${min} to ${max}`);
}

/** Throws SparseScopeError unless `typeof value` is `type`; undefined is accepted, as an absent option. */
export function checkType(argument: string, value: unknown, type: 'string' | 'boolean' | 'function' | 'number'): void {
  if (value !== undefined && typeof value !== type) throw wrong(argument, value, `a ${type}`);
}

/** A job; undefined is accepted. Throws SparseScopeError for any other value. */
export function checkedJob(value: unknown, argument = 'job'): Job | undefined {
  if (value === undefined) return undefined;
  const isJob = isObject(value) && typeof value['report'] === 'function' && typeof value['cancelled'] === 'boolean';
  if (!isJob) throw wrong(argument, value, 'an object with report(progress) and cancelled, true or false');
  return value as unknown as Job;
}

type Numbers = Float32Array | Uint32Array;

/** The typed array itself, or a copy if its length may change later or it comes from another window. */
function ordinary<A extends Numbers>(array: A, type: new (from: A) => A): A {
  const { resizable, growable }: { readonly resizable?: boolean; readonly growable?: boolean } = array.buffer;
  const isOrdinary = Object.getPrototypeOf(array) === type.prototype && resizable !== true && growable !== true;
  return isOrdinary ? array : new type(array);
}

/** The numbers of an argument, and their type if they are a typed array. */
function numbersOf(argument: string, value: unknown) {
  const type = typedArrayName(value);
  if (type !== undefined || Array.isArray(value)) return { type, numbers: value as ArrayLike<unknown> };
  throw wrong(argument, value, 'an array of numbers, or a typed array such as Float32Array');
}

/** Element i as a number, also for a bigint of a typed array; NaN if it is neither. */
function numberAt(numbers: ArrayLike<unknown>, i: number, type: string | undefined): number {
  const element = numbers[i];
  if (typeof element === 'number') return element;
  return typeof element === 'bigint' && type !== undefined ? Number(element) : Number.NaN;
}

/**
 * Numbers as f32, by the rules of `NumberArray`; a Float32Array is returned unchanged. Throws SparseScopeError with the
 * first wrong number.
 */
export function f32Numbers(argument: string, value: unknown, checkLength?: (length: number) => void): Float32Array {
  const { type, numbers } = numbersOf(argument, value);
  checkLength?.(numbers.length);
  if (type === 'Float32Array') return ordinary(value as Float32Array, Float32Array);
  const copy = allocate(argument, Float32Array, numbers.length);
  for (let i = 0; i < copy.length; i++) {
    const number = numberAt(numbers, i, type);
    copy[i] = number;
    // A bigint above MAX_SAFE_INTEGER may have changed when it became `number`.
    if (copy[i] !== number || Math.abs(number) > Number.MAX_SAFE_INTEGER)
      checkRounded(argument, numbers, i, number, copy[i]);
  }
  return copy;
}

/**
 * Throws SparseScopeError if element i is not a number, overflows or underflows in f32, or is a whole number that f32 changes.
 * `number`: the element as a number; `rounded`: in f32.
 */
function checkRounded(argument: string, numbers: ArrayLike<unknown>, i: number, number: number, rounded: number): void {
  const element = numbers[i];
  if (Number.isNaN(number) && typeof element !== 'number') throw wrongElement(argument, numbers, i, 'a number');
  const isChanged =
    typeof element === 'bigint' ? BigInt(rounded) !== element : rounded !== number && Number.isInteger(number);
  if (Number.isFinite(number) && !Number.isFinite(rounded)) {
    throw wrongElement(argument, numbers, i, 'at most 3.4028234663852886e38 in magnitude, the largest f32');
  }
  if (rounded === 0 && number !== 0)
    throw wrongElement(argument, numbers, i, '0, or at least 1.4e-45 in magnitude, the smallest f32');
  if (isChanged) throw wrongElement(argument, numbers, i, 'a whole number that is exact in f32, as all up to 16777216');
}

/**
 * Whole numbers from 0 to 2^32 - 1; a Uint32Array is returned unchanged. Throws SparseScopeError with the first wrong
 * number.
 */
export function u32Numbers(argument: string, value: unknown): Uint32Array {
  const { type, numbers } = numbersOf(argument, value);
  if (type === 'Uint32Array') return ordinary(value as Uint32Array, Uint32Array);
  const copy = allocate(argument, Uint32Array, numbers.length);
  for (let i = 0; i < copy.length; i++) {
    const number = numberAt(numbers, i, type);
    copy[i] = number;
    if (copy[i] !== number) throw wrongElement(argument, numbers, i, 'a whole number from 0 to 4294967295');
  }
  return copy;
}

function wrongElement(argument: string, numbers: ArrayLike<unknown>, i: number, expected: string): SparseScopeError {
  const where = `${argument}[${i}]`;
  return i in numbers
    ? wrong(where, numbers[i], expected)
    : new SparseScopeError(`${where}: found a hole, expected ${expected}`);
}

const MATRIX = 'a matrix, as fromDense, fromCsr, generate and readMatrix make them';

/** Matrices that readers and decoders of the package made: their rows need no check. */
const madeByPackage = new WeakSet<object>();

/** Records that the package made a matrix. A matrix with public arrays, which the caller may change, is still checked. */
export function madeHere<M extends Matrix>(matrix: M): M {
  if (!(matrix instanceof DenseMatrix || matrix instanceof CsrMatrix)) madeByPackage.add(matrix);
  return matrix;
}

/**
 * A matrix with valid rows: `nnz` entries in columns that ascend below `cols`, none of them 0. The caller may have
 * written the matrix, or changed its arrays since. Costs a pass over cells, CSR arrays or rows.
 */
export function checkedMatrix(value: unknown, argument = 'matrix'): Matrix {
  if (!isObject(value)) throw wrong(argument, value, MATRIX);
  if (typeof value['readRow'] !== 'function') {
    const isCsr = ['indptr', 'indices', 'data'].every((name) => name in value);
    throw wrong(argument, value, isCsr ? 'a matrix, which fromCsr makes of such arrays' : MATRIX);
  }
  const m = value as unknown as Matrix;
  if (madeByPackage.has(m)) return m;
  checkedWhole(`${argument}.rows`, m.rows, 0, MAX_EXTENT);
  checkedWhole(`${argument}.cols`, m.cols, 0, MAX_EXTENT);
  checkedWhole(`${argument}.nnz`, m.nnz, 0, m.rows * m.cols);
  const count = countOf(m, argument);
  if (count === m.nnz) return m;
  throw new MatrixError(
    `${argument}: found ${count} non-zeros, expected ${m.nnz}, its nnz; have its arrays changed since it was made?`,
  );
}

/** The number of non-zeros that a matrix has now. Throws MatrixError if its rows are not in order. */
function countOf(m: Matrix, argument: string): number {
  try {
    if (m instanceof DenseMatrix) return new DenseMatrix(m.rows, m.cols, m.data).nnz;
    return m instanceof CsrMatrix ? csrMatrix(m).nnz : countRows(m);
  } catch (error) {
    throw error instanceof MatrixError ? new MatrixError(`${argument}: ${error.message}`) : error;
  }
}

/** Counts the entries of all rows. Throws MatrixError for a row that is out of order or contains zeros. */
function countRows(m: Matrix): number {
  const { rows, cols } = m;
  const buffer = rowBuffer(cols);
  const { columns, values } = buffer;
  let count = 0;
  for (let r = 0; r < rows; r++) {
    const n = m.readRow(r, buffer);
    if (!Number.isInteger(n) || n < 0 || n > cols)
      throw new MatrixError(`row ${r}: found ${n} entries, expected 0 to ${cols}`);
    let previous = -1;
    for (let i = 0; i < n; i++) {
      if (columns[i] <= previous || columns[i] >= cols || values[i] === 0) {
        throw new MatrixError(
          `row ${r}: found ${values[i]} at column ${columns[i]} after ${previous}, expected non-zeros in ascending columns below ${cols}`,
        );
      }
      previous = columns[i];
    }
    count += n;
  }
  return count;
}
