import type { Fact } from '../core/format.ts';
import { countText, valueText } from '../core/text/words.ts';

/** Fact about activations (tokens × neurons): the mean non-zeros of a row, and the row with the most of them. */
export function perRowFact(mean: number, longest: { readonly row: number; readonly count: number }): Fact {
  return {
    label: 'non-zeros per row (L0)',
    value: meanInThreeDigits(mean),
    note: `At most ${countText(longest.count)}, in row ${longest.row}.`,
  };
}

/** Fact about activations: the mean sum of |value| of a row, next to the value by equation 2 of the TwELL paper. */
export function magnitudeFact(l1PerRow: number, cols: number): Fact {
  return {
    label: 'sum of magnitudes per row (L1)',
    value: meanInThreeDigits(l1PerRow),
    note: `As in the authors’ code. Their equation 2 also divides by ${countText(cols)}: ${valueText(l1PerRow / cols)}.`,
  };
}

/** A mean of at least 0 in three significant digits, or as a whole number. */
export function meanInThreeDigits(value: number): string {
  if (Number.isInteger(value)) return countText(value);
  return value >= 100 ? countText(Math.round(value)) : value.toPrecision(3);
}
