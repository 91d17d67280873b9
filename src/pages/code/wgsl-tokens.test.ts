import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tokensOf } from './wgsl-tokens.ts';

describe('tokensOf(line)', () => {
  it('distinguishes keywords, names and comments', () => {
    const tokens = tokensOf('  let a = values[i] / 2u; // the first');
    expect(tokens.filter(({ kind }) => kind === 'keyword').map(({ text }) => text)).toEqual(['let']);
    expect(tokens.filter(({ kind }) => kind === 'name').map(({ text }) => text)).toEqual(['a', 'values', 'i', 'u']);
    expect(tokens.at(-1)).toEqual({ kind: 'comment', text: '// the first' });
  });

  it('loses nothing of a line', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (line) => {
        const flat = line.replaceAll(/[\n\r\u2028\u2029]/g, ' ');
        expect(
          tokensOf(flat)
            .map(({ text }) => text)
            .join(''),
        ).toBe(flat);
      }),
      { numRuns: 500 },
    );
  });
});
