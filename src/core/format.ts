/*
 * The contract of a format. `FormatCard`: what the page loads first. `SparseFormat`: card, encoder, checks and kernels,
 * in the worker. Its animation, loaded on demand, is a `FormatStory` of src/story. Below: functions on parameters.
 */

import { type Job, type Steps, finish } from './job.ts';
import type { FormatComparison } from './comparison/comparison.ts';
import type { KernelCard, KernelSpec } from './kernel/kernel.ts';
import type { FindHighlight } from './highlight.ts';
import type { Tally } from './tally.ts';
import type { KernelLimit } from './kernel/limit.ts';
import type { Matrix, Region } from './matrix/index.ts';
import type { SandboxedFormat } from './sandboxed-format.ts';
import type { Stated } from './text/stated.ts';
import type { StorageLedger } from './encoded/ledger.ts';
import type { AnyTaskKind } from './tasks.ts';
import type { Support } from './encoded/admission.ts';
import type { EncodedMatrix } from './encoded/encoded.ts';
import type { Violation } from './encoded/violations.ts';

export type { Support } from './encoded/admission.ts';
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
  /** true: the pattern that the format is made for does not occur in this matrix */
  readonly isAbsence?: true;
}

/** Effective density (bits relative to dense) of random matrices by a closed form, and its bounds. */
export interface EffectiveDensityBounds {
  readonly best: number;
  readonly expected: number;
  readonly worst: number;
}

/**
 * The distribution of non-zeros, as far as closed forms distinguish it. independent: every cell is a non-zero with the
 * same probability. even: spread by N:M pruning; closed forms then assume that any tile, group or row of G columns
 * contains at most ceil(density * G) non-zeros.
 */
export type Placement = 'independent' | 'even';

/** Published figures of a format at several densities, shown next to our own measurements. */
export interface PublishedFigures {
  /**
   * speed: of y = A x, relative to dense on the same device. speed of a rival: the speed of code with which the
   * format's paper compares it. size: bytes relative to dense with the same value type
   */
  readonly quantity: 'speed' | 'speed of a rival' | 'size';
  /** the device; null if it does not matter */
  readonly device: string | null;
  /** the measured code, with all that its bytes depend on: 'cuSPARSE’s CSR with 32-bit indices' */
  readonly title: string;
  /** who published them where, and how they were processed here */
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

/** Groups in which the page lists formats, in this order. */
export const FORMAT_GROUPS = ['baseline', 'classic', 'pruned weights', 'activations', 'N:M'] as const;

/** Whether a user wrote the format in the page; such formats are listed after the built-in formats. */
export function isUserWritten({ group }: { readonly group: string }): boolean {
  return !FORMAT_GROUPS.some((builtIn) => builtIn === group);
}

/** The size of a matrix. */
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
  /** for a number of bits: the name of the stored numbers, 'skips' */
  readonly bitsOf?: string;
  readonly default: T;
  /** replaces the default in the animation, if the default shows nothing on a small matrix */
  readonly storyDefault?: T;
  /** true: decides how many non-zeros fit, so measurements at several densities try every option */
  readonly decidesCapacity?: true;
  /** the value for 'auto', if that is an option */
  readonly auto?: (shape: Shape) => T;
  /** every option can store a matrix with `kept` of every `group` columns, so they can be compared on one matrix */
  readonly comparedOn?: { readonly kept: number; readonly group: number; readonly note: string };
} & (
  | {
      readonly kind: 'choice';
      readonly options: readonly {
        readonly value: T;
        readonly label: string;
        /**
         * for a format that is the reference: the value that it has in a comparison with formats of `value`, such as f16
         * for i4; default: the same
         */
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

/** A matrix of the gallery that shows what a format does, with parameters for it. */
interface WorkedExample<P> {
  /** its id in the gallery */
  readonly id: string;
  readonly title: string;
  readonly params: Partial<P>;
  /** true: the default parameters reject the matrix, so `params` replace them unless the user chose others */
  readonly needsParams?: true;
}

/**
 * All that a page needs to offer a format: names, parameters and colours. The code that encodes, multiplies or plans
 * a kernel is only in the worker, and the code of the story is loaded on demand.
 *
 * @typeParam P the parameters
 * @typeParam Story the type that `story` loads, for src/story; everything else does without its type
 */
export interface FormatCard<P, Story = unknown> {
  /** also the name of its folders below src/formats and shaders, and its value in the URL */
  readonly id: string;
  readonly title: string;
  /** one sentence: what it stores, and for which purpose */
  readonly summary: string;
  /** the summary in one sentence of at most 72 characters */
  readonly shortSummary: string;
  /** one of FORMAT_GROUPS, or the group of formats written in the page */
  readonly group: string;
  /** other terms for which users search; default: none */
  readonly searchWords?: string;
  /** null for formats without a paper */
  readonly source: Source | null;
  /**
   * '#RRGGBB' on a light and on a dark background; a test keeps every pair of formats distinguishable for all kinds of
   * colour vision
   */
  readonly colors: { readonly light: string; readonly dark: string };
  readonly params: ParamSpec<P>;
  /** Approximate encoding time relative to CSR: the cheapest are encoded first. More than 10: it encodes slowly. */
  readonly effort: number;
  /**
   * Why a format with these parameters rejects every matrix with a non-zero; null if it supports some. Default: it
   * always supports some.
   */
  unusable?(p: P): string | null;
  readonly examples?: readonly WorkedExample<P>[];
  /**
   * The matrix of the gallery that shows it best, and its description: 'weights, six in eight left'. `window`: the
   * region that its story shows at first, if not the region that the gallery names. `opensFirst`: other pruned weights
   * are rejected, or show nothing of it, so this matrix is opened unless the user chose one.
   */
  readonly bestExample: {
    readonly id: string;
    readonly what: string;
    readonly opensFirst?: true;
    readonly window?: Region;
  };
  /**
   * For a format whose paper the page explains: its name and what it does, as on the first screen: 'EC-SpMV', 'extracts
   * blocks'. `example`: id of the worked example of its story, if not `bestExample`. `storedPerWeight`: what it stores
   * with each weight in addition to its value, as text (`says`) and as numbers (`of`) for a weight after `skipped`
   * zeros: one for each stored zero before the weight, and one for the weight.
   */
  readonly headline?: {
    readonly name: string;
    readonly does: string;
    /** what its story is about, in three words after its name: 'count the gaps' */
    readonly invites: string;
    readonly example?: string;
    readonly storedPerWeight?: { says(p: P): string; of(skipped: number, p: P): readonly number[] };
  };
  /** Closed-form effective density of a uniformly random matrix, where there is one. */
  expectedEffectiveDensity?(density: number, p: P, shape: Shape): EffectiveDensityBounds;
  /**
   * Bits that `expectedEffectiveDensity` leaves out and that do not depend on the density: row starts, counts, scales,
   * rounding of rows. With them the closed form is within 2 % of the bytes of a uniformly random matrix. Default: none.
   */
  overheadBits?(p: P, shape: Shape): number;
  /** Bits of stored zeros in `expectedEffectiveDensity`, per cell of the matrix. Default: 0. */
  expectedZeroBits?(density: number, p: P, shape: Shape): number;
  /** The N:M pruning after which it supports any matrix. Default: none is needed. */
  requiredPruning?(p: P): { readonly kept: number; readonly group: number };
  /** The probability that the format supports a matrix of this density. Default: 1. */
  admissionOdds?(density: number, p: P, shape: Shape, placement: Placement): number;
  /**
   * The reason for the size of a matrix that is not encoded, as a clause with the numbers of this shape: '4 B of column
   * for every 2 B of value'. Numbers that apply only to random positions are called expected.
   */
  expectedReason?(density: number, p: P, shape: Shape): Stated;
  /** Published figures, loaded on demand. Default: none. */
  published?(): Promise<readonly PublishedFigures[]>;
  /** For formats that divide rows into tiles: columns of a tile, and the most non-zeros per row in it. */
  tiles?(p: P): { readonly width: number; readonly capacity: number };
  /**
   * The story, whose code is loaded on demand, since it is most of a format and the worker does not need it. Rejects if
   * it cannot be loaded. With its type: `loadStory` (src/story/format-story.ts).
   */
  story(): Promise<Story>;
}

/** A format in the page's catalog: its card, and its kernels without their plans. */
interface ListedFormat<P> extends FormatCard<P> {
  readonly kernels: readonly KernelCard[];
  /** For a format that a user wrote: it runs in a sandbox and encodes a matrix before its story can be shown. */
  readonly sandboxed?: SandboxedFormat;
}

/**
 * Everything that the application knows about a format. src/formats/contract/laws.test.ts checks the laws of each.
 *
 * @typeParam E the encoded matrix
 * @typeParam P the parameters
 */
export interface SparseFormat<E extends EncodedMatrix, P> extends ListedFormat<P> {
  /** Whether the format supports this matrix with these parameters, or why not. */
  admits(m: Matrix, p: P): Support;
  /**
   * Parameters with space for more non-zeros, to retry with after a kernel that fills the format on the device ran out
   * of space; null: none. Default: none.
   */
  larger?(p: P): P | null;
  /**
   * Encodes on this thread. Throws FormatError if the matrix is not supported, CancelledError if the job is cancelled.
   */
  encode(m: Matrix, p: P, job?: Job): E;
  /** Like `encode`, as a generator, for a caller that handles messages between steps. */
  encodeSteps(m: Matrix, p: P): Steps<E>;
  decode(e: E): Matrix;
  /** 'cheap' checks lengths, 'full' every element. Empty if there are no violations. */
  validate(e: E, level: 'cheap' | 'full'): readonly Violation[];
  /**
   * The checks of `validate` for each array in addition to length and checksum, as text; null: none. By name, in the
   * order of the encoding.
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
  /** Finds a region of a matrix that shows what the format is known for. Default: no region is better than others. */
  readonly highlight?: FindHighlight<P>;
  /** Counts over a whole matrix that the format's story mentions. Default: none. */
  tally?(p: P, shape: Shape): Tally;
  readonly kernels: readonly KernelSpec<E>[];
  /** Its bytes, texts and chart marks in a comparison of formats, from statistics of a matrix alone. */
  readonly comparison: FormatComparison<E, P>;
  /** Causes of a kernel's time other than bytes and arithmetic, by kernel id, with the evidence. */
  readonly limits?: Readonly<Record<string, KernelLimit>>;
  /** Tasks that `encodeSteps` offers to other threads. Default: none. */
  readonly tasks?: readonly AnyTaskKind[];
}

/** A format with its types erased, as the registry stores it. */
// oxlint-disable-next-line typescript/no-explicit-any -- the registry is the one place where types of formats meet
export type AnyFormat = SparseFormat<any, any>;

/** Like `AnyFormat`, for catalog entries. */
// oxlint-disable-next-line typescript/no-explicit-any -- the catalog contains the cards of different formats
export type AnyListedFormat = ListedFormat<any>;

/** Completes a format: `encode` is `encodeSteps` without pauses. */
export function defineFormat<E extends EncodedMatrix, P>(
  parts: Omit<SparseFormat<E, P>, 'encode'>,
): SparseFormat<E, P> {
  return { ...parts, encode: (m, p, job) => finish(parts.encodeSteps(m, p), job) };
}

/** Whether its encoder tries many layouts, and so takes much longer than a few passes over the matrix. */
export function encodesSlowly({ effort }: Pick<AnyListedFormat, 'effort'>): boolean {
  return effort > 10;
}

/** The default of every parameter. */
export function defaultParams<P>(spec: ParamSpec<P>): P {
  return Object.fromEntries(
    Object.entries(spec).map(([name, field]) => [name, (field as ParamField<unknown>).default]),
  ) as P;
}

/**
 * All parameters for a matrix of this shape: `given`, defaults for the rest, and 'auto' replaced. Encodings, reports
 * and files contain these.
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

/** The options of a choice without 'auto', which equals one of the others. */
export function distinctOptions<O extends { readonly value: unknown }>(field: {
  readonly options: readonly O[];
  readonly auto?: unknown;
}): readonly O[] {
  return field.auto === undefined ? field.options : field.options.filter(({ value }) => value !== 'auto');
}

/** The parameters of the animation: `params`, with the `storyDefault` of every field that is at its default. */
export function storyParams<P extends object>(spec: ParamSpec<P>, params: P): P {
  const entries = Object.entries(spec) as [keyof P, ParamField<P[keyof P]>][];
  const replaced = entries.flatMap(([name, { default: usual, storyDefault }]) =>
    storyDefault !== undefined && params[name] === usual ? [[name, storyDefault]] : [],
  );
  return { ...params, ...Object.fromEntries(replaced) };
}

/** The matrix of the gallery that a format's story is written for, and parameters other than the defaults. */
export function storyExample<P>({ bestExample, headline, examples = [] }: FormatCard<P>): {
  readonly id: string;
  readonly params: Partial<P>;
} {
  return examples.find(({ id }) => id === headline?.example) ?? { id: bestExample.id, params: {} };
}

/** A text that identifies parameters, independent of their order. */
export function paramsKey(params: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(Object.entries(params).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** A text that identifies a format with parameters; it begins with the format and a space. */
export const storedKey = (format: string, params: Readonly<Record<string, unknown>>): string =>
  `${format} ${paramsKey(params)}`;
