/**
 * The fields of every encoded matrix. Its own arrays are further properties, typed arrays under their documented names.
 */
export interface EncodedMatrix {
  readonly rows: number;
  readonly cols: number;
  /** stored non-zeros, without padding */
  readonly nnz: number;
  /** checksum of every array by name, as it was encoded (checksum.ts); not part of the stored bytes */
  readonly checksums: Readonly<Record<string, number>>;
}

export type NamedArray = Uint8Array | Int8Array | Uint16Array | Uint32Array | Int32Array | Float32Array;

/** The typed arrays of an encoded matrix by name, in the order in which the encoder lists them. */
export function namedArrays(encoded: Omit<EncodedMatrix, 'checksums'>): ReadonlyMap<string, NamedArray> {
  const arrays = new Map<string, NamedArray>();
  for (const [name, value] of Object.entries(encoded) as [string, unknown][]) {
    if (ArrayBuffer.isView(value)) arrays.set(name, value as NamedArray);
  }
  return arrays;
}

/** A property of one encoded matrix beyond its bytes. */
export interface Fact {
  readonly label: string;
  /** short: a number with its unit, or a word */
  readonly value: string;
  /** one sentence that explains the value */
  readonly note?: string;
  /** source of a published value */
  readonly source?: string;
  /** the format's target pattern does not occur in this matrix */
  readonly isAbsence?: true;
}

/** One broken rule of an encoded matrix: which array, where, found and expected. */
export interface Violation {
  readonly array: string;
  readonly index: number | null;
  readonly message: string;
}

export interface EffectiveDensityBounds {
  readonly best: number;
  readonly expected: number;
  readonly worst: number;
}
