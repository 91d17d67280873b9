import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ratiosByRound, roundsOf, sharedRounds } from './shared-rounds.ts';

const ascending = fc.uniqueArray(fc.nat(40)).map((rounds) => rounds.toSorted((a, b) => a - b));

test('sharedRounds returns the rounds in which both kernels were timed', () => {
  const property = fc.property(ascending, ascending, fc.boolean(), (inA, inB, isPlain) => {
    const roundsA = isPlain ? inA.map((_, i) => i) : inA;
    const a = { samplesNs: roundsA.map((round) => 1000 + round), ...(isPlain ? {} : { rounds: roundsA }) };
    const b = { samplesNs: inB.map((round) => 2000 + round), rounds: inB };
    const expected = roundsA.filter((round) => new Set(inB).has(round));
    const shared = { a: expected.map((round) => 1000 + round), b: expected.map((round) => 2000 + round) };
    expect(roundsOf(a)).toEqual(roundsA);
    expect(sharedRounds(a, b)).toEqual(shared);
    expect(sharedRounds(b, a)).toEqual({ a: shared.b, b: shared.a });
  });
  fc.assert(property);
});

test('ratiosByRound divides the times of a round, of those rounds in which both took longer than 0', () => {
  const a = { samplesNs: [10, 0, 30, 40, 0, 5] };
  const b = { samplesNs: [8, 0, 10, 2, 4], rounds: [1, 2, 3, 4, 5] };
  expect(ratiosByRound(a, b)).toEqual([40 / 10, 5 / 4]);
  expect(ratiosByRound(b, a)).toEqual([10 / 40, 4 / 5]);
  expect(ratiosByRound(a, { samplesNs: [0, 1, 2, 0, 0, 0] })).toEqual([30 / 2]);
  expect(ratiosByRound(a, { samplesNs: [] })).toEqual([]);
});
