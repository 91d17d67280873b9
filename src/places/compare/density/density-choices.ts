import { formats } from '../../../formats/catalog.ts';
import { flagChoice, numberChoice, oneOf, someOf } from '../../../kit/browser/choices.ts';
import { SIDE_FIELD } from './side-choice.ts';
import { LEAST_DENSITY } from './size-curves.ts';

/** How the density is varied: the way of pruning. */
export const WAYS = ['random', 'magnitude', 'rows', 'n-of-m'] as const;

export const VALUE_TYPES = ['f16', 'f32', 'i8'] as const;

/** A person's choices on the page, all of which are in the address. */
export const DENSITY_FIELDS = {
  /** at the cursor */
  at: numberChoice(LEAST_DENSITY, 1, 0.3),
  axis: oneOf(['linear', 'log'], 'linear'),
  /** generated: uniform, in the shape below; stage: the matrix on the stage */
  matrix: oneOf(['generated', 'stage'], 'generated'),
  rows: numberChoice(16, 131_072, 4096, true),
  cols: numberChoice(16, 131_072, 11_008, true),
  way: oneOf(WAYS, 'random'),
  values: oneOf(VALUE_TYPES, 'f16'),
  seed: numberChoice(0, 2 ** 32 - 1, 1, true),
  formats: someOf(
    formats.map((f) => f.id),
    formats.map((f) => f.id),
  ),
  /** number of densities to measure, and of rounds */
  densities: numberChoice(2, 40, 10, true),
  rounds: numberChoice(1, 200, 12, true),
  beside: someOf(['published', 'quantised', 'unstructured'], ['published', 'quantised', 'unstructured']),
  sort: oneOf(['size', 'speed'], 'size'),
  /** a request for live times, which starts only when a person turns the switch on */
  live: flagChoice(false),
  map: oneOf(['shape', 'structure'], 'shape'),
  /** devices side by side, in a fold */
  side: SIDE_FIELD,
} as const;

type Fields = typeof DENSITY_FIELDS;
export type DensityChoices = { readonly [K in keyof Fields]: Fields[K]['default'] };

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
