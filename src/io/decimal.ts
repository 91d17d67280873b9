import { windows1252Text } from './source.ts';

/**
 * Scans decimal numbers in bytes: [+-] digits [. digits] [(e|E|d|D) [+-] digits], and nan, inf, infinity in any case.
 *
 * `scan` returns the f64 nearest to the text if `isNearest`, otherwise an f64 that rounds to the same f32. Up to 19 digits
 * are accumulated and scaled in f64; the few results too close to a rounding border of f32 are parsed again by Number.
 */
export class DecimalScanner {
  /** Index after the number that was scanned last; the start itself if there was no number. */
  end = 0;
  /** The digits of that number without point and exponent, as a whole number within the precision of f64. */
  significand = 0;
  /** Whether that number is beyond the range of f64, so that the result is infinite or 0. */
  isBeyondRange = false;
  /** The byte before a fraction: a dot, unless a caller sets a comma. */
  point = POINT;
  /** Whether any scanned number had the byte `point`. */
  hasPoint = false;
  /** Whether every result is the f64 nearest to the text. */
  isNearest = false;

  /** `bytes` must have something that is not part of a number, such as a line end, after every number. */
  scan(bytes: Uint8Array, start: number): number {
    let i = start;
    let c = bytes[i];
    const negative = c === MINUS;
    if (negative || c === PLUS) c = bytes[++i];

    const firstDigit = i;
    let significand = 0;
    let digit = c - ZERO;
    while (digit >= 0 && digit <= 9) {
      significand = significand * 10 + digit;
      digit = bytes[++i] - ZERO;
    }
    let digitCount = i - firstDigit;
    let exponent = 0;
    if (bytes[i] === this.point) {
      this.hasPoint = true;
      const firstOfFraction = ++i;
      digit = bytes[i] - ZERO;
      while (digit >= 0 && digit <= 9) {
        significand = significand * 10 + digit;
        digit = bytes[++i] - ZERO;
      }
      exponent = firstOfFraction - i;
      digitCount -= exponent;
    }
    if (digitCount === 0) return this.#word(bytes, start, firstDigit, negative);

    const letter = bytes[i] | LOWER_CASE;
    if (letter === LETTER_E || letter === LETTER_D) {
      let j = i + 1;
      const negativeExponent = bytes[j] === MINUS;
      if (negativeExponent || bytes[j] === PLUS) j++;
      digit = bytes[j] - ZERO;
      if (digit >= 0 && digit <= 9) {
        let digitsOfExponent = 0;
        while (digit >= 0 && digit <= 9) {
          if (digitsOfExponent < 100000) digitsOfExponent = digitsOfExponent * 10 + digit;
          digit = bytes[++j] - ZERO;
        }
        exponent += negativeExponent ? -digitsOfExponent : digitsOfExponent;
        i = j;
      }
    }
    this.end = i;
    this.significand = significand;
    this.isBeyondRange = false;

    if (significand === 0) return negative ? -0 : 0;
    if (exponent >= -22 && exponent <= 22 && significand < 2 ** 53) {
      // Both operands are exact, so the single rounding yields the nearest f64.
      const magnitude = exponent < 0 ? significand / POWER_OF_TEN[-exponent] : significand * POWER_OF_TEN[exponent];
      return negative ? -magnitude : magnitude;
    }
    if (exponent >= -290 && exponent <= 289 && significand < 1e19 && !this.isNearest) {
      // The product is below 1e19 * 1e289 = 1e308, and the quotient at least 1e-290: neither overflows nor is subnormal.
      const magnitude = exponent < 0 ? significand / POWER_OF_TEN[-exponent] : significand * POWER_OF_TEN[exponent];
      if (Math.fround(magnitude * (1 - SCAN_ERROR)) === Math.fround(magnitude * (1 + SCAN_ERROR))) {
        return negative ? -magnitude : magnitude;
      }
    }
    const value = parseSlice(bytes, start, i);
    this.isBeyondRange = value === 0 || !Number.isFinite(value);
    return value;
  }

  /** The value of nan, inf or infinity at `from`; NaN with `end` at `start` if none of these words is there. */
  #word(bytes: Uint8Array, start: number, from: number, negative: boolean): number {
    this.end = start;
    this.isBeyondRange = false;
    if (from > bytes.length - 3) return Number.NaN;
    if (hasWord(bytes, from, 'nan')) {
      this.end = from + 3;
      return Number.NaN;
    }
    if (!hasWord(bytes, from, 'inf')) return Number.NaN;
    this.end = from + (hasWord(bytes, from, 'infinity') ? 8 : 3);
    return negative ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }
}

/** Bound on the relative error of `scan`: 19 digits accumulated and scaled in f64 take about 14 roundings of 2^-53. */
export const SCAN_ERROR = 2 ** -48;

const ZERO = 0x30;
const PLUS = 0x2b;
const MINUS = 0x2d;
const POINT = 0x2e;
const LOWER_CASE = 0x20;
const LETTER_D = 0x64;
const LETTER_E = 0x65;

const POWER_OF_TEN = Float64Array.from({ length: 291 }, (_, k) => Number(`1e${k}`));

function parseSlice(bytes: Uint8Array, from: number, to: number): number {
  return Number(windows1252Text(bytes.subarray(from, to)).replace(/d/i, 'e').replace(',', '.'));
}

function hasWord(bytes: Uint8Array, from: number, word: string): boolean {
  for (let k = 0; k < word.length; k++) {
    if ((bytes[from + k] | LOWER_CASE) !== word.charCodeAt(k)) return false;
  }
  return true;
}
