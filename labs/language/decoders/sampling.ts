// Draws the next token from logits by a seed, so that the CPU and the GPU draw the same one.

import { ln } from '../../../src/core/number/elementary.ts';
import type { Decoder, Sampling } from './decoder.ts';

/*
 * Sampling by the Gumbel-max trick: the next token is the argmax of logit + temperature * noise with Gumbel noise, so
 * that each token is drawn with the probability of softmax(logits / temperature).
 *
 * The noise is an entry of a table, whose index is computed from seed, position and id in u32, and the sum is rounded
 * to f32, so that a shader with the same table draws the same token from the same logits. In WGSL:
 *
 *   let h = mix(mix(mix(seed ^ 0x9e3779b9u) ^ position) ^ id);
 *   let z = min(countLeadingZeros(h), 31u);
 *   let score = logits[id] + noise[z * 2048u + (((h << z) << 1u) >> 21u)];
 */

/**
 * Number of hash bits after the highest 1 that select an entry. Neighbouring entries with large noise differ by at most
 * 5e-4.
 */
const FRACTION_BITS = 11;

/** Entries of a table of noise in f32, 256 KiB. */
export const NOISE_ENTRIES = 2 ** (5 + FRACTION_BITS);

/** Arbitrary bits, XORed into a seed: `mix` maps 0 to 0, and 0 is a common seed. */
const SEED_BITS = 0x9e3779b9;

/** A one-to-one hash of u32: every bit of x changes about half of the bits. Source: Wellons 2018, lowbias32. */
function mix(x: number): number {
  let h = x >>> 0;
  h = Math.imul(h ^ (h >>> 16), 0x7feb352d);
  h = Math.imul(h ^ (h >>> 15), 0x846ca68b);
  return (h ^ (h >>> 16)) >>> 0;
}

/** The index in a table of noise for token `id`; all three numbers are u32. */
export function noiseIndex(seed: number, position: number, id: number): number {
  return indexOfHash(mix(mix(mix(seed ^ SEED_BITS) ^ position) ^ id));
}

/**
 * The number of leading zeros of the hash in 5 bits, then the bits after its highest 1, so that small hashes, whose
 * noise is large, keep their precision.
 */
function indexOfHash(hash: number): number {
  const zeros = Math.min(Math.clz32(hash), 31);
  return (zeros << FRACTION_BITS) | (((hash << zeros) << 1) >>> (32 - FRACTION_BITS));
}

/** Noise of temperature 1: -ln(-ln(1 - v)), where v is the middle of an entry's hashes, divided by 2^32. */
function makeNoise(): Float32Array<ArrayBuffer> {
  const fractions = 2 ** FRACTION_BITS;
  return Float32Array.from({ length: NOISE_ENTRIES }, (_, index) => {
    const zeros = index >>> FRACTION_BITS;
    const v = 2 ** (-1 - zeros) * (1 + ((index & (fractions - 1)) + 0.5) / fractions);
    // 1 - v rounds digits of a small v away, so a Taylor series computes -ln(1 - v).
    return -ln(v < 2 ** -10 ? v * (1 + v * (1 / 2 + v * (1 / 3 + v / 4))) : -ln(1 - v));
  });
}

/** The noise of temperature 1, and the table that `noiseTable` returned last. */
let unitNoise: Float32Array<ArrayBuffer> | null = null;
let lastTable: { readonly temperature: number; readonly table: Float32Array<ArrayBuffer> } | null = null;

/**
 * NOISE_ENTRIES numbers to be added to logits: temperature * noise, rounded to f32; zeros at temperature 0. The last
 * table is cached, so it must not be modified. Throws RangeError for a temperature that is negative or not finite.
 */
export function noiseTable(temperature: number): Float32Array<ArrayBuffer> {
  if (!(temperature >= 0 && temperature < Number.POSITIVE_INFINITY)) {
    throw new RangeError(`temperature: found ${temperature}, expected a number from 0`);
  }
  if (lastTable?.temperature === temperature) return lastTable.table;
  unitNoise ??= makeNoise();
  lastTable = { temperature, table: unitNoise.map((value) => temperature * value) };
  return lastTable.table;
}

/** Throws RangeError for a seed that is not a whole number from 0 to 2^32 - 1. */
export function checkSeed(seed: number): void {
  if (Number.isInteger(seed) && seed >= 0 && seed < 2 ** 32) return;
  throw new RangeError(`seed: found ${seed}, expected a whole number below ${2 ** 32}`);
}

/**
 * Returns the token drawn for `position`, counted from 0: the token with the largest sum of logit and noise, the lowest
 * id among equals, never a token whose sum is NaN. Throws RangeError for a seed that is no whole number below 2^32.
 * O(logits).
 */
export function drawToken(logits: Float32Array, position: number, { temperature, seed }: Sampling): number {
  checkSeed(seed);
  const table = noiseTable(temperature);
  const positionHash = mix(mix(seed ^ SEED_BITS) ^ position);
  let best = 0;
  let highest = Number.NEGATIVE_INFINITY;
  for (let id = 0; id < logits.length; id++) {
    const score = Math.fround(logits[id] + table[indexOfHash(mix(positionHash ^ id))]);
    if (score > highest) {
      highest = score;
      best = id;
    }
  }
  return best;
}

/** An implementation of `Decoder.write` that draws each token from the logits of `feed`, on the CPU. */
export async function* writeByFeeding(
  decoder: Pick<Decoder, 'config' | 'length' | 'feed'>,
  id: number,
  count: number,
  sampling: Sampling,
): AsyncGenerator<number, void> {
  const { context, eos } = decoder.config;
  let next = id;
  for (let written = 0; written < count && decoder.length < context; written++) {
    const logits = await decoder.feed([next]);
    next = drawToken(logits, decoder.length, sampling);
    yield next;
    if (eos.includes(next)) return;
  }
}

/** A possible next token, with its probability at temperature 1. */
export interface LikelyToken {
  readonly id: number;
  readonly probability: number;
  /** -log2(probability) */
  readonly bits: number;
}

/** The `count` most probable tokens, or all if fewer; the lowest id first among equals. O(logits log count). */
export function likeliest(logits: Float32Array, count: number): readonly LikelyToken[] {
  const best: number[] = [];
  for (let id = 0; id < logits.length; id++) {
    if (best.length === count && !(logits[id] > logits[best[count - 1]])) continue;
    let rank = best.length;
    while (rank > 0 && logits[id] > logits[best[rank - 1]]) rank--;
    best.splice(rank, 0, id);
    if (best.length > count) best.pop();
  }
  const { highest, rest } = logSum(logits);
  return best.map((id) => {
    const nats = highest - logits[id] + rest;
    return { id, probability: Math.exp(-nats), bits: nats / Math.LN2 };
  });
}

/** -log2 of the probability of token `id` at temperature 1, in f64. O(logits). */
export function bitsOf(logits: Float32Array, id: number): number {
  const { highest, rest } = logSum(logits);
  return (highest - logits[id] + rest) / Math.LN2;
}

/** ln of the sum of e^logit is highest + rest: two parts, so that no precision is lost. */
function logSum(logits: Float32Array): { readonly highest: number; readonly rest: number } {
  let highest = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < logits.length; i++) if (logits[i] > highest) highest = logits[i];
  let sum = 0;
  for (let i = 0; i < logits.length; i++) sum += Math.exp(logits[i] - highest);
  return { highest, rest: Math.log(sum) };
}
