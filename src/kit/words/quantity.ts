import { bytesText as bytes, counted, countText, threeDigits } from '../../core/story/words.ts';

export { bytes };
export { nameAndShape, shapeText as shape } from '../../core/story/words.ts';

/** Numbers as a person reads them: units, thin spaces between thousands, no digits that mean nothing. */

const THIN = '\u202f';

/** Bits as whole bytes, rounded: two 4-bit deltas share a byte, and nobody stores half of one. Below a byte, bits. */
export function bitsAsBytes(bits: number): string {
  return bits > 0 && bits < 8 ? counted(bits, 'bit') : bytes(bits / 8);
}

/** A share of one as a percentage with `digits` decimals: 76.6 %. */
export function percent(share: number, digits = 1): string {
  if (!Number.isFinite(share)) return '–';
  const least = 10 ** -digits;
  const text = share > 0 && share * 100 < least / 2 ? `<${least}` : (share * 100).toFixed(digits);
  return `${text}${THIN}%`;
}

/** A share with three significant digits, down to the least odds: 50 %, 0.300 %, 1.1e−33. */
export function odds(share: number): string {
  if (share === 0) return '0';
  if (share === 1) return `100${THIN}%`;
  if (share >= 0.001) return `${Number((100 * share).toPrecision(3))}${THIN}%`;
  return share.toExponential(1).replace('e-', 'e\u2212');
}

/** A density or effective density with `digits` decimals, more when it is tiny. */
export function density(d: number, digits = 3): string {
  return d !== 0 && Math.abs(d) < 0.001 ? d.toExponential(1) : d.toFixed(digits);
}

/** A density in a sentence, with two significant digits: 0.94, 0.23, 0.0053. */
export function roughDensity(d: number): string {
  return d < 0.1 ? String(Number(d.toPrecision(2))) : d.toFixed(2);
}

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

/** An average, a rate per second: one decimal below 100, none above. */
export function oneDecimal(n: number): string {
  return n >= 99.95 ? countText(n) : n.toFixed(1);
}

/** Weights of a model: 6.74 × 10⁹. */
export function weights(count: number): string {
  return count >= 1e9 ? `${(count / 1e9).toFixed(2)} × 10⁹` : `${(count / 1e6).toFixed(0)} × 10⁶`;
}

/** Operations: 45.1 Mflop. */
export function flop(count: number): string {
  const units = [
    [1e12, 'Tflop'],
    [1e9, 'Gflop'],
    [1e6, 'Mflop'],
    [1e3, 'kflop'],
  ] as const;
  const [size, name] = units.find(([least]) => count >= least) ?? ([1, 'flop'] as const);
  return `${threeDigits(count / size)}${THIN}${name}`;
}

/** A stored value: up to four significant digits, NaN and infinities in words, a real minus sign. */
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

/**
 * A time with no digit below `resolutionNs`, which is the clock's step divided by the runs in one reading,
 * and at most three significant digits: 40.3 µs.
 */
export function time(ns: number, resolutionNs = 0): string {
  if (!Number.isFinite(ns)) return '–';
  if (ns === 0) return `0${THIN}ns`;
  const unit = TIME_UNITS.find((u) => ns >= u.ns) ?? TIME_UNITS[3];
  const inUnits = ns / unit.ns;
  const significant = Math.max(0, 2 - Math.floor(Math.log10(Math.max(inUnits, 1e-9))));
  const resolvable = resolutionNs > 0 ? Math.max(0, Math.floor(Math.log10(unit.ns / resolutionNs))) : significant;
  return `${inUnits.toFixed(Math.min(significant, resolvable, 3))}${THIN}${unit.name}`;
}

/** Operations per byte: 3.02 flop/B. */
export function intensity(flopPerByte: number): string {
  return `${threeDigits(flopPerByte)}${THIN}flop/B`;
}

/** An estimated duration, no more exact than an estimate is: 8 s, 40 s, 3 min. */
export function duration(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 10) return `${Math.ceil(seconds)}${THIN}s`;
  if (seconds < 90) return `${Math.ceil(seconds / 5) * 5}${THIN}s`;
  return `${Math.ceil(seconds / 60)}${THIN}min`;
}

function ratioDigits(r: number): string {
  return r >= 10 ? r.toFixed(1) : r.toFixed(2);
}

/** A ratio to dense: 1.77×. */
export function ratio(r: number): string {
  return Number.isFinite(r) ? `${ratioDigits(r)}×` : '–';
}

/** A ratio in a sentence: 1.77 times. */
export function times(r: number): string {
  return `${ratioDigits(r)} times`;
}

/** A rate in 10^9 per second with its unit, in 10^12 from 1000 on. */
function rate(giga: number, unit: string): string {
  return giga >= 1000 ? `${threeDigits(giga / 1000)}${THIN}T${unit}/s` : `${threeDigits(giga)}${THIN}G${unit}/s`;
}

/** A transfer rate given in GB/s: 843 GB/s, 4.22 TB/s. */
export function bandwidth(gbps: number): string {
  return rate(gbps, 'B');
}

/** A rate of multiply-adds given in GFMA/s: 843 GFMA/s, 27.6 TFMA/s. */
export function fmaRate(gfmaps: number): string {
  return rate(gfmaps, 'FMA');
}

/** A rate of arithmetic in whole numbers given in Gop/s: 117 Top/s. */
export function opRate(gops: number): string {
  return rate(gops, 'op');
}

/** A rate of arithmetic given in Gflop/s: 2.25 Tflop/s. */
export function flopRate(gflops: number): string {
  return rate(gflops, 'flop');
}

/** A few parameters by their values; of many, the value type alone, since the rest says nothing without its names. */
export function paramText(params: Readonly<Record<string, unknown>>): string {
  const values = Object.values(params);
  if (values.length <= 3) return values.join(' · ');
  return typeof params.valueType === 'string' ? params.valueType : '';
}
