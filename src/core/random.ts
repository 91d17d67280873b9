/**
 * Seeded random numbers: xoshiro128** (Blackman and Vigna 2018), seeded through splitmix32.
 * The same seed gives the same sequence on every machine.
 */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #d: number;
  #spare = Number.NaN;

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

  /** Normal with mean 0 and standard deviation 1 (polar method of Marsaglia). */
  normal(): number {
    if (!Number.isNaN(this.#spare)) {
      const spare = this.#spare;
      this.#spare = Number.NaN;
      return spare;
    }
    for (;;) {
      const u = 2 * this.uniform() - 1;
      const v = 2 * this.uniform() - 1;
      const s = u * u + v * v;
      if (s >= 1 || s === 0) continue;
      const scale = Math.sqrt((-2 * Math.log(s)) / s);
      this.#spare = v * scale;
      return u * scale;
    }
  }
}
