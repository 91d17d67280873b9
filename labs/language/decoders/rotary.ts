import type { DecoderConfig } from './decoder.ts';

/**
 * Rotary position embedding (RoPE): the angle by which each of the headDim / 2 pairs of columns rotates from one
 * position to the next, theta^(-2i / headDim) radians. With the scaling of Llama 3.1, pairs that rotate fewer than
 * lowFrequency times within the original context are slowed by the factor, pairs that rotate more than highFrequency
 * times are kept, and pairs in between are blended.
 */
export function rotaryFrequencies({ headDim, rotary: { theta, scaling } }: DecoderConfig): Float64Array {
  return Float64Array.from({ length: headDim / 2 }, (_, i) => {
    const frequency = theta ** ((-2 * i) / headDim);
    if (!scaling) return frequency;
    const { factor, lowFrequency, highFrequency, originalContext } = scaling;
    const turns = (originalContext * frequency) / (2 * Math.PI);
    const fastShare = Math.min(1, Math.max(0, (turns - lowFrequency) / (highFrequency - lowFrequency)));
    return frequency * (fastShare + (1 - fastShare) / factor);
  });
}

/** Cosine and sine of every pair's angle, adjacent, in the order of positions from `first` on, then of pairs. */
export function rotaryTable(config: DecoderConfig, positions: number, first = 0): Float64Array {
  const frequencies = rotaryFrequencies(config);
  const table = new Float64Array(2 * positions * frequencies.length);
  let next = 0;
  for (let position = first; position < first + positions; position++) {
    for (const frequency of frequencies) {
      table[next++] = Math.cos(position * frequency);
      table[next++] = Math.sin(position * frequency);
    }
  }
  return table;
}
