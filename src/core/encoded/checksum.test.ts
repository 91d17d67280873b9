import { describe, expect, it } from 'vitest';
import { finish } from '../job.ts';
import { checksum, sealSteps } from './checksum.ts';

describe('checksum', () => {
  it('changes with every byte, also of those that fill no word and no round of four words', () => {
    for (const length of [1, 2, 3, 4, 5, 15, 16, 17, 31, 33]) {
      const bytes = Uint8Array.from({ length }, (_, i) => 37 * i);
      const before = checksum(bytes);
      for (let i = 0; i < length; i++) {
        for (const change of [1, 0x80, 0xff]) {
          const changed = bytes.with(i, bytes[i] ^ change);
          expect(checksum(changed), `byte ${i} of ${length}`).not.toBe(before);
        }
      }
    }
  });

  it('tells arrays of zeros by their length', () => {
    const found = [0, 1, 2, 3, 4, 5, 8, 16, 17].map((length) => checksum(new Uint8Array(length)));
    expect(new Set(found).size).toBe(found.length);
  });

  it('is that of the bytes, wherever they lie', () => {
    const whole = Uint16Array.of(9, 1, 2, 3, 4, 5);
    expect(checksum(whole.subarray(1))).toBe(checksum(Uint16Array.of(1, 2, 3, 4, 5)));
    expect(checksum(Float32Array.of(1))).toBe(checksum(Uint32Array.of(0x3f800000)));
  });

  it('tells a NaN from another, and 0 from -0', () => {
    const of = (bits: number): number => checksum(new Float32Array(Uint32Array.of(bits).buffer));
    expect(of(0x7fc00000)).not.toBe(of(0x7fc00001));
    expect(of(0)).not.toBe(of(0x80000000));
  });

  it('is worked out in parts with pauses, and is the same', () => {
    const large = new Uint32Array(2 ** 23 + 3).fill(7);
    large[2 ** 23] = 1;
    const steps = sealSteps({ rows: 1, cols: 1, nnz: 1, large }, 5);
    expect(steps.next()).toEqual({ done: false, value: { what: 'checksums', done: 5, total: 5 } });
    expect(finish(steps).checksums).toEqual({ large: checksum(large) });
  });
});
