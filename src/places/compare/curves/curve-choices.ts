import { type AnyListedFormat, isProvided } from '../../../core/format.ts';
import { formats } from '../../../formats/catalog.ts';
import { numberChoice, oneOf, someOf } from '../../../kit/browser/choices.ts';
import type { Pruning } from '../../../engine/matrix/pruning-way.ts';

/** How the density is varied: the way of pruning. */
const METHODS = ['random', 'magnitude', 'rows', 'n-of-m'] as const;
export type PruningMethod = (typeof METHODS)[number];

/** What is chosen for the chart; in the address. */
export const CHART_FIELDS = {
  /** what it shows; '': bytes of a matrix, tokens per second of a model */
  picture: oneOf(['', 'size', 'speed'], ''),
  formats: someOf(
    formats.map((f) => f.id),
    formats.map((f) => f.id),
  ),
  beside: someOf(['published', 'quantised'], ['published', 'quantised']),
  seed: numberChoice(0, 2 ** 32 - 1, 1, true),
} as const;

type ChartFields = typeof CHART_FIELDS;
export type ChartChoices = { readonly [K in keyof ChartFields]: ChartFields[K]['default'] };

/** Whether a format is in the charts. An address lists formats that everybody has; what a person wrote was asked for. */
export function isChosen(format: Pick<AnyListedFormat, 'id' | 'group'>, chosen: readonly string[]): boolean {
  return isProvided(format) || chosen.includes(format.id);
}

/**
 * The way in which further shares are made, from that of the current pruning. Wanda needs activations, which only one matrix
 * has, so rows are pruned by magnitude instead, which keeps as many in every row. A matrix that was opened sparse may have
 * non-zeros anywhere.
 */
export function methodOf(pruning: Pruning | null): PruningMethod {
  if (pruning === null) return 'random';
  return pruning.way === 'wanda' ? 'rows' : pruning.way;
}
