import {
  type AnyListedFormat,
  defaultParams,
  type ParamField,
  type Placement,
  resolvedParams,
  type Shape,
} from '../../core/format.ts';
import { expectedBytes, probablySupports, valueBits } from '../expected-bytes.ts';
import { isAlike } from '../alike-params.ts';
import { type PredictedTime, predictedTime, type TimedFormat } from './predicted-times.ts';

/* Which format for which matrix of a model: the fewest bytes or the least time, within a budget of bytes. */

/** 'bytes': the fewest bytes; 'time': the least time for one token. */
export const OBJECTIVES = ['bytes', 'time'] as const;
export type Objective = (typeof OBJECTIVES)[number];

/** A format with parameters, as it may be chosen. */
export interface Candidate {
  readonly format: AnyListedFormat;
  /** 'auto' where the format decides by the shape */
  readonly params: Readonly<Record<string, unknown>>;
  /** 'MACKO', 'dense i4' */
  readonly title: string;
}

/** A matrix of a model, or several of one shape that are stored alike. */
export interface ChoiceMatrix extends Shape {
  readonly name: string;
  readonly count: number;
  /** how many of them a token is multiplied with */
  readonly active: number;
  /** share of the weights that are not zero, above 0 and at most 1 */
  readonly density: number;
  readonly placement: Placement;
  /** stays dense f16 in every format */
  readonly keptDense: boolean;
}

/** One matrix in one format. */
export interface FormatOption {
  readonly candidate: Candidate;
  /** of one matrix: by the format's closed form, or exact if it was encoded */
  readonly bytes: number;
  readonly isExact: boolean;
  /** of one product; null if no measured time is near enough */
  readonly time: PredictedTime | null;
}

/** A matrix with the formats that support it, the first of which is dense f16. */
export interface MatrixOptions {
  readonly matrix: ChoiceMatrix;
  readonly options: readonly FormatOption[];
}

/** The format that was chosen for a matrix. */
export interface MatrixChoice {
  readonly matrix: ChoiceMatrix;
  readonly chosen: FormatOption;
  /** the best of the other formats by the same objective; null if no other supports the matrix */
  readonly runnerUp: FormatOption | null;
}

/** Sums over all matrices. */
export interface Totals {
  readonly bytes: number;
  /** time of the matrices of one token; null if the time of any is unknown */
  readonly time: { readonly ns: number; readonly spread: number } | null;
}

export interface ModelChoice extends Totals {
  readonly choices: readonly MatrixChoice[];
}

/**
 * The formats to choose from: `reference` (dense) with its default parameters (f16), then each format once for each
 * type of value with at least `minBits` and at most 16 bits, otherwise with default parameters. A format that needs a
 * pattern of pruning comes once for each pattern, too. Formats for activations are left out.
 */
export function candidates(
  formats: readonly AnyListedFormat[],
  reference: AnyListedFormat,
  minBits: number,
): readonly Candidate[] {
  const first = candidateOf(reference, defaultParams<Candidate['params']>(reference.params));
  const keys = new Set([keyOf(first)]);
  const others = formats
    .filter(({ group }) => group !== 'activations')
    .flatMap((format) =>
      paramSets(format).flatMap((params) => {
        const bits = valueBits(params);
        const candidate = candidateOf(format, params);
        if (bits > 16 || bits < minBits || keys.has(keyOf(candidate)) || format.unusable?.(params)) return [];
        keys.add(keyOf(candidate));
        return [candidate];
      }),
    );
  return [first, ...others];
}

function candidateOf(format: AnyListedFormat, params: Candidate['params']): Candidate {
  // The pattern of pruning, such as '6:8', is part of the name.
  const patterns = Object.entries<ParamField<unknown>>(format.params).flatMap(([name, field]) =>
    format.requiredPruning && name !== 'valueType' && field.kind === 'choice'
      ? field.options.filter(({ value }) => value === params[name]).map(({ label }) => label)
      : [],
  );
  const types = valueBits(params) === 16 ? [] : [String(params.valueType)];
  return { format, params, title: [format.title, ...patterns, ...types].join(' ') };
}

/** A format with its widest values, otherwise with default parameters: dense f32. */
export function widestCandidate(format: AnyListedFormat): Candidate {
  const sets = paramSets(format);
  return candidateOf(
    format,
    sets.reduce((a, b) => (valueBits(b) > valueBits(a) ? b : a)),
  );
}

/** Equal for equal formats with equal parameters. */
export function keyOf({ format, params }: Candidate): string {
  return `${format.id} ${JSON.stringify(params)}`;
}

/** The default parameters with every value type, and for a format that needs a pattern with every other choice too. */
function paramSets(format: AnyListedFormat): readonly Candidate['params'][] {
  let sets: readonly Candidate['params'][] = [defaultParams<Candidate['params']>(format.params)];
  for (const [name, field] of Object.entries<ParamField<unknown>>(format.params)) {
    if (field.kind !== 'choice' || (name !== 'valueType' && !format.requiredPruning)) continue;
    sets = field.options.flatMap(({ value }) => sets.map((params) => ({ ...params, [name]: value })));
  }
  return sets;
}

/**
 * The formats that support a matrix, with bytes by their closed form and times from a device's measured ones.
 * `supports`: whether a format supports exactly this matrix; default: whether it probably supports a random one.
 */
export function matrixOptions(
  matrix: ChoiceMatrix,
  all: readonly Candidate[],
  times: readonly TimedFormat[],
  supports?: (candidate: Candidate) => boolean,
): MatrixOptions {
  // The first candidate is dense f16.
  const usable = matrix.keptDense ? all.slice(0, 1) : all;
  return {
    matrix,
    options: usable.flatMap((candidate): FormatOption[] => {
      const { format } = candidate;
      const params = resolvedParams(format.params, candidate.params, matrix);
      const stored = { format, params };
      const isSupported = supports
        ? supports(candidate)
        : probablySupports(stored, matrix.density, matrix, matrix.placement);
      if (!isSupported) return [];
      const bytes = expectedBytes(stored, matrix.density, matrix);
      if (bytes === null) return [];
      // Bytes that do not depend on the density are not an estimate.
      const isConstant = expectedBytes(stored, matrix.density / 2, matrix) === bytes;
      const timed = times.find((one) => one.format === format.id && isAlike(one.params, params));
      const time = timed ? predictedTime(timed.shapes, matrix, matrix.density, isConstant) : null;
      return [{ candidate, bytes, isExact: isConstant, time }];
    }),
  };
}

/**
 * The best format for every matrix by an objective. With `budget`, a limit of the bytes of all matrices: the least time
 * within it, by a price per byte (Lagrange multiplier) and then single exchanges, never slower than any one format for
 * all matrices that stays within it. Null if even the fewest bytes exceed the budget.
 * O(matrices × options) for each price.
 */
export function chooseFormats(
  all: readonly MatrixOptions[],
  objective: Objective,
  budget = Infinity,
): ModelChoice | null {
  const fewestBytes = cheapestOptions(all, bytesOf);
  if (bytesIn(fewestBytes) > budget) return null;
  if (objective === 'bytes') return choiceOf(all, fewestBytes, bytesOf);
  const fastest = cheapestOptions(all, nsOf);
  const chosen = bytesIn(fastest) <= budget ? fastest : fastWithinBudget(all, fewestBytes, budget);
  return choiceOf(all, chosen, nsOf);
}

/** One option for each matrix, in their order. */
type Assignment = readonly { readonly matrix: ChoiceMatrix; readonly option: FormatOption }[];

type Cost = (option: FormatOption) => number;

const bytesOf: Cost = ({ bytes }) => bytes;

/** A format without a time is never chosen for its time. */
const nsOf: Cost = ({ time }) => time?.ns ?? Number.MAX_VALUE;

/** The cheapest option of every matrix; of equal ones the one with fewer bytes, then the first. */
function cheapestOptions(
  all: readonly MatrixOptions[],
  cost: (option: FormatOption, matrix: ChoiceMatrix) => number,
): Assignment {
  return all.map(({ matrix, options }) => {
    const best = options.reduce((a, b) => {
      const difference = cost(b, matrix) - cost(a, matrix);
      return difference < 0 || (difference === 0 && b.bytes < a.bytes) ? b : a;
    });
    return { matrix, option: best };
  });
}

function bytesIn(chosen: Assignment): number {
  return chosen.reduce((sum, { matrix, option }) => sum + option.bytes * matrix.count, 0);
}

/** Time of a token's matrices; a matrix without a time counts as very slow. */
function nsIn(chosen: Assignment): number {
  return chosen.reduce((sum, { matrix, option }) => sum + nsOf(option) * matrix.active, 0);
}

/** Prices per byte that are tried. */
const BISECTION_STEPS = 60;

/** A fast choice within the budget, which must be at least the bytes of `fewestBytes`. */
function fastWithinBudget(all: readonly MatrixOptions[], fewestBytes: Assignment, budget: number): Assignment {
  const atPrice = (price: number): Assignment =>
    cheapestOptions(all, (option, matrix) => nsOf(option) * matrix.active + price * option.bytes * matrix.count);
  const affordable: Assignment[] = [fewestBytes];
  // Bytes fall as the price of a byte, in ns, rises: bisection on a logarithmic scale finds the lowest price that fits.
  let [low, high] = [1e-9, 1e9];
  for (let i = 0; i < BISECTION_STEPS; i++) {
    const price = Math.sqrt(low * high);
    const chosen = atPrice(price);
    if (bytesIn(chosen) <= budget) {
      affordable.push(chosen);
      high = price;
    } else low = price;
  }
  for (const assignment of singleFormats(all)) if (bytesIn(assignment) <= budget) affordable.push(assignment);
  return improved(
    all,
    affordable.reduce((a, b) => (nsIn(b) < nsIn(a) ? b : a)),
    budget,
  );
}

/** Exchanges the option of one matrix after the other while that saves time and stays within the budget. */
function improved(all: readonly MatrixOptions[], start: Assignment, budget: number): Assignment {
  let chosen = start;
  for (const [i, { matrix, options }] of all.entries()) {
    for (const option of options) {
      const changed = chosen.with(i, { matrix, option });
      if (nsIn(changed) < nsIn(chosen) && bytesIn(changed) <= budget) chosen = changed;
    }
  }
  return chosen;
}

/** For each format one choice that uses it for every matrix that it supports, and dense f16 for the others. */
function singleFormats(all: readonly MatrixOptions[]): readonly Assignment[] {
  const keys = new Set(all.flatMap(({ options }) => options.map(({ candidate }) => keyOf(candidate))));
  return [...keys].map((key) => inOneFormat(all, key));
}

/** The choice of one format for every matrix that it supports, and of dense f16 for the others. */
export function totalsInOneFormat(all: readonly MatrixOptions[], candidate: Candidate): Totals {
  return totalsOf(inOneFormat(all, keyOf(candidate)));
}

/** The totals of all matrices in dense f16 and in dense i4, whether or not these may be chosen. `reference`: dense. */
export function denseTotals(
  all: readonly MatrixOptions[],
  reference: AnyListedFormat,
  times: readonly TimedFormat[],
): Readonly<Record<'f16' | 'i4', Totals>> {
  const dense = candidates([reference], reference, 4);
  const totals = (candidate: Candidate): Totals =>
    totalsInOneFormat(
      all.map(({ matrix, options }) => ({
        matrix,
        // A matrix that stays dense keeps its only option.
        options: matrix.keptDense ? options : matrixOptions(matrix, [dense[0], candidate], times, () => true).options,
      })),
      candidate,
    );
  return { f16: totals(dense[0]), i4: totals(dense.find(({ params }) => params.valueType === 'i4') ?? dense[0]) };
}

function inOneFormat(all: readonly MatrixOptions[], key: string): Assignment {
  return all.map(({ matrix, options }) => ({
    matrix,
    option: options.find(({ candidate }) => keyOf(candidate) === key) ?? options[0],
  }));
}

function choiceOf(all: readonly MatrixOptions[], chosen: Assignment, cost: Cost): ModelChoice {
  return {
    ...totalsOf(chosen),
    choices: chosen.map(({ matrix, option }, i): MatrixChoice => {
      const others = all[i].options.filter((other) => other !== option);
      const runnerUp = others.length === 0 ? null : cheapestOptions([{ matrix, options: others }], cost)[0].option;
      return { matrix, chosen: option, runnerUp };
    }),
  };
}

/** The sums. The errors of predicted times are assumed to have the same sign, so the spread is their weighted mean. */
function totalsOf(chosen: Assignment): Totals {
  let [ns, error] = [0, 0];
  let isKnown = true;
  for (const { matrix, option } of chosen) {
    if (!option.time) isKnown = false;
    else {
      ns += option.time.ns * matrix.active;
      error += option.time.ns * option.time.spread * matrix.active;
    }
  }
  return { bytes: bytesIn(chosen), time: isKnown ? { ns, spread: ns === 0 ? 0 : error / ns } : null };
}
