// A matrix in a custom format: its arrays, byte ledger, validation, and product with the decoded cells.

import { ledger, type LedgerEntry, type StorageLedger } from '../../../src/core/encoded/ledger.ts';
import type { EncodedMatrix, NamedArray } from '../../../src/core/encoded/encoded.ts';
import { type Violation, Violations } from '../../../src/core/encoded/violations.ts';
import type { CsrMatrix } from '../../../src/core/matrix/index.ts';
import { VALUE_BITS } from '../../../src/core/number/index.ts';
import type { Encoding, UserArray } from './parse-answers.ts';
import type { RoundTrip } from './module-requests.ts';
import { matrixOfPuts } from '../../../src/core/declared/matrix-of-puts.ts';
import { bytesOf, packed } from '../../../src/core/declared/element-type.ts';
import { valueTypeOf } from './decoded-matrix.ts';
import type { UserParams } from './module-messages.ts';

/** An array of an encoding: its declaration, and its length. */
interface StoredArray extends UserArray {
  /** the property of the encoded matrix that contains its memory */
  readonly key: string;
  readonly length: number;
  /** number of padding elements */
  readonly padding: number;
}

/**
 * A matrix as a custom format, a JavaScript module, stores it. Further properties are the packed arrays
 * by their keys. The module does not run here: `decode` and `multiply` of the format read the decoded `cells`.
 */
export interface UserEncoded extends EncodedMatrix {
  /** what the module made of the matrix */
  readonly own: {
    readonly params: UserParams;
    readonly valueType: 'f16' | 'f32';
    readonly arrays: readonly StoredArray[];
    readonly cells: CsrMatrix;
  };
}

/** Properties that every encoded matrix has. */
const RESERVED: readonly string[] = ['rows', 'cols', 'nnz', 'checksums', 'own'];

/** The property of an encoded matrix that contains an array: its name, or with a dot if the name is reserved. */
export function arrayKey(name: string): string {
  // No name contains a dot.
  return RESERVED.includes(name) ? `${name}.` : name;
}

/** A text in which keys of arrays are replaced by the arrays' names. */
export function withArrayNames(text: string): string {
  return RESERVED.reduce((result, name) => result.replaceAll(`${name}.`, name), text);
}

/** The encoded matrix that results from a run of the module, without checksums. O(elements). */
export function storedEncoding(
  { setup: { params, arrays }, encoding, decoding }: RoundTrip,
  { rows, cols, nnz }: { readonly rows: number; readonly cols: number; readonly nnz: number },
): Omit<UserEncoded, 'checksums'> {
  const memory: Readonly<Record<string, NamedArray>> = Object.fromEntries(
    encoding.arrays.map(({ array, elements }) => [arrayKey(array.name), packed(elements, array.type)]),
  );
  return {
    rows,
    cols,
    nnz,
    own: {
      params,
      valueType: valueTypeOf(arrays),
      arrays: encoding.arrays.map(({ array, elements: { length }, padding }) => ({
        ...array,
        key: arrayKey(array.name),
        length,
        padding,
      })),
      cells: matrixOfPuts(decoding.puts, { rows, cols }).matrix,
    },
    ...memory,
  };
}

/**
 * Bytes by array and class: elements that the author padded count as padding, and so do bits that fill the last byte.
 * O(arrays).
 */
export function storage({ rows, cols, own: { arrays, valueType } }: UserEncoded): StorageLedger {
  return ledgerOf(arrays, rows * cols * VALUE_BITS[valueType]);
}

/** Bytes by array and class of an encoding whose arrays are not packed yet. */
export function ledgerOfEncoding({ arrays }: Encoding, rows: number, cols: number): StorageLedger {
  const stored = arrays.map(({ array, elements: { length }, padding }) => ({
    ...array,
    key: array.name,
    length,
    padding,
  }));
  return ledgerOf(stored, rows * cols * VALUE_BITS[valueTypeOf(arrays.map(({ array }) => array))]);
}

function ledgerOf(arrays: readonly StoredArray[], denseBits: number): StorageLedger {
  return ledger(
    arrays.map(({ key, type, byteClass, length, padding }): LedgerEntry => {
      const bytes = bytesOf(type, length);
      const used = (length - padding) * type.bits;
      const bits = { values: 0, indices: 0, metadata: 0, padding: bytes * 8 - used };
      bits[byteClass] = used;
      return {
        array: key,
        dtype: type.name,
        length,
        bytes,
        bits,
        ...(padding > 0 ? { note: 'elements that only fill' } : {}),
      };
    }),
    denseBits,
  );
}

/** Checks lengths; 'full' also that nothing has changed since encoding. 'cheap' O(arrays), 'full' O(bytes). */
export function validate(e: UserEncoded, level: 'cheap' | 'full'): readonly Violation[] {
  const violations = new Violations();
  for (const { key, type, length } of e.own.arrays) {
    const memory = Reflect.get(e, key) as NamedArray;
    violations.expect(
      key,
      null,
      `bytes of ${key}`,
      memory.byteLength,
      bytesOf(type, length),
      `${length} of ${type.name}`,
    );
  }
  if (level === 'full') violations.unchanged(e);
  return violations.found;
}

/** y = A x, with the decoded cells. O(cells). */
export function multiply({ own: { cells } }: UserEncoded, x: Float32Array, y: Float32Array): void {
  for (let r = 0; r < cells.rows; r++) {
    let sum = 0;
    for (let i = cells.indptr[r]; i < cells.indptr[r + 1]; i++) sum += cells.data[i] * x[cells.indices[i]];
    y[r] = sum;
  }
}
