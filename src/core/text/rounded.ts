import { bytesText, countText } from './words.ts';

/** The share of weights left as a percentage: at most three digits, no trailing zeros: 50 %, 12.5 %, 0.01 %. */
export function densityText(left: number): string {
  return `${Number((100 * left).toPrecision(3))}\u202f%`;
}

/** A share as a percentage without false precision: 0.3 %, 42 %, 99.7 %, 125 %, 800 %; 0 or 100 only if exact. */
export function shareText(share: number): string {
  const percent = 100 * share;
  const text = (): string => {
    if (percent === 0 || percent === 100) return String(percent);
    if (percent < 0.05) return '<0.1';
    if (percent > 99.95 && percent < 100) return '>99.9';
    if (percent >= 1000) return countText(Math.round(percent));
    if (percent > 100 && (percent >= 200 || Number.isInteger(percent))) return percent.toFixed(0);
    return percent >= 10 && percent < 90 ? percent.toFixed(0) : percent.toFixed(1);
  };
  return `${text()}\u202f%`;
}

/** A mean with as many digits as are meaningful: 0.01, 3.3, 154; 0 only if exact. */
export function meanText(mean: number): string {
  if (mean > 0 && mean < 0.05) return mean < 0.0005 ? '<0.001' : mean.toFixed(mean < 0.0095 ? 3 : 2);
  return mean < 100 && !Number.isInteger(mean) ? mean.toFixed(1) : countText(mean);
}

/** A size as text, from ten million bytes on in whole MB, so that a reader compares few digits. */
export function wholeMegabytes(bytes: number): string {
  return bytes < 1e7 ? bytesText(bytes) : `${countText(Math.round(bytes / 1e6))}\u202fMB`;
}
