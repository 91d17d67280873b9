import { addChecksumSteps } from '../core/encoded/checksum.ts';
import { SparseScopeError } from '../core/errors.ts';
import {
  type AnyFormat,
  type EncodedMatrix,
  type NamedArray,
  namedArrays,
  paramAccepts,
  paramExpectation,
  type ParamField,
  resolvedParams,
  type Shape,
  type SparseFormat,
} from '../core/format.ts';
import { finish } from '../core/job.ts';
import {
  checkedJob,
  checkedMatrix,
  checkedWhole,
  checkName,
  f32Numbers,
  isObject,
  madeHere,
  type NumberArray,
  wrong,
} from './arguments.ts';

/** The part of a format that stores a matrix and reads it back; 'sparsescope/macko' and similar modules export one. */
export interface Codec<E extends EncodedMatrix, P> extends Pick<
  SparseFormat<E, P>,
  'id' | 'params' | 'encodeSteps' | 'encode' | 'decode'
> {
  /**
   * y = A x on the encoded arrays, on this thread. x has one number per column (see `NumberArray`), y one per row and
   * is overwritten. Throws SparseScopeError for other lengths, or if y shares memory with x.
   */
  multiply(e: E, x: NumberArray, y: Float32Array): void;
}

/** A format with its kernels, for `run` and `bench`; 'sparsescope/macko/kernels' and similar modules export one. */
export interface KernelFormat<E extends EncodedMatrix, P>
  extends Codec<E, P>, Pick<SparseFormat<E, P>, 'title' | 'effort' | 'kernels'> {}

/** Like `KernelFormat`, for any format. */
// oxlint-disable-next-line typescript/no-explicit-any -- formats of different types meet in one run
export type AnyKernelFormat = KernelFormat<any, any>;

/** What `ledger` and `validate` of a stored matrix need of its format. */
export type Checks = Pick<AnyFormat, 'storage' | 'validate'>;

/** The member of a codec with its checks. A copy of the codec has it, too. */
const CHECKS = Symbol('checks');

/**
 * A codec of these parts, with an `encode` that runs all of `encodeSteps`, and with checks of all arguments. `checks`
 * computes the ledger and checks the arrays; absent where that needs code that encoding does not need.
 */
export function codec<E extends EncodedMatrix, P>(parts: Omit<Codec<E, P>, 'encode'>, checks?: Checks): Codec<E, P> {
  const members = { ...parts, ...(checks && { [CHECKS]: checks }) };
  return checked<E, P, Codec<E, P>>({ ...members, encode: (m, p, job) => finish(parts.encodeSteps(m, p), job) });
}

/** A codec with its kernels. */
export function withKernels<E extends EncodedMatrix, P>(
  format: Codec<E, P>,
  parts: Pick<SparseFormat<E, P>, 'title' | 'effort' | 'kernels'>,
): KernelFormat<E, P> {
  const kernelFormat = { ...format, ...parts };
  checkingFormats.add(kernelFormat);
  return kernelFormat;
}

type Load<T> = (id: string) => Promise<T>;

/** How the checks and the kernels of formats that lack them are loaded. */
const checksLoaders = new WeakMap<object, Load<Checks>>();
const kernelLoaders = new WeakMap<object, Load<AnyKernelFormat>>();

/** Lets the checks of a format be loaded when they are needed. Does nothing for a value that is no object. */
export function mayLoadChecks(format: unknown, load: Load<Checks>): void {
  if (isObject(format)) checksLoaders.set(format, load);
}

/** Lets the kernels of a format be loaded when they are needed. Does nothing for a value that is no object. */
export function mayLoadKernels(format: unknown, load: Load<AnyKernelFormat>): void {
  if (isObject(format)) kernelLoaders.set(format, load);
}

/** The id of the format that encoded a matrix. */
const encoders = new WeakMap<object, string>();

/** Notes that a format made an encoding, so that later checks need not read its arrays. */
export function madeBy<E extends EncodedMatrix>(id: string, encoded: E): E {
  encoders.set(encoded, id);
  return encoded;
}

/** Codecs and formats whose functions check their arguments. */
const checkingFormats = new WeakSet<object>();

/**
 * A codec or a format whose functions check their arguments and throw SparseScopeError: `format` itself if it is one.
 * Defaults complete parameters.
 */
export function checked<E extends EncodedMatrix, P, F extends Codec<E, P>>(format: F): F {
  if (checkingFormats.has(format)) return format;
  const { id } = format;
  const encoding = (e: unknown): E => checkedEncoded(format, e, 'encoded') as E;
  function* stepsOf(m: Parameters<F['encodeSteps']>[0], p: P): ReturnType<SparseFormat<E, P>['encodeSteps']> {
    return madeBy(id, yield* format.encodeSteps(m, p));
  }
  const checkingFormat: F = {
    ...format,
    encode(m, p, job) {
      const matrix = checkedMatrix(m);
      const params = checkedParams<P>(format, p, matrix);
      return madeBy(
        id,
        withLibraryError(() => format.encode(matrix, params, checkedJob(job))),
      );
    },
    encodeSteps(m, p) {
      const matrix = checkedMatrix(m);
      return stepsOf(matrix, checkedParams<P>(format, p, matrix));
    },
    decode: (e) => madeHere(format.decode(encoding(e))),
    multiply(e, x, y) {
      const { rows, cols } = encoding(e);
      const numbers = vector('x', x, cols, 'column');
      if (!(y instanceof Float32Array)) throw wrong('y', y, 'a Float32Array, which is overwritten');
      vector('y', y, rows, 'row');
      const [yStart, yEnd] = [y.byteOffset, y.byteOffset + y.byteLength];
      const [xStart, xEnd] = [numbers.byteOffset, numbers.byteOffset + numbers.byteLength];
      if (numbers.buffer === y.buffer && xStart < yEnd && yStart < xEnd) {
        throw new SparseScopeError('y: found the memory of x, expected a separate array');
      }
      format.multiply(e, numbers, y);
    },
  };
  checkingFormats.add(checkingFormat);
  return checkingFormat;
}

/** One f32 per column or row. Throws SparseScopeError for another length or an element that is no number. */
export function vector(argument: string, value: unknown, length: number, of: 'column' | 'row'): Float32Array {
  return f32Numbers(argument, value, (found) => {
    if (found === length) return;
    throw new SparseScopeError(`${argument}: found ${found} values, expected one per ${of}, ${length}`);
  });
}

const CODEC_FUNCTIONS = ['encode', 'encodeSteps', 'decode', 'multiply'] as const;

/** A codec or a format. Throws SparseScopeError for anything else, such as an id. */
export function checkedFormat(value: unknown, argument = 'format'): Codec<EncodedMatrix, object> {
  const isFormat =
    isObject(value) &&
    typeof value['id'] === 'string' &&
    isObject(value['params']) &&
    CODEC_FUNCTIONS.every((name) => typeof value[name] === 'function');
  if (isFormat) return value as unknown as Codec<EncodedMatrix, object>;
  throw wrong(argument, value, 'a format, which sparsescope/ID exports, or formatById(id) of sparsescope/formats');
}

/** All parameters for this matrix, with defaults. Throws SparseScopeError with format, parameter, found and expected. */
export function checkedParams<P>(
  { id, params: spec }: { readonly id: string; readonly params: object },
  values: unknown,
  shape: Shape,
): P {
  const known = Object.keys(spec);
  if (values !== undefined && !isObject(values)) {
    throw wrong('params', values, `an object with parameters of ${id}: ${known.join(', ') || 'none'}`);
  }
  for (const [name, value] of Object.entries(values ?? {})) {
    checkName(`parameters of ${id}`, name, known);
    const field = (spec as Readonly<Record<string, ParamField<unknown>>>)[name];
    if (!paramAccepts(field, value)) throw wrong(`${id}.${name}`, value, paramExpectation(field));
  }
  return resolvedParams(spec as AnyFormat['params'], values ?? {}, shape) as P;
}

type EncodingFormat = Pick<AnyFormat, 'id' | 'params' | 'encode'>;

/**
 * An encoding of a format: the result of `encode`, or a copy of it with the same arrays. Throws SparseScopeError for
 * anything else. A copy costs a pass over its bytes.
 */
export function checkedEncoded(format: EncodingFormat, value: unknown, argument: string): EncodedMatrix {
  const e = encodedShape(format, value, argument);
  if (encoders.has(e)) return e;
  const { checksums, ...withoutChecksums } = e;
  const current = finish(addChecksumSteps(withoutChecksums, 1)).checksums;
  const changed = Object.keys(current).find((name) => current[name] !== checksums[name]);
  if (changed === undefined) return e;
  throw new SparseScopeError(`${argument}.${changed}: found other elements than were encoded, expected the same`);
}

/** `checkedEncoded` without reading the elements of a copy. */
export function encodedShape(format: EncodingFormat, value: unknown, argument: string): EncodedMatrix {
  const { id } = format;
  const expected = `what encode of ${id} returned`;
  if (!isObject(value)) throw wrong(argument, value, expected);
  const maker = encoders.get(value);
  if (maker === id) return value as unknown as EncodedMatrix;
  if (maker !== undefined)
    throw new SparseScopeError(`${argument}: found an encoding of ${maker}, expected one of ${id}`);
  if ('encoded' in value) throw wrong(argument, value, `its member encoded, ${expected}`);
  if (!isObject(value['checksums'])) throw wrong(argument, value, expected);
  const e = value as unknown as EncodedMatrix;
  for (const name of ['rows', 'cols', 'nnz'] as const) checkedWhole(`${argument}.${name}`, e[name], 0, 2 ** 53 - 1);
  const params: Record<string, unknown> = {};
  for (const [name, field] of Object.entries<ParamField<unknown>>(format.params)) {
    params[name] = value[name];
    if (!paramAccepts(field, value[name])) throw wrong(`${argument}.${name}`, value[name], paramExpectation(field));
  }
  const expectedArrays = arraysOfEmptyCell(format, params);
  const found = namesAndTypes(namedArrays(e));
  if (expectedArrays === null || found === namesAndTypes(expectedArrays)) return e;
  throw new SparseScopeError(
    `${argument}: found arrays ${found || 'none'}, expected those of ${id}: ${namesAndTypes(expectedArrays)}`,
  );
}

/** 'indices (Uint32Array), values (Float32Array)', sorted. */
const namesAndTypes = (arrays: ReadonlyMap<string, NamedArray>): string =>
  [...arrays]
    .map(([name, { constructor }]) => `${name} (${constructor.name})`)
    .toSorted()
    .join(', ');

/** The arrays of a matrix of one empty cell; null if a custom format cannot encode it. */
function arraysOfEmptyCell(format: EncodingFormat, params: object): ReadonlyMap<string, NamedArray> | null {
  try {
    return namedArrays(format.encode({ rows: 1, cols: 1, nnz: 0, readRow: () => 0 }, params));
  } catch {
    return null;
  }
}

/** The result of a call; a RangeError, the error of src for a wrong argument, becomes a SparseScopeError. */
export function withLibraryError<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw error instanceof RangeError ? new SparseScopeError(error.message) : error;
  }
}

/** The format with its kernels: `format` itself if it has kernels. Throws SparseScopeError if they cannot be loaded. */
export async function formatWithKernels(format: { readonly id: string }): Promise<AnyKernelFormat> {
  const { id } = format;
  if ('kernels' in format) return format as AnyKernelFormat;
  const load = kernelLoaders.get(format);
  if (load) return load(id);
  throw new SparseScopeError(
    `${id}: found a format without kernels, expected that of sparsescope/${id}/kernels, or a call of 'sparsescope'`,
  );
}

/** What computes the ledger of a format and checks its arrays. Throws SparseScopeError if it cannot be loaded. */
export async function checksOf(format: { readonly id: string }): Promise<Checks> {
  if ('storage' in format && 'validate' in format) return format as typeof format & Checks;
  if (CHECKS in format) return format[CHECKS] as Checks;
  const load = checksLoaders.get(format);
  if (load) return load(format.id);
  const { id } = format;
  throw new SparseScopeError(
    `${id}: found a format without its checks, expected that of sparsescope/formats, or encode of 'sparsescope'`,
  );
}
