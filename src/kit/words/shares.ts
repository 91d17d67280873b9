import { THIN } from './quantity.ts';

export { densityText } from '../../core/text/rounded.ts';

/** A share or probability as text, however small: up to three digits, 50 %, 0.3 %; below 0.1 % two: 1.1e−33. */
export function probabilityText(share: number): string {
  if (share === 0) return '0';
  if (share === 1) return `100${THIN}%`;
  if (share >= 0.001) return `${Number((100 * share).toPrecision(3))}${THIN}%`;
  return share.toExponential(1).replace('e-', 'e\u2212');
}

/** A share in percent, without the errors of binary fractions: 7 for 0.07. */
export function percentOf(share: number): number {
  return Number((100 * share).toPrecision(12));
}

/** The share of weights kept by pruning, in a text, with two significant digits: 80 %, 5.3 %. */
export function roughDensityText(left: number): string {
  return `${Number((100 * left).toPrecision(2))}${THIN}%`;
}
