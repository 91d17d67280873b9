import type { DecoderConfig } from './decoder.ts';

/**
 * The rotation of each of the headDim / 2 pairs of columns from one position to the next, in radians: theta^(-2i / headDim).
 * With the scaling of Llama 3.1, pairs that rotate fewer than lowFrequency times within the original context are slowed by the
 * factor, those that rotate more than highFrequency times are kept, and the ones between are blended.
 */
export function rotaryFrequencies({ headDim, rotary: { theta, scaling } }: DecoderConfig): Float64Array {
  return Float64Array.from({ length: headDim / 2 }, (_, i) => {
    const frequency = theta ** ((-2 * i) / headDim);
    if (!scaling) return frequency;
    const { factor, lowFrequency, highFrequency, originalContext } = scaling;
    const turns = (originalContext * frequency) / (2 * Math.PI);
    const kept = Math.min(1, Math.max(0, (turns - lowFrequency) / (highFrequency - lowFrequency)));
    return frequency * (kept + (1 - kept) / factor);
  });
}

/** Cosines and sines of the angles, in f64: pair i at position p is number i * positions + p. */
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

/** The same for a GPU: cosine and sine in f32, next to each other, by position, then by pair. */
export function rotaryTable(config: DecoderConfig, context: number): Float32Array<ArrayBuffer> {
  const steps = rotaryFrequencies(config);
  const table = new Float32Array(2 * context * steps.length);
  let at = 0;
  for (let position = 0; position < context; position++) {
    for (const step of steps) {
      table[at++] = Math.cos(position * step);
      table[at++] = Math.sin(position * step);
    }
  }
  return table;
}
