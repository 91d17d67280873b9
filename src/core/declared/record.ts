import type { RowBuffer } from '../matrix/index.ts';
import type { ArrayClass, Elements, ElementType } from './element-type.ts';

/** A row that an encoder reads. Its arrays are reused for the next row, and only their first `length` entries count. */
export interface Row extends RowBuffer {
  readonly index: number;
  readonly length: number;
}

/** What stories and kernels know of an array that a format declares, without its elements: name, type and meaning. */
export interface ArrayDescription {
  readonly name: string;
  readonly type: ElementType;
  readonly byteClass: ArrayClass;
  /** meaning of element i */
  readonly meaning?: string;
  /** its numbers are stored as codes of a scale, one for each row or for 32 elements, in the array `scales` */
  readonly quantised?: { readonly by: 'row' | 32; readonly scales: string };
  /** the name of the array in which its elements say where each row begins */
  readonly offsetsInto?: string;
  /** its elements are column numbers; where `below` is given, numbers of block columns, all below it */
  readonly columns?: { readonly below?: number };
  /** the numbers that share a word, by their names, one for each */
  readonly fields?: Readonly<Record<string, Elements>>;
  /** of words with fields: the first, and every n-th after it, is one plain number instead; absent: none is */
  readonly heads?: number;
  /** zeros that were appended and never set are padding, described by `says` */
  readonly filler?: { readonly says: string | null };
}

/** What an encoder stored, in its order: one entry for each store. */
export interface Stores {
  /** which array, by its position */
  readonly array: Uint8Array;
  readonly at: Uint32Array;
  readonly value: Float64Array;
  readonly isPadding: Uint8Array;
  /** line of the module's text that stored it, from 1; 0 where that is not known */
  readonly line: Uint32Array;
}

/** A sentence that an encoder told, with what it had stored before. */
export interface NarratedStep {
  readonly say: string;
  /** the rows that it is about; several: a group of rows begins */
  readonly rows: readonly number[];
  readonly column: number | null;
  /** stores before it */
  readonly stores: number;
  /** index of the slice of the encoding in which it was told, where slices are recorded */
  readonly part?: number;
  readonly line: number;
}

/** What an encoder did between two of its yields. */
export interface EncodingSlice {
  /** stores before its end */
  readonly stores: number;
  /** the rows that were read meanwhile */
  readonly rows: readonly number[];
}

/** Zeros that were appended to be set later: elements [from, to) of an array. */
export interface Zeros {
  readonly array: number;
  readonly from: number;
  readonly to: number;
  /** index of the slice of the encoding in which they were appended */
  readonly part: number;
}

/** Elements that decode read, in their order. */
export interface Reads {
  readonly array: Uint8Array;
  readonly at: Uint32Array;
  /** cells that had been put before; where `calls` were recorded, calls of `put` */
  readonly before: Uint32Array;
}

/** All calls of `put`, those that put a zero as well. */
export interface Calls {
  readonly rows: Uint32Array;
  readonly columns: Uint32Array;
  /** the position of its cell among the puts; -1 for a zero */
  readonly put: Int32Array;
}

/** The cells that decode put, in their order; zeros are left out. */
export interface Puts {
  readonly rows: Uint32Array;
  readonly columns: Uint32Array;
  readonly values: Float32Array;
}

/** A window that was encoded and decoded, with the record of both. */
export interface WindowRecord {
  readonly params: Readonly<Record<string, unknown>>;
  readonly encoding: {
    readonly arrays: readonly { readonly array: ArrayDescription; readonly elements: Elements }[];
    readonly stores: Stores | null;
    /** the sentences that the encoder told, in their order */
    readonly tells: readonly NarratedStep[] | null;
    /** the slices between its yields; absent where yields were not recorded */
    readonly parts?: readonly EncodingSlice[];
    readonly zeros?: readonly Zeros[];
  };
  readonly decoding: { readonly puts: Puts; readonly reads: Reads | null; readonly calls?: Calls };
}
