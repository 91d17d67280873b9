import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { finish } from '../../core/job.ts';
import { Random } from '../../core/number/random.ts';
import { popcount } from '../../core/statistics/half-words.ts';
import { type Match, matchSteps } from './matching.ts';
import { fastOverlaps } from './overlap-wasm.ts';
import { columnCount, countChunks, type UnitBits, wordsPerUnit } from './overlap.ts';
import { cases } from '../../../test/scheduled.ts';

/** The greedy walk as the paper defines it: one unit after the other, every overlap counted. */
function greedy(u: UnitBits, free: Uint8Array, min: number): Match[] {
  const matches: Match[] = [];
  for (let unit = 0; unit < u.units; unit++) {
    if (free[unit] === 0) continue;
    free[unit] = 0;
    let [partner, max] = [-1, min - 1];
    for (let j = unit + 1; j < u.units; j++) {
      let shared = 0;
      for (let w = 0; w < u.words; w++) shared += popcount(u.bits[unit * u.words + w] & u.bits[j * u.words + w]);
      if (free[j] === 1 && shared > max) [partner, max] = [j, shared];
    }
    if (partner < 0) continue;
    free[partner] = 0;
    matches.push({ unit, partner });
  }
  return matches;
}

describe('matchSteps', () => {
  it('makes the pairs of the greedy walk, round after round, although it searches for many units at once', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 120 }), fc.nat(), fc.boolean(), (units, seed, areAlike) => {
        const engine = fastOverlaps();
        const random = new Random(seed);
        const bits = engine.allocate(units, wordsPerUnit(64));
        // Some rows have many columns, so that all other rows share most columns with them.
        for (let unit = 0; unit < units; unit++) {
          const share = areAlike ? 0.5 : random.uniform();
          for (let c = 0; c < 64; c++) {
            if (random.uniform() < share) bits.bits[unit * bits.words + (c >> 5)] |= 1 << (c & 31);
          }
          countChunks(bits.words, bits.bits, bits.chunkCounts, unit);
        }
        const min = 1 + random.below(24);
        const foundNone = new Uint8Array(units);
        const progress = (share: number) => ({ what: 'matching', done: share, total: 1 });
        for (let r = 0; r < 4; r++) {
          const free = Uint8Array.from({ length: units }, (_, unit) => (columnCount(bits, unit) >= min ? 1 : 0));
          const round = { engine, bits, shared: engine.prepare(free.slice()), foundNone, progress };
          const expected = greedy(bits, free.slice(), min);
          expect(finish(matchSteps(round, free, min))).toEqual(expected);
          for (const { unit, partner } of expected) {
            for (let w = 0; w < 2; w++) {
              // Removes random columns from both units, as those that a pair has extracted.
              const mask = Math.floor(random.uniform() * 2 ** 32);
              bits.bits[unit * bits.words + w] &= mask;
              bits.bits[partner * bits.words + w] &= mask;
            }
            for (const changed of [unit, partner]) countChunks(bits.words, bits.bits, bits.chunkCounts, changed);
          }
        }
      }),
      { numRuns: cases(50, 150) },
    );
  });
});
