import { type AnyListedFormat, OWN_GROUP } from '../../../core/format.ts';
import { formats } from '../../../formats/catalog.ts';
import { flagChoice, numberChoice, oneOf, someOf } from '../../../kit/browser/choices.ts';
import type { Pruning } from '../../../engine/matrix/pruning-way.ts';

/** How the density is varied: the way of pruning. */
const WAYS = ['random', 'magnitude', 'rows', 'n-of-m'] as const;
export type Way = (typeof WAYS)[number];

export const VALUE_TYPES = ['f16', 'f32', 'i8'] as const;

/** What is chosen for the chart; in the address. */
export const CHART_FIELDS = {
  /** what it shows; '': bytes of a matrix, tokens per second of a model */
  picture: oneOf(['', 'size', 'speed'], ''),
  axis: oneOf(['linear', 'log'], 'linear'),
  /** a request for live times, which starts only when a person turns the switch on */
  live: flagChoice(false),
  formats: someOf(
    formats.map((f) => f.id),
    formats.map((f) => f.id),
  ),
  beside: someOf(['published', 'quantised', 'unstructured'], ['published', 'quantised', 'unstructured']),
  seed: numberChoice(0, 2 ** 32 - 1, 1, true),
} as const;

/** Largest number of rows or columns. */
const MOST_SIDE = 131_072;

/** What is chosen for closed forms of any shape and any values. */
export const FORMS_FIELDS = {
  ...CHART_FIELDS,
  /** stage: the matrix of the sentence; generated: uniform, in the shape below */
  matrix: oneOf(['stage', 'generated'], 'stage'),
  /** 0: those of the matrix of the sentence */
  rows: numberChoice(0, MOST_SIDE, 0, true),
  cols: numberChoice(0, MOST_SIDE, 0, true),
  values: oneOf(VALUE_TYPES, 'f16'),
  /** number of densities to measure, and of rounds */
  densities: numberChoice(2, 40, 10, true),
  rounds: numberChoice(1, 200, 12, true),
  ranked: oneOf(['size', 'speed'], 'size'),
  map: oneOf(['shape', 'structure'], 'shape'),
} as const;

type FormsFields = typeof FORMS_FIELDS;
export type FormsChoices = { readonly [K in keyof FormsFields]: FormsFields[K]['default'] };

/** What closed forms are asked: choices, and what the sentence says is left. */
export interface CurveChoices extends FormsChoices {
  /** share that is left */
  readonly at: number;
  readonly way: Way;
}

/** Whether a format is in the charts. An address lists formats that everybody has; what somebody wrote was asked for. */
export function isChosen({ id, group }: Pick<AnyListedFormat, 'id' | 'group'>, chosen: readonly string[]): boolean {
  return group === OWN_GROUP || chosen.includes(id);
}

/**
 * How other shares are made as a pruning made this one. Wanda, whose activations are known of one matrix alone, keeps as
 * many of every row as pruning row by row; a matrix that came sparse may be sparse anywhere.
 */
export function wayOf(pruning: Pruning | null): Way {
  if (pruning === null) return 'random';
  return pruning.way === 'wanda' ? 'rows' : pruning.way;
}

/** N:M prunings to measure; beyond 1:4, patterns (2N - 2):2N that slide onto 2:4 hardware. */
export const EVEN_PATTERNS: readonly (readonly [kept: number, group: number])[] = [
  [1, 16],
  [1, 8],
  [1, 4],
  [2, 4],
  [4, 6],
  [6, 8],
  [8, 10],
  [10, 12],
  [12, 14],
  [14, 16],
];
