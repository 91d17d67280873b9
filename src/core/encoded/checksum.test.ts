import { readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import wabt from 'wabt';
import { finish } from '../job.ts';
import { Random } from '../number/random.ts';
import {
  BLOCK_BYTES,
  checksum,
  fastMixer,
  LANES,
  type Mixer,
  mixWord,
  plainMixer,
  RANGE_BYTES,
  addChecksumSteps,
} from './checksum.ts';
import { CHECKSUM_MODULE } from './checksum-module.ts';

describe('checksum', () => {
  it('changes with every byte around the border of two ranges', () => {
    const bytes = randomBytes(2 * RANGE_BYTES + 5, 1);
    const before = checksum(bytes);
    for (const i of [0, RANGE_BYTES - 1, RANGE_BYTES, 2 * RANGE_BYTES - 1, 2 * RANGE_BYTES, 2 * RANGE_BYTES + 4])
      expect(checksum(bytes.with(i, bytes[i] ^ 0x80)), `byte ${i}`).not.toBe(before);
  });

  it('checksum is the same when it is computed in ranges with pauses', () => {
    const large = new Uint32Array(2 ** 23 + 3).fill(7);
    large[2 ** 23] = 1;
    const steps = addChecksumSteps({ rows: 1, cols: 1, nnz: 1, large }, 5);
    expect(steps.next()).toEqual({ done: false, value: { what: 'checksums', done: 5, total: 5 } });
    expect(finish(steps).checksums).toEqual({ large: checksum(large) });
  });
});

describe('the mixers (which add bytes to the hashes of a checksum)', () => {
  /** The hashes by the definition of the checksum: word by word, lane by lane. */
  function byDefinition(lanes: Int32Array, bytes: Uint8Array): Int32Array {
    const padded = new Uint8Array(Math.ceil(bytes.length / BLOCK_BYTES) * BLOCK_BYTES);
    padded.set(bytes);
    const hashes = lanes.slice();
    new Int32Array(padded.buffer).forEach((word, i) => (hashes[i % LANES] = mixWord(hashes[i % LANES], word)));
    return hashes;
  }

  it('give the hashes of the definition, in TypeScript and in WebAssembly', () => {
    const mixers: Mixer[] = [plainMixer(), fastMixer()];
    for (const length of [1, 4, 127, 128, 129, 1000, RANGE_BYTES - 1, RANGE_BYTES, 5]) {
      const bytes = randomBytes(length, length);
      const before = new Int32Array(randomBytes(4 * LANES, length + 1).buffer);
      const expected = byDefinition(before, bytes);
      for (const mixer of mixers) {
        mixer.lanes.set(before);
        mixer.mix(bytes);
        expect(mixer.lanes, `${length} bytes`).toEqual(expected);
      }
    }
  });

  it('run the WebAssembly module that checksum.wat assembles to', async () => {
    const source = readFileSync(new URL('checksum.wat', import.meta.url), 'utf8');
    const module = (await wabt()).parseWat('checksum.wat', source, { simd: true, mutable_globals: true });
    expect(Buffer.from(module.toBinary({}).buffer).toString('base64')).toBe(CHECKSUM_MODULE);
  });

  it('the mixers work in plain TypeScript if WebAssembly is not allowed', () => {
    vi.stubGlobal('WebAssembly', undefined);
    const mixer = fastMixer();
    vi.unstubAllGlobals();
    mixer.lanes.fill(1);
    mixer.mix(Uint8Array.of(1, 2, 3));
    expect(mixer.lanes).toEqual(byDefinition(new Int32Array(LANES).fill(1), Uint8Array.of(1, 2, 3)));
  });
});

function randomBytes(length: number, seed: number): Uint8Array<ArrayBuffer> {
  const random = new Random(seed);
  return Uint8Array.from({ length }, () => random.below(256));
}
