import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countingContext } from '../../test/counting-gpu.ts';
import { Buffers } from './buffers.ts';
import { openClock, Quantum } from './clock.ts';

/** The step of a clock that shows these values: their greatest common divisor. */
function stepOf(values: readonly bigint[]): number {
  const quantum = new Quantum();
  for (const value of values) quantum.add(value);
  return quantum.step;
}

describe('the step of Quantum', () => {
  test('is 65,536 for timestamps rounded down to 65,536 ns', () => {
    // raw times of a browser: 100 us apart, then rounded down
    const raw = Array.from({ length: 64 }, (_, i) => 3_912_345_678_901n + BigInt(i) * 104_729n);
    expect(stepOf(raw.map((t) => t & ~0xffffn))).toBe(65_536);
  });

  test('is 32 for a counter that runs in steps of 32 ns', () => {
    const raw = Array.from({ length: 64 }, (_, i) => 32n * (9_000_000_001n + BigInt(i * i) * 31n));
    expect(stepOf(raw)).toBe(32);
  });

  test('is 1 for unrounded timestamps', () => expect(stepOf([1_000_003n, 1_000_518n, 1_001_091n, 1_002_744n])).toBe(1));

  test('is 0 (unknown) while every value is the same', () => {
    expect(stepOf([])).toBe(0);
    expect(stepOf([65_536n])).toBe(0);
    expect(stepOf([65_536n, 65_536n])).toBe(0);
    expect(stepOf([65_536n, 131_072n])).toBe(65_536);
  });

  test('divides every value, and is a multiple of the real step', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 2n ** 20n), fc.array(fc.bigInt(1n, 2n ** 40n), { minLength: 2 }), (step, counts) => {
        const values = counts.map((n) => n * step);
        const quantum = stepOf(values);
        if (new Set(values).size < 2) expect(quantum).toBe(0);
        else {
          expect(values.every((v) => v % BigInt(quantum) === 0n)).toBe(true);
          expect(BigInt(quantum) % step).toBe(0n);
        }
      }),
    );
  });
});

test('the query set of a clock is freed with the buffers of its run, also after an error', async () => {
  const { context, alive, device } = countingContext(['timestamp-query']);
  device.createCommandEncoder = () => {
    throw new Error('no passes here');
  };
  const buffers = new Buffers(context);
  await expect(openClock(context, buffers)).rejects.toThrow('no passes here');
  expect(alive.size).toBe(3);
  buffers.destroy();
  expect([...alive]).toEqual([]);
});
