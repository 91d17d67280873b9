import { bytesText } from '../../core/story/words.ts';
import { THIN } from './quantity.ts';

// Sizes of models in words: bytes and numbers of weights.

/** Gigabytes with one decimal, two below 1 GB: 13.5 GB, 0.52 GB; without the unit for the first of a pair. */
export function gigabytes(count: number, unit = true): string {
  const inUnits = count / 1e9;
  const text = inUnits >= 99.95 ? inUnits.toFixed(0) : inUnits >= 0.995 ? inUnits.toFixed(1) : inUnits.toFixed(2);
  return unit ? `${text}${THIN}GB` : text;
}

/** Gigabytes with two decimals, for figures that are compared: 13.21 GB. */
export function exactGigabytes(count: number): string {
  return `${(count / 1e9).toFixed(2)}${THIN}GB`;
}

/** Megabytes with two decimals, three below 0.1 MB: 0.52 MB. */
export function megabytes(count: number): string {
  return `${(count / 1e6).toFixed(count < 1e5 ? 3 : 2)}${THIN}MB`;
}

/** Bytes below which a text in gigabytes has too few digits. */
export const MIN_GB = 1e8;

/** Bytes of a model: in gigabytes, unless it is small; without the unit for the first of a pair. */
export function modelSize(bytes: number, unit = true): string {
  return bytes < MIN_GB ? bytesText(bytes) : gigabytes(bytes, unit);
}

/** Bytes of a model with two decimals, for figures that are compared. */
export function exactModelSize(bytes: number): string {
  return bytes < MIN_GB ? bytesText(bytes) : exactGigabytes(bytes);
}

/** Weights of a model: 6.74 × 10⁹, 125 × 10⁶, 3.44 × 10⁶. */
export function weights(count: number): string {
  return count >= 1e9 ? `${(count / 1e9).toFixed(2)} × 10⁹` : `${(count / 1e6).toFixed(count < 1e7 ? 2 : 0)} × 10⁶`;
}
