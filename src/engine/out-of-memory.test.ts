import { describe, expect, it } from 'vitest';
import { outOfMemory } from './out-of-memory.ts';

function thrownBy(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

describe('outOfMemory', () => {
  it('recognises the errors of this engine', () => {
    for (const error of [
      thrownBy(() => new Float32Array(2 ** 53 - 1)),
      thrownBy(() => new Uint8Array(2 ** 50)),
      thrownBy(() => new ArrayBuffer(2 ** 52)),
    ]) {
      expect(outOfMemory(error, 'CSR of 4 × 4')).toMatch(/^CSR of 4 × 4: out of memory \(.+\); choose/);
    }
  });

  it.each(['Array buffer allocation failed', 'invalid array length', 'allocation size overflow', 'Out of memory'])(
    'recognises errors of other engines: %s',
    (message) => expect(outOfMemory(new RangeError(message), 'a')).not.toBeNull(),
  );

  it('leaves other errors alone', () => {
    expect(outOfMemory(new RangeError("format: found 'coo', expected one of csr"), 'a')).toBeNull();
    expect(outOfMemory('out of memory', 'a')).toBeNull();
  });
});
