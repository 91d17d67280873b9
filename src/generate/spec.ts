import { densityText } from '../core/text/rounded.ts';
import { MatrixError } from '../core/errors.ts';

/** A random matrix to generate. The same spec generates the same matrix on every machine. */
export interface GenerateSpec {
  /** id of a pattern, see `patterns` */
  readonly pattern: string;
  readonly rows: number;
  readonly cols: number;
  /** share of non-zeros, from 0 to 1: expected, or exact in some patterns */
  readonly density: number;
  /** whole number from 0 to 2^32 - 1 */
  readonly seed: number;
  /** options of the pattern by name; missing ones take their default */
  readonly options?: Readonly<Record<string, number>>;
}

/** A spec as a text, with its options: 'activations, density 0.0053, tokenSkew 0, seed 1'. */
export function specText({ pattern, density, seed, options = {} }: GenerateSpec): string {
  const named = Object.entries(options).map(([name, value]) => `${name} ${value}`);
  return [pattern, `density ${Number(density.toPrecision(6))}`, ...named, `seed ${seed}`].join(', ');
}

/** A `specText` with its density in percent, as on the page: 'activations, 0.53 % left, tokenSkew 0, seed 1'. */
export function sourceText(source: string): string {
  return source.replace(/\bdensity (\d[^,]*)/, (_, density: string) => `${densityText(Number(density))} left`);
}

/** Throws MatrixError unless a density, the share of cells that are not pruned, is from 0 to 1. */
export function checkShare(share: number): void {
  if (share >= 0 && share <= 1) return;
  throw new MatrixError(`density: found ${share}, expected a number from 0 to 1`);
}
