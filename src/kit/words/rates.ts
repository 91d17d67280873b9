import { countText, NONE, threeDigits } from '../../core/text/words.ts';
import { THIN } from './quantity.ts';

// Rates, operation counts and ratios as text: not in quantity.ts, which the first screen loads.

/** An average or a rate per second: one decimal below 100, none above. */
export function oneDecimal(n: number): string {
  return n >= 99.95 ? countText(n) : n.toFixed(1);
}

/** A ratio in a text: 1.77 times. */
export function times(r: number): string {
  const digits = threeDigits(r);
  return digits === NONE ? NONE : `${digits} times`;
}

/** Operations: 45.1 Mflop. */
export function flop(count: number): string {
  const units = [
    [1e12, 'Tflop'],
    [1e9, 'Gflop'],
    [1e6, 'Mflop'],
    [1e3, 'kflop'],
  ] as const;
  const [size, name] = units.find(([min]) => count >= min) ?? ([1, 'flop'] as const);
  return `${threeDigits(count / size)}${THIN}${name}`;
}

/** Operations per byte: 3.02 flop/B. */
export function intensity(flopPerByte: number): string {
  return `${threeDigits(flopPerByte)}${THIN}flop/B`;
}

/** A rate of bytes or operations, given in 10^9 per second, with its unit: 843 GFMA/s, from 1000 on 2.25 TFMA/s. */
export function perSecond(giga: number, unit: 'B' | 'FMA' | 'flop' | 'op'): string {
  return giga >= 1000 ? `${threeDigits(giga / 1000)}${THIN}T${unit}/s` : `${threeDigits(giga)}${THIN}G${unit}/s`;
}

/** A transfer rate given in GB/s: 843 GB/s, 4.22 TB/s. */
export function bandwidth(gbps: number): string {
  return perSecond(gbps, 'B');
}
