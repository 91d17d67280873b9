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
  readonly chosenOption: FormatOption;
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
  const referenceCandidate = candidateOf(reference, defaultParams<Candidate['params']>(reference.params));
  const keys = new Set([keyOf(referenceCandidate)]);
  const otherCandidates = formats
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
  return [referenceCandidate, ...otherCandidates];
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
  allCandidates: readonly Candidate[],
  times: readonly TimedFormat[],
  supports?: (candidate: Candidate) => boolean,
): MatrixOptions {
  // The first candidate is dense f16.
  const usable = matrix.keptDense ? allCandidates.slice(0, 1) : allCandidates;
  return {
    matrix,
    options: usable.flatMap((candidate): FormatOption[] => {
      const { format } = candidate;
      const params = resolvedParams(format.params, candidate.params, matrix);
      const sizedFormat = { format, params };
      const isSupported = supports
        ? supports(candidate)
        : probablySupports(sizedFormat, matrix.density, matrix, matrix.placement);
      if (!isSupported) return [];
      const bytes = expectedBytes(sizedFormat, matrix.density, matrix);
      if (bytes === null) return [];
      // Bytes that do not depend on the density are not an estimate.
      const isConstant = expectedBytes(sizedFormat, matrix.density / 2, matrix) === bytes;
      const timedFormat = times.find(
        (candidateTimes) => candidateTimes.format === format.id && isAlike(candidateTimes.params, params),
      );
      const time = timedFormat ? predictedTime(timedFormat.shapes, matrix, matrix.density, isConstant) : null;
      return [{ candidate, bytes, isExact: isConstant, time }];
    }),
  };
}

/**
 * The best format for every matrix by an objective. If the fastest formats exceed `budget`, a limit of the bytes of all
 * matrices, a fast choice within it is searched by a price per byte (Lagrange multiplier), then improved by exchanging
 * single options. It is never slower than one format for all matrices that stays within the budget. Null if even the
 * fewest bytes exceed the budget.
 * O(matrices × options) for each price.
 */
export function chooseFormats(
  matrices: readonly MatrixOptions[],
  objective: Objective,
  budget = Infinity,
): ModelChoice | null {
  const fewestBytes = cheapestOptions(matrices, bytesOf);
  if (bytesIn(fewestBytes) > budget) return null;
  if (objective === 'bytes') return choiceOf(matrices, fewestBytes, bytesOf);
  const fastest = cheapestOptions(matrices, nsOf);
  const assignment = bytesIn(fastest) <= budget ? fastest : fastWithinBudget(matrices, fewestBytes, budget);
  return choiceOf(matrices, assignment, nsOf);
}

/** One option for each matrix, in their order. */
type Assignment = readonly { readonly matrix: ChoiceMatrix; readonly option: FormatOption }[];

type Cost = (option: FormatOption) => number;

const bytesOf: Cost = ({ bytes }) => bytes;

/** A format without a time is never chosen for its time. */
const nsOf: Cost = ({ time }) => time?.ns ?? Number.MAX_VALUE;

/** The cheapest option of every matrix; of equal ones the one with fewer bytes, then the first. */
function cheapestOptions(
  matrices: readonly MatrixOptions[],
  cost: (option: FormatOption, matrix: ChoiceMatrix) => number,
): Assignment {
  return matrices.map(({ matrix, options }) => {
    const best = options.reduce((a, b) => {
      const difference = cost(b, matrix) - cost(a, matrix);
      return difference < 0 || (difference === 0 && b.bytes < a.bytes) ? b : a;
    });
    return { matrix, option: best };
  });
}

function bytesIn(assignment: Assignment): number {
  return assignment.reduce((sum, { matrix, option }) => sum + option.bytes * matrix.count, 0);
}

/** Time of a token's matrices; a matrix without a time counts as very slow. */
function nsIn(assignment: Assignment): number {
  return assignment.reduce((sum, { matrix, option }) => sum + nsOf(option) * matrix.active, 0);
}

/** Number of prices per byte that are tried. */
const BISECTION_STEPS = 60;

/** A fast choice within the budget, which must be at least the bytes of `fewestBytes`. */
function fastWithinBudget(matrices: readonly MatrixOptions[], fewestBytes: Assignment, budget: number): Assignment {
  const atPrice = (price: number): Assignment =>
    cheapestOptions(matrices, (option, matrix) => nsOf(option) * matrix.active + price * option.bytes * matrix.count);
  const affordableChoices: Assignment[] = [fewestBytes];
  // Bytes fall as the price of a byte, in ns, rises: bisection on a logarithmic scale finds the lowest price that fits.
  let [low, high] = [1e-9, 1e9];
  for (let i = 0; i < BISECTION_STEPS; i++) {
    const price = Math.sqrt(low * high);
    const assignment = atPrice(price);
    if (bytesIn(assignment) <= budget) {
      affordableChoices.push(assignment);
      high = price;
    } else low = price;
  }
  for (const assignment of singleFormats(matrices))
    if (bytesIn(assignment) <= budget) affordableChoices.push(assignment);
  return withExchanges(
    matrices,
    affordableChoices.reduce((a, b) => (nsIn(b) < nsIn(a) ? b : a)),
    budget,
  );
}

/** Exchanges the option of one matrix after the other while that saves time and stays within the budget. */
function withExchanges(matrices: readonly MatrixOptions[], start: Assignment, budget: number): Assignment {
  let assignment = start;
  for (const [i, { matrix, options }] of matrices.entries()) {
    for (const option of options) {
      const changedAssignment = assignment.with(i, { matrix, option });
      if (nsIn(changedAssignment) < nsIn(assignment) && bytesIn(changedAssignment) <= budget)
        assignment = changedAssignment;
    }
  }
  return assignment;
}

/** For each format one choice that uses it for every matrix that it supports, and dense f16 for the others. */
function singleFormats(matrices: readonly MatrixOptions[]): readonly Assignment[] {
  const keys = new Set(matrices.flatMap(({ options }) => options.map(({ candidate }) => keyOf(candidate))));
  return [...keys].map((key) => inOneFormat(matrices, key));
}

/** The choice of one format for every matrix that it supports, and of dense f16 for the others. */
export function totalsInOneFormat(matrices: readonly MatrixOptions[], candidate: Candidate): Totals {
  return totalsOf(inOneFormat(matrices, keyOf(candidate)));
}

/** The totals of all matrices in dense f16 and in dense i4, whether or not these may be chosen. `reference`: dense. */
export function denseTotals(
  matrices: readonly MatrixOptions[],
  reference: AnyListedFormat,
  times: readonly TimedFormat[],
): Readonly<Record<'f16' | 'i4', Totals>> {
  const dense = candidates([reference], reference, 4);
  const totals = (candidate: Candidate): Totals =>
    totalsInOneFormat(
      matrices.map(({ matrix, options }) => ({
        matrix,
        // A matrix that stays dense keeps its only option.
        options: matrix.keptDense ? options : matrixOptions(matrix, [dense[0], candidate], times, () => true).options,
      })),
      candidate,
    );
  return { f16: totals(dense[0]), i4: totals(dense.find(({ params }) => params.valueType === 'i4') ?? dense[0]) };
}

function inOneFormat(matrices: readonly MatrixOptions[], key: string): Assignment {
  return matrices.map(({ matrix, options }) => ({
    matrix,
    option: options.find(({ candidate }) => keyOf(candidate) === key) ?? options[0],
  }));
}

function choiceOf(matrices: readonly MatrixOptions[], assignment: Assignment, cost: Cost): ModelChoice {
  return {
    ...totalsOf(assignment),
    choices: assignment.map(({ matrix, option }, i): MatrixChoice => {
      const otherOptions = matrices[i].options.filter((other) => other !== option);
      const runnerUp =
        otherOptions.length === 0 ? null : cheapestOptions([{ matrix, options: otherOptions }], cost)[0].option;
      return { matrix, chosenOption: option, runnerUp };
    }),
  };
}

/** Sums over all matrices. Errors of predicted times are assumed to have one sign, so their weighted mean is the spread. */
function totalsOf(assignment: Assignment): Totals {
  let [ns, error] = [0, 0];
  let isKnown = true;
  for (const { matrix, option } of assignment) {
    if (!option.time) isKnown = false;
    else {
      ns += option.time.ns * matrix.active;
      error += option.time.ns * option.time.spread * matrix.active;
    }
  }
  return { bytes: bytesIn(assignment), time: isKnown ? { ns, spread: ns === 0 ? 0 : error / ns } : null };
}
