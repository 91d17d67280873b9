import type { Fact } from '../core/format.ts';
import { countText, valueText } from '../core/story/words.ts';

/** Facts shared by the formats of activations, tokens by neurons. */

/** Non-zeros of a row: the mean, and the row with the most of them. */
export function perRowFact(mean: number, longest: { readonly row: number; readonly count: number }): Fact {
  return {
    label: 'non-zeros per row (L0)',
    value: meanText(mean),
    note: `At most ${countText(longest.count)}, in row ${longest.row}.`,
  };
}

/** Mean over the rows of the sum of |value|, with the value of the equation in the TwELL paper. */
export function magnitudeFact(l1PerRow: number, cols: number): Fact {
  return {
    label: 'sum of magnitudes per row (L1)',
    value: meanText(l1PerRow),
    note: `As in the authors’ code. Their equation 2 also divides by ${countText(cols)}: ${valueText(l1PerRow / cols)}.`,
  };
}

/** A mean of at least 0 in three significant digits, or as a whole number. */
export function meanText(value: number): string {
  if (Number.isInteger(value)) return countText(value);
  return value >= 100 ? countText(Math.round(value)) : value.toPrecision(3);
}
