import type { FormatComparison } from '../comparison/comparison.ts';
import type { Support } from '../encoded/admission.ts';
import type { EncodedMatrix, NamedArray } from '../encoded/encoded.ts';
import type { Violations } from '../encoded/violations.ts';
import type { FormatCard, ParamSpec, Shape, SparseFormat } from '../format.ts';
import type { Progress, Steps } from '../job.ts';
import type { KernelSpec } from '../kernel/kernel.ts';
import type { ShaderModule } from '../kernel/shader.ts';
import type { Matrix } from '../matrix/index.ts';
import type { SlotOf } from '../number/index.ts';
import type { MatrixStatistics } from '../statistics/matrix-statistics.ts';
import type { Stated } from '../text/stated.ts';
import type { ArrayBuilder } from './builder.ts';
import type { ArrayClass, Elements, TypeName } from './element-type.ts';
import type { Row } from './record.ts';

/** Counts of a matrix that the lengths of its arrays follow from. */
export type Counts = Pick<MatrixStatistics, 'rows' | 'cols' | 'nnz'> &
  // Known only for a matrix with statistics.
  Partial<Pick<MatrixStatistics, 'blocks'>> & {
    /** gaps[g]: number of gaps of g columns; rowCounts[k]: number of rows with k non-zeros */
    readonly gaps?: ArrayLike<number>;
    readonly rowCounts?: ArrayLike<number>;
    /** non-zeros of the longest row: counted in a matrix with statistics, expected for a random matrix; absent else */
    readonly longest?: number;
    /** the members of the encoding or, before it is made, its plan; absent if neither exists */
    readonly encoded?: Readonly<Record<string, unknown>>;
  };

/** Parameters with 'auto' replaced by the value for the shape. */
export type Resolved<P> = { readonly [K in keyof P]: Exclude<P[K], 'auto'> };

/** One of the numbers that share a word of 32 bits. */
export interface FieldDeclaration {
  readonly type: TypeName;
  /** the purpose of its bits */
  readonly role: ArrayClass;
  /** set for a column number; `remedy`: the advice if a matrix has more columns than fit its bits */
  readonly columns?: { readonly remedy: string };
}

/** Padding of an array: stored elements without a non-zero. */
export interface PaddingDeclaration {
  /** the text for these elements in the list of stored bytes. Default: none. */
  readonly says?: string | ((e: EncodedMatrix & { readonly length: number }) => string | readonly string[]);
  /** how many of the `length` elements of an encoding are padding. Default: all beyond the non-zeros. */
  count?(e: EncodedMatrix & { readonly length: number }): number;
}

/** One array of a format. */
export interface ArrayDeclaration<N extends string = string> {
  /** 'u1' to 'u32', 'i2' to 'i32', 'f16', 'bf16' or 'f32' */
  readonly type: TypeName;
  /** the purpose of its bytes */
  readonly role: ArrayClass;
  /** meaning of element i, in a few words */
  readonly meaning: string;
  /**
   * Elements share words of 32 bits. Default: elements that do not fill whole bytes share bytes. The lowest bits come
   * first; unused bits of the last word or byte are padding.
   */
  readonly inWords?: true;
  /**
   * Its number of elements, which every encoding is checked for. Memory and the bytes of a matrix that is not encoded
   * yet are computed from this number. null where `counts` lacks something. Default: rows + 1 with `offsetsInto`; else
   * not known before encoding.
   */
  length?(counts: Counts): number | null;
  /** the formula of `length`, for the message if an encoding has another one: 'rows + 1' */
  readonly lengthSays?: string;
  /** Elements that are padding, by cause. Default: none. */
  readonly padding?: PaddingDeclaration | readonly PaddingDeclaration[];
  /** its element type in lists of stored bytes, where that is not `type` */
  readonly dtype?: string;
  /**
   * Each element, a u32, is a word that these numbers share, from the highest bits to the lowest. `decode` gets each
   * field as an array, named 'ARRAY.FIELD'.
   */
  readonly fields?: Readonly<Record<string, FieldDeclaration>>;
  /** Among words with fields, the first and every `every`-th after it contain a single number of 32 bits instead. */
  readonly heads?: { readonly every: number; readonly role: ArrayClass };
  /** where each row begins in another array: ascending, from 0 to its length */
  readonly offsetsInto?: N;
  /**
   * Column numbers, less than `below` (default: the columns of the matrix). If there are offsets `by`, columns ascend
   * from each offset to the next.
   */
  readonly columns?: {
    readonly by?: N;
    readonly below?: number;
    /** the advice if there are more columns than its type can represent. Default: 32 index bits */
    readonly remedy?: string;
  };
  /**
   * Numbers are stored quantised: as i8 with a scale for each row of the matrix, or u4 with a scale for every 32
   * consecutive elements. `encode` appends plain numbers; the array `scales` (f32 or f16) is filled from them, and
   * numbers that `decode` puts are scaled back. `slots`: which elements contain the non-zeros, if others lie between
   * them.
   */
  readonly quantised?: { readonly by: 'row' | 32; readonly scales: N; slots?(): SlotOf };
}

/** The matrix as an encoder reads it: row by row, in one buffer. */
export interface RowReader extends Iterable<Row> {
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number;
  /** One row, in the buffer of the row before. O(cols) at worst. */
  row(index: number): Row;
}

/**
 * Ends a step of the story, the animation of the format, with a sentence about a row, a cell, or neither. In the
 * sentence, '{row 3}' and '{column 5}' are numbers of A, which may be a region of a larger matrix.
 */
type Narrate = (say: string, row?: Row | number, column?: number) => void;

/** Receives a decoded cell; zeros are left out of the matrix. */
export type Put = (row: number, column: number, value: number) => void;

/** A matrix in declared arrays. Its parameters, without 'auto', and its arrays are further properties. */
export type DeclaredEncoded<N extends string, P> = EncodedMatrix & Resolved<P> & Readonly<Record<N, NamedArray>>;

/** The layout of a format's bytes. */
export interface Layout<N extends string, P extends object> {
  readonly params: ParamSpec<P>;
  /** The arrays by name, in the order in which they are listed. Pure. */
  arrays(p: Resolved<P>, shape: Shape): Readonly<Record<N, ArrayDeclaration<N>>>;
}

/** Members of a card with a default (see `declareCard`). */
type Optional = 'summary' | 'group' | 'source' | 'bestExample' | 'colors' | 'effort';

/** The declaration of a card: the part of a format that the page loads first. */
export interface CardDeclaration<N extends string, P extends object>
  extends Omit<FormatCard<P>, 'params' | 'story' | Optional>, Partial<Pick<FormatCard<P>, Optional>>, Layout<N, P> {}

/** The card of a declared format, with closed forms of its expected size (see `declareCard`). */
export type DeclaredCard<N extends string, P extends object> = Omit<FormatCard<P>, 'story'> & Layout<N, P>;

/**
 * How a format writes and reads its arrays. All other members of a format are derived from these, unless given here.
 *
 * @typeParam N the names of its arrays
 * @typeParam P its parameters
 * @typeParam E the encoded matrix, where its arrays are known more exactly
 * @typeParam Plan the result of `plan`
 */
export interface EncodingDeclaration<
  N extends string,
  P extends object,
  E extends EncodedMatrix = DeclaredEncoded<N, P>,
  Plan = unknown,
> extends Layout<N, P> {
  /** of the format, for messages */
  readonly id: string;
  /** Computes the facts of the whole matrix that `encode` needs; lengths may follow from them, as `counts.encoded`. */
  plan?(m: Matrix, p: Resolved<P>): Steps<Plan>;
  /**
   * Appends A to the arrays. A `yield` after each row lets the caller report progress and cancel; an encoder that does
   * not read row by row yields its progress. Returns further members of the encoding, if any, which do not count as
   * stored bytes; false if A does not fit, and then `overflows` has the reason. `narrate` is passed only while a story is
   * recorded.
   */
  encode(
    A: RowReader,
    out: Readonly<Record<N, ArrayBuilder>>,
    p: Resolved<P> & Shape,
    narrate?: Narrate,
    plan?: Plan,
  ): Generator<Progress | void, Readonly<Record<string, unknown>> | false | void, void>;
  /** How often `encode` reads the matrix, for its progress. Default: once. */
  readonly passes?: number;
  /** Calls `put` for every cell, row by row in ascending columns unless `order` is declared. */
  decode(
    arrays: Readonly<Record<N | `${N}.${string}`, Elements>>,
    size: Resolved<P> & Shape & { readonly nnz: number },
    put: Put,
  ): void;
  readonly order?: 'any';
  /**
   * Why the format cannot store A, and what to do. Cheap. Default: it stores every matrix that fits its element types.
   */
  refuses?(A: Matrix, p: Resolved<P>): Omit<Support & { readonly ok: false }, 'ok'> | null;
  /** The same for reasons found only by reading all of A. When encoding, called only if `encode` returned false. */
  overflows?(A: Matrix, p: Resolved<P>): Omit<Support & { readonly ok: false }, 'ok'> | null;
  /** the advice if an array would be too long. Default: choose a part of the matrix */
  readonly shorter?: string;
  /** Rules of arrays that do not follow from their declarations, in words. */
  readonly rules?: Readonly<Partial<Record<N, string>>>;
  /** Its arrays in the order in which stored bytes are listed. Default: the order of `arrays`. */
  readonly listed?: readonly N[];
  /** Finds violations of `rules`. Default: finds cells that `decode` puts outside or out of order. */
  check?(e: E, v: Violations): void;
  /** Checks beyond declared lengths, run before those. O(arrays). */
  checkLengths?(e: E, v: Violations): void;
  /** The reason for the size of an encoding, from that alone. Default: bits for each non-zero. */
  sizeReason?(e: E): Stated;
  /** Default: bytes from declared lengths, and bits for each non-zero as their reason. */
  readonly comparison?: Partial<FormatComparison<E, P>>;
}

/** All that `declareFormat` makes a format of: card, encoding and kernels. */
export interface FormatDeclaration<N extends string, P extends object, E extends EncodedMatrix = DeclaredEncoded<N, P>>
  extends
    DeclaredCard<N, P>,
    Omit<EncodingDeclaration<N, P, E>, keyof Layout<N, P> | 'id'>,
    Partial<Pick<SparseFormat<E, P>, 'facts' | 'highlight' | 'limits'>> {
  /** WGSL of y = A x behind generated bindings and accessors, a lane for each row. */
  readonly kernel?: ShaderModule;
  /** The title of `kernel`, in at most four words. Default: 'lane per row'. */
  readonly kernelTitle?: string;
  /** Further kernels. */
  readonly kernels?: readonly KernelSpec<E>[];
  /** How the format treats zeros, in at most nine words: the first frame of its story. */
  readonly aboutZeros: string;
  /**
   * Loads the module whose `frames`, a function of a `DeclaredTrace` (src/story/declared/trace.ts), returns the frames of
   * its story (`StoryFrame` of src/story/flow) between the first and the last: `() => import('./story.ts')`. Default:
   * frames are chosen from the trace.
   */
  frames?(): Promise<{ frames(trace: never): readonly object[] }>;
}
