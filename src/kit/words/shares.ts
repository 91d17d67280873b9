import { THIN } from './quantity.ts';

/** A share with three significant digits, down to the least odds: 50 %, 0.300 %, 1.1e−33. */
export function odds(share: number): string {
  if (share === 0) return '0';
  if (share === 1) return `100${THIN}%`;
  if (share >= 0.001) return `${Number((100 * share).toPrecision(3))}${THIN}%`;
  return share.toExponential(1).replace('e-', 'e\u2212');
}

/** A density in a sentence, with two significant digits: 0.94, 0.23, 0.0053. */
export function roughDensity(d: number): string {
  return d < 0.1 ? String(Number(d.toPrecision(2))) : d.toFixed(2);
}

/** What is left of the weights, in percent: 50 %, 12.5 %, 0.01 %. */
export function leftText(left: number): string {
  return `${Number((100 * left).toPrecision(3))}${THIN}%`;
}

/** The same in a sentence, with two significant digits: 80 %, 5.3 %. */
export function roughLeft(left: number): string {
  return `${Number((100 * left).toPrecision(2))}${THIN}%`;
}
