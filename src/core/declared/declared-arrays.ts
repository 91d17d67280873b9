import { type EncodedMatrix, namedArrays } from '../encoded/encoded.ts';
import type { Shape } from '../format.ts';
import { declaredLength, resolved } from './card.ts';
import type { ArrayDeclaration, Counts, EncodingDeclaration } from './declaration.ts';
import { bytesOf, type ElementType, elementType, sharesBytes } from './element-type.ts';

// The declared arrays of a format, with parsed element types, and their numbers of elements, bytes and padding.

export type Params = Record<string, unknown>;

/** The declaration of a format with its types erased. */
export type AnyDeclaration = EncodingDeclaration<string, Params, EncodedMatrix>;

/** A declared array with its name and, in `element`, its parsed element type. */
export interface TypedDeclaration extends ArrayDeclaration {
  readonly name: string;
  readonly element: ElementType;
}

/** Members of every encoding, whose names no array may have. */
const RESERVED_NAMES = ['rows', 'cols', 'nnz', 'checksums'];

/** The declared arrays for these parameters and this shape, in order. Throws RangeError for a wrong name or type. */
export function arraysOf(d: AnyDeclaration, p: object, shape: Shape): readonly TypedDeclaration[] {
  return Object.entries(d.arrays(resolved(d.params, p as Params, shape), shape)).map(([name, array]) => {
    if (RESERVED_NAMES.includes(name) || name in d.params)
      throw new RangeError(`${d.id}: found an array named '${name}', expected a name that no number of the format has`);
    const element = elementType(array.type);
    if (element) return { ...array, name, element };
    throw new RangeError(
      `${d.id}: found ${name} of type '${array.type}', expected u1 to u32, i2 to i32, f16, bf16 or f32`,
    );
  });
}

/**
 * Whether an array is used with its parameters. An unused array has the declared length 0 for every matrix, also for this
 * example: a row so wide that it fills any array that is used.
 */
export function isUsed(array: TypedDeclaration): boolean {
  return declaredLength(array, { rows: 1, cols: 2 ** 20, nnz: 1 }) !== 0;
}

/** Number of elements of an array in an encoding. */
export function elementCount(array: TypedDeclaration, e: EncodedMatrix): number {
  const declared = declaredLength(array, { ...countsOf(e), encoded: { ...e } });
  if (declared !== null) return declared;
  const memory = namedArrays(e).get(array.name);
  return Math.floor(((memory?.byteLength ?? 0) * 8) / array.element.bits);
}

/** The counts that every matrix and every encoding has. */
export const countsOf = ({ rows, cols, nnz }: Shape & { readonly nnz: number }): Counts => ({ rows, cols, nnz });

/** Whether several elements share a word or byte. */
export const isPacked = ({ element, inWords }: TypedDeclaration): boolean => inWords === true || sharesBytes(element);

/** Bytes of memory that `length` elements of an array take. */
export function memoryBytes({ element, inWords }: TypedDeclaration, length: number): number {
  return inWords ? 4 * Math.ceil((length * element.bits) / 32) : bytesOf(element, length);
}

/** The padding of an array by cause: its number of elements, and the texts that describe it. */
export function paddingCauses(array: TypedDeclaration, e: EncodedMatrix) {
  const length = elementCount(array, e);
  const encoded = { ...e, length };
  return [array.padding ?? []].flat().map(({ says = [], count }) => {
    const names = [typeof says === 'function' ? says(encoded) : says].flat();
    return { count: count?.(encoded) ?? length - e.nnz, names };
  });
}

/** Elements of padding of all causes. */
export const paddingCount = (causes: ReturnType<typeof paddingCauses>): number =>
  causes.reduce((sum, { count }) => sum + count, 0);
