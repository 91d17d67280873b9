import { countText } from '../core/story/words.ts';
import { SCAN_ERROR } from './decimal.ts';

/** Precision lost by converting numbers to f32, counted while a file is read. */
export class ValueLosses {
  rounded = 0;
  toInfinity = 0;
  toZero = 0;

  /** Counts the effect of converting `value` to f32. */
  count(value: number): void {
    const kept = Math.fround(value);
    if (kept !== value && !Number.isNaN(value)) this.#add(kept);
  }

  /**
   * Like `count`, for a number that a DecimalScanner read from text. Up to nine digits identify an f32 and are not
   * counted as rounded; `significand` is that of the scanner, or Infinity if every digit is meant. For numbers that f32
   * does not hold, or that are beyond the range of f64.
   */
  countText(value: number, significand: number): void {
    if (Number.isNaN(value)) return;
    const kept = Math.fround(value);
    const isNear = Math.abs(kept - value) <= SCAN_ERROR * Math.abs(value);
    if (kept === 0 || !Number.isFinite(kept) || (significand >= 1e9 && !isNear)) this.#add(kept);
  }

  #add(kept: number): void {
    if (kept === 0) this.toZero++;
    else if (Number.isFinite(kept)) this.rounded++;
    else this.toInfinity++;
  }

  /** One sentence for each kind of loss. */
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
