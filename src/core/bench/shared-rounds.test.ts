import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sharedRounds } from './shared-rounds.ts';

test('sharedRounds returns the rounds in which both kernels were timed', () => {
  const ascending = fc.uniqueArray(fc.nat(40)).map((rounds) => rounds.toSorted((a, b) => a - b));
  const property = fc.property(ascending, ascending, fc.boolean(), (inA, inB, isPlain) => {
    const roundsA = isPlain ? inA.map((_, i) => i) : inA;
    const a = { samplesNs: roundsA.map((round) => 1000 + round), ...(isPlain ? {} : { rounds: roundsA }) };
    const b = { samplesNs: inB.map((round) => 2000 + round), rounds: inB };
    const expected = roundsA.filter((round) => new Set(inB).has(round));
    expect(sharedRounds(a, b)).toEqual({
      a: expected.map((round) => 1000 + round),
      b: expected.map((round) => 2000 + round),
    });
  });
  fc.assert(property);
});
