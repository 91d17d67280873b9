import { capitalised, countText, MINUS, valueText } from '../core/text/words.ts';

/** A unit in which the cells of a drawn matrix show weights: as whole numbers if the weights are many or long. */
export interface CellUnit {
  /** units that make 1: 10 for tenths */
  readonly perOne: number;
  /** 'tenths'; null for ones */
  readonly name: string | null;
  /** cells show weights as they are, with up to this many decimals; absent: whole numbers */
  readonly decimals?: number;
}

const UNITS: readonly CellUnit[] = [
  { perOne: 1, name: null },
  { perOne: 10, name: 'tenths' },
  { perOne: 100, name: 'hundredths' },
  { perOne: 1000, name: 'thousandths' },
  { perOne: 1e4, name: 'ten-thousandths' },
  { perOne: 0.1, name: 'tens' },
  { perOne: 0.01, name: 'hundreds' },
  { perOne: 0.001, name: 'thousands' },
];
/** The largest distance from a whole number that counts as rounding of the weight's type. */
const NEARLY_WHOLE = 0.01;

/** At most this many values may have been typed one by one; then they are shown as they are. */
const MAX_TYPED = 32;

/** Maximum characters of a typed value, without its sign, and maximum decimals: 0.25. */
const MAX_TYPED_LENGTH = 4;
const MAX_TYPED_DECIMALS = 2;

/** The number with as many decimals as it needs, at most `decimals`: '0.5', '120'. */
const decimalText = (magnitude: number, decimals: number): string => String(Number(magnitude.toFixed(decimals)));

/** Ones with as many decimals as the values need, if they are few and short; else null. */
function asTyped(magnitudes: readonly number[]): CellUnit | null {
  if (magnitudes.length > MAX_TYPED) return null;
  const isShort = (decimals: number): boolean =>
    magnitudes.every((value) => {
      const rounded = Number(value.toFixed(decimals));
      const error = Math.abs(value - rounded);
      return error <= NEARLY_WHOLE * Math.min(10 ** -decimals, rounded) && String(rounded).length <= MAX_TYPED_LENGTH;
    });
  const decimals = Array.from({ length: MAX_TYPED_DECIMALS + 1 }, (_, n) => n).find(isShort);
  return decimals === undefined ? null : { ...UNITS[0], ...(decimals > 0 && { decimals }) };
}

/**
 * Ones if few values are short as they are; else the unit in which all are whole numbers of at most two digits, else
 * one that suits the largest. O(values).
 */
export function cellUnit(values: Iterable<number>): CellUnit {
  const finite = Array.from(values, Math.abs).filter(Number.isFinite);
  const typed = asTyped(finite);
  if (typed) return typed;
  const max = finite.reduce((a, b) => Math.max(a, b), 0);
  // Rounded, the largest has at most two digits.
  const fits = ({ perOne }: CellUnit): boolean => max * perOne < 99.5;
  const isWhole = ({ perOne }: CellUnit): boolean =>
    finite.every((value) => {
      const whole = Math.round(value * perOne);
      return Math.abs(value * perOne - whole) <= NEARLY_WHOLE * Math.min(1, whole);
    });
  return (
    UNITS.find((unit) => fits(unit) && isWhole(unit)) ??
    // The largest has two digits.
    UNITS.find((unit) => fits(unit) && max * unit.perOne >= 9.95) ??
    UNITS[0]
  );
}

/** A weight in a unit; '3e38' or '∞' if it is far too large, '~0' if it rounds to 0. */
export function unitText(value: number, { perOne, decimals }: CellUnit): string {
  if (decimals !== undefined && Number.isFinite(value))
    return (value < 0 ? MINUS : '') + decimalText(Math.abs(value), decimals);
  const rounded = Math.round(Math.abs(value) * perOne);
  if (!(rounded < 1000)) return valueText(value);
  if (rounded === 0) return value === 0 ? '0' : '~0';
  return (value < 0 ? '\u2212' : '') + String(rounded);
}

/** 'in tenths: 15 is 1.5', with the largest of the values as the example; '' if the unit is 1. */
export function unitWords(values: readonly number[], unit: CellUnit): string {
  if (unit.name === null || values.length === 0) return '';
  const largest = values.reduce(
    (max, value) => (Number.isFinite(value) && Math.abs(value) > Math.abs(max) ? value : max),
    0,
  );
  return `in ${unit.name}: ${unitText(largest, unit)} is ${Number.isInteger(largest) ? countText(largest) : valueText(largest)}`;
}

/** Sums of terms as texts. `isExact`: the terms as printed add up to the total as printed. */
export interface SumTexts {
  readonly terms: readonly string[];
  readonly total: string;
  readonly isExact: boolean;
}

const MAX_DECIMALS = 3;
/** Digits of the largest number of a sum, at most. */
const MAX_DIGITS = 6;

/**
 * The terms of a sum and the sum, with the fewest decimals that show them exactly, at most three. If three are not
 * enough, with as many as make the printed terms add up to the printed sum, up to six digits of the largest number.
 * Cells show rounded weights; sums are computed from the weights themselves, so that all stories about a matrix state
 * one number.
 */
export function sumTexts(terms: readonly number[]): SumTexts {
  const total = terms.reduce((sum, term) => sum + term, 0);
  const all = [...terms, total];
  if (!all.every((value) => Math.abs(value) < 1e5))
    return { terms: terms.map(valueText), total: valueText(total), isExact: false };
  const exact = Array.from({ length: MAX_DECIMALS + 1 }, (_, n) => n).find((n) =>
    all.every((value) => Math.abs(value * 10 ** n - Math.round(value * 10 ** n)) < 1e-6),
  );
  const largest = Math.max(...all.map(Math.abs)); // bounded: the terms of one sum in a picture
  const magnitude = Math.floor(Math.log10(largest));
  // Three digits of the largest number, or more. The terms as printed may still differ from the total by their last digit.
  const fewest = Math.min(MAX_DECIMALS, Math.max(0, 2 - magnitude));
  const most = MAX_DIGITS - Math.max(0, magnitude + 1);
  const addsUp = (n: number): boolean => {
    const printed = terms.reduce((sum, term) => sum + Number(term.toFixed(n)), 0);
    return Math.abs(printed - Number(total.toFixed(n))) < 0.1 * 10 ** -n;
  };
  const decimals = exact ?? Array.from({ length: most - fewest + 1 }, (_, i) => fewest + i).find(addsUp);
  const text = (value: number): string =>
    value
      .toFixed(decimals ?? fewest)
      .replace(/^-/, MINUS)
      .replace(/^\u2212(0(?:\.0*)?)$/, '$1');
  return { terms: terms.map(text), total: text(total), isExact: decimals !== undefined };
}

/** `unitWords` as a sentence with a space before it; '' if the unit is 1. */
export function unitMessage(values: readonly number[], unit: CellUnit): string {
  const words = unitWords(values, unit);
  return words === '' ? '' : ` ${capitalised(words)}.`;
}
