import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import wabt from 'wabt';
import { Random } from '../../core/random.ts';
import { OVERLAP_MODULE } from './overlap-module.ts';
import { fastOverlaps } from './overlap-wasm.ts';
import { countChunks, type OverlapEngine, plainOverlaps, popcount, type UnitBits, wordsPerUnit } from './overlap.ts';

/** The definition, cell by cell. */
function bestByCounting(
  { units, words, bits, free }: UnitBits,
  unit: number,
  least: number,
): { partner: number; shared: number } {
  let best = { partner: -1, shared: 0 };
  for (let j = unit + 1; j < units; j++) {
    let shared = 0;
    for (let w = 0; w < words; w++) shared += popcount(bits[unit * words + w] & bits[j * words + w]);
    if (free[j] === 1 && shared >= least && shared > best.shared) best = { partner: j, shared };
  }
  return best;
}

function filled(engine: OverlapEngine, units: number, cols: number, seed: number): UnitBits {
  const u = engine.allocate(units, wordsPerUnit(cols));
  const random = new Random(seed);
  const share = random.uniform();
  for (let unit = 0; unit < units; unit++) {
    u.free[unit] = random.below(4) === 0 ? 0 : 1;
    for (let c = 0; c < cols; c++) {
      if (random.uniform() < share) u.bits[unit * u.words + (c >>> 5)] |= 1 << (c & 31);
    }
    countChunks(u, unit);
  }
  return u;
}

describe('the search for partners', () => {
  it('gives the best by definition, in TypeScript and in WebAssembly', () => {
    const fast = fastOverlaps();
    expect(fast).not.toBe(plainOverlaps);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 24 }), fc.integer({ min: 1, max: 1500 }), fc.nat(), (units, cols, seed) => {
        const a = filled(plainOverlaps, units, cols, seed);
        const b = filled(fast, units, cols, seed);
        const least = 1 + (seed % 40);
        for (let unit = 0; unit < units; unit++) {
          const expected = bestByCounting(a, unit, least);
          expect(plainOverlaps.bestPartner(a, unit, least)).toEqual(expected);
          expect(fast.bestPartner(b, unit, least)).toEqual(expected);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('runs the module that its source assembles to', async () => {
    const source = readFileSync(new URL('overlap.wat', import.meta.url), 'utf8');
    const module = (await wabt()).parseWat('overlap.wat', source, { simd: true, mutable_globals: true });
    expect(Buffer.from(module.toBinary({}).buffer).toString('base64')).toBe(OVERLAP_MODULE);
  });
});
