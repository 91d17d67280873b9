import type { RowBuffer } from '../matrix/index.ts';
import type { ArrayClass, Elements, ElementType } from './element-type.ts';

/** A row that an encoder is handed. Its arrays are reused, and only the first `length` of them count. */
export interface Row extends RowBuffer {
  readonly index: number;
  readonly length: number;
}

/** An array of a format, its type read. */
export interface TypedArray {
  readonly name: string;
  readonly type: ElementType;
  readonly byteClass: ArrayClass;
  /** its numbers are stored as codes of a scale */
  readonly isQuantised?: boolean;
}

/** Stores in their order: one entry each. */
export interface Stores {
  /** which array, by its position */
  readonly array: Uint8Array;
  readonly at: Uint32Array;
  readonly value: Float64Array;
  readonly isPadding: Uint8Array;
  /** of the module's text, from 1; 0 where it was not asked for or is not known */
  readonly line: Uint32Array;
}

/** A call of `tell`. */
export interface NarratedStep {
  readonly say: string;
  /** the rows that it is about; of several a group begins */
  readonly rows: readonly number[];
  readonly column: number | null;
  /** stores before it */
  readonly stores: number;
  readonly line: number;
}

/** Elements that decode read, in their order. */
export interface Reads {
  readonly array: Uint8Array;
  readonly at: Uint32Array;
  /** cells that had been put before */
  readonly before: Uint32Array;
}

/** The cells that decode put, in their order; zeros are left out. */
export interface Puts {
  readonly rows: Uint32Array;
  readonly columns: Uint32Array;
  readonly values: Float32Array;
}

/** A window that was encoded and decoded, with what was recorded of that. */
export interface Run {
  readonly params: Readonly<Record<string, unknown>>;
  readonly encoding: {
    readonly arrays: readonly { readonly array: TypedArray; readonly elements: Elements }[];
    readonly stores: Stores | null;
    readonly tells: readonly NarratedStep[] | null;
  };
  readonly decoding: { readonly puts: Puts; readonly reads: Reads | null };
}
