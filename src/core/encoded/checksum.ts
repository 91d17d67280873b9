import { type EncodedMatrix, type NamedArray, namedArrays } from './encoded.ts';
import type { Steps } from '../job.ts';
import { wasmModule } from '../wasm/wasm-module.ts';
import { CHECKSUM_MODULE } from './checksum-module.ts';

/** Number of 32-bit hashes; each mixes every 32nd word of the bytes. */
export const LANES = 32;

/** Bytes of a block: one 32-bit word for each hash. */
export const BLOCK_BYTES = 4 * LANES;

/** Bytes hashed at a time, a page of WebAssembly: the copy is still in the cache when it is read. */
export const RANGE_BYTES = 2 ** 16;

/** Mixes bytes into hashes; all implementations give identical hashes. */
export interface Mixer {
  /** the hashes: set before bytes are mixed, read afterwards */
  readonly lanes: Int32Array;
  /**
   * Mixes up to RANGE_BYTES: word i into hash i % LANES. An incomplete block is padded with zeros, so only the last
   * range of an array may have one.
   */
  mix: (bytes: Uint8Array) => void;
}

/** A prime of xxHash. */
const PRIME = 0x9e3779b1;

/** One step of a hash: a bijection of `word` for a fixed `hash`, and of `hash` for a fixed `word`. */
export function mixWord(hash: number, word: number): number {
  const product = Math.imul(hash + word, PRIME);
  return product ^ (product >>> 15);
}

/** A mixer in a memory of two pages: hashes in the first, bytes in the second, whose whole blocks `run` mixes. */
function mixerIn(memory: ArrayBuffer, run: (bytes: number) => void): Mixer {
  const range = new Uint8Array(memory, RANGE_BYTES, RANGE_BYTES);
  return {
    lanes: new Int32Array(memory, 0, LANES),
    mix(bytes) {
      if (bytes.length === 0) return;
      const paddedLength = Math.ceil(bytes.length / BLOCK_BYTES) * BLOCK_BYTES;
      range.set(bytes);
      if (paddedLength > bytes.length) range.fill(0, bytes.length, paddedLength);
      run(paddedLength);
    },
  };
}

/** A mixer in plain TypeScript. */
export function plainMixer(): Mixer {
  const memory = new ArrayBuffer(2 * RANGE_BYTES);
  const lanes = new Int32Array(memory, 0, LANES);
  const words = new Int32Array(memory, RANGE_BYTES);
  return mixerIn(memory, (bytes) => {
    const end = bytes / 4;
    // Four independent hashes at a time.
    for (let lane = 0; lane < LANES; lane += 4) {
      let [a, b, c, d] = lanes.subarray(lane, lane + 4);
      for (let i = lane; i < end; i += LANES) {
        a = mixWord(a, words[i]);
        b = mixWord(b, words[i + 1]);
        c = mixWord(c, words[i + 2]);
        d = mixWord(d, words[i + 3]);
      }
      lanes.set([a, b, c, d], lane);
    }
  });
}

const openModule = wasmModule<{
  readonly memory: { readonly buffer: ArrayBuffer };
  mix(at: number, end: number): void;
}>(CHECKSUM_MODULE);

/** A mixer in WebAssembly with SIMD, or in plain TypeScript where that cannot run. */
export function fastMixer(): Mixer {
  const wasm = openModule();
  return wasm === null
    ? plainMixer()
    : mixerIn(wasm.memory.buffer, (bytes) => wasm.mix(RANGE_BYTES, RANGE_BYTES + bytes));
}

let shared: Mixer | undefined;

/** The mixer that all checksums of this thread share. Callers set its hashes before use and read them afterwards. */
export function mixer(): Mixer {
  return (shared ??= fastMixer());
}

/** Bytes between two yields: about 3 ms, a multiple of RANGE_BYTES. */
const BYTES_PER_YIELD = 2 ** 25;

/**
 * A 32-bit hash of the bytes of a typed array and their number: 32 independent hashes divide its words among them, and
 * are hashed together at the end. Every step is a bijection, so a single changed word always changes the checksum.
 * O(bytes), about 15 GB/s.
 */
export function checksum(array: NamedArray): number {
  return new Checksum(array).finish();
}

/** Adds a checksum of each array to an encoding; `total`: the total in the encoder's progress. O(bytes). */
export function* addChecksumSteps<E extends Omit<EncodedMatrix, 'checksums'>>(
  arrays: E,
  total: number,
): Steps<E & Pick<EncodedMatrix, 'checksums'>> {
  const checksums: Record<string, number> = {};
  for (const [name, array] of namedArrays(arrays)) {
    const checksum = new Checksum(array);
    while (checksum.remaining > BYTES_PER_YIELD) {
      checksum.add(BYTES_PER_YIELD);
      yield { what: 'checksums', done: total, total };
    }
    checksums[name] = checksum.finish();
  }
  return { ...arrays, checksums };
}

/** The checksum of an array, computed a few ranges at a time. */
class Checksum {
  readonly #bytes: Uint8Array;
  readonly #lanes = Int32Array.from({ length: LANES }, (_, lane) => lane + 1);
  /** bytes hashed so far: whole ranges, or all */
  #done = 0;

  constructor({ buffer, byteOffset, byteLength }: NamedArray) {
    this.#bytes = new Uint8Array(buffer, byteOffset, byteLength);
  }

  /** bytes not yet hashed */
  get remaining(): number {
    return this.#bytes.length - this.#done;
  }

  /** Hashes the next `bytes`, a multiple of RANGE_BYTES. */
  add(bytes: number): void {
    this.#hashUpTo(this.#done + bytes);
  }

  /** Hashes the remaining bytes. */
  finish(): number {
    this.#hashUpTo(this.#bytes.length);
    let hash = 0;
    for (const lane of this.#lanes) hash = mixWord(hash, lane);
    return mixWord(hash, this.#bytes.length) >>> 0;
  }

  #hashUpTo(end: number): void {
    const shared = mixer();
    shared.lanes.set(this.#lanes);
    for (let at = this.#done; at < end; at += RANGE_BYTES) {
      shared.mix(this.#bytes.subarray(at, Math.min(end, at + RANGE_BYTES)));
    }
    this.#lanes.set(shared.lanes);
    this.#done = end;
  }
}
