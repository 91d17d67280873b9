/* Numbers and counted nouns as texts for messages and scenes: short, with a true minus sign, no false precision. */

export const MINUS = '\u2212';

/** A value in at most six characters, so that it fits a drawn array element: 0.62, −1.40, 128, 3e-5, ∞, NaN. */
export function valueText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  const sign = value < 0 ? MINUS : '';
  const magnitude = Math.abs(value);
  if (magnitude === Number.POSITIVE_INFINITY) return `${sign}\u221e`;
  if (Number.isInteger(magnitude) && magnitude < 10_000) return `${sign}${magnitude}`;
  // Weights of large models are about a hundredth: with two digits they would all be the same.
  if (magnitude >= 0.00095 && magnitude < 0.0195) return `${sign}${magnitude.toFixed(3)}`;
  if (magnitude >= 0.0195 && magnitude < 99.995) return `${sign}${magnitude.toFixed(2)}`;
  if (magnitude >= 99.995 && magnitude < 9999.5) return `${sign}${magnitude.toFixed(0)}`;
  return `${sign}${magnitude.toExponential(0).replace('e+', 'e').replace('e-', `e${MINUS}`)}`;
}

/** An element of the vector x of y = A x, which has at most one decimal; without a 0 before the point: .5, −1.5. */
export function xText(value: number): string {
  return String(value)
    .replace('-', MINUS)
    .replace('Infinity', '\u221e')
    .replace(/^(\u2212?)0\./, '$1.');
}

/** A number rounded to a whole one, with a narrow space between groups of three digits: 157 286. */
export function countText(count: number): string {
  return String(Math.round(count)).replace('-', MINUS).replace(BETWEEN_GROUPS, '\u202f');
}

const BETWEEN_GROUPS = /\B(?=(\d{3})+$)/g;

/** A quotation, or a whole number that is not a part of a name, an address, a fraction or a seed. */
const QUOTATION_OR_NUMBER = /'[^']*'|‘[^’]*’|“[^”]*”|(?<![\w./:=#]|[\w)]-|\bseed )[1-9]\d{3,}(?![\w/-]|[.:]\d)/g;

/** A message with its numbers as `countText` writes them: 28 672 × 8 192. Quoted parts stay unchanged. */
export function withGroups(message: string): string {
  return message.replace(QUOTATION_OR_NUMBER, (match) =>
    /^\d+$/.test(match) ? match.replace(BETWEEN_GROUPS, '\u202f') : match,
  );
}

/** A count with its noun: '1 value', '3 values', '2 entries'. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : many}`;
}

/** '4 096 × 64'. */
export function shapeText(rows: number, cols: number): string {
  return `${countText(rows)} × ${countText(cols)}`;
}

/** A matrix by its name and shape; the name of a generated one already contains its shape. */
export function nameAndShape({ name, rows, cols }: { name: string; rows: number; cols: number }): string {
  return name.includes(`${rows} × ${cols}`) ? name : `${name}, ${shapeText(rows, cols)}`;
}

/** A text with a capital letter first. */
export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A piece of text in one style. */
export interface Words {
  readonly text: string;
  readonly strong?: boolean;
  /** the colour of one of two formats: words that name it */
  readonly tone?: 'format' | 'against';
}

/** Emphasised words. */
export function strong(text: string | number): Words {
  return { text: String(text), strong: true };
}

/** Template for narrations: plain text, with `strong(...)` for emphasis. */
export function say(texts: TemplateStringsArray, ...parts: readonly (string | number | Words)[]): readonly Words[] {
  const words: Words[] = [];
  let plain = '';
  const flush = (): void => {
    if (plain) words.push({ text: plain });
    plain = '';
  };
  texts.forEach((text, i) => {
    plain += text;
    if (i >= parts.length) return;
    const part = parts[i];
    if (typeof part === 'object') {
      flush();
      words.push(part);
    } else plain += String(part);
  });
  flush();
  return words;
}

/** Words as one string. */
export function plainWords(words: readonly Words[]): string {
  return words.map(({ text }) => text).join('');
}

/** A size in bytes, or in bits if it is not a whole number of bytes: 84 B, 12 bits. */
export function bitsText(bits: number): string {
  return bits % 8 === 0 ? `${countText(bits / 8)} B` : counted(bits, 'bit');
}

/** Bytes with up to three decimals: 2.5; 1 676.25. */
export function bytesNumber(bytes: number): string {
  const [whole, fraction] = String(Number(bytes.toFixed(3))).split('.');
  return countText(Number(whole)) + (fraction === undefined ? '' : `.${fraction}`);
}

/** Bytes below a million in full, above in decimal MB, GB or TB with three digits: 157 286 B, 302 MB; '–' below 0. */
export function bytesText(bytes: number): string {
  if (bytes < 1e6 && bytes >= 0) return `${countText(bytes)}\u202fB`;
  const rounded = Number(bytes.toPrecision(3));
  const [size, unit] = rounded < 1e9 ? [1e6, 'MB'] : rounded < 1e12 ? [1e9, 'GB'] : [1e12, 'TB'];
  const digits = threeDigits(rounded / size);
  return digits === NONE ? NONE : `${digits}\u202f${unit}`;
}

/** The text for a missing quantity. */
export const NONE = '–';

/**
 * A time, size, rate or ratio: three significant digits, whole from a hundred on, two below a tenth: 2 980, 302, 30.2,
 * 3.02, 0.026. '–' for a negative or non-finite number.
 */
export function threeDigits(n: number): string {
  if (n < 0 || !Number.isFinite(n)) return NONE;
  if (n >= 99.95) return countText(n);
  if (n >= 9.995) return n.toFixed(1);
  return n >= 0.1 || n === 0 ? n.toFixed(2) : n.toPrecision(2).replace('e-', `e${MINUS}`);
}

/** A list as text: a, b and c. */
export function listText(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts[parts.length - 1]}`;
}
