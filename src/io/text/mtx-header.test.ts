import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { rejectionOf } from '../../../test/io/rejections.ts';
import { DeclaredSizeError } from '../archives/decompression-limit.ts';
import { type MtxHeader, MtxHeaderReader } from './mtx-header.ts';

const LARGE = 2 ** 32;
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A reader that got one block of whole lines. */
function readerAfter(text: string, maxSize = LARGE): MtxHeaderReader {
  const reader = new MtxHeaderReader(maxSize);
  reader.feed(bytes(text));
  return reader;
}

const headerOf = (text: string, maxSize = LARGE): MtxHeader => readerAfter(text, maxSize).complete();
const rejectionFor = (text: string, maxSize = LARGE): string => rejectionOf(() => headerOf(text, maxSize));

const KINDS = ['coordinate', 'array'].flatMap((layout) =>
  ['real', 'double', 'integer', 'unsigned-integer', 'pattern'].flatMap((field) =>
    ['general', 'symmetric', 'hermitian', 'skew-symmetric'].map((symmetry) => [layout, field, symmetry] as const),
  ),
);
const POSSIBLE = KINDS.filter(
  ([layout, field, symmetry]) => field !== 'pattern' || (layout === 'coordinate' && symmetry !== 'skew-symmetric'),
);

test('reads banner and sizes in any letter case, spaces and blocks of lines, and returns where the entries begin', () => {
  const space = fc.stringMatching(/^[ \t]{1,3}$/);
  const files = fc.record({
    kind: fc.constantFrom(...POSSIBLE),
    isUpperCase: fc.boolean(),
    mark: fc.constantFrom('%', '%%'),
    lineEnd: fc.constantFrom('\n', '\r\n', ' \n'),
    between: fc.array(fc.constantFrom('', '%', '% 1 2 3', ' \t', '  % 4 5 6'), { maxLength: 5 }),
    n: fc.nat(50),
    entries: fc.nat(100),
    zeros: fc.stringMatching(/^0{0,2}$/),
    spaces: fc.array(space, { minLength: 6, maxLength: 6 }),
    block: fc.integer({ min: 1, max: 8 }),
  });
  const property = fc.property(files, ({ kind, isUpperCase, mark, lineEnd, between, n, entries, zeros, ...other }) => {
    const [afterMark, afterObject, inKind, inSizes, beforeSizes, afterSizes] = other.spaces;
    const [layout, field, symmetry] = kind;
    const isArray = layout === 'array';
    const banner = `${mark}MatrixMarket${afterMark}matrix${afterObject}${kind.join(inKind)}`;
    const sizes = [`${beforeSizes}${zeros}${n}`, `${zeros}${n}`, ...(isArray ? [] : [n === 0 ? 0 : entries])].join(
      inSizes,
    );
    const lines = [isUpperCase ? banner.toUpperCase() : banner, ...between, `${sizes}${afterSizes}`].map(
      (l) => l + lineEnd,
    );
    const reader = new MtxHeaderReader(LARGE);
    const rest = [...lines, '1 1 1\n', '\n'];
    while (reader.header === null) {
      const block = rest.splice(0, other.block);
      const header = block.slice(0, Math.max(0, block.length - Math.max(0, 2 - rest.length)));
      expect(reader.feed(bytes(block.join('')))).toBe(header.join('').length);
    }
    expect(reader.line).toBe(lines.length);
    const isSkew = symmetry === 'skew-symmetric';
    const cells = symmetry === 'general' ? n * n : isSkew ? (n * n - n) / 2 : (n * n + n) / 2;
    const canonicalNames = { double: 'real', 'unsigned-integer': 'integer', hermitian: 'symmetric' } as Record<
      string,
      string
    >;
    expect(reader.complete()).toEqual({
      layout,
      field: canonicalNames[field] ?? field,
      symmetry: canonicalNames[symmetry] ?? symmetry,
      rows: n,
      cols: n,
      entries: isArray ? cells : n === 0 ? 0 : entries,
    });
  });
  fc.assert(property, { numRuns: 100 });
});

describe('rejects a banner', () => {
  it('that does not begin as one', () => {
    for (const [line, quoted] of [
      ['', "''"],
      ['3 3 1', "'3 3 1'"],
      ['%', "'%'"],
      ['%%%MatrixMarket matrix array real general', "'%%%MatrixMarket matrix array real genera...'"],
    ]) {
      expect(rejectionFor(`${line}\n%%MatrixMarket matrix array real general\n1 1\n`)).toBe(
        `line 1: found ${quoted}, expected '%%MatrixMarket matrix ...'`,
      );
    }
  });

  it('with another word, or without one', () => {
    const words = ['matrix', 'coordinate', 'real', 'general'];
    for (const [i, what, expected] of [
      [0, 'object', 'matrix'],
      [1, 'format', 'coordinate or array'],
      [2, 'field', 'real, integer or pattern'],
      [3, 'symmetry', 'general, symmetric, skew-symmetric or hermitian'],
    ] as const) {
      const begin = `%%MatrixMarket ${words.slice(0, i).join(' ')}`;
      expect(rejectionFor(`${begin}\n`)).toBe(`line 1: found no ${what}, expected ${expected}`);
      const other = `${begin} Other ${words.slice(i + 1).join(' ')}\n`;
      expect(rejectionFor(other)).toBe(`line 1: found the ${what} 'other', expected ${expected}`);
    }
    expect(rejectionFor(`%%MatrixMarket ${words.join(' ')} % remark\n1 1 0\n`)).toBe(
      "line 1: found '%' after the symmetry, expected the end of the line",
    );
  });

  it('of complex values and of patterns that have no meaning', () => {
    expect(rejectionFor('%%MatrixMarket matrix coordinate complex hermitian\n')).toBe(
      'line 1: found complex values; save the real part or the magnitude',
    );
    for (const kind of KINDS.filter((one) => !POSSIBLE.includes(one))) {
      const what = kind[0] === 'array' ? 'an array' : 'a skew-symmetric';
      expect(rejectionFor(`%%MatrixMarket matrix ${kind.join(' ')}\n`)).toBe(
        `line 1: found ${what} pattern matrix, expected real or integer values`,
      );
    }
  });
});

const GENERAL = '%%MatrixMarket matrix coordinate real general\n';
const PATTERN = '%%MatrixMarket matrix coordinate pattern general\n';
const ARRAY = '%%MatrixMarket matrix array real general\n';

it('names the line after the last one if the header is incomplete', () => {
  const reader = new MtxHeaderReader(LARGE);
  expect(rejectionOf(() => reader.complete())).toBe("line 1: found the end, expected '%%MatrixMarket matrix ...'");
  reader.feed(bytes(GENERAL));
  expect(rejectionOf(() => reader.complete())).toBe('line 2: found the end, expected the size line');
  reader.feed(bytes('% a\n\n \n'));
  expect(rejectionOf(() => reader.complete())).toBe('line 5: found the end, expected the size line');
});

describe('rejects sizes', () => {
  it('other than two or three whole numbers', () => {
    for (const line of ['3', '3 3', '3 3 1 1', 'x 3 1', '3 x3 1', '3 3 1x', '3 3 -1', '3.0 3 1', '+3 3 1']) {
      const expected = 'expected rows, cols and entries as whole numbers';
      expect(rejectionFor(`${GENERAL}%\n${line}\n`)).toBe(`line 3: found '${line}', ${expected}`);
    }
    for (const line of ['3', '3 3 9', '3 x']) {
      expect(rejectionFor(`${ARRAY}${line}\n`)).toBe(
        `line 2: found '${line}', expected rows and cols as whole numbers`,
      );
    }
  });

  it('of a line that goes on after many spaces', () => {
    const far = ' '.repeat(2000);
    expect(headerOf(`${GENERAL}${far}3${far}4${far}5\n`)).toMatchObject({ rows: 3, cols: 4, entries: 5 });
    expect(rejectionFor(`${ARRAY}3 4${far}5\n`)).toMatch(
      /^line 2: found '3 4 .*, expected rows and cols as whole numbers$/,
    );
  });

  it('larger than any matrix has, and quotes the digits of the file', () => {
    const largest = 2 ** 31 - 1;
    expect(headerOf(`${GENERAL}${largest} ${largest} 1\n`)).toMatchObject({ rows: largest, cols: largest });
    for (const [sizes, what] of [
      ['2147483648 1', '2147483648 rows'],
      ['1 2147483648', '2147483648 cols'],
      ['009007199254740993 1', '9007199254740993 rows'],
      ['1 30000000010', '30000000010 cols'],
      [`1 ${'7'.repeat(70)}`, `${'7'.repeat(60)}... cols`],
    ]) {
      expect(rejectionFor(`${GENERAL}${sizes} 0\n`)).toBe(`line 2: found ${what}, expected at most ${largest}`);
    }
    expect(rejectionFor(`${GENERAL}1 16777217 0\n`, 100)).toBe(
      'line 2: found 16777217 cols, expected at most 16777216 in this file',
    );
  });

  it('that no symmetric matrix has', () => {
    for (const symmetry of ['symmetric', 'skew-symmetric'])
      for (const [layout, end] of [
        ['coordinate', ' 0'],
        ['array', ''],
      ])
        expect(rejectionFor(`%%MatrixMarket matrix ${layout} real ${symmetry}\n2 3${end}\n`)).toBe(
          `line 2: found 2 × 3, expected as many rows as cols in a ${symmetry} matrix`,
        );
  });

  it('with entries of a matrix that has no cells', () => {
    for (const shape of ['0 5', '5 0', '0 0']) {
      const text = shape.replace(' ', ' × ');
      expect(headerOf(`${GENERAL}${shape} 0\n`).entries).toBe(0);
      expect(rejectionFor(`${GENERAL}${shape} 1\n`)).toBe(`line 2: found 1 entry of a ${text} matrix, expected 0`);
      expect(rejectionFor(`${GENERAL}${shape} 02\n`)).toBe(`line 2: found 2 entries of a ${text} matrix, expected 0`);
    }
  });

  it.each([
    ['a value', GENERAL, 6],
    ['a pattern', PATTERN, 4],
  ])('with more entries than a file of %s each can have', (_, banner, size) => {
    const sizes = (entries: number): string => `${banner}9 9 ${entries}\n`;
    const sizeRejection = (text: string, maxSize: number): string =>
      rejectionOf(() => headerOf(text, maxSize), DeclaredSizeError);
    // The last line may end without a line feed.
    expect(headerOf(sizes(2), 2 * size - 1).entries).toBe(2);
    expect(sizeRejection(sizes(2), 2 * size - 2)).toBe('line 2: found 2 entries, expected at most 1 in this file');
    expect(sizeRejection(sizes(1), size - 2)).toBe('line 2: found 1 entry, expected at most 0 in this file');
  });

  it.each([
    ['general', 9, '4611686014132420609'],
    ['symmetric', 6, '2305843008139952128'],
    ['skew-symmetric', 3, '2305843005992468481'],
  ])('of a %s array with more cells than the file can have', (symmetry, cells, largest) => {
    const banner = `%%MatrixMarket matrix array real ${symmetry}\n`;
    expect(headerOf(`${banner}3 3\n`, 2 * cells - 1).entries).toBe(cells);
    expect(rejectionFor(`${banner}3 3\n`, 2 * cells - 2)).toBe(
      `line 2: found ${cells} entries, expected at most ${cells - 1} in this file`,
    );
    expect(rejectionFor(`${banner}2147483647 2147483647\n`)).toBe(
      `line 2: found ${largest} entries, expected at most 2147483648 in this file`,
    );
  });
});
