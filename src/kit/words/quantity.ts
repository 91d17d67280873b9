import { bytesText as bytes, counted, countText, NONE, threeDigits } from '../../core/text/words.ts';

export { bytes };
export { nameAndShape, shapeText as shape } from '../../core/text/words.ts';

// Numbers as text: with units, thin spaces between thousands, and only significant digits.

/** The narrow space between a number and its unit. */
export const THIN = '\u202f';

/** Bits as whole bytes, rounded, since half a byte cannot be stored; less than a byte stays in bits. */
export function bitsAsBytes(bits: number): string {
  return bits > 0 && bits < 8 ? counted(bits, 'bit') : bytes(bits / 8);
}

/** A share in percent with `digits` decimals, from a thousand percent on without decimals: 76.6 %, 90 000 %. */
export function percent(share: number, digits = 1): string {
  if (!Number.isFinite(share)) return NONE;
  const min = 10 ** -digits;
  const text =
    share > 0 && share * 100 < min / 2
      ? `<${min}`
      : Math.abs(share) >= 9.9995
        ? countText(share * 100)
        : (share * 100).toFixed(digits).replace('-', '−');
  return `${text}${THIN}%`;
}

/** A stored value with up to four significant digits and a typographic minus sign: −0.125, NaN, +∞. */
export function value(v: number): string {
  if (Number.isNaN(v)) return 'NaN';
  if (!Number.isFinite(v)) return v > 0 ? '+∞' : '−∞';
  const magnitude = Math.abs(v);
  const text =
    magnitude !== 0 && (magnitude < 1e-3 || magnitude >= 1e6) ? v.toExponential(2) : String(Number(v.toPrecision(4)));
  return text.replace(/-/g, '−');
}

const TIME_UNITS = [
  { ns: 1e9, name: 's' },
  { ns: 1e6, name: 'ms' },
  { ns: 1e3, name: 'µs' },
  { ns: 1, name: 'ns' },
] as const;

/** A time in three digits, everywhere the same for one time: 40.3 µs; '–' if negative or not finite. */
export function time(ns: number): string {
  if (ns < 0 || !Number.isFinite(ns)) return NONE;
  if (ns === 0) return `0${THIN}ns`;
  // Rounded first: 999.9 µs are 1.00 ms.
  const rounded = Number(ns.toPrecision(3));
  const unit = TIME_UNITS.find((u) => rounded >= u.ns) ?? TIME_UNITS[3];
  const digits = rounded < 1 ? rounded.toFixed(3) : threeDigits(rounded / unit.ns);
  return `${digits}${THIN}${unit.name}`;
}

/** An estimated duration, rounded up as its length allows: 8 s, 40 s, 3 min. */
export function duration(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 10) return `${Math.ceil(seconds)}${THIN}s`;
  if (seconds < 90) return `${Math.ceil(seconds / 5) * 5}${THIN}s`;
  return `${Math.ceil(seconds / 60)}${THIN}min`;
}

/** A ratio of two times or sizes: 1.77×. */
export function ratio(r: number): string {
  const digits = threeDigits(r);
  return digits === NONE ? NONE : `${digits}×`;
}

/** The second of two times in a text, without its unit if both have the same unit. */
export function secondTime(ns: number, firstNs: number): string {
  const [text, first] = [time(ns), time(firstNs)];
  const [number, unit] = text.split(THIN);
  return first.endsWith(`${THIN}${unit}`) ? number : text;
}
