import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { rejectionOf } from '../../../test/io/rejections.ts';
import { CoordinateReader } from './mtx-coordinate.ts';
import type { MtxHeader } from './mtx-header.ts';

type Entry = readonly [row: number, col: number, value: number];

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const headerWith = (part: Partial<MtxHeader> = {}): MtxHeader => ({
  layout: 'coordinate',
  field: 'real',
  symmetry: 'general',
  rows: 3,
  cols: 4,
  entries: 1,
  ...part,
});

/** A reader that got one block of whole lines, after two lines of a header. */
function readerAfter(text: string, part?: Partial<MtxHeader>, add: ((...entry: Entry) => void) | null = null) {
  const reader = new CoordinateReader(headerWith(part), 2, Infinity, add);
  reader.feed(bytes(text), 0);
  return reader;
}

const rejectionFor = (text: string, part?: Partial<MtxHeader>): string =>
  rejectionOf(() => readerAfter(text, part).complete());

test('entries are read with any spaces, comments and blocks, and stored rounded or passed on with their mirrors', () => {
  const side = 12;
  const value = fc.oneof(fc.integer({ min: -9, max: 9 }), fc.double());
  const space = fc.stringMatching(/^[ \t]{1,2}$/);
  const files = fc.record({
    field: fc.constantFrom('real', 'integer', 'pattern'),
    symmetry: fc.constantFrom('general', 'symmetric', 'skew-symmetric'),
    entries: fc.array(fc.tuple(fc.nat(side - 1), fc.nat(side - 1), value), { maxLength: 12 }),
    isSorted: fc.boolean(),
    spaces: fc.array(space, { minLength: 3, maxLength: 3 }),
    ends: fc.constantFrom('\n', '\r\n', ' \t\n', '\n\n', '\n \r\n', '\n% 1 2 3\n', '\n \t%1\n'),
    capacity: fc.nat(13),
    block: fc.integer({ min: 1, max: 5 }),
  });
  const property = fc.property(
    files,
    ({ field, symmetry, isSorted, spaces: [afterRow, beforeValue, beforeRow], ends, block, ...fileFacts }) => {
      const entries = fileFacts.entries.map(([row, col, v]): Entry => {
        const fieldValue = field === 'pattern' ? 1 : field === 'integer' ? Math.trunc(v) || 0 : v;
        const isZero = symmetry === 'skew-symmetric' && row === col;
        return isZero && field === 'pattern' ? [row, (col + 1) % side, 1] : [row, col, isZero ? 0 : fieldValue];
      });
      const finite = entries.map(([row, col, v]): Entry => [
        row,
        col,
        field === 'integer' && !Number.isFinite(v) ? 2 : v,
      ]);
      if (isSorted) finite.sort(([r, k], [s, l]) => r - s || k - l);
      const header = headerWith({ field, symmetry, rows: side, cols: side, entries: finite.length });
      const lines = finite.map(
        ([row, col, v]) =>
          `${beforeRow}${row + 1}${afterRow}${col + 1}${field === 'pattern' ? '' : `${beforeValue}${textOf(v)}`}${ends}`,
      );
      const passedEntries: Entry[] = [];
      const readers = [
        new CoordinateReader(header, 2, fileFacts.capacity),
        new CoordinateReader(header, 2, 0, (...entry) => passedEntries.push(entry)),
      ];
      for (const reader of readers)
        for (let firstLine = 0; firstLine < lines.length; firstLine += block) {
          const text = lines.slice(firstLine, firstLine + block).join('');
          reader.feed(bytes(firstLine === 0 ? `#\n${text}` : text), firstLine === 0 ? 2 : 0);
        }
      const { rowIndices, colIndices, data, ...result } = readers[0].complete();
      const storedEntries = Array.from(finite, (_, i) => [rowIndices[i], colIndices[i], data[i]]);
      expect(storedEntries).toEqual(finite.map(([row, col, v]) => [row, col, Math.fround(v)]));
      const sorted = finite.every(([r, k], i) => i === 0 || (finite[i - 1][0] - r || finite[i - 1][1] - k) < 0);
      expect(result).toEqual({ rows: side, cols: side, length: finite.length, sorted });
      const isRounded = finite.some(([, , v]) => Math.fround(v) !== v);
      for (const reader of readers) expect(reader.isRounded).toBe(isRounded);
      const mirrored = finite.flatMap(([row, col, v]): readonly Entry[] => {
        if (symmetry === 'general' || row === col) return [[row, col, v]];
        return [
          [row, col, v],
          [col, row, symmetry === 'symmetric' ? v : -v],
        ];
      });
      expect(passedEntries).toEqual(mirrored);
      expect(readers[1].complete()).toMatchObject({ length: finite.length, data: new Float32Array(0) });
    },
  );
  fc.assert(property, { numRuns: 100 });
});

/** The number as a file has it: as JavaScript writes it, but for the sign of 0. */
function textOf(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

test('values that are passed on are the nearest of f64, and stored ones are as near as f32 needs', () => {
  const text = '1 1 0.12345678901234567890123\n';
  const passedEntries: Entry[] = [];
  readerAfter(text, {}, (...entry) => passedEntries.push(entry)).complete();
  expect(passedEntries).toEqual([[0, 0, 0.12345678901234568]]);
  expect(readerAfter(text).complete().data).toEqual(Float32Array.of(0.12345678901234568));
});

test('arrays grow to the number of entries, and no further', () => {
  for (const [entries, capacity] of [
    [3, 1],
    [3, 5],
    [1024, 0],
    [3000, 0],
    [3000, 1000],
  ]) {
    const reader = new CoordinateReader(headerWith({ rows: 3000, cols: 3000, entries }), 2, capacity);
    const indices = Array.from({ length: entries }, (_, i) => i);
    reader.feed(bytes(indices.map((i) => `${i + 1} ${entries - i} ${i}\n`).join('')), 0);
    const { rowIndices, colIndices, data } = reader.complete();
    expect(rowIndices).toEqual(Uint32Array.from(indices));
    expect(colIndices).toEqual(Uint32Array.from(indices).reverse());
    expect(data).toEqual(Float32Array.from(indices));
  }
});

describe('rejects a line', () => {
  it('with another row, column, value or end', () => {
    const rows = { rows: 1000, cols: 1000 };
    for (const [line, column, word, expected] of [
      ['0 1 1', 1, "'0'", 'a row from 1 to 1000'],
      ['1001 1 1', 1, "'1001'", 'a row from 1 to 1000'],
      ['/ 1 1', 1, "'/'", 'a row from 1 to 1000'],
      ['1/1 1 1', 1, "'1/1'", 'a row from 1 to 1000'],
      ['1:1 1 1', 1, "'1:1'", 'a row from 1 to 1000'],
      ['1', 1, "'1'", 'a row from 1 to 1000'],
      ['1\r', 1, "'1'", 'a row from 1 to 1000'],
      [' \t-1 1 1', 3, "'-1'", 'a row from 1 to 1000'],
      [`${'9'.repeat(400)} 1 1`, 1, `'${'9'.repeat(40)}...'`, 'a row from 1 to 1000'],
      ['1 0 1', 3, "'0'", 'a column from 1 to 1000'],
      ['1  1001 1', 4, "'1001'", 'a column from 1 to 1000'],
      ['1 1/1 1', 3, "'1/1'", 'a column from 1 to 1000'],
      ['1 1:1 1', 3, "'1:1'", 'a column from 1 to 1000'],
      ['1 1.5 1', 3, "'1.5'", 'a column from 1 to 1000'],
      ['1 ', 3, 'the end of the line', 'a column from 1 to 1000'],
      ['1 1', 4, 'the end of the line', 'a number'],
      ['1 1\t', 5, 'the end of the line', 'a number'],
      ['1 1 x', 5, "'x'", 'a number'],
      ['1 1 1.5x', 5, "'1.5x'", 'a number'],
      ['1 1 1,5', 5, "'1,5'", 'a number'],
      ['1 1 1\r2', 7, "'2'", 'the end of the line'],
      ['1 1 1 % a', 7, "'%'", 'the end of the line'],
    ] as const)
      expect(rejectionFor(`% a\n${line}\n`, rows)).toBe(
        `line 4, column ${column}: found ${word}, expected ${expected}`,
      );
  });

  it('with a value where a pattern has none, or with a fraction among integers', () => {
    expect(rejectionFor('1 1 5\n', { field: 'pattern' })).toBe(
      "line 3, column 5: found '5', expected the end of the line",
    );
    expect(rejectionFor('1 1 1.5\n', { field: 'integer' })).toBe(
      "line 3, column 5: found '1.5', expected a whole number",
    );
    expect(rejectionFor('1 1 1e400\n', { field: 'integer' })).toBe(
      "line 3, column 5: found '1e400', expected a whole number",
    );
  });

  it('with a value other than 0 on the diagonal of a skew-symmetric matrix', () => {
    const skew = { symmetry: 'skew-symmetric', rows: 3, cols: 3 } as const;
    expect(rejectionFor('\n2 2 5\n', skew)).toBe(
      'line 4: found 5 on the diagonal, expected 0 in a skew-symmetric matrix',
    );
    expect(rejectionFor('2 2 -0\n', skew)).toBe('nothing was wrong');
  });

  it('after the last entry, and the end before it', () => {
    const lines = '1 1 1\n1 2 1\n1 3 1\n';
    expect(rejectionFor(lines, { entries: 2 })).toBe("line 5, column 1: found '1', expected the end after 2 entries");
    expect(rejectionFor(lines, { entries: 1 })).toBe("line 4, column 1: found '1', expected the end after 1 entry");
    expect(rejectionFor(`${lines}\n% end\n`, { entries: 3 })).toBe('nothing was wrong');
    expect(rejectionFor(lines, { entries: 5 })).toBe('line 6: found the end after 3 of 5 entries');
    expect(rejectionFor('', { entries: 1 })).toBe('line 3: found the end after 0 of 1 entry');
  });
});

test('the first and the last row and column are inside, and the word may end in any space', () => {
  for (const [text, entry] of [
    ['1\t1\t0010\t\n', [0, 0, 10]],
    ['1000 990 1e1\r\n', [999, 989, 10]],
    ['0999 1000\t-1d1 \r \n', [998, 999, -10]],
  ] as const) {
    const { rowIndices, colIndices, data } = readerAfter(text, { rows: 1000, cols: 1000 }).complete();
    expect([rowIndices[0], colIndices[0], data[0]]).toEqual(entry);
  }
  for (const text of ['1 1\n', '1 1\r\n', '1 1\t\r\n', '1 1 \n'])
    expect(readerAfter(text, { field: 'pattern' }).complete().data).toEqual(Float32Array.of(1));
});

test('values that f32 cannot represent are counted: fractions with more than nine digits, and all integers', () => {
  const losses = (value: string, field: MtxHeader['field'] = 'real') => {
    const { losses: counted, isRounded } = readerAfter(`1 1 ${value}\n`, { field });
    return [isRounded, counted.rounded, counted.toInfinity, counted.toZero];
  };
  expect(losses('0.5')).toEqual([false, 0, 0, 0]);
  expect(losses('0.1')).toEqual([true, 0, 0, 0]);
  expect(losses('0.12345678912')).toEqual([true, 1, 0, 0]);
  expect(losses('16777217')).toEqual([true, 0, 0, 0]);
  expect(losses('16777217', 'integer')).toEqual([true, 1, 0, 0]);
  expect(losses('1e39')).toEqual([true, 0, 1, 0]);
  expect(losses('1e400')).toEqual([true, 0, 1, 0]);
  expect(losses('-1e-400')).toEqual([true, 0, 0, 1]);
  expect(losses('inf')).toEqual([false, 0, 0, 0]);
});

test('says how much memory it lacks: 12 bytes for each entry', () => {
  expect(rejectionOf(() => new CoordinateReader(headerWith({ entries: 2 ** 50 }), 2, Infinity))).toBe(
    `${2 ** 50} entries: needs ${12 * 2 ** 50} bytes, more than this machine has free`,
  );
});
