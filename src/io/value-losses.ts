import { countText } from '../core/text/words.ts';
import { SCAN_ERROR } from './decimal.ts';

/** Counts numbers of a file that f32 cannot represent: numbers that were rounded, became infinite, or became zero. */
export class ValueLosses {
  rounded = 0;
  toInfinity = 0;
  toZero = 0;

  /** Counts the effect of converting `value` to f32. */
  count(value: number): void {
    const stored = Math.fround(value);
    if (stored !== value && !Number.isNaN(value)) this.#add(stored);
  }

  /**
   * Like `count`, for a number that a DecimalScanner read from text. Up to nine digits identify an f32, so such numbers
   * are not counted as rounded. `significand`: the scanner's, or Infinity to count all numbers. Only to be called for
   * numbers that f32 cannot represent exactly, or that are beyond the range of f64.
   */
  countScanned(value: number, significand: number): void {
    if (Number.isNaN(value)) return;
    const stored = Math.fround(value);
    const isNear = Math.abs(stored - value) <= SCAN_ERROR * Math.abs(value);
    if (stored === 0 || !Number.isFinite(stored) || (significand >= 1e9 && !isNear)) this.#add(stored);
  }

  #add(stored: number): void {
    if (stored === 0) this.toZero++;
    else if (Number.isFinite(stored)) this.rounded++;
    else this.toInfinity++;
  }

  /** One note for each kind of loss. */
  notes(): readonly string[] {
    const notes: string[] = [];
    if (this.rounded > 0) notes.push(`${values(this.rounded)} rounded to f32.`);
    if (this.toInfinity > 0) notes.push(`${values(this.toInfinity)} beyond f32: now infinite.`);
    if (this.toZero > 0) notes.push(`${values(this.toZero)} too small for f32: now zero.`);
    return notes;
  }
}

function values(n: number): string {
  return n === 1 ? '1 value was' : `${countText(n)} values were`;
}
