import { FIRED_CODE } from '../page/neurons/packed-tale.ts';
import type { FiredToken } from '../page/service/types.ts';

/**
 * Packs the firing neurons of every token into a text, with Rice codes; `unpackFired` (page/neurons/packed-tale.ts)
 * reads it.
 */
export function packFired(tokens: readonly FiredToken[]): string {
  const { gapBits, valueBits, steps, min } = FIRED_CODE;
  const bytes: number[] = [];
  let used = 0;
  const bit = (value: number): void => {
    if (used % 8 === 0) bytes.push(0); // bounded: by the neurons of a text
    if (value !== 0) bytes[bytes.length - 1] |= 128 >> (used % 8);
    used++;
  };
  const bits = (value: number, count: number): void => {
    for (let i = count - 1; i >= 0; i--) bit((value >> i) & 1);
  };
  const rice = (value: number): void => {
    for (let i = value >> gapBits; i > 0; i--) bit(1);
    bit(0);
    bits(value, gapBits);
  };
  for (const { layers } of tokens) {
    for (const { neurons, values } of layers) {
      rice(neurons.length);
      let last = -1;
      for (const [i, neuron] of neurons.entries()) {
        rice(neuron - last - 1);
        last = neuron;
        bit(values[i] < 0 ? 1 : 0);
        const step = Math.round((Math.log2(Math.abs(values[i])) - min) * steps);
        bits(Math.min(2 ** valueBits - 1, Math.max(0, step)), valueBits);
      }
    }
  }
  return btoa(bytes.map((byte) => String.fromCharCode(byte)).join(''));
}
