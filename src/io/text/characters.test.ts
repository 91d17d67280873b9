import { describe, expect, it } from 'vitest';
import { rejections } from '../../../test/io/rejections.ts';
import { quotedText } from './characters.ts';

/** Tables with a wrong character: as a sign, within a number, after a number, and at the beginning. */
const TABLES = [
  (c: string) => `1,2\n${c}3,4\n`,
  (c: string) => `1,2\n3${c}5,4\n`,
  (c: string) => `1,2\n3,4${c}\n`,
  (c: string) => `${c}1,2\n3,4\n`,
] as const;

/** Characters and how a message has to quote them: with the code point and the name in Unicode. */
const CHARACTERS: readonly (readonly [character: string, quoted: string])[] = [
  ['\u2212', "'−' (U+2212, minus sign)"],
  ['\u2013', "'–' (U+2013, en dash)"],
  ['\u2014', "'—' (U+2014, em dash)"],
  ['\u2010', "'‐' (U+2010, hyphen)"],
  ['\u2011', "'‑' (U+2011, no-break hyphen)"],
  ['\u2e3a', "'⸺' (U+2E3A, a dash)"],
  ['\u00a0', "'<U+00A0>' (U+00A0, no-break space)"],
  ['\u2009', "'<U+2009>' (U+2009, thin space)"],
  ['\u2003', "'<U+2003>' (U+2003, a space)"],
  ['\u202f', "'<U+202F>' (U+202F, narrow no-break space)"],
  ['\u3000', "'<U+3000>' (U+3000, ideographic space)"],
  ['\u2028', "'<U+2028>' (U+2028, line separator)"],
  ['\u200b', "'<U+200B>' (U+200B, zero-width space)"],
  ['\u200d', "'<U+200D>' (U+200D, zero-width joiner)"],
  ['\u2060', "'<U+2060>' (U+2060, word joiner)"],
  ['\u00ad', "'<U+00AD>' (U+00AD, soft hyphen)"],
  ['\u200e', "'<U+200E>' (U+200E, left-to-right mark)"],
  ['\u202e', "'<U+202E>' (U+202E, invisible)"],
  ['\u2062', "'<U+2062>' (U+2062, invisible)"],
  ['\u{e0031}', "'<U+E0031>' (U+E0031, invisible)"],
  ['\uff13', "'３' (U+FF13, the digit 3 in full width)"],
  ['\u0663', "'٣' (U+0663, the digit 3 in another script)"],
  ['\u096d', "'७' (U+096D, the digit 7 in another script)"],
  ['\u{1d7d8}', "'𝟘' (U+1D7D8, the digit 0 in another script)"],
  ['\u{1d7e3}', "'𝟣' (U+1D7E3, the digit 1 in another script)"],
  ['\uff0c', "'，' (U+FF0C, full-width comma)"],
  ['\uff0e', "'．' (U+FF0E, full-width full stop)"],
  ['\u066b', "'٫' (U+066B, Arabic decimal separator)"],
  ['\u00b2', "'²' (U+00B2)"],
  ['\u00bd', "'½' (U+00BD)"],
  ['\u00d7', "'×' (U+00D7)"],
  ['\u221e', "'∞' (U+221E, infinity sign)"],
  ['\u20ac', "'€' (U+20AC)"],
  ['\u{1f600}', "'😀' (U+1F600)"],
  ['\ufffd', "'\ufffd' (U+FFFD, which replaces bytes that are no text)"],
];
/** Control characters and how a message has to name them. */
const CONTROLS: readonly (readonly [character: string, named: string])[] = [
  ['\0', 'U+0000 (null)'],
  ['\u0001', 'U+0001'],
  ['\u0007', 'U+0007'],
  ['\b', 'U+0008'],
  ['\u000b', 'U+000B (vertical tab)'],
  ['\f', 'U+000C (form feed)'],
  ['\u001a', 'U+001A (end-of-file mark of DOS)'],
  ['\u001b', 'U+001B'],
  ['\u007f', 'U+007F'],
  ['\u0085', 'U+0085 (next line)'],
];

const bytes = (content: string): Uint8Array => new TextEncoder().encode(content);
const GENERAL = '%%MatrixMarket matrix coordinate real general\n';

describe('a character that is no part of a number is named with its code point', () => {
  it.each(CHARACTERS)('quotedText: %j', (character, message) => {
    expect(quotedText(character)).toBe(message);
  });

  it.each([...CHARACTERS, ...CONTROLS])('anywhere in a table or a Matrix Market file: %j', async (character) => {
    const point = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
    const files = [
      ...TABLES.flatMap((tableWith) => [
        ['a.csv', bytes(tableWith(character))] as const,
        ['a.tsv', bytes(tableWith(character).replaceAll(',', '\t'))] as const,
        ['a.txt', bytes(tableWith(character).replaceAll(',', ' '))] as const,
      ]),
      ['a.csv', bytes(`row,col,value\n${character}0,1,2\n`)] as const,
      ['a.mtx', bytes(`${GENERAL}2 2 1\n${character}1 1 1\n`)] as const,
      ['a.mtx', bytes(`${GENERAL}2 2 1\n1 1${character} 1\n`)] as const,
      ['a.mtx', bytes(`${GENERAL}2 2 1\n1 1 ${character}3\n`)] as const,
      ['a.mtx', bytes(`${GENERAL}2 2 1\n1 1 3${character}\n`)] as const,
      ['a.mtx', bytes(`%%MatrixMarket matrix array real general\n1 1\n3${character}4\n`)] as const,
      ['a.smtx', bytes(`1, 2, 1\n0 1\n${character}\n`)] as const,
    ];
    for (const line of (await rejections(files)).trimEnd().split('\n')) expect(line).toContain(point);
  });

  it.each(CONTROLS)('as a control character, which cannot be displayed: %j', async (character, message) => {
    const rejection = await rejections([['a.csv', bytes(`1,2\n3,${character}\n`)]]);
    const quoted = message.replace(/^(\S+)(?: \((.*)\))?$/, (_, point: string, name?: string) =>
      name === undefined ? `'<${point}>' (${point}, a control character)` : `'<${point}>' (${point}, ${name})`,
    );
    expect(
      [`the control character ${message}`, quoted].some((text) => rejection.includes(`found ${text}, expected`)),
    ).toBe(true);
  });

  it('with its column in characters, not in bytes or UTF-16 units', async () => {
    const files = ['\u00e9,\u00e8\n\u22121,2\n', 'a,b\n1,"2"\n3,\u{1f600}\n', '1\t2\n3\t\u22124\n'].map(
      (content) => ['a.csv', bytes(content)] as const,
    );
    expect((await rejections(files)).match(/line \d, column \d/g)).toEqual([
      'line 2, column 1',
      'line 3, column 3',
      'line 2, column 3',
    ]);
  });

  it('as a character of Windows-1252 if the bytes are not UTF-8', async () => {
    const rejection = await rejections([['a.csv', Uint8Array.from('1,2\n3,\u00a04\n', (c) => c.charCodeAt(0))]]);
    expect(rejection).toContain("found '<U+00A0>4' (U+00A0, no-break space), expected");
  });

  it('each of several, in a text of at most 40 characters', () => {
    expect(quotedText('−１２')).toBe(
      "'−１２' (U+2212, minus sign; U+FF11, the digit 1 in full width; U+FF12, the digit 2 in full width)",
    );
    expect(quotedText('a'.repeat(41))).toBe(`'${'a'.repeat(40)}...'`);
  });
});
