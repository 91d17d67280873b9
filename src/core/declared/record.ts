/* What is recorded while a declared format encodes and decodes a window: stores, reads, puts and narration. */

import type { RowBuffer } from '../matrix/index.ts';
import type { ArrayClass, Elements, ElementType } from './element-type.ts';

/** A row that a format's `encode` reads. Its arrays are reused for the next row; only `length` entries are valid. */
export interface Row extends RowBuffer {
  readonly index: number;
  readonly length: number;
}

/** The facts of a declared array that stories and kernels use, without its elements. */
export interface ArrayDescription {
  readonly name: string;
  readonly type: ElementType;
  readonly byteClass: ArrayClass;
  /** meaning of element i */
  readonly meaning?: string;
  /** its numbers are stored quantised, with a scale for each row or for 32 elements in the array `scales` */
  readonly quantised?: { readonly by: 'row' | 32; readonly scales: string };
  /** its elements are the positions at which rows begin in the array of this name */
  readonly offsetsInto?: string;
  /** its elements are column numbers; where `below` is given, numbers of block columns, all below it */
  readonly columns?: { readonly below?: number };
  /** the numbers that share each word: by name, one for each word */
  readonly fields?: Readonly<Record<string, Elements>>;
  /** among words with fields: the first, and every n-th after it, is one plain number instead */
  readonly heads?: number;
  /** zeros that were appended and never set are padding; `reason` describes them */
  readonly filler?: { readonly reason: string | null };
}

/** All numbers that `encode` stored, in this order. */
export interface Stores {
  /** index of the array */
  readonly array: Uint8Array;
  /** index of the element in it */
  readonly at: Uint32Array;
  readonly value: Float64Array;
  readonly isPadding: Uint8Array;
  /** line of the module's text that stored it, from 1; 0 where that is not known */
  readonly line: Uint32Array;
}

/** A text that `encode` passed to `narrate`, for the story, the animation of the format. */
export interface NarratedStep {
  readonly say: string;
  /** the rows that it is about */
  readonly rows: readonly number[];
  readonly column: number | null;
  /** number of stores before it */
  readonly stores: number;
  /** index of its `EncodingSlice`, where slices are recorded */
  readonly part?: number;
  readonly line: number;
}

/** The actions of `encode` between two of its yields. */
export interface EncodingSlice {
  /** number of stores before its end */
  readonly stores: number;
  /** the rows that it read */
  readonly rows: readonly number[];
}

/** Zeros that were appended to be set later: elements [from, to) of an array. */
export interface Zeros {
  readonly array: number;
  readonly from: number;
  readonly to: number;
  /** index of their `EncodingSlice` */
  readonly part: number;
}

/** All elements that `decode` read, in this order. */
export interface Reads {
  readonly array: Uint8Array;
  readonly at: Uint32Array;
  /** number of decoded cells before; where `calls` are recorded, number of calls of `put` */
  readonly before: Uint32Array;
}

/** All calls put(row, column, value) by `decode`, also those with value 0. */
export interface Calls {
  readonly rows: Uint32Array;
  readonly columns: Uint32Array;
  /** index of its cell in `DecodedCells`; -1 for a zero */
  readonly put: Int32Array;
}

/** The cells that `decode` passed to `put`, in this order, without zeros. */
export interface DecodedCells {
  readonly rows: Uint32Array;
  readonly columns: Uint32Array;
  readonly values: Float32Array;
}

/** The recorded `encode` and `decode` of a format on a window, the part of a matrix that a story shows. */
export interface WindowRecord {
  readonly params: Readonly<Record<string, unknown>>;
  readonly encoding: {
    readonly arrays: readonly { readonly array: ArrayDescription; readonly elements: Elements }[];
    readonly stores: Stores | null;
    /** in the order in which `encode` passed them to `narrate` */
    readonly narrated: readonly NarratedStep[] | null;
    /** the slices between its yields; absent where yields were not recorded */
    readonly parts?: readonly EncodingSlice[];
    readonly zeros?: readonly Zeros[];
  };
  /** `puts`: the cells that `decode` passed to `put`; sandboxed modules answer with this name, too */
  readonly decoding: { readonly puts: DecodedCells; readonly reads: Reads | null; readonly calls?: Calls };
}
