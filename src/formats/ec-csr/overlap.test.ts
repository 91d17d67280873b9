import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import wabt from 'wabt';
import { Random } from '../../core/number/random.ts';
import { popcount } from '../../core/statistics/half-words.ts';
import { OVERLAP_MODULE } from './overlap-module.ts';
import { fastOverlaps, type LevelCopy } from './overlap-wasm.ts';
import { FIRST_TIME, overlapTask, overlapTasks, REPEATED, runOverlapTask, type OverlapQuery } from './overlap-tasks.ts';
import { countChunks, type OverlapEngine, plainOverlaps, type UnitBits, wordsPerUnit } from './overlap.ts';
import { cases } from '../../../test/scheduled.ts';

/** The best unit and the runner-up of a query by definition, counted word by word; -1 where there is none. */
function bestByCounting(
  { units, words, bits, takenBy }: UnitBits,
  free: Uint8Array,
  [a, b, min]: OverlapQuery,
): number[] {
  const counts = Array.from({ length: units }, (_, unit) => {
    const isRequested = b < 0 ? unit > a && (b === FIRST_TIME || takenBy[unit] < a) : unit !== a && unit !== b;
    if (free[unit] === 0 || !isRequested) return { unit, shared: 0 };
    let shared = 0;
    for (let w = 0; w < words; w++) {
      const wanted = bits[a * words + w] & (b < 0 ? 0xffffffff : bits[b * words + w]);
      shared += popcount(wanted & bits[unit * words + w]);
    }
    return { unit, shared };
  });
  const best = counts.filter(({ shared }) => shared >= min).toSorted((x, y) => y.shared - x.shared || x.unit - y.unit);
  return [best[0]?.unit ?? -1, best[1]?.unit ?? -1];
}

/** Units with random columns, all with the same probability. */
function randomUnits(engine: OverlapEngine, units: number, cols: number, seed: number): UnitBits {
  const u = engine.allocate(units, wordsPerUnit(cols));
  const random = new Random(seed);
  const share = random.uniform();
  for (let unit = 0; unit < units; unit++) {
    u.takenBy[unit] = random.below(units + 1) - 1;
    for (let c = 0; c < cols; c++) {
      if (random.uniform() < share) u.bits[unit * u.words + (c >>> 5)] |= 1 << (c & 31);
    }
    countChunks(u.words, u.bits, u.chunkCounts, unit);
  }
  return u;
}

/** Units that are copies of a few rows with some columns removed, so that many share much more than by chance. */
function similarUnits(engine: OverlapEngine, units: number, cols: number, seed: number): UnitBits {
  const u = randomUnits(engine, units, cols, seed);
  const random = new Random(seed);
  const [kinds, keptShare] = [1 + random.below(5), 0.5 + random.uniform() / 2];
  for (let unit = kinds; unit < units; unit++) {
    const from = (unit % kinds) * u.words;
    for (let w = 0; w < u.words; w++) {
      let word = u.bits[from + w];
      for (let bit = 0; bit < 32; bit++) if (random.uniform() > keptShare) word &= ~(1 << bit);
      u.bits[unit * u.words + w] = word;
    }
    countChunks(u.words, u.bits, u.chunkCounts, unit);
  }
  return u;
}

/**
 * Compares the results of both engines, and of a copy of the level as another thread has it, with the definition: for
 * random queries, for partners as well as for witnesses.
 */
function expectTheTwoBest(
  unitsOf: typeof randomUnits,
  { units, cols, seed }: Readonly<Record<'units' | 'cols' | 'seed', number>>,
): void {
  const [plainEngine, fastEngine] = [plainOverlaps(), fastOverlaps()];
  const a = unitsOf(plainEngine, units, cols, seed);
  const b = unitsOf(fastEngine, units, cols, seed);
  const random = new Random(seed);
  const queries = Array.from({ length: 70 }, (): OverlapQuery => {
    const unit = random.below(units);
    const other = [FIRST_TIME, REPEATED, (unit + 1 + random.below(units - 1)) % units][random.below(3)];
    return [unit, other, 1 + random.below(random.below(2) === 0 ? 40 : Math.ceil(cols / 2))];
  });
  const included = Uint8Array.from({ length: units }, () => (random.below(8) === 0 ? 0 : 1));
  const free = included.map((isIncluded) => (random.below(6) === 0 ? 0 : isIncluded));
  const expected = Int32Array.from(queries.flatMap((query) => bestByCounting(a, free, query)));
  plainEngine.prepare(included);
  const runOnCopy = overlapTasks.open(fastEngine.prepare(included).copy() as unknown as LevelCopy);
  expect(runOverlapTask(plainEngine, overlapTask(a, free, queries))).toEqual(expected);
  expect(runOverlapTask(fastEngine, overlapTask(b, free, queries))).toEqual(expected);
  expect(runOnCopy(overlapTask(b, free, queries))).toEqual(expected);
}

describe('the search for units that share the most columns', () => {
  it('finds the two best by definition, in TypeScript, in WebAssembly and from a copy of the level', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 24 }), fc.integer({ min: 1, max: 2500 }), fc.nat(), (units, cols, seed) =>
        expectTheTwoBest(randomUnits, { units, cols, seed }),
      ),
      { numRuns: cases(40, 120) },
    );
  });

  it('finds them in several tiles of units, whether these share as much as by chance or more', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 100, max: 400 }),
        fc.integer({ min: 1, max: 600 }),
        fc.nat(),
        fc.constantFrom(randomUnits, similarUnits),
        (units, cols, seed, unitsOf) => expectTheTwoBest(unitsOf, { units, cols, seed }),
      ),
      { numRuns: 40 },
    );
  });

  it('finds them if units share more columns than its counters can count', () => {
    expectTheTwoBest(similarUnits, { units: 6, cols: 40_000, seed: 3 });
    expectTheTwoBest(similarUnits, { units: 6, cols: 40_000, seed: 5 });
  });

  it('runs on this thread, in plain TypeScript, where WebAssembly is not allowed', () => {
    vi.stubGlobal('WebAssembly', undefined);
    const engine = fastOverlaps();
    vi.unstubAllGlobals();
    const u = randomUnits(engine, 6, 100, 1);
    const all = new Uint8Array(6).fill(1);
    expect(engine.prepare(all).bytes).toBe(Number.POSITIVE_INFINITY);
    const query: OverlapQuery = [0, FIRST_TIME, 1];
    expect([...runOverlapTask(engine, overlapTask(u, all, [query]))]).toEqual(bestByCounting(u, all, query));
  });

  it('counts changed bits once `prepare` is called again', () => {
    const fast = fastOverlaps();
    const u = fast.allocate(2, wordsPerUnit(64));
    const all = Uint8Array.of(1, 1);
    const best = () => runOverlapTask(fast, overlapTask(u, all, [[0, FIRST_TIME, 1]]));
    u.bits.set([1], 0);
    fast.prepare(all);
    expect(best()).toEqual(Int32Array.of(-1, -1));
    u.bits.set([1], u.words);
    fast.prepare(all);
    expect(best()).toEqual(Int32Array.of(1, -1));
  });

  it('the search for units that share the most columns has the module that overlap.wat assembles to', async () => {
    const source = readFileSync(new URL('overlap.wat', import.meta.url), 'utf8');
    const module = (await wabt()).parseWat('overlap.wat', source, { simd: true, mutable_globals: true });
    expect(Buffer.from(module.toBinary({}).buffer).toString('base64')).toBe(OVERLAP_MODULE);
  });
});
