import type { NamedArray } from './encoded.ts';

/**
 * A 32-bit hash (FNV-1a over 32-bit words, or over elements for narrower arrays) of typed arrays, in order.
 * Encoders keep it of their index arrays, so that `validate` notices a changed index even where the change still
 * describes a legal matrix. O(elements).
 */
export function checksum(...arrays: readonly NamedArray[]): number {
  let hash = 0x811c9dc5;
  for (const array of arrays) {
    const words = array instanceof Float32Array ? new Uint32Array(array.buffer, array.byteOffset, array.length) : array;
    for (let i = 0; i < words.length; i++) hash = Math.imul(hash ^ words[i], 0x01000193);
    hash = Math.imul(hash ^ words.length, 0x01000193);
  }
  return hash >>> 0;
}
