// Sampling of tokens with Gumbel noise, whose draws follow softmax, and the likeliest tokens.

import { describe, expect, it } from 'vitest';
import { bitsOf, drawToken, likeliest, noiseIndex, noiseTable } from './sampling.ts';

const LOGITS = Float32Array.of(2, -1, 0.5, 0, 1.25, -3, 0.1, 1);

/** Probabilities of softmax(logits / temperature). */
function shares(logits: Float32Array, temperature: number): readonly number[] {
  const powers = Array.from(logits, (logit) => Math.exp(logit / temperature));
  const powerSum = powers.reduce((a, b) => a + b);
  return powers.map((power) => power / powerSum);
}

/** Squared deviations of counts from what the probabilities promise, in units of their variance. */
function chiSquare(counts: readonly number[], probabilities: readonly number[], draws: number): number {
  return counts.reduce(
    (sum, count, i) => sum + (count - draws * probabilities[i]) ** 2 / (draws * probabilities[i]),
    0,
  );
}

describe('Gumbel noise', () => {
  it('equals fixed values, since a shader has the same hash and table', () => {
    expect([noiseIndex(0, 0, 0), noiseIndex(1, 2, 3), noiseIndex(2 ** 32 - 1, 383, 1023)]).toMatchInlineSnapshot(`
      [
        324,
        623,
        5117,
      ]
    `);
    expect([...noiseTable(1).subarray(0, 2), ...noiseTable(1).subarray(-2)]).toMatchInlineSnapshot(`
      [
        0.36616072058677673,
        0.3654564321041107,
        21.48792839050293,
        21.48768424987793,
      ]
    `);
  });

  it('scales with the temperature, and is 0 at temperature 0', () => {
    const noise = noiseTable(1).slice();
    expect(noiseTable(0.5)).toEqual(noise.map((value) => 0.5 * value));
    expect(noiseTable(0).every((value) => value === 0)).toBe(true);
  });

  it.each([-1, Number.NaN, Number.POSITIVE_INFINITY])('rejects a temperature of %d', (temperature) => {
    expect(() => noiseTable(temperature)).toThrow(RangeError);
  });
});

describe('sampling a token', () => {
  it.each([0.5, 0.8, 1, 2])('follows softmax at temperature %d', (temperature) => {
    const draws = 20_000;
    const counts = LOGITS.reduce<number[]>((list) => [...list, 0], []);
    for (let position = 0; position < draws; position++)
      counts[drawToken(LOGITS, position, { temperature, seed: 7 })]++;
    // Seven degrees of freedom: larger in one of a thousand.
    expect(chiSquare(counts, shares(LOGITS, temperature), draws)).toBeLessThan(24.3);
  });

  it('follows softmax over different seeds at one position', () => {
    const draws = 20_000;
    const counts = LOGITS.reduce<number[]>((list) => [...list, 0], []);
    for (let seed = 0; seed < draws; seed++) counts[drawToken(LOGITS, 5, { temperature: 1, seed })]++;
    expect(chiSquare(counts, shares(LOGITS, 1), draws)).toBeLessThan(24.3);
  });

  it('chooses the largest logit at temperature 0, the lowest id among equals', () => {
    const sampling = { temperature: 0, seed: 3 };
    expect(drawToken(Float32Array.of(1, 4, 4, 2), 9, sampling)).toBe(1);
    expect(drawToken(Float32Array.of(Number.NaN, -5, Number.NEGATIVE_INFINITY), 9, sampling)).toBe(1);
  });

  it.each([-1, 0.5, 2 ** 32])('rejects the seed %d', (seed) => {
    expect(() => drawToken(LOGITS, 0, { temperature: 1, seed })).toThrow(
      new RangeError(`seed: found ${seed}, expected a whole number below 4294967296`),
    );
  });
});

describe('probabilities of tokens', () => {
  it('equal the bits of softmax', () => {
    const expected = shares(LOGITS, 1);
    for (const [id, probability] of expected.entries()) {
      expect(bitsOf(LOGITS, id)).toBeCloseTo(-Math.log2(probability), 12);
    }
  });

  it('do not overflow', () => {
    expect(bitsOf(Float32Array.of(3e4, 3e4), 0)).toBe(1);
    expect(bitsOf(Float32Array.of(0, -3e4), 1)).toBeCloseTo(3e4 / Math.LN2, 6);
    expect(bitsOf(new Float32Array(1024), 5)).toBe(10);
  });

  it('are sorted, the lowest id first among equals', () => {
    const tokens = likeliest(Float32Array.of(1, 3, 2, 3, 0), 3);
    expect(tokens.map(({ id }) => id)).toEqual([1, 3, 2]);
    expect(tokens[0].probability).toBeCloseTo(shares(Float32Array.of(1, 3, 2, 3, 0), 1)[1], 12);
    expect(tokens[0].bits).toBeCloseTo(-Math.log2(tokens[0].probability), 12);
    expect(likeliest(LOGITS, 100).map(({ id }) => id)).toEqual([0, 4, 7, 2, 6, 3, 1, 5]);
    const probabilitySum = likeliest(LOGITS, 8).reduce((sum, { probability }) => sum + probability, 0);
    expect(probabilitySum).toBeCloseTo(1, 12);
    expect(likeliest(LOGITS, 0)).toEqual([]);
  });
});
