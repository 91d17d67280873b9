import { type Job, type Steps, finish } from './job.ts';
import type { FormatComparison } from './comparison/comparison.ts';
import type { KernelCard, KernelSpec } from './kernel/kernel.ts';
import type { LeftOutRules } from './kernel/left-out.ts';
import type { KernelLimit } from './kernel/limit.ts';
import type { Matrix } from './matrix/index.ts';
import type { Scene } from './story/scene.ts';
import type { StorageLedger, StoredWhole } from './encoded/ledger.ts';
import type { AnyTaskKind } from './tasks.ts';
import type { Question } from './story/question.ts';
import type { Trace } from './story/trace.ts';
import type { Admission } from './encoded/admission.ts';
import type { EffectiveDensityBounds, EncodedMatrix, Fact, Violation } from './encoded/encoded.ts';

export type { Admission } from './encoded/admission.ts';
export {
  type EffectiveDensityBounds,
  type EncodedMatrix,
  type Fact,
  type NamedArray,
  namedArrays,
  type Violation,
} from './encoded/encoded.ts';

/**
 * How non-zeros lie, as far as closed forms tell it apart. independent: every cell is one with the same odds. even: as N:M
 * pruning leaves them, so that of any group of G neighbours in a row at most the density times G, rounded up, are.
 */
export type Placement = 'independent' | 'even';

/** Figures that others published of a format along the density, to stand beside what is measured here. */
export interface PublishedFigures {
  /** speed: y = A x against dense on the same device. size: bytes relative to dense in the same type of values */
  readonly of: 'speed' | 'size';
  /** the device; null where it does not matter */
  readonly on: string | null;
  /** what was measured, with all that its bytes depend on: 'cuSPARSE’s CSR with 32-bit indices' */
  readonly title: string;
  /** who, where, and what was done with their figures; several figures may share one */
  readonly source: string;
  readonly valueType: string;
  /** ascending in density; low and high are the least and the largest of several matrices */
  readonly points: readonly {
    readonly density: number;
    readonly value: number;
    readonly low?: number;
    readonly high?: number;
  }[];
}

/** Where a format was published. */
export interface Source {
  readonly title: string;
  readonly authors: string;
  readonly year: number;
  readonly url: string;
}

/** What is known of a matrix before it is there. */
export interface Shape {
  readonly rows: number;
  readonly cols: number;
}

/** One parameter of a format: what a form shows and what the URL accepts. */
export type ParamField<T> = {
  readonly label: string;
  /** one sentence */
  readonly meaning: string;
  readonly unit?: string;
  readonly default: T;
  /** stands for the default in the animation, where that shows nothing on a small window */
  readonly onStage?: T;
  /** decides how many non-zeros fit: measurements on more and more of them try every option */
  readonly room?: true;
  /** what the shape of a matrix makes of the value 'auto', if that is an option */
  readonly auto?: (shape: Shape) => T;
  /** what an address means that does not name this parameter, if that is not the default: every new address names it */
  readonly unnamed?: T;
  /** every option holds a matrix that keeps `kept` of every `group` columns, so that options can be compared on one */
  readonly comparedOn?: { readonly kept: number; readonly group: number; readonly note: string };
} & (
  | {
      readonly kind: 'choice';
      readonly options: readonly {
        readonly value: T;
        readonly label: string;
        /** of the format that others are compared with: the value that it is itself compared with; absent: this one */
        readonly comparedWith?: T;
      }[];
    }
  | { readonly kind: 'integer'; readonly min: number; readonly max: number }
);

export type ParamSpec<Params> = { readonly [K in keyof Params]: ParamField<Params[K]> };

/**
 * How a format is told: what happens on a window, and what each step looks like.
 *
 * @typeParam P the parameters
 * @typeParam D what the format's own trace steps carry for its scenes
 */
export interface FormatStory<P, D = unknown> {
  /** The format's own: a window that is not admitted has no story, unless `tracesRefused` says that it has. */
  admits(m: Matrix, p: P): Admission;
  /** The story of encode and multiply on a window of at most 64 × 64. Not empty, whatever the window holds. */
  trace(m: Matrix, p: P): Trace<D>;
  /**
   * Whether there is a story of a window that is not admitted: how it is changed so that it is. Such a trace tells of
   * the changed window from then on. Default: there is none.
   */
  tracesRefused?(m: Matrix, p: P): boolean;
  /** Files of its kernels, below shaders/, of which scenes quote marked lines. Default: none. */
  readonly quotes?: readonly string[];
  /**
   * Step 0 is the state before anything happened; step k shows the trace after its k-th step. `whole`: the matrix that
   * the window is a part of, where its encoding is known; step 0 names its bytes. Pure.
   */
  scene(t: Trace<D>, step: number, whole?: StoredWhole): Scene;
  /** Bytes of the window as it is encoded, array by array. */
  ledger?(t: Trace<D>): StorageLedger;
  /** What lessons can ask of a trace. Default: nothing. */
  readonly questions?: readonly Question[];
}

/** An example worked out by hand, in a paper or by its authors, with the parameters that it was worked out for. */
export interface WorkedExample<P> {
  /** its id in the gallery */
  readonly id: string;
  readonly title: string;
  readonly params: Partial<P>;
}

/**
 * What a page needs to offer a format: what names it and makes its form, its address and its looks. It comes without the
 * code that encodes, multiplies or plans a kernel, which stays in the worker; its story brings what it tells of.
 */
export interface FormatCard<P> {
  /** folder, shader folder and value in the URL */
  readonly id: string;
  readonly title: string;
  /** one sentence: what it stores and for what */
  readonly summary: string;
  /** null for the classics that have no single paper */
  readonly source: Source | null;
  /** '#RRGGBB' on a light and on a dark ground; a test keeps every pair of formats apart under every kind of vision */
  readonly colors: { readonly light: string; readonly dark: string };
  readonly params: ParamSpec<P>;
  /** Time of encoding over that of CSR, about: formats are encoded the cheapest first. */
  readonly effort: number;
  /**
   * Why no matrix with a non-zero can be held with these values of the parameters together; null where some can.
   * Default: with any of them some can.
   */
  unusable?(p: P): string | null;
  readonly examples?: readonly WorkedExample<P>[];
  /** The matrix of the gallery that shows it best, and what that is: 'weights of which six in eight are left'. */
  readonly shownBestOn: { readonly id: string; readonly what: string };
  /** Closed-form effective density of a uniformly random matrix, where there is one. */
  expectedEffectiveDensity?(density: number, p: P, shape: { rows: number; cols: number }): EffectiveDensityBounds;
  /**
   * Bits that `expectedEffectiveDensity` leaves out, the same at every density: row starts, counts, scales, the rounding
   * of rows. With them the closed form is within 2 % of the bytes of a uniformly random matrix. Default: none.
   */
  overheadBits?(p: P, shape: { rows: number; cols: number }): number;
  /** Odds, from 0 to 1, that the format holds a matrix of this density at all. Default: it always does. */
  admissionOdds?(density: number, p: P, shape: { rows: number; cols: number }, placement: Placement): number;
  /** What decides the size at this density, as a clause with the numbers of this shape: '4 B of column per non-zero'. */
  sizeReason?(density: number, p: P, shape: { rows: number; cols: number }): string;
  /** What others measured, loaded when it is asked for. Default: nothing. */
  published?(): Promise<readonly PublishedFigures[]>;
  /** Where rows are cut into tiles: columns of one, and the most non-zeros that a row of it holds. */
  tiles?(p: P): { readonly width: number; readonly capacity: number };
  /**
   * The story, whose code is loaded when it is asked for: it is most of a format, and worker and command line tell none.
   * Rejects when the code does not arrive.
   */
  story(): Promise<FormatStory<P>>;
}

/** A format as the catalog of the page lists it: its card, and its kernels without their plans. */
export interface ListedFormat<P> extends FormatCard<P> {
  readonly kernels: readonly KernelCard[];
}

/**
 * Everything that the application knows about a format. The laws that hold for each are in formats/contract.test.ts.
 *
 * @typeParam E the encoded matrix
 * @typeParam P the parameters
 */
export interface SparseFormat<E extends EncodedMatrix, P> extends ListedFormat<P> {
  /** Every cell is stored, zeros as well, so that kernels multiply them with what is not finite in x. Default: false. */
  readonly storesZeros?: boolean;
  admits(m: Matrix, p: P): Admission;
  /** Encodes on this thread. Throws FormatError when the matrix is not admitted, CancelledError when the job is. */
  encode(m: Matrix, p: P, job?: Job): E;
  /** The same in steps, for a caller that has to listen in between. */
  encodeSteps(m: Matrix, p: P): Steps<E>;
  /**
   * What encoding takes. 'pass': it goes through the matrix a few times, in about as many nanoseconds as there are cells.
   * 'search': it tries arrangements, and may take many times as long. Default: 'pass'.
   */
  readonly encoder?: 'pass' | 'search';
  /**
   * The encoding of a matrix in which the rows of `e` follow each other `times` over, out of the arrays of `e`: the same
   * as encoding all of its rows, in the time of a copy. Null where the arrays do not line up. Absent: it cannot be had so.
   */
  readonly repeat?: (e: E, times: number) => E | null;
  decode(e: E): Matrix;
  /** 'cheap' looks at lengths, 'full' at every element. Empty when all is well. */
  validate(e: E, level: 'cheap' | 'full'): readonly Violation[];
  /**
   * What `validate` checks of each array beside its length and its checksum, which every array has: rules that say where
   * a change is; null where there are none. By name, in the order in which the encoder lists the arrays.
   */
  readonly rules: Readonly<Record<string, string | null>>;
  storage(e: E): StorageLedger;
  /**
   * What else a person should know of this encoding, beside published figures where there are any; `encodeMs`: the
   * milliseconds that it took, where they were measured.
   */
  facts?(e: E, encodeMs?: number): readonly Fact[];
  /**
   * y = A x on the encoded arrays, in plain TypeScript on this thread: the baseline that needs no GPU. x has one value
   * per column, y one per row and is overwritten. Sums may be kept in f64; every output is rounded to f32 once.
   * A value of x that no stored non-zero meets must not reach y, NaN and infinities included. O(stored entries).
   */
  multiply(e: E, x: Float32Array, y: Float32Array): void;
  readonly kernels: readonly KernelSpec<E>[];
  /** What it says of itself where formats are compared on a matrix. */
  readonly comparison: FormatComparison<E, P>;
  /** What takes the time of a kernel that its bytes and its arithmetic do not, by its id, and how that is known. */
  readonly limits?: Readonly<Record<string, KernelLimit>>;
  /** What is to be known where parts of its kernels are left out. Default: every array can be. */
  readonly leftOut?: LeftOutRules;
  /** What `encodeSteps` offers to other threads. Default: nothing. */
  readonly tasks?: readonly AnyTaskKind[];
}

/** A format whose types are forgotten, as the registry holds it. */
// oxlint-disable-next-line typescript/no-explicit-any -- the registry is the one place where the types of different formats meet
export type AnyFormat = SparseFormat<any, any>;

/** The same for a format of the catalog. */
// oxlint-disable-next-line typescript/no-explicit-any -- the catalog holds the cards of different formats in one place
export type AnyListedFormat = ListedFormat<any>;

/** The same for a story. */
// oxlint-disable-next-line typescript/no-explicit-any -- the page holds the stories of different formats in one place
export type AnyStory = FormatStory<any>;

/** Completes a format: `encode` is `encodeSteps` without pauses. */
export function defineFormat<E extends EncodedMatrix, P>(
  parts: Omit<SparseFormat<E, P>, 'encode'>,
): SparseFormat<E, P> {
  return { ...parts, encode: (m, p, job) => finish(parts.encodeSteps(m, p), job) };
}

/** The default of every parameter. */
export function defaultParams<P>(spec: ParamSpec<P>): P {
  return Object.fromEntries(
    Object.entries(spec).map(([name, field]) => [name, (field as ParamField<unknown>).default]),
  ) as P;
}

/**
 * All parameters as they are for a matrix of this shape: `given`, the default of what it lacks, and in place of 'auto' what
 * the shape makes of it. Encodings, reports and files carry these.
 */
export function resolvedParams<V>(
  spec: AnyListedFormat['params'],
  given: Readonly<Record<string, V>>,
  shape: Shape,
): Readonly<Record<string, V>> {
  const params = { ...defaultParams<Record<string, V>>(spec), ...given };
  for (const [name, { auto }] of Object.entries<ParamField<V>>(spec)) {
    if (auto && params[name] === 'auto') params[name] = auto(shape);
  }
  return params;
}

/** The options of a choice that differ: not 'auto', which is one of the others. */
export function distinctOptions<O extends { readonly value: unknown }>(field: {
  readonly options: readonly O[];
  readonly auto?: unknown;
}): readonly O[] {
  return field.auto === undefined ? field.options : field.options.filter(({ value }) => value !== 'auto');
}

/** The parameters of the animation: `params`, with `onStage` for every field that has one and is at its default. */
export function stageParams<P extends object>(spec: ParamSpec<P>, params: P): P {
  const entries = Object.entries(spec) as [keyof P, ParamField<P[keyof P]>][];
  const replaced = entries.flatMap(([name, { default: usual, onStage }]) =>
    onStage !== undefined && params[name] === usual ? [[name, onStage]] : [],
  );
  return { ...params, ...Object.fromEntries(replaced) };
}
