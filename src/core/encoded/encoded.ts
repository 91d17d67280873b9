/**
 * A matrix in a format: its size, and checksums. The arrays of the format are further properties, typed arrays under
 * their documented names.
 */
export interface EncodedMatrix {
  readonly rows: number;
  readonly cols: number;
  /** stored non-zeros, without padding */
  readonly nnz: number;
  /** checksum of every encoded array by name (checksum.ts); not part of the stored bytes */
  readonly checksums: Readonly<Record<string, number>>;
}

/** An array of an encoded matrix. */
export type NamedArray = Uint8Array | Int8Array | Uint16Array | Uint32Array | Int32Array | Float32Array;

/** The typed arrays of an encoded matrix by name, in the order in which the encoder lists them. */
export function namedArrays(encoded: Omit<EncodedMatrix, 'checksums'>): ReadonlyMap<string, NamedArray> {
  const arrays = new Map<string, NamedArray>();
  for (const [name, value] of Object.entries(encoded) as [string, unknown][]) {
    if (ArrayBuffer.isView(value)) arrays.set(name, value as NamedArray);
  }
  return arrays;
}

/** Bytes of all arrays. */
export function arrayBytes(e: EncodedMatrix): number {
  return [...namedArrays(e).values()].reduce((sum, { byteLength }) => sum + byteLength, 0);
}
