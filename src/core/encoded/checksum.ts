import { type EncodedMatrix, type NamedArray, namedArrays } from './encoded.ts';
import type { Steps } from '../job.ts';

/** FNV-1a's prime and start. */
const PRIME = 0x01000193;
const START = 0x811c9dc5;

/** Words between two yields: about 5 ms. */
const WORDS_PER_YIELD = 2 ** 23;

/**
 * A 32-bit hash of the bytes of a typed array and their number: FNV-1a over 32-bit words, the words by turns in four
 * hashes that do not wait for each other, and those hashed in the end. Every step is a bijection of the word and of the
 * hash before it, so that a single changed element always gives another checksum. O(bytes), about 10 GB/s.
 */
export function checksum(array: NamedArray): number {
  const hash = new Checksum(array);
  hash.add(hash.words);
  return hash.value;
}

/**
 * Completes an encoding by the checksum of each of its arrays; `total` is what the encoder's progress counts towards.
 * O(bytes).
 */
export function* sealSteps<E extends Omit<EncodedMatrix, 'checksums'>>(
  arrays: E,
  total: number,
): Steps<E & { readonly checksums: EncodedMatrix['checksums'] }> {
  const checksums: Record<string, number> = {};
  for (const [name, array] of namedArrays(arrays)) {
    const hash = new Checksum(array);
    for (let done = WORDS_PER_YIELD; done < hash.words; done += WORDS_PER_YIELD) {
      hash.add(done);
      yield { what: 'checksums', done: total, total };
    }
    hash.add(hash.words);
    checksums[name] = hash.value;
  }
  return { ...arrays, checksums };
}

/** The checksum of an array, a part at a time. */
class Checksum {
  /** whole words of the array */
  readonly words: number;
  readonly #bytes: Uint8Array;
  readonly #array: Int32Array;
  readonly #lanes = Int32Array.of(START, START + 1, START + 2, START + 3);
  #at = 0;

  constructor(array: NamedArray) {
    // A part of a larger buffer need not begin with a word.
    const { buffer, byteOffset, byteLength } = array.byteOffset % 4 === 0 ? array : array.slice();
    this.words = Math.floor(byteLength / 4);
    this.#bytes = new Uint8Array(buffer, byteOffset, byteLength);
    this.#array = new Int32Array(buffer, byteOffset, this.words);
  }

  /** Takes the words up to `end`, which is a multiple of 4 or all of them. */
  add(end: number): void {
    const words = this.#array;
    let [a, b, c, d] = this.#lanes;
    let i = this.#at;
    for (; i + 3 < end; i += 4) {
      a = Math.imul(a ^ words[i], PRIME);
      b = Math.imul(b ^ words[i + 1], PRIME);
      c = Math.imul(c ^ words[i + 2], PRIME);
      d = Math.imul(d ^ words[i + 3], PRIME);
    }
    for (; i < end; i++) a = Math.imul(a ^ words[i], PRIME);
    this.#lanes.set([a, b, c, d]);
    this.#at = end;
  }

  /** After all words. */
  get value(): number {
    let hash = START;
    for (const lane of this.#lanes) hash = Math.imul(hash ^ lane, PRIME);
    // What fills no word, byte by byte.
    for (let i = 4 * this.words; i < this.#bytes.length; i++) hash = Math.imul(hash ^ this.#bytes[i], PRIME);
    return Math.imul(hash ^ this.#bytes.length, PRIME) >>> 0;
  }
}
