import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { flagChoice, numberChoice, wordChoice, readChoices, wordsChoice, textChoice, writeChoices } from './choices.ts';

const FIELDS = {
  at: numberChoice(0, 1, 0.5),
  tokens: numberChoice(1, 64, 1, true),
  scale: wordChoice(['linear', 'log'], 'linear'),
  live: flagChoice(false),
  shown: wordsChoice(['a', 'b', 'c'], ['a', 'b']),
  from: textChoice(10),
};

describe('choices of a page in the address', () => {
  it('choices are read from the address as they were written, and defaults are not written', () => {
    const values = fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      tokens: fc.integer({ min: 1, max: 64 }),
      scale: fc.constantFrom('linear' as const, 'log' as const),
      live: fc.boolean(),
      shown: fc.subarray(['a' as const, 'b' as const, 'c' as const]),
      from: fc.string({ maxLength: 10 }),
    });
    fc.assert(
      fc.property(values, (chosen) => {
        const texts = Object.fromEntries(
          Object.entries(writeChoices(FIELDS, chosen)).filter(([, text]) => text !== ''),
        );
        expect(readChoices(FIELDS, texts)).toEqual({ values: chosen, problems: [] });
      }),
      { numRuns: 300 },
    );
    expect(writeChoices(FIELDS, { at: 0.5, scale: 'log', live: false })).toEqual({ at: '', scale: 'log', live: '' });
  });

  it.each([
    ['at', '1.5', "Link, x.at: found '1.5', expected a number from 0 to 1; 0.5 is used."],
    ['tokens', '1.5', "Link, x.tokens: found '1.5', expected a whole number from 1 to 64; 1 is used."],
    ['scale', 'cubic', "Link, x.scale: found 'cubic', expected one of linear, log; linear is used."],
    ['live', '1', "Link, x.live: found '1', expected yes or no; no is used."],
    ['shown', 'a.d', "Link, x.shown: found 'a.d', expected some of a, b, c, with dots between them; a.b is used."],
    [
      'from',
      'x'.repeat(11),
      "Link, x.from: found 'xxxxxxxxxxx', expected a text of at most 10 characters; nothing is used.",
    ],
  ])('reports a wrong %s in one message', (name, text, sentence) => {
    const { values, problems } = readChoices(FIELDS, { [name]: text });
    expect([problems, values]).toEqual([[sentence], readChoices(FIELDS, {}).values]);
  });
});
