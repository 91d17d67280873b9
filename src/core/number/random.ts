import { exp, ln } from './elementary.ts';

/* Seeded random numbers, uniform and normal, that are the same on every machine. */

/**
 * Standard normal numbers by the ziggurat of Marsaglia and Tsang (2000), with separate bits for layer and position
 * as Doornik (2005) recommends. 256 layers of equal area; layer i reaches from 0 to EDGE[i].
 */
const LAYERS = 256;
/** where the tail begins */
const TAIL = 3.6541528853610088;
/** area of each layer; the lowest includes the tail */
const AREA = 0.00492867323399;

const EDGE = new Float64Array(LAYERS + 1);
const DENSITY = new Float64Array(LAYERS + 1);

EDGE[0] = AREA / unscaledDensity(TAIL);
EDGE[1] = TAIL;
for (let i = 1; i < LAYERS - 1; i++) EDGE[i + 1] = Math.sqrt(-2 * ln(AREA / EDGE[i] + unscaledDensity(EDGE[i])));
EDGE[LAYERS] = 0;
for (let i = 0; i <= LAYERS; i++) DENSITY[i] = unscaledDensity(EDGE[i]);

/** The density of the standard normal distribution without its factor 1 / sqrt(2 pi). */
function unscaledDensity(x: number): number {
  return exp(-0.5 * x * x);
}

/**
 * A standard normal number from the random word `first` and, in one case of a hundred, from further words.
 * Never 0: 8 bits choose the layer, 1 the sign, and 23 an odd multiple of 2^-24 of the layer's width.
 */
function ziggurat(first: number, next: () => number): number {
  let word = first;
  for (;;) {
    const layer = word & 255;
    // without a branch: it would be mispredicted every other time
    const sign = 1 - ((word >>> 7) & 2);
    const x = ((word >>> 9) * 2 + 1) * 2 ** -24 * EDGE[layer];
    if (x < EDGE[layer + 1]) return sign * x;
    if (layer === 0) return sign * tail(next);
    const height = DENSITY[layer] + (next() / 2 ** 32) * (DENSITY[layer + 1] - DENSITY[layer]);
    if (height < unscaledDensity(x)) return sign * x;
    word = next();
  }
}

/** A normal number beyond TAIL, by Marsaglia's exponential rejection. */
function tail(next: () => number): number {
  for (;;) {
    const x = -ln((next() + 1) / 2 ** 32) / TAIL;
    const y = -ln((next() + 1) / 2 ** 32);
    if (2 * y > x * x) return TAIL + x;
  }
}

/**
 * Seeded random numbers: xoshiro128** (Blackman and Vigna 2018), seeded through splitmix32.
 * The same seed produces the same sequence on every machine.
 */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #d: number;
  readonly #nextU32 = (): number => this.u32();

  /** `seed` is taken modulo 2^32. */
  constructor(seed: number) {
    let state = seed >>> 0;
    const next = (): number => {
      state = (state + 0x9e3779b9) >>> 0;
      let z = state;
      z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
      z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
      return (z ^ (z >>> 16)) >>> 0;
    };
    this.#a = next();
    this.#b = next();
    this.#c = next();
    this.#d = next() || 1;
  }

  /** Uniform in 0 .. 2^32 - 1. */
  u32(): number {
    const s1 = Math.imul(this.#b, 5);
    const result = Math.imul((s1 << 7) | (s1 >>> 25), 9) >>> 0;
    const t = this.#b << 9;
    this.#c ^= this.#a;
    this.#d ^= this.#b;
    this.#b ^= this.#c;
    this.#a ^= this.#d;
    this.#c ^= t;
    this.#d = (this.#d << 11) | (this.#d >>> 21);
    return result;
  }

  /** Uniform in [0, 1), 32 bits. */
  uniform(): number {
    return this.u32() / 2 ** 32;
  }

  /** Uniform whole number in [0, n). */
  below(n: number): number {
    return Math.floor(this.uniform() * n);
  }

  /** Fills `into` with the bits of the next numbers of `u32`, about four times faster than one by one. */
  fill(into: Uint32Array | Int32Array): void {
    let a = this.#a;
    let b = this.#b;
    let c = this.#c;
    let d = this.#d;
    for (let i = 0; i < into.length; i++) {
      const s1 = Math.imul(b, 5);
      into[i] = Math.imul((s1 << 7) | (s1 >>> 25), 9);
      const t = b << 9;
      c ^= a;
      d ^= b;
      b ^= c;
      a ^= d;
      c ^= t;
      d = (d << 11) | (d >>> 21);
    }
    this.#a = a;
    this.#b = b;
    this.#c = c;
    this.#d = d;
  }

  /** Normal with mean 0 and standard deviation 1; never 0. */
  normal(): number {
    return ziggurat(this.u32(), this.#nextU32);
  }

  /** Fills `into` with normal numbers rounded to f32, none of them 0. Not the sequence of `normal`. */
  fillNormal(into: Float32Array): void {
    const words = new Int32Array(into.buffer, into.byteOffset, into.length);
    this.fill(words);
    for (let i = 0; i < into.length; i++) into[i] = ziggurat(words[i], this.#nextU32);
  }
}

/** The values in random order (Fisher-Yates). */
export function shuffled<T>(values: readonly T[], random: Random): T[] {
  const order = [...values];
  for (let i = order.length - 1; i > 0; i--) {
    const j = random.below(i + 1);
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}
