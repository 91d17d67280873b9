import { type EncodedMatrix, type NamedArray, namedArrays } from './encoded.ts';
import { LANES, mixer, mixWord, RANGE_BYTES } from './checksum-mix.ts';
import type { Steps } from '../job.ts';

/** Bytes between two yields: about 3 ms, a multiple of RANGE_BYTES. */
const BYTES_PER_YIELD = 2 ** 25;

/**
 * A 32-bit hash of the bytes of a typed array and their number: its words are distributed over 32 independent hashes,
 * and those are hashed in the end. Every step is a bijection of the word and of the hash before it, so a single changed
 * element always changes the checksum. O(bytes), about 15 GB/s.
 */
export function checksum(array: NamedArray): number {
  return new Checksum(array).finish();
}

/**
 * Completes an encoding with the checksum of each of its arrays; `total` is what the encoder's progress counts towards.
 * O(bytes).
 */
export function sealSteps<E extends Omit<EncodedMatrix, 'checksums'>>(arrays: E, total: number): Steps<Sealed<E>> {
  return new Seal(arrays).steps(total);
}

/** An encoding with the checksums of its arrays. */
export type Sealed<E> = E & { readonly checksums: EncodedMatrix['checksums'] };

/**
 * Like `sealSteps`, for an encoder that is hardly more than a copy: it says what is final as it goes, and that is hashed
 * while it is still in the cache.
 */
export class Seal<E extends Omit<EncodedMatrix, 'checksums'>> {
  readonly #arrays: E;
  readonly #hashes: ReadonlyMap<string, Checksum>;

  constructor(arrays: E) {
    this.#arrays = arrays;
    this.#hashes = new Map([...namedArrays(arrays)].map(([name, array]) => [name, new Checksum(array)]));
  }

  /** The first `elements` of an array are final. O(what has become final). */
  add(name: keyof E & string, elements: number): void {
    this.#hashes.get(name)?.addElements(elements);
  }

  /** Hashes what is left and completes the encoding. O(bytes). */
  *steps(total: number): Steps<Sealed<E>> {
    const checksums: Record<string, number> = {};
    for (const [name, hash] of this.#hashes) {
      while (hash.left > BYTES_PER_YIELD) {
        hash.addRanges(BYTES_PER_YIELD);
        yield { what: 'checksums', done: total, total };
      }
      checksums[name] = hash.finish();
    }
    return { ...this.#arrays, checksums };
  }
}

/** The checksum of an array, computed a few ranges at a time. */
class Checksum {
  readonly #elementBytes: number;
  readonly #bytes: Uint8Array;
  readonly #lanes = Int32Array.from({ length: LANES }, (_, lane) => lane + 1);
  /** bytes hashed so far: whole ranges, or all */
  #done = 0;

  constructor({ buffer, byteOffset, byteLength, BYTES_PER_ELEMENT }: NamedArray) {
    this.#elementBytes = BYTES_PER_ELEMENT;
    this.#bytes = new Uint8Array(buffer, byteOffset, byteLength);
  }

  /** bytes not yet hashed */
  get left(): number {
    return this.#bytes.length - this.#done;
  }

  /** Hashes the whole ranges among the first `elements`. */
  addElements(elements: number): void {
    this.addRanges(elements * this.#elementBytes - this.#done);
  }

  /** Hashes the whole ranges among the next `bytes`. */
  addRanges(bytes: number): void {
    if (bytes >= RANGE_BYTES) this.#take(this.#done + Math.floor(bytes / RANGE_BYTES) * RANGE_BYTES);
  }

  /** Hashes what is left. */
  finish(): number {
    this.#take(this.#bytes.length);
    let hash = 0;
    for (const lane of this.#lanes) hash = mixWord(hash, lane);
    return mixWord(hash, this.#bytes.length) >>> 0;
  }

  #take(end: number): void {
    const shared = mixer();
    shared.lanes.set(this.#lanes);
    for (let at = this.#done; at < end; at += RANGE_BYTES) {
      shared.mix(this.#bytes.subarray(at, Math.min(end, at + RANGE_BYTES)));
    }
    this.#lanes.set(shared.lanes);
    this.#done = end;
  }
}
