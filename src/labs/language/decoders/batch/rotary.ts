import type { DecoderConfig } from '../decoder.ts';
import { rotaryFrequencies } from '../rotary.ts';

/** Cosines and sines of the angle of pair i at position p, at i * positions + p. */
export function rotaryTables(
  config: DecoderConfig,
  positions: number,
): { readonly cos: Float64Array; readonly sin: Float64Array } {
  const frequencies = rotaryFrequencies(config);
  const cos = new Float64Array(frequencies.length * positions);
  const sin = new Float64Array(frequencies.length * positions);
  for (const [i, frequency] of frequencies.entries()) {
    for (let p = 0; p < positions; p++) {
      cos[i * positions + p] = Math.cos(p * frequency);
      sin[i * positions + p] = Math.sin(p * frequency);
    }
  }
  return { cos, sin };
}
