import { type Job, type Steps, finish } from './job.ts';
import type { FormatComparison } from './comparison/comparison.ts';
import type { KernelCard, KernelSpec } from './kernel/kernel.ts';
import type { FindHighlight, Tally } from './highlight.ts';
import type { KernelLimit } from './kernel/limit.ts';
import type { CsrArrays, Matrix, Region } from './matrix/index.ts';
import type { Frame } from './story/frames.ts';
import type { Scene } from './story/scene.ts';
import type { Stated } from './story/stated.ts';
import type { StorageLedger, StoredWhole } from './encoded/ledger.ts';
import type { AnyTaskKind } from './tasks.ts';
import type { Question } from './story/question.ts';
import type { StepKind } from './story/step-kind.ts';
import type { Trace } from './story/trace.ts';
import type { Admission } from './encoded/admission.ts';
import type { EncodedMatrix } from './encoded/encoded.ts';
import type { Violation } from './encoded/violations.ts';

export type { Admission } from './encoded/admission.ts';
export { type EncodedMatrix, type NamedArray, namedArrays } from './encoded/encoded.ts';
export type { Violation } from './encoded/violations.ts';

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

/** The closed-form effective density of random matrices, and its bounds. */
export interface EffectiveDensityBounds {
  readonly best: number;
  readonly expected: number;
  readonly worst: number;
}

/**
 * The distribution of non-zeros, as far as closed forms distinguish it. independent: every cell is one with the same
 * odds. even: as N:M pruning leaves them, so that any group of G neighbours in a row has at most the density times G,
 * rounded up.
 */
export type Placement = 'independent' | 'even';

/** Published figures of a format along the density, shown next to our own measurements. */
export interface PublishedFigures {
  /**
   * speed: y = A x against dense on the same device. speed of a rival: that of other code, with which its paper compares it
   * and that is not built here. size: bytes relative to dense with the same value type
   */
  readonly quantity: 'speed' | 'speed of a rival' | 'size';
  /** the device; null if it does not matter */
  readonly device: string | null;
  /** what was measured, with all that its bytes depend on: 'cuSPARSE’s CSR with 32-bit indices' */
  readonly title: string;
  /** who, where, and how their figures were processed; several figures may share one */
  readonly source: string;
  readonly valueType: string;
  /** ascending in density; low and high are the minimum and maximum over several matrices */
  readonly points: readonly {
    readonly density: number;
    readonly value: number;
    readonly low?: number;
    readonly high?: number;
  }[];
}

/** Where a format was published. */
interface Source {
  readonly title: string;
  readonly authors: string;
  readonly year: number;
  readonly url: string;
}

/** Purposes that formats are listed by, in the order of lists. */
export const FORMAT_GROUPS = ['baseline', 'classic', 'pruned weights', 'activations', 'N:M'] as const;

/** Whether a lab provides the format, instead of the registry: its group comes after the others. */
export function isProvided({ group }: { readonly group: string }): boolean {
  return !FORMAT_GROUPS.some((one) => one === group);
}

/** The size of a matrix, known before it is loaded. */
export interface Shape {
  readonly rows: number;
  readonly cols: number;
}

/** One parameter of a format: an input of the form and a key of the URL. */
export type ParamField<T> = {
  readonly label: string;
  /** one sentence */
  readonly meaning: string;
  readonly unit?: string;
  /** of bits: their content, 'skips' */
  readonly bitsOf?: string;
  readonly default: T;
  /** replaces the default in the animation, if the default shows nothing on a small window */
  readonly stageDefault?: T;
  /** decides how many non-zeros fit, so measurements along the density try every option */
  readonly room?: true;
  /** resolves the value 'auto' by the shape of a matrix, if that is an option */
  readonly auto?: (shape: Shape) => T;
  /** every option holds a matrix that keeps `kept` of every `group` columns, so they can be compared on one matrix */
  readonly comparedOn?: { readonly kept: number; readonly group: number; readonly note: string };
} & (
  | {
      readonly kind: 'choice';
      readonly options: readonly {
        readonly value: T;
        readonly label: string;
        /** of the reference format: the value that this one is compared with; default: itself */
        readonly comparedWith?: T;
      }[];
    }
  | { readonly kind: 'integer'; readonly min: number; readonly max: number }
);

/** Whether a parameter may have this value. */
export function paramAccepts<T>(field: ParamField<T>, value: unknown): value is T {
  if (field.kind === 'choice') return field.options.some((option) => option.value === value);
  return Number.isInteger(value) && Number(value) >= field.min && Number(value) <= field.max;
}

/** The values that a parameter accepts, in words: 'one of 1, 2, 4, 8'. */
export function paramExpectation(field: ParamField<unknown>): string {
  return field.kind === 'choice'
    ? `one of ${field.options.map(({ value }) => String(value)).join(', ')}`
    : `a whole number from ${field.min} to ${field.max}`;
}

export type ParamSpec<Params> = { readonly [K in keyof Params]: ParamField<Params[K]> };

/**
 * The story of a format: what happens on a window, and how each step is drawn.
 *
 * @typeParam P the parameters
 * @typeParam D what the format's own trace steps carry for its scenes
 */
export interface FormatStory<P, D = unknown> {
  /** Like `SparseFormat.admits`: a window that is not admitted has no story, unless `tracesRefused` says otherwise. */
  admits(m: Matrix, p: P): Admission;
  /** The story of encode and multiply on a window of at most 64 × 64. Never empty, whatever the window holds. */
  trace(m: Matrix, p: P): Trace<D>;
  /**
   * Whether a window that is not admitted still has a story: how it is changed so that it fits. From then on the trace
   * is about the changed window. Default: it has none.
   */
  tracesRefused?(m: Matrix, p: P): boolean;
  /** Its kernel files, below shaders/, of which scenes quote marked lines. Default: none. */
  readonly quotes?: readonly string[];
  /**
   * Step 0 is the initial state; step k is the trace after its k-th step. `whole`: the matrix that contains the window,
   * if its encoding is known; step 0 mentions its bytes. Pure.
   */
  scene(t: Trace<D>, step: number, whole?: StoredWhole): Scene;
  /** Bytes of the encoded window, array by array. */
  ledger?(t: Trace<D>): StorageLedger;
  /** The kind of a step, by which frames are chosen. Default: named by its effects. Pure. */
  kindOf?(t: Trace<D>, step: D): StepKind;
  /** Its script: 3 to 12 frames (sentence and picture) besides questions. Default: chosen from its trace. Pure. */
  frames?(t: Trace<D>): readonly Frame[];
  /** The first and the last frame of a story without a script. Default: the first picture and the last of those chosen. Pure. */
  ends?(t: Trace): readonly [first: Frame, last: Frame];
  /** Questions that lessons can ask about a trace. Default: none. */
  readonly questions?: readonly Question[];
}

/** An example that shows what a format does, from a paper, by its authors or of a story, with its parameters. */
interface WorkedExample<P> {
  /** its id in the gallery */
  readonly id: string;
  readonly title: string;
  readonly params: Partial<P>;
  /** the defaults refuse the matrix: where nobody chose others, it brings these */
  readonly isNeeded?: true;
}

/**
 * All that a page needs to offer a format: its names, form, address and looks. It excludes the code that encodes,
 * multiplies or plans a kernel, which is only in the worker; the story loads its own code.
 */
export interface FormatCard<P> {
  /** folder, shader folder and value in the URL */
  readonly id: string;
  readonly title: string;
  /** one sentence: what it stores and for what */
  readonly summary: string;
  /** the summary for a line of a list: one sentence of at most 72 characters */
  readonly gist: string;
  /** with which formats it is listed */
  readonly group: string;
  /** other words by which people look for it; default: none */
  readonly also?: string;
  /** null for the classics that have no single paper */
  readonly source: Source | null;
  /**
   * '#RRGGBB' on a light and on a dark background; a test keeps every pair of formats distinguishable for all kinds of
   * colour vision
   */
  readonly colors: { readonly light: string; readonly dark: string };
  readonly params: ParamSpec<P>;
  /** Approximate encoding time relative to CSR: the cheapest are encoded first. One that searches takes more than 10. */
  readonly effort: number;
  /**
   * Why these parameter values together cannot hold any matrix with a non-zero; null if they can. Default: any values
   * can.
   */
  unusable?(p: P): string | null;
  readonly examples?: readonly WorkedExample<P>[];
  /**
   * The matrix of the gallery that shows it best, and its description: 'weights, six in eight left'. `isNeeded`:
   * weights that are merely pruned are refused, or show nothing of it, so where nobody chose a matrix it brings this one.
   * `window`: the part that its story shows at first, where the one that the gallery names has nothing unusual in it.
   */
  readonly shownBestOn: {
    readonly id: string;
    readonly what: string;
    readonly isNeeded?: true;
    readonly window?: Region;
  };
  /**
   * For a format whose paper the page explains: its name and what it does, as the first screen offers it: 'EC-SpMV',
   * 'extracts blocks'. `example`: the worked example that its story is written for, where that is not `shownBestOn`.
   * `each`: what it stores with each weight besides its value. `says`: in words. `of`: as numbers, after `skipped`
   * columns of its row: one for each entry that it takes, of which all but the last hold a stored zero.
   */
  readonly headline?: {
    readonly name: string;
    readonly does: string;
    readonly example?: string;
    readonly each?: { says(p: P): string; of(skipped: number, p: P): readonly number[] };
  };
  /** Closed-form effective density of a uniformly random matrix, where there is one. */
  expectedEffectiveDensity?(density: number, p: P, shape: { rows: number; cols: number }): EffectiveDensityBounds;
  /**
   * Bits that `expectedEffectiveDensity` leaves out and that do not depend on the density: row starts, counts, scales,
   * rounding of rows. With them the closed form is within 2 % of the bytes of a uniformly random matrix. Default: none.
   */
  overheadBits?(p: P, shape: { rows: number; cols: number }): number;
  /** Of `expectedEffectiveDensity`, the bits of zeros that are stored, per cell of the matrix. Default: none are. */
  expectedZeroBits?(density: number, p: P, shape: { rows: number; cols: number }): number;
  /** The N:M pruning after which it holds any matrix. Default: it asks for none. */
  requiredPruning?(p: P): { readonly kept: number; readonly group: number };
  /** The probability that the format can hold a matrix of this density. Default: 1. */
  admissionOdds?(density: number, p: P, shape: { rows: number; cols: number }, placement: Placement): number;
  /**
   * What decides the size of a matrix that nobody has encoded, as a clause with the numbers of this shape: '4 B of column
   * for every 2 B of value'. What holds only for random positions is called expected.
   */
  expectedReason?(density: number, p: P, shape: { rows: number; cols: number }): Stated;
  /** Published figures, loaded on demand. Default: none. */
  published?(): Promise<readonly PublishedFigures[]>;
  /** For formats that cut rows into tiles: columns of a tile, and the most non-zeros per row in it. */
  tiles?(p: P): { readonly width: number; readonly capacity: number };
  /**
   * The story. Its code is most of a format and the worker does not need it, so it is loaded on demand. Rejects if the code
   * cannot be loaded.
   */
  story(): Promise<FormatStory<P>>;
}

/** The part of an AbortSignal that cancellable work needs. */
export interface AbortsWork {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/**
 * A format whose code runs in a sandbox, and its encoding of a matrix, as they are sent to the engine. Further fields
 * are known to the provider of the format alone.
 */
export interface FormatUpdate {
  /** `generation`: of the matrix that was encoded; null where none was */
  readonly matrix: { readonly generation: number } | null;
}

/** The part of the engine that a sandboxed format needs. */
interface SandboxedEngine<Signal extends AbortsWork = AbortsWork> {
  /** all of the open matrix; `generation` counts the matrices that were opened */
  cells(watch: { readonly signal?: Signal }): Promise<CsrArrays & { readonly generation: number }>;
  /** Registers the format, or its encoding of a matrix. */
  registerFormat(watch: { readonly signal?: Signal }, update: FormatUpdate): Promise<void>;
}

/** A format whose code runs in a sandbox, outside the page and the engine. */
interface SandboxedFormat {
  /** its module as it is written into a link, so that the link brings it along */
  readonly link: string;
  /** Whether its story of this window is ready. */
  hasResult(window: Matrix, params: Readonly<Record<string, unknown>>): boolean;
  /** Encodes a window in the sandbox. If that fails, its story shows the error. */
  encodeWindow(window: Matrix, params: Readonly<Record<string, unknown>>): Promise<void>;
  /**
   * Registers the format with the engine; with parameters, also its encoding of the open matrix. Rejects as the engine
   * does, and with `signal`.
   */
  sendTo<S extends AbortsWork>(
    engine: SandboxedEngine<S>,
    params: Readonly<Record<string, unknown>> | null,
    signal?: S,
  ): Promise<void>;
  /** Encodes any other matrix for the engine. Rejects with `signal`. */
  encode(matrix: CsrArrays, params: Readonly<Record<string, unknown>>, signal?: AbortsWork): Promise<unknown>;
}

/** A format in the page's catalog: its card, and its kernels without their plans. */
interface ListedFormat<P> extends FormatCard<P> {
  readonly kernels: readonly KernelCard[];
  /** For a format that a person wrote: it runs in a sandbox and encodes a matrix before its story can be shown. */
  readonly sandboxed?: SandboxedFormat;
}

/**
 * Everything that the application knows about a format. The laws that hold for each are in formats/contract.test.ts.
 *
 * @typeParam E the encoded matrix
 * @typeParam P the parameters
 */
export interface SparseFormat<E extends EncodedMatrix, P> extends ListedFormat<P> {
  admits(m: Matrix, p: P): Admission;
  /** The parameters to retry with when a kernel ran out of room; null if there are none. Default: none. */
  larger?(p: P): P | null;
  /** Encodes on this thread. Throws FormatError when the matrix is not admitted, CancelledError when the job is. */
  encode(m: Matrix, p: P, job?: Job): E;
  /** Like `encode`, as a generator, for a caller that handles messages between steps. */
  encodeSteps(m: Matrix, p: P): Steps<E>;
  decode(e: E): Matrix;
  /** 'cheap' checks lengths, 'full' every element. Empty if there are no violations. */
  validate(e: E, level: 'cheap' | 'full'): readonly Violation[];
  /**
   * The checks of `validate` per array besides the length and the checksum, which every array has: rules that locate a
   * change; null if there are none. By name, in the order in which the encoder lists the arrays.
   */
  readonly rules: Readonly<Record<string, string | null>>;
  storage(e: E): StorageLedger;
  /** The reason for the size of this encoding, as a clause with its own numbers. Default: none. O(arrays). */
  sizeReason?(e: E): Stated;
  /**
   * Further facts about this encoding, with published figures if there are any; `encodeMs`: the milliseconds that it
   * took, if measured.
   */
  facts?(e: E, encodeMs?: number): readonly Fact[];
  /**
   * y = A x on the encoded arrays, in plain TypeScript on this thread: the baseline that needs no GPU. x has one value
   * per column, y one per row and is overwritten. Sums may be kept in f64; every output is rounded to f32 once.
   * A value of x that no stored non-zero meets must not reach y, NaN and infinities included. O(stored entries).
   */
  multiply(e: E, x: Float32Array, y: Float32Array): void;
  /** Where a matrix shows what the format is known for. Default: nowhere more than elsewhere. */
  readonly highlight?: FindHighlight<P>;
  /** What its story says of a whole matrix, with the parameters of the story. Default: nothing. */
  tally?(p: P, shape: Shape): Tally;
  readonly kernels: readonly KernelSpec<E>[];
  /** Its part in a comparison of formats on a matrix: sizes, sentences and marks, from statistics alone. */
  readonly comparison: FormatComparison<E, P>;
  /** Causes of a kernel's time other than bytes and arithmetic, by kernel id, with the evidence. */
  readonly limits?: Readonly<Record<string, KernelLimit>>;
  /** Tasks that `encodeSteps` offers to other threads. Default: none. */
  readonly tasks?: readonly AnyTaskKind[];
}

/** A format with its types erased, as the registry holds it. */
// oxlint-disable-next-line typescript/no-explicit-any -- the registry is the one place where the types of different formats meet
export type AnyFormat = SparseFormat<any, any>;

/** Like `AnyFormat`, for catalog entries. */
// oxlint-disable-next-line typescript/no-explicit-any -- the catalog holds the cards of different formats in one place
export type AnyListedFormat = ListedFormat<any>;

/** Like `AnyFormat`, for stories. */
// oxlint-disable-next-line typescript/no-explicit-any -- the page holds the stories of different formats in one place
export type AnyStory = FormatStory<any>;

/** Completes a format: `encode` is `encodeSteps` without pauses. */
export function defineFormat<E extends EncodedMatrix, P>(
  parts: Omit<SparseFormat<E, P>, 'encode'>,
): SparseFormat<E, P> {
  return { ...parts, encode: (m, p, job) => finish(parts.encodeSteps(m, p), job) };
}

/** Whether its encoder tries arrangements, instead of a few passes over the matrix. */
export function searches({ effort }: Pick<AnyListedFormat, 'effort'>): boolean {
  return effort > 10;
}

/** The default of every parameter. */
export function defaultParams<P>(spec: ParamSpec<P>): P {
  return Object.fromEntries(
    Object.entries(spec).map(([name, field]) => [name, (field as ParamField<unknown>).default]),
  ) as P;
}

/**
 * All parameters resolved for a matrix of this shape: `given`, defaults for the rest, and 'auto' replaced by what the
 * shape makes of it. Encodings, reports and files carry these.
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

/** The distinct options of a choice, without 'auto', which equals one of the others. */
export function distinctOptions<O extends { readonly value: unknown }>(field: {
  readonly options: readonly O[];
  readonly auto?: unknown;
}): readonly O[] {
  return field.auto === undefined ? field.options : field.options.filter(({ value }) => value !== 'auto');
}

/** The parameters of the animation: `params`, with the `stageDefault` of every field that is at its default. */
export function stageParams<P extends object>(spec: ParamSpec<P>, params: P): P {
  const entries = Object.entries(spec) as [keyof P, ParamField<P[keyof P]>][];
  const replaced = entries.flatMap(([name, { default: usual, stageDefault }]) =>
    stageDefault !== undefined && params[name] === usual ? [[name, stageDefault]] : [],
  );
  return { ...params, ...Object.fromEntries(replaced) };
}

/** The matrix of the gallery that a format's story is written for, with the parameters that differ from the defaults. */
export function storyExample<P>({ shownBestOn, headline, examples = [] }: FormatCard<P>): {
  readonly id: string;
  readonly params: Partial<P>;
} {
  return examples.find(({ id }) => id === headline?.example) ?? { id: shownBestOn.id, params: {} };
}

/** A key of parameters, the same in whatever order they are named. */
export function paramsKey(params: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(Object.entries(params).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** A key of a format with parameters, which begins with the format and a space. */
export const storedKey = (format: string, params: Readonly<Record<string, unknown>>): string =>
  `${format} ${paramsKey(params)}`;
