import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { npyWithHeader } from '../../../test/io/npy.ts';
import { rejectionOf } from '../../../test/io/rejections.ts';
import { isNpy, npyHeaderEnd, parseNpyHeader } from './npy-header.ts';

const space = fc.constantFrom('', ' ', '\n  ');
const TYPES = [
  ['<f4', 'f', 4, false],
  ['>f8', 'f', 8, true],
  ['|b1', 'b', 1, false],
  ['=u2', 'u', 2, false],
  ['>i8', 'i', 8, true],
  ['|S12', 'S', 12, false],
  ['>U3', 'U', 12, true],
] as const;

test('a header is read as Python reads its dictionary, with any quotes, spaces and order of keys', () => {
  const dictionary = fc.record({
    type: fc.constantFrom(...TYPES),
    isFortranOrder: fc.boolean(),
    shape: fc.array(fc.nat(2 ** 31), { maxLength: 3 }),
    suffix: fc.constantFrom('', 'L'),
    version: fc.constantFrom(1, 2, 3),
    keys: fc.shuffledSubarray(['descr', 'fortran_order', 'shape'], { minLength: 3 }),
    quote: fc.constantFrom("'", '"'),
    spaces: fc.array(space, { minLength: 6, maxLength: 6 }),
    end: fc.constantFrom('', ',', ', '),
  });
  const property = fc.property(dictionary, ({ type: [descr, kind, size, isBigEndian], shape, spaces, ...other }) => {
    const { isFortranOrder, suffix, version, keys, quote } = other;
    const [afterKey, afterColon, afterValue, inShape, atStart, beforeKey] = spaces;
    const numbers = shape.map((n) => `${n}${suffix}`);
    const values: Readonly<Record<string, string>> = {
      descr: `${quote}${descr}${quote}`,
      fortran_order: isFortranOrder ? 'True' : 'False',
      shape: numbers.length === 1 ? `(${numbers[0]}${inShape},)` : `(${inShape}${numbers.join(`,${inShape}`)})`,
    };
    const entries = keys.map((key) => `${quote}${key}${quote}${afterKey}:${afterColon}${values[key]}${afterValue}`);
    const file = npyWithHeader(`{${atStart}${entries.join(`,${beforeKey}`)}${other.end}}`, 5, version);
    const end = npyHeaderEnd(file.subarray(0, 12));
    expect(end).toBe(file.length - 5);
    expect(parseNpyHeader(file.subarray(0, end))).toEqual({
      type: { descr, kind, bytes: size, isBigEndian },
      isFortranOrder,
      shape,
      dataOffset: end,
    });
  });
  fc.assert(property, { numRuns: 100 });
});

describe('the first bytes of a file', () => {
  const head = (version: number, length: number): Uint8Array => {
    const bytes = Uint8Array.of(0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, version, 0, 0, 0, 0, 0);
    const view = new DataView(bytes.buffer);
    if (version === 1) view.setUint16(8, length, true);
    else view.setUint32(8, length, true);
    return bytes;
  };

  it('are recognised as NumPy only with its whole mark', () => {
    const bytes = head(1, 7);
    expect(isNpy(bytes)).toBe(true);
    for (let i = 0; i < 6; i++) {
      const other = bytes.with(i, 0);
      expect([i, isNpy(other), isNpy(bytes.subarray(0, i))]).toEqual([i, false, false]);
    }
    expect(rejectionOf(() => npyHeaderEnd(bytes.with(5, 7)))).toBe(
      "byte 0: found 93 4e 55 4d 50 07, expected 93 4e 55 4d 50 59 (NumPy's mark)",
    );
    expect(rejectionOf(() => npyHeaderEnd(new Uint8Array(0)))).toBe(
      "byte 0: found the end of the file, expected 93 4e 55 4d 50 59 (NumPy's mark)",
    );
  });

  it('contain the length of the header in two bytes, in four from version 2 on', () => {
    expect(npyHeaderEnd(head(1, 65_535))).toBe(10 + 65_535);
    expect(npyHeaderEnd(head(1, 118).subarray(0, 10))).toBe(128);
    for (const version of [2, 3]) expect(npyHeaderEnd(head(version, 65_536))).toBe(12 + 65_536);
    const tooLong = 'byte 8: found a header of 65537 bytes, expected at most 65536';
    expect(rejectionOf(() => npyHeaderEnd(head(2, 65_537)))).toBe(tooLong);
    const ends = ([version, length]: readonly number[]): string =>
      rejectionOf(() => npyHeaderEnd(head(version, 7).subarray(0, length)));
    for (const truncation of [
      [1, 6],
      [1, 9],
      [2, 9],
      [2, 10],
      [3, 11],
    ])
      expect(ends(truncation)).toBe(`byte ${truncation[1]}: found the end, expected the length of the header`);
    for (const version of [0, 4])
      expect(ends([version, 12])).toBe(`byte 6: found version ${version}, expected 1, 2 or 3`);
  });
});

it('rejects any other text with what was found, at most its first 40 characters', () => {
  const x = 'x'.repeat(100);
  const headerText = (descr: string, shape = '(1, 1)'): string =>
    `{'descr': ${descr}, 'fortran_order': False, 'shape': ${shape}}`;
  const typeCase = (name: string, reason = ''): readonly [string, string] => [
    headerText(`'${name}'`),
    `elements of type '${name}'${reason === '' ? '' : ` (${reason})`}, expected f2, f4, f8, i1 to i8, u1 to u8 or b1`,
  ];
  const cases: readonly (readonly [text: string, found: string])[] = [
    [`a${headerText("'<f4'")}`, `'${`a${headerText("'<f4'")}`.slice(0, 40)}', expected a dictionary in braces`],
    [`${headerText("'<f4'")}a`, `'${headerText("'<f4'").slice(0, 40)}', expected a dictionary in braces`],
    [`{'descr': '<f4', ${x}}`, `'${x.slice(0, 40)}', expected a key of the dictionary and its value`],
    [
      `{'descr': '<f4', ${x.slice(0, 38)}  ${x}}`,
      `'${x.slice(0, 38)}', expected a key of the dictionary and its value`,
    ],
    ["{'descr'= '<f4'}", "''descr'= '<f4'', expected a key of the dictionary and its value"],
    ["{'descr\": '<f4'}", "''descr\": '<f4'', expected a key of the dictionary and its value"],
    ["{'fortran_order': False, 'shape': (1, 1)}", "no 'descr', expected the element type"],
    ["{'descr': '<f4', 'shape': (1, 1)}", 'fortran_order missing, expected True or False'],
    ["{'descr': '<f4', 'fortran_order': False}", "no 'shape', expected a tuple of whole numbers"],
    ["{'descr': '<f4', 'order': 'F'}", "the key 'order', expected descr, fortran_order, shape alone"],
    ["{'descr': '<f4', 'descr': '<i4'}", "'descr' twice, expected it once"],
    ["{'descr': '<f4', 'fortran_order': 1, 'shape': (1, 1)}", 'fortran_order 1, expected True or False'],
    [headerText("'<f4'", '(1, 1a)'), 'shape (1, 1a), expected whole numbers'],
    [headerText("'<f4'", '(1, a1)'), 'shape (1, a1), expected whole numbers'],
    [headerText("'<f4'", '(1,, 1)'), 'shape (1,, 1), expected whole numbers'],
    [headerText("'<f4'", "'a(b)c'"), "shape ('a(b)c'), expected whole numbers"],
    [headerText("'<f4'", `(${x})`), `shape (${x.slice(0, 40)}), expected whole numbers`],
    [headerText("'<f4'", `(${'9'.repeat(100)}, 1)`), `shape (${'9'.repeat(80)}), expected numbers below 2^53`],
    [headerText("'<f4'", '(9007199254740992, 1)'), 'shape (9007199254740992, 1), expected numbers below 2^53'],
    [headerText(`'${x}'`), `elements of type '${x.slice(0, 40)}', expected f2, f4, f8, i1 to i8, u1 to u8 or b1`],
    [headerText("[('a', '<f4')]"), 'an array of records, expected plain numbers'],
    ...['<f16', '<f12', 'g'].map((name) =>
      typeCase(name, "long double; save it with astype('f8'), or as .mtx with scipy.io.mmwrite"),
    ),
    typeCase('<f1', "floats of one byte, which NumPy cannot read either; save it with astype('f4')"),
    typeCase('<c8', 'complex numbers; save the real part or the magnitude'),
    typeCase('|O', 'Python objects; save a plain array of numbers'),
    typeCase('<M8', 'dates'),
    typeCase('<m8', 'time differences'),
    typeCase('|V2', 'records, or a type unknown to NumPy; save it as float32'),
    // Sizes that only other kinds have.
    ...['<f3', '<i16', '<u3', '|b2', '<b4', '!<f4', '_f4', 'f4_'].map((name) => typeCase(name)),
  ];
  for (const [text, found] of cases) {
    expect(
      rejectionOf(() => parseNpyHeader(npyWithHeader(text, 0))),
      text,
    ).toBe(`header: found ${found}`);
  }
});
