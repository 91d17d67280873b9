import type { FormatComparison } from '../comparison/comparison.ts';
import type { Admission } from '../encoded/admission.ts';
import type { EncodedMatrix, NamedArray } from '../encoded/encoded.ts';
import type { Violations } from '../encoded/violations.ts';
import type { FormatCard, ParamSpec, Shape, SparseFormat } from '../format.ts';
import type { Progress, Steps } from '../job.ts';
import type { KernelSpec } from '../kernel/kernel.ts';
import type { ShaderModule } from '../kernel/shader.ts';
import type { Matrix } from '../matrix/index.ts';
import type { SlotOf } from '../number/index.ts';
import type { MatrixStatistics } from '../statistics/matrix-statistics.ts';
import type { Stated } from '../story/stated.ts';
import type { ArrayBuilder } from './builders.ts';
import type { ArrayClass, Elements, TypeName } from './element-type.ts';
import type { Row } from './record.ts';

/** Quantities that determine the length of an array. */
export type Counts = Pick<MatrixStatistics, 'rows' | 'cols' | 'nnz'> &
  // Known where a matrix was counted, not encoded.
  Partial<Pick<MatrixStatistics, 'blocks'>> & {
    /** gaps and rows by their lengths: how many there are of each */
    readonly gaps?: ArrayLike<number>;
    readonly rowCounts?: ArrayLike<number>;
    /** the numbers and arrays of an encoding, or the plan of one, where there is one */
    readonly encoded?: Readonly<Record<string, unknown>>;
  };

/** Parameters with 'auto' replaced by the value for the shape. */
export type Resolved<P> = { readonly [K in keyof P]: Exclude<P[K], 'auto'> };

/** One of the numbers that share a word of 32 bits. */
export interface FieldDeclaration {
  readonly type: TypeName;
  /** the class of its bits in the ledger */
  readonly role: ArrayClass;
  /** set for a column number; `remedy`: what to do if a matrix has more columns than its bits can name */
  readonly columns?: { readonly remedy: string };
}

/** Padding of an array: elements that are stored and hold no non-zero. */
export interface PaddingDeclaration {
  /** their name in the ledger. Default: none. */
  readonly says?: string | ((e: EncodedMatrix & { readonly length: number }) => string | readonly string[]);
  /** how many of the `length` elements of an encoding are padding. Default: all beyond the non-zeros. */
  count?(e: EncodedMatrix & { readonly length: number }): number;
}

/** One array of a format. */
export interface ArrayDeclaration<N extends string = string> {
  /** 'u1' to 'u32', 'i2' to 'i32', 'f16', 'bf16' or 'f32' */
  readonly type: TypeName;
  /** the class of its bytes in the ledger */
  readonly role: ArrayClass;
  /** meaning of element i, in a few words */
  readonly meaning: string;
  /**
   * Elements share words of 32 bits. Those that do not fill whole bytes share bytes otherwise. In both the lowest bits
   * come first, and what is left of the last one is padding.
   */
  readonly inWords?: true;
  /**
   * Its length. Every encoding is checked for it, memory is allocated by it, and the bytes of a matrix that is not
   * encoded yet follow from it. null where it follows from counts that are not known. Default: open, and its memory
   * grows; of offsets rows + 1.
   */
  length?(counts: Counts): number | null;
  /** how that length follows, for the message where another one is found: 'rows + 1' */
  readonly lengthSays?: string;
  /** Elements that are padding, by cause. Default: none. */
  readonly padding?: PaddingDeclaration | readonly PaddingDeclaration[];
  /** name of its type in the ledger, where several elements are one thing to a reader */
  readonly dtype?: string;
  /**
   * A record: each element, an u32, is a word that these numbers share, from the highest bits to the lowest. `decode`
   * gets them as arrays of their own, named 'ARRAY.FIELD'.
   */
  readonly fields?: Readonly<Record<string, FieldDeclaration>>;
  /** Among words with fields, the first and each `every`-th after it are one number of 32 bits instead. */
  readonly heads?: { readonly every: number; readonly role: ArrayClass };
  /** where each row begins in another array: ascending, from 0 to its length */
  readonly offsetsInto?: N;
  /**
   * Column numbers, below `below`, which is the columns of the matrix by default; ascending between two neighbours of
   * the offsets `by`, if there are any.
   */
  readonly columns?: {
    readonly by?: N;
    readonly below?: number;
    /** what to do if there are more columns than its type can name. Default: 32 index bits */
    readonly remedy?: string;
  };
  /**
   * Numbers are stored as codes: i8 with a scale for each row of the matrix, or u4 with one for every 32 consecutive
   * elements. Core quantises, fills `scales` (f32 or f16), and gives numbers back. `slots`: which elements hold the
   * non-zeros, if others lie between them.
   */
  readonly quantised?: { readonly by: 'row' | 32; readonly scales: N; slots?(): SlotOf };
}

/** The matrix as an encoder reads it: row by row, in one buffer. */
export interface RowReader extends Iterable<Row> {
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number;
  /** One row; the one before is gone. O(cols) at worst. */
  row(index: number): Row;
}

/**
 * Ends a step of the story: a sentence, about a row, and a column of it, or nothing in particular. In the sentence
 * '{row 3}' and '{column 5}' are numbers of A, which may be part of a larger matrix.
 */
type Tell = (sentence: string, row?: Row | number, column?: number) => void;

/** Receives a decoded cell; zeros are left out of the matrix. */
export type Put = (row: number, column: number, value: number) => void;

/** A matrix in declared arrays. Its parameters, without 'auto', and its arrays are further properties. */
export type DeclaredEncoded<N extends string, P> = EncodedMatrix & Resolved<P> & Readonly<Record<N, NamedArray>>;

/** The layout of a format's bytes. */
export interface Layout<N extends string, P extends object> {
  readonly params: ParamSpec<P>;
  /** The arrays by their names, in the order of the file. Pure. */
  arrays(p: Resolved<P>, shape: Shape): Readonly<Record<N, ArrayDeclaration<N>>>;
}

/** Members of a card with a default: effort that of CSR, summary the gist, colours those that no other format has. */
type Optional = 'summary' | 'group' | 'source' | 'shownBestOn' | 'colors' | 'effort';

/** The part of a format that the page loads first. */
export interface CardDeclaration<N extends string, P extends object>
  extends Omit<FormatCard<P>, 'params' | 'story' | Optional>, Partial<Pick<FormatCard<P>, Optional>>, Layout<N, P> {}

/** The card of a declared format, with its closed forms (see `declareCard`). */
export type DeclaredCard<N extends string, P extends object> = Omit<FormatCard<P>, 'story'> & Layout<N, P>;

/**
 * How a format writes and reads its arrays. What follows from that and from the layout is derived, unless it is given.
 *
 * @typeParam N the names of its arrays
 * @typeParam P its parameters
 * @typeParam E the encoded matrix, where its arrays are known more exactly
 * @typeParam Plan result of the search before anything is appended
 */
export interface EncodingDeclaration<
  N extends string,
  P extends object,
  E extends EncodedMatrix = DeclaredEncoded<N, P>,
  Plan = unknown,
> extends Layout<N, P> {
  /** of the format, for messages */
  readonly id: string;
  /** Looks for what `encode` has to know of the whole matrix. Lengths may follow from it, as from an encoding. */
  plan?(m: Matrix, p: Resolved<P>): Steps<Plan>;
  /**
   * Appends A to the arrays. A `yield` after each row lets the caller report progress and cancel. An encoder that does
   * not read row by row yields progress of its own. Returns numbers of the encoding that kernels or readers need
   * besides, if any; they are no stored bytes. false where it finds no room: `overflows` says why. `tell` is there only
   * for a window, the part of a matrix in a story.
   */
  encode(
    A: RowReader,
    out: Readonly<Record<N, ArrayBuilder>>,
    p: Resolved<P> & Shape,
    tell?: Tell,
    plan?: Plan,
  ): Generator<Progress | void, Readonly<Record<string, unknown>> | false | void, void>;
  /** How often `encode` reads the matrix, for its progress. Default: once. */
  readonly passes?: number;
  /** Puts every cell, row by row in ascending columns unless `order` says otherwise. Elements are numbers, one each. */
  decode(
    arrays: Readonly<Record<N | `${N}.${string}`, Elements>>,
    size: Resolved<P> & Shape & { readonly nnz: number },
    put: Put,
  ): void;
  readonly order?: 'any';
  /** Why A cannot be held, and what to do. Cheap, since encode asks as well. Default: whatever fits its element types is held. */
  refuses?(A: Matrix, p: Resolved<P>): Omit<Admission & { readonly ok: false }, 'ok'> | null;
  /** The same for reasons found only by reading all of A. `encode` calls it only when it finds no room. */
  overflows?(A: Matrix, p: Resolved<P>): { readonly reason: string; readonly remedy: string } | null;
  /** what to do if an array would be too long. Default: choose a part of the matrix */
  readonly shorter?: string;
  /**
   * Rules that declarations do not say, by array, and `check`, which finds what breaks them. Without `check`, what
   * breaks the order of the cells that `decode` puts is found.
   */
  readonly rules?: Readonly<Partial<Record<N, string>>>;
  /** Its arrays in the order of the ledger. Default: that of the file. */
  readonly listed?: readonly N[];
  check?(e: E, v: Violations): void;
  /** Checks beyond declared lengths, run before those. O(arrays). */
  checkLengths?(e: E, v: Violations): void;
  /** Default: bits for each non-zero. */
  sizeReason?(e: E): Stated;
  /** Default: bytes by declared lengths, unless its `whyRefused` gives a reason, and bits for each non-zero. */
  readonly comparison?: Partial<FormatComparison<E, P>>;
}

/** A format with a story that is derived, and kernels. */
export interface FormatDeclaration<N extends string, P extends object, E extends EncodedMatrix = DeclaredEncoded<N, P>>
  extends
    DeclaredCard<N, P>,
    Omit<EncodingDeclaration<N, P, E>, keyof Layout<N, P> | 'id'>,
    Partial<Pick<SparseFormat<E, P>, 'facts' | 'highlight' | 'limits'>> {
  /** WGSL of y = A x behind generated bindings and accessors, a lane for each row. */
  readonly kernel?: ShaderModule;
  /** Kernels that are tuned by hand. */
  readonly kernels?: readonly KernelSpec<E>[];
  /** Its treatment of zeros: the first frame of its story, at most nine words. */
  readonly keeps: string;
}
