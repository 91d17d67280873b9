import { bytesText } from '../../core/text/words.ts';
import { THIN } from './quantity.ts';

// Texts of model sizes: bytes and numbers of weights. `unit` false: without the unit, for the first of two sizes.

/** Bytes in gigabytes with one decimal, below 1 GB with two: 13.5 GB, 0.52 GB. */
export function gigabytes(count: number, unit = true): string {
  const inUnits = count / 1e9;
  const text = inUnits >= 99.95 ? inUnits.toFixed(0) : inUnits >= 0.995 ? inUnits.toFixed(1) : inUnits.toFixed(2);
  return unit ? `${text}${THIN}GB` : text;
}

/** Bytes in gigabytes with two decimals, for figures that are compared: 13.21 GB. */
export function exactGigabytes(count: number): string {
  return `${(count / 1e9).toFixed(2)}${THIN}GB`;
}

/** Bytes in megabytes with two decimals, below 0.1 MB with three: 0.52 MB. */
export function megabytes(count: number): string {
  return `${(count / 1e6).toFixed(count < 1e5 ? 3 : 2)}${THIN}MB`;
}

/** Fewest bytes that are written in gigabytes: fewer would have too few digits. */
export const MIN_BYTES_IN_GB = 1e8;

/** Bytes of a model: in gigabytes, or as `bytesText` if the model is small. */
export function modelSize(bytes: number, unit = true): string {
  return bytes < MIN_BYTES_IN_GB ? bytesText(bytes) : gigabytes(bytes, unit);
}

/** Like `modelSize`, in gigabytes with two decimals, for figures that are compared. */
export function exactModelSize(bytes: number): string {
  return bytes < MIN_BYTES_IN_GB ? bytesText(bytes) : exactGigabytes(bytes);
}

/** A model's number of weights: 6.74 × 10⁹, 125 × 10⁶, 3.44 × 10⁶. */
export function weightsText(count: number): string {
  return count >= 1e9 ? `${(count / 1e9).toFixed(2)} × 10⁹` : `${(count / 1e6).toFixed(count < 1e7 ? 2 : 0)} × 10⁶`;
}
