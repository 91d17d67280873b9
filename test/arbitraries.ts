// Arbitraries of fast-check for matrices and parameters of formats, and the choice of combinations that tests try.

import fc from 'fast-check';
import { type AnyFormat, defaultParams, type ParamField } from '../src/core/format.ts';
import type { Matrix } from '../src/core/matrix/index.ts';
import {
  buildMatrix as build,
  type MatrixRecipe,
  RECIPE_PATTERNS,
  RECIPE_VALUES,
} from '../src/generate/awkward/matrices.ts';
import { cases } from './scheduled.ts';

export type { MatrixRecipe } from '../src/generate/awkward/matrices.ts';

const built = new WeakMap<MatrixRecipe, Matrix>();

/** The matrix of a recipe, cached: the same matrix decides whether a format supports it and is checked by the law. */
export function buildMatrix(recipe: MatrixRecipe): Matrix {
  let matrix = built.get(recipe);
  if (!matrix) {
    matrix = build(recipe);
    built.set(recipe, matrix);
  }
  return matrix;
}

/** A recipe of uniform non-zeros with normal values, except for the given properties. */
export function uniformRecipe(
  [rows, cols]: readonly [number, number],
  density: number,
  seed: number,
  properties: Partial<MatrixRecipe> = {},
): MatrixRecipe {
  return {
    shape: [rows, cols],
    pattern: 'uniform',
    values: 'normal',
    density,
    seed,
    storage: 'entries',
    ...properties,
  };
}

/** Shapes at which tiles, words, groups and workgroups are not full, or which are empty. */
export const AWKWARD_SHAPES: readonly (readonly [rows: number, cols: number])[] = [
  [0, 0],
  [0, 7],
  [5, 0],
  [1, 1],
  [9, 1],
  [1, 96],
  [7, 96],
  [11, 55],
  [3, 31],
  [3, 32],
  [3, 33],
  [2, 257],
  [33, 8],
];

/** Recipes of matrices up to the given size; half of them have awkward shapes. */
export function matrixRecipe(maxRows = 40, maxCols = 300): fc.Arbitrary<MatrixRecipe> {
  const awkward = AWKWARD_SHAPES.filter(([rows, cols]) => rows <= maxRows && cols <= maxCols);
  return fc.record({
    shape: fc.oneof(
      fc.constantFrom(...awkward),
      fc.tuple(fc.integer({ min: 1, max: maxRows }), fc.integer({ min: 1, max: maxCols })),
    ),
    pattern: fc.constantFrom(...(Object.keys(RECIPE_PATTERNS) as (keyof typeof RECIPE_PATTERNS)[])),
    values: fc.constantFrom(...(Object.keys(RECIPE_VALUES) as (keyof typeof RECIPE_VALUES)[])),
    density: fc.constantFrom(0.02, 0.1, 0.3, 0.5, 0.9),
    seed: fc.integer({ min: 0, max: 2 ** 31 - 1 }),
    storage: fc.constantFrom('cells', 'entries'),
  });
}

type Params = Readonly<Record<string, unknown>>;

/** Minimum non-zeros of a matrix for a law to be meaningful. */
export const ENOUGH = 16;

const isSupported = (format: AnyFormat, params: Params, recipe: MatrixRecipe): boolean => {
  const m = buildMatrix(recipe);
  return m.nnz >= ENOUGH && format.admits(m, params).ok;
};

const probes = new Map<string, MatrixRecipe>();

/** A recipe that every format is checked with: one object, so that its matrix is built once. */
function probeOf(pattern: MatrixRecipe['pattern'], density: number, rows: number, cols: number): MatrixRecipe {
  const key = `${pattern}, ${density}, ${rows} × ${cols}`;
  const shape = [rows, cols] as const;
  const probe = probes.get(key) ?? { shape, pattern, values: 'normal', density, seed: 1, storage: 'cells' };
  probes.set(key, probe);
  return probe;
}

const supportedPatterns = new WeakMap<AnyFormat, Map<string, readonly MatrixRecipe['pattern'][]>>();

/** Patterns that a format supports with these parameters on a few shapes: cached, since every law needs them. */
function patternsFor(
  format: AnyFormat,
  params: Params,
  maxRows: number,
  maxCols: number,
): readonly MatrixRecipe['pattern'][] {
  const cached = supportedPatterns.get(format) ?? new Map<string, readonly MatrixRecipe['pattern'][]>();
  supportedPatterns.set(format, cached);
  const key = `${paramsTitle(params)}, ${maxRows} × ${maxCols}`;
  let names = cached.get(key);
  if (!names) {
    names = (Object.keys(RECIPE_PATTERNS) as MatrixRecipe['pattern'][]).filter((pattern) =>
      [0.1, 0.5].some((density) =>
        [maxRows, maxRows - 3].some((rows) =>
          isSupported(format, params, probeOf(pattern, density, rows, maxCols - 5)),
        ),
      ),
    );
    if (names.length === 0) throw new Error(`no pattern for ${format.id} with ${paramsTitle(params)}`);
    cached.set(key, names);
  }
  return names;
}

/**
 * Recipes of matrices that a format supports with these parameters, and that have enough non-zeros, of the patterns
 * that it supports on a few shapes.
 */
export function supportedRecipe(
  format: AnyFormat,
  params: Params,
  maxRows = 40,
  maxCols = 300,
): fc.Arbitrary<MatrixRecipe> {
  return fc
    .record({
      shape: fc.tuple(fc.integer({ min: 4, max: maxRows }), fc.integer({ min: 16, max: maxCols })),
      pattern: fc.constantFrom(...patternsFor(format, params, maxRows, maxCols)),
      values: fc.constantFrom('normal' as const, 'small integers' as const, 'edges' as const, 'largest' as const),
      density: fc.constantFrom(0.1, 0.3, 0.5, 0.9),
      seed: fc.integer({ min: 0, max: 2 ** 31 - 1 }),
      storage: fc.constantFrom('cells' as const, 'entries' as const),
    })
    .filter((recipe) => isSupported(format, params, recipe));
}

/** Any matrix, or one that the format supports with enough non-zeros, equally often. */
export function recipeFor(
  format: AnyFormat,
  params: Params,
  maxRows?: number,
  maxCols?: number,
): fc.Arbitrary<MatrixRecipe> {
  return fc.oneof(matrixRecipe(maxRows, maxCols), supportedRecipe(format, params, maxRows, maxCols));
}

/** How many matrices with enough non-zeros each law was run on, by law and then by parameters. */
export class LawCounts {
  readonly #counts = new Map<string, Map<string, number>>();

  /** Records that a law checks `m`, which the format supports. */
  add(law: string, params: Params, m: Matrix): void {
    if (m.nnz < ENOUGH) return;
    const byParams = this.#counts.get(law) ?? new Map<string, number>();
    this.#counts.set(law, byParams);
    const title = paramsTitle(params);
    byParams.set(title, (byParams.get(title) ?? 0) + 1);
  }

  /** For each law: the count over all parameters, and the count of the parameters with the fewest. */
  totals(): readonly {
    readonly law: string;
    readonly all: number;
    readonly fewest: number;
    readonly params: number;
  }[] {
    return [...this.#counts].map(([law, byParams]) => {
      const counts = [...byParams.values()];
      return { law, all: counts.reduce((a, b) => a + b, 0), fewest: Math.min(...counts), params: counts.length };
    });
  }
}

/** Minimum number of matrices with enough non-zeros for every law and format. */
export const ENOUGH_MATRICES = cases(30, 200);

/**
 * How often a property runs with each combination of parameters so that a format's matrices with enough non-zeros are at least
 * ENOUGH_MATRICES: about half of the matrices have them, hence 2.2 times as many.
 */
export function runsFor(format: AnyFormat, min: number): number {
  return Math.max(min, Math.ceil((2.2 * ENOUGH_MATRICES) / allParams(format).length));
}

/** Up to this many combinations are all tested; of more, a subset with every two values of two parameters. */
const MAX_COMBINATIONS = 32;

const combinationsOf = new WeakMap<AnyFormat, readonly Params[]>();

/**
 * The part of `all` that combination number `index` of `count` is tried with, if not all tests run. Every combination gets
 * some elements, and every element of `all` is used by some combination.
 */
export function turnOf<T>(all: readonly T[], index: number, count: number): readonly T[] {
  const turns = cases(Math.min(all.length, count), 1);
  return all.filter((_, i) => i % turns === index % turns);
}

/** Every combination of a format's choices, including unusable ones, with integers at both ends and the default. */
export function everyCombination(format: AnyFormat): readonly Params[] {
  let combinations: Params[] = [{}];
  for (const [name, field] of Object.entries(format.params) as [string, ParamField<unknown>][]) {
    const values =
      field.kind === 'choice'
        ? field.options.map((option) => option.value)
        : [...new Set([field.min, field.default, field.max])];
    combinations = combinations.flatMap((params) => values.map((value) => ({ ...params, [name]: value })));
  }
  return combinations;
}

/**
 * The usable combinations of a format's choices, with integers at both ends and at the default: all of them, or a
 * subset in which every pair of values of two parameters occurs. Includes the defaults.
 */
export function allParams(format: AnyFormat): readonly Params[] {
  let usable = combinationsOf.get(format);
  if (!usable) {
    const combinations = everyCombination(format).filter((params) => (format.unusable?.(params) ?? null) === null);
    usable =
      combinations.length <= MAX_COMBINATIONS ? combinations : pairwise(combinations, defaultParams(format.params));
    combinationsOf.set(format, usable);
  }
  return usable;
}

/** Combinations in which every pair of values occurs that occurs in `all`, beginning with `first`. */
function pairwise(all: readonly Params[], first: Params): readonly Params[] {
  const rest = coverPairs(all, valuePairs, valuePairs(first));
  return [first, ...rest];
}

const valuesOf = (params: Params): string[] =>
  Object.entries(params).map(([name, value]) => `${name} ${String(value)}`);

/** Every two values of two parameters. */
export function valuePairs(params: Params): readonly string[] {
  const values = valuesOf(params);
  return values.flatMap((a, i) => values.slice(i + 1).map((b) => `${a}, ${b}`));
}

/** Pairs of `item` with each value of a parameter. */
export function pairsWith(item: string, params: Params): readonly string[] {
  return valuesOf(params).map((value) => `${item}, ${value}`);
}

/**
 * A subset of `all` that contains every pair that occurs in `all` (pairwise testing). Greedy: each time the item with the most
 * new pairs; among equals, the item whose kinds have been chosen least often. `covered` are pairs that need no item.
 */
export function coverPairs<T>(
  all: readonly T[],
  pairsOf: (item: T) => readonly string[],
  covered: readonly string[] = [],
  kindsOf: (item: T) => readonly string[] = () => [],
): readonly T[] {
  // Pairs are numbered, which is faster: there are thousands of items, and each is visited many times.
  const numbers = new Map<string, number>();
  const numberOf = (pair: string): number => {
    const number = numbers.get(pair) ?? numbers.size;
    numbers.set(pair, number);
    return number;
  };
  // The gain of an item (its new pairs) never grows, so an old gain is an upper bound.
  const candidates = all.map((item) => ({
    item,
    pairs: pairsOf(item).map(numberOf),
    gain: Number.POSITIVE_INFINITY,
  }));
  const missing = new Uint8Array(numbers.size).fill(1);
  let missingCount = numbers.size;
  const cover = (pair: number | undefined): void => {
    if (pair === undefined || missing[pair] === 0) return;
    missing[pair] = 0;
    missingCount--;
  };
  for (const pair of covered) cover(numbers.get(pair));
  const uses = new Map<string, number>();
  const usesOf = (item: T): number => kindsOf(item).reduce((sum, kind) => sum + (uses.get(kind) ?? 0), 0);
  const chosen: T[] = [];
  while (missingCount > 0) {
    let best = candidates[0];
    let maxGain = -1;
    for (const candidate of candidates) {
      if (candidate.gain < maxGain) continue;
      let gain = 0;
      for (const pair of candidate.pairs) gain += missing[pair];
      candidate.gain = gain;
      if (gain > maxGain || (gain === maxGain && usesOf(candidate.item) < usesOf(best.item))) {
        [best, maxGain] = [candidate, gain];
      }
    }
    chosen.push(best.item);
    for (const kind of kindsOf(best.item)) uses.set(kind, (uses.get(kind) ?? 0) + 1);
    for (const pair of best.pairs) cover(pair);
  }
  return chosen;
}

/** Parameters in a test's title: 'valueType f16, indexBits 32'. */
export function paramsTitle(params: Params): string {
  return Object.entries(params)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(', ');
}
