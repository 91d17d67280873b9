import { formats } from '../../../formats/catalog.ts';
import { flagChoice, numberChoice, oneOf, someOf, textChoice } from '../../../kit/browser/choices.ts';
import { LEAST_DENSITY } from './size-curves.ts';

/** What varies the density: how the matrix is pruned to it. */
export const WAYS = ['random', 'magnitude', 'rows', 'n-of-m'] as const;

export const VALUE_TYPES = ['f16', 'f32', 'i8'] as const;

/** What a person chooses on the page; all of it is in the address. */
export const DENSITY_FIELDS = {
  /** of the cursor */
  at: numberChoice(LEAST_DENSITY, 1, 0.3),
  axis: oneOf(['linear', 'log'], 'linear'),
  /** generated: uniform, in the shape below; stage: the matrix of the stage */
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
  /** how many densities are measured, and how often */
  densities: numberChoice(2, 40, 10, true),
  rounds: numberChoice(1, 200, 12, true),
  beside: someOf(['published', 'quantised', 'unstructured'], ['published', 'quantised', 'unstructured']),
  /** whose published speeds are shown */
  card: textChoice(40, 'RTX 4090'),
  sort: oneOf(['size', 'speed'], 'size'),
  /** a wish for live times, which a person grants by the switch */
  live: flagChoice(false),
  map: oneOf(['shape', 'structure'], 'shape'),
} as const;

type Fields = typeof DENSITY_FIELDS;
export type DensityChoices = { readonly [K in keyof Fields]: Fields[K]['default'] };

/** Prunings to N:M that are measured; beyond 1:4, the patterns (2N - 2):2N that slide onto 2:4 hardware. */
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
