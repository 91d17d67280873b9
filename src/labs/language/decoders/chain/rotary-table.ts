import type { DecoderConfig } from '../decoder.ts';
import { rotaryFrequencies } from '../rotary.ts';

/** Cosine and sine by position and pair of columns, for the positions below `context`. */
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
