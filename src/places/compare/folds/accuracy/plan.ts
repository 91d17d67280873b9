import type { AnyListedFormat } from '../../../../core/format.ts';
import type { FormatParams } from '../../../../state/index.ts';
import type { NetworkChoice, NetworkPruning } from '../../service/network/types.ts';
import { density as densityText } from '../../../../kit/words/quantity.ts';

/** The ways to prune the network; every format runs with the first. */
export const WAYS = ['magnitude', 'wanda', 'rows', 'random', 'n-of-m'] as const;
export type Way = (typeof WAYS)[number];

export const WAY_TITLES: Readonly<Record<Way, string>> = {
  magnitude: 'magnitude',
  wanda: 'Wanda',
  rows: 'magnitude by rows',
  random: 'random',
  'n-of-m': 'N:M',
};

/** A way of pruning, in words that follow 'pruned'. */
export const WAY_WORDS: Readonly<Record<Way, string>> = {
  magnitude: 'by magnitude, layer by layer',
  wanda: 'by Wanda: weight times the norm of its input, row by row',
  rows: 'by magnitude, row by row',
  random: 'at random',
  'n-of-m': 'to N of every M neighbours',
};

/** Densities in running order: a coarse picture of the whole first, then the gaps. */
const DENSITIES: readonly number[] = [0.5, 0.2, 0.1, 0.3, 0.05, 0.7, 0.4, 0.15, 0.02, 0.25, 0.6, 0.85];
const PATTERNS: readonly (readonly [number, number])[] = [
  [2, 4],
  [1, 4],
  [6, 8],
  [1, 8],
  [4, 6],
  [1, 16],
  [3, 8],
  [14, 16],
];
const RANDOM_SEED = 1;

/** The prunings of a way, each with the share of weights it keeps, in running order. */
export function pruningsOf(way: Way): readonly NetworkPruning[] {
  return way === 'n-of-m'
    ? PATTERNS.map(([kept, group]) => ({ way, kept, group }))
    : DENSITIES.map((density) => pruningAt(way, density));
}

/** The pruning of a way that keeps about this share; for N:M the nearest pattern. */
export function pruningAt(way: Way, density: number): NetworkPruning {
  if (way === 'n-of-m') {
    const [kept, group] = PATTERNS.reduce((a, b) =>
      Math.abs(b[0] / b[1] - density) < Math.abs(a[0] / a[1] - density) ? b : a,
    );
    return { way, kept, group };
  }
  return way === 'random' ? { way, density, seed: RANDOM_SEED } : { way, density };
}

/** Share of the weights that a pruning keeps; 1 without any. */
export function densityOf(pruning: NetworkPruning | null): number {
  if (pruning === null) return 1;
  return pruning.way === 'n-of-m' ? pruning.kept / pruning.group : pruning.density;
}

/** A pruning in a few words: 'Wanda 0.30', '2:4'. */
export function pruningText(pruning: NetworkPruning | null): string {
  if (pruning === null) return 'not pruned';
  if (pruning.way === 'n-of-m') return `${pruning.kept}:${pruning.group}`;
  return `${WAY_TITLES[pruning.way]} ${densityText(pruning.density, 2)}`;
}

/** A format's value types for the weights, except f32, which adds nothing to the network's f16. */
export function valueTypesOf({ params }: AnyListedFormat): readonly string[] {
  const field: unknown = params.valueType;
  const options = isChoice(field) ? field.options.map(({ value }) => String(value)) : [];
  return options.filter((value) => value !== 'f32');
}

function isChoice(field: unknown): field is { readonly options: readonly { readonly value: unknown }[] } {
  return typeof field === 'object' && field !== null && 'options' in field && Array.isArray(field.options);
}

/** Values with fewer than 16 bits: weights stored in them are quantised. */
export function isQuantised(valueType: string): boolean {
  return valueType.startsWith('i');
}

/**
 * Every format but the reference: first those for weights, which have f16, by their predicted size at density 0.3; then
 * those for activations, which only hold weights if few are kept.
 */
export function orderedFormats(formats: readonly AnyListedFormat[], reference: string): readonly AnyListedFormat[] {
  const promised = (format: AnyListedFormat): number => {
    const params = Object.fromEntries(
      Object.entries<{ readonly default: unknown }>(format.params).map(([name, field]) => [name, field.default]),
    );
    const bounds = format.expectedEffectiveDensity?.(0.3, params, { rows: 512, cols: 512 });
    return bounds?.expected ?? Number.POSITIVE_INFINITY;
  };
  const isOfWeights = (format: AnyListedFormat): boolean => valueTypesOf(format).includes('f16');
  return formats
    .filter((format) => format.id !== reference)
    .toSorted((a, b) => Number(isOfWeights(b)) - Number(isOfWeights(a)) || promised(a) - promised(b));
}

export interface PlanRequest {
  /** the first one with every format, the others only with the first format */
  readonly ways: readonly Way[];
  readonly formats: readonly AnyListedFormat[];
  readonly reference: AnyListedFormat;
  /** of every format, by id */
  readonly params: Readonly<Record<string, FormatParams>>;
  readonly layers: NetworkChoice['layers'];
  readonly where: NetworkChoice['where'];
}

/**
 * All choices for the charts, in running order: the whole network in each value type, then, by density, each format in
 * each of its value types, and the other ways of pruning in the first format.
 */
export function planRuns({ ways, formats, reference, params, layers, where }: PlanRequest): readonly NetworkChoice[] {
  const choice = (format: AnyListedFormat, valueType: string, pruning: NetworkPruning | null): NetworkChoice => ({
    format: format.id,
    params: { ...params[format.id], valueType },
    pruning,
    layers,
    where,
  });
  const whole = valueTypesOf(reference).map((valueType) => choice(reference, valueType, null));
  const lists = ways.map((way, w) =>
    pruningsOf(way).map((pruning) => {
      const [first] = formats;
      if (w > 0) return first ? [choice(first, valueTypesOf(first)[0], pruning)] : [];
      return formats.flatMap((format) => valueTypesOf(format).map((valueType) => choice(format, valueType, pruning)));
    }),
  );
  const longest = Math.max(0, ...lists.map((list) => list.length)); // bounded: five ways
  const pruned = Array.from({ length: longest }, (_, i) => lists.flatMap((list) => list[i] ?? [])).flat();
  return [...whole, ...pruned];
}

/** Identifies a run: the same choice on the same images gives the same answers. */
export function keyOf(choice: NetworkChoice, images: number): string {
  const { format, params, pruning, layers, where } = choice;
  const sorted = Object.entries(params).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([format, sorted, pruning, pruning === null ? 'all' : layers, where, images]);
}
