import type { ByteClass } from '../core/encoded/ledger.ts';

/** An element with bits in a byte, and the cells of the window that it belongs to. */
export interface StoredElement {
  /** as in `about` of marks: 'values[2]' */
  readonly name: string;
  /** its number, as the story writes it */
  readonly text: string;
  /** its first bit, and the bit after its last one, counted from the first bit of the array */
  readonly bits: readonly [from: number, to: number];
  readonly isPadding: boolean;
  /** row and column in the window; empty: it belongs to no cell */
  readonly cells: readonly { readonly row: number; readonly col: number }[];
}

/** An array of an encoded window, byte by byte. */
export interface StoredArray {
  readonly name: string;
  readonly byteClass: ByteClass;
  readonly bytes: Uint8Array;
  /** The elements with bits in a byte, lowest bits first. */
  elementsOf(byte: number): readonly StoredElement[];
}
