import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EncodedMatrix } from '../encoded/encoded.ts';
import { FormatError } from '../errors.ts';
import { denseMatrix, type Matrix, toDense } from '../matrix/index.ts';
import { finish } from '../job.ts';
import { roundToBf16 } from '../number/index.ts';
import type { ArrayDeclaration, EncodingDeclaration } from './declaration.ts';
import { declareEncoding } from './declare.ts';
import type { TypeName } from './element-type.ts';

type Names = 'rows_of' | 'columns' | 'values' | 'scales';
type Coordinates = EncodingDeclaration<Names, object>;

/** The coordinate format (row, column and value of each non-zero), whose arrays and encoder a test may change. */
function coordinates(
  changed: Partial<Omit<Coordinates, 'arrays'>> & {
    readonly arrays?: Partial<Record<Names, Partial<ArrayDeclaration<Names>>>>;
  } = {},
) {
  const { arrays = {}, ...rest } = changed;
  const length = ({ nnz }: { readonly nnz: number }): number => nnz;
  return declareEncoding<Names, object>({
    id: 'coordinates',
    params: {},
    arrays: (_, { rows }) => ({
      rows_of: { type: 'u16', role: 'indices', meaning: 'row', length, ...arrays.rows_of },
      columns: { type: 'u16', role: 'indices', meaning: 'column', length, ...arrays.columns },
      values: { type: 'f32', role: 'values', meaning: 'value', length, ...arrays.values },
      scales: { type: 'f32', role: 'metadata', meaning: 'scale', length: () => (arrays.values?.quantised ? rows : 0) },
    }),
    *encode(A, { rows_of, columns, values }) {
      for (const row of A) {
        for (let i = 0; i < row.length; i++) rows_of.push(row.index);
        columns.pushAll(row.columns, row.length);
        values.pushAll(row.values, row.length);
        yield;
      }
    },
    decode({ rows_of, columns, values }, { nnz }, put) {
      for (let i = 0; i < nnz; i++) put(rows_of[i], columns[i], values[i]);
    },
    ...rest,
  });
}

/** A matrix of 3 × 40 cells, of which every seventh is not zero. */
const A = denseMatrix(
  3,
  40,
  Float32Array.from({ length: 120 }, (_, i) => (i % 7 === 0 ? i / 8 - 3 : 0)),
);
const encode = (format: ReturnType<typeof coordinates>, m: Matrix = A) => finish(format.encodeSteps(m, {}));
const arraysIn = (e: EncodedMatrix) => e as unknown as Record<Names, Uint8Array | Uint32Array | Float32Array>;

describe('a declared encoding', () => {
  it.each(['u6', 'u7', 'u16', 'u31', 'u32', 'i8', 'i9', 'i32'] as const)(
    'encodes and decodes an array of type %s, in bytes or in 32-bit words',
    (type) => {
      for (const inWords of [false, true]) {
        const format = coordinates({ arrays: { columns: { type, ...(inWords && { inWords }) } } });
        const e = encode(format);
        expect(format.validate(e, 'full')).toEqual([]);
        expect(toDense(format.decode(e))).toEqual(toDense(A));
        const bits = Number(type.slice(1)) * A.nnz;
        expect(arraysIn(e).columns.byteLength).toBe(inWords ? 4 * Math.ceil(bits / 32) : Math.ceil(bits / 8));
      }
    },
  );

  it('computes from the shape and non-zeros the bytes that the ledger counts', () => {
    for (const type of ['u6', 'u16', 'i9'] as const) {
      const format = coordinates({ arrays: { columns: { type, inWords: true } } });
      const computed = format.comparison.size({ rows: 3, cols: 40, nnz: A.nnz } as never, {});
      expect(computed).toBe(format.storage(encode(format)).totalBytes);
    }
  });

  it('counts the unused bits of the last word as padding', () => {
    const format = coordinates({ arrays: { columns: { type: 'u6', inWords: true } } });
    const entry = format.storage(encode(format)).entries.find(({ array }) => array === 'columns');
    expect(entry).toEqual({
      array: 'columns',
      dtype: '6-bit in u32',
      length: 4,
      bytes: 16,
      bits: { values: 0, indices: 108, metadata: 0, padding: 20 },
      note: 'the tail',
    });
  });

  it('rounds values to bf16', () => {
    const bf16 = coordinates({ arrays: { values: { type: 'bf16' } } });
    expect([...toDense(bf16.decode(encode(bf16)))]).toEqual([...toDense(A)].map((cell) => roundToBf16(cell)));
  });

  it('quantises values to i8 with a scale per row, by which decode and multiply multiply them', () => {
    const i8 = coordinates({ arrays: { values: { type: 'i8', quantised: { by: 'row', scales: 'scales' } } } });
    const e = encode(i8);
    expect(i8.validate(e, 'full')).toEqual([]);
    expect([...arraysIn(e).scales].map((scale) => Math.round(scale * 1000))).toEqual([24, 52, 94]);
    const [first] = toDense(i8.decode(e));
    expect(first).toBe(Math.fround(-127 * arraysIn(e).scales[0]));
    const y = new Float32Array(3);
    i8.multiply(e, new Float32Array(40).fill(1), y);
    expect(y[0]).toBeCloseTo(
      [...toDense(i8.decode(e)).subarray(0, 40)].reduce((sum, cell) => sum + cell, 0),
      4,
    );
    expect(i8.admits(denseMatrix(1, 1, Float32Array.of(Number.NaN)), {})).toMatchObject({ ok: false });
  });

  it('may decode cells in any order if its declaration has `order: any`', () => {
    const format = coordinates({
      order: 'any',
      decode({ rows_of, columns, values }, { nnz }, put) {
        for (let i = nnz; i-- > 0;) put(rows_of[i], columns[i], values[i]);
      },
    });
    expect(toDense(format.decode(encode(format)))).toEqual(toDense(A));
    expect(format.validate(encode(format), 'full')).toEqual([]);
  });

  it('makes an array without a declared length as long as the elements that encode appends', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 300 }), (n) => {
        const m = denseMatrix(1, 300, new Float32Array(300).fill(1, 0, n));
        const format = coordinates({ arrays: { columns: { length: () => null }, values: { length: () => null } } });
        const e = encode(format, m);
        expect([arraysIn(e).columns.length, arraysIn(e).values.length]).toEqual([n, n]);
        expect(toDense(format.decode(e))).toEqual(toDense(m));
      }),
    );
  });
});

/**
 * A format with three words per row: the number of non-zeros (the head), and two records of a value and its column, as
 * in TwELL. Each record also has 6 spare bits, which contain the number 5.
 */
function records(changed: Partial<ArrayDeclaration<'words'>> = {}) {
  return declareEncoding<'words', object>({
    id: 'records',
    params: {},
    arrays: () => ({
      words: {
        type: 'u32',
        role: 'values',
        length: ({ rows }) => 3 * rows,
        lengthSays: 'rows * 3',
        heads: { every: 3, role: 'metadata' },
        fields: {
          value: { type: 'f16', role: 'values' },
          spare: { type: 'u6', role: 'metadata' },
          column: { type: 'u10', role: 'indices', columns: { remedy: 'Choose fewer columns.' } },
        },
        padding: [
          { says: (e) => `${e.length} words in all`, count: ({ rows, nnz }) => 2 * rows - nnz },
          { says: 'none of these', count: () => 0 },
        ],
        meaning: 'count, then values and columns',
        ...changed,
      },
    }),
    *encode(B, { words }) {
      for (const { length, values, columns } of B) {
        if (length > 2) return false;
        words.push(length);
        for (let i = 0; i < length; i++) words.pushFields(values[i], 5, columns[i]);
        words.pad(0, 2 - length);
        yield;
      }
    },
    decode({ words, 'words.value': value, 'words.column': column }, { rows }, put) {
      for (let r = 0; r < rows; r++)
        for (let i = 3 * r + 1; i <= 3 * r + words[3 * r]; i++) put(r, column[i], value[i]);
    },
    overflows: (m) =>
      m.nnz > 2 * m.rows ? { reason: `${m.nnz} are too many`, remedy: 'Choose two of each row.' } : null,
    shorter: 'Choose fewer rows.',
  });
}

describe('a record (an element whose bits are divided into fields)', () => {
  const B = denseMatrix(2, 4, Float32Array.of(0, 1.5, 0, -2, 0, 0, 0, 4));
  const e = finish(records().encodeSteps(B, {}));

  it('has its fields from the highest bits to the lowest, and heads between the records', () => {
    const { words } = e as unknown as { readonly words: Uint32Array };
    const record = (f16Bits: number, column: number): number => f16Bits * 2 ** 16 + 5 * 2 ** 10 + column;
    // 1.5, -2 and 4 in f16; the last record of row 1 is padding.
    expect([...words]).toEqual([2, record(0x3e00, 1), record(0xc000, 3), 1, record(0x4400, 3), 0]);
    expect(toDense(records().decode(e))).toEqual(toDense(B));
    expect(records().validate(e, 'full')).toEqual([]);
  });

  it('is counted in the ledger bit by bit, with the causes of padding that occur', () => {
    expect(records().storage(e).entries).toEqual([
      {
        array: 'words',
        dtype: 'f16 | u6 | u10 in u32',
        length: 6,
        bytes: 24,
        bits: { values: 3 * 16, indices: 3 * 10, metadata: 2 * 32 + 3 * 6, padding: 32 },
        note: '6 words in all',
      },
    ]);
    expect(records().comparison.size({ rows: 2, cols: 4, nnz: 3 } as never, {})).toBe(24);
  });

  it('rejects a matrix with more columns than its field can represent', () => {
    const wide = denseMatrix(1, 1025, new Float32Array(1025));
    const reason = 'words: found 1025 columns, expected at most 1024 for the 10 bits of a column';
    expect(records().admits(wide, {})).toEqual({ ok: false, reason, remedy: 'Choose fewer columns.' });
    expect(records().comparison.size({ rows: 1, cols: 1025, nnz: 0 } as never, {})).toBe('refused');
  });

  it('rejects a matrix that overflows with the reason that `overflows` returns', () => {
    const full = denseMatrix(1, 3, Float32Array.of(1, 2, 3));
    const rejection = { ok: false, reason: '3 are too many', remedy: 'Choose two of each row.' };
    expect(records().admits(full, {})).toEqual(rejection);
    expect(() => finish(records().encodeSteps(full, {}))).toThrow('3 are too many');
  });

  it('rejects a matrix whose array would be too long, with the declared remedy', () => {
    const manyRows = { rows: 2 ** 30, cols: 1, nnz: 0, readRow: () => 0 };
    const remedy = 'Choose fewer rows.';
    expect(records().admits(manyRows, {})).toMatchObject({ ok: false, remedy });
  });

  it('reports an array of the wrong length with the declared formula', () => {
    expect(records().validate({ ...e, words: new Uint32Array(5) }, 'cheap')).toEqual([
      { array: 'words', index: null, message: 'length of words: found 5, expected rows * 3 = 6' },
    ]);
  });

  it.each([
    [{ fields: { value: { type: 'f16', role: 'values' } } }, 'words: found fields of 16 bits, expected 32'],
    [
      { fields: { value: { type: 'f32', role: 'values' } } },
      "words.value: found type 'f32', expected u1 to u32, f16 or bf16",
    ],
  ] as const)(
    'throws an error for fields that do not fill a word or have an unsupported type: %#',
    (changed, message) => {
      expect(() => finish(records(changed).encodeSteps(B, {}))).toThrow(message);
    },
  );

  it('throws an error for a number that does not fit its field', () => {
    const fields = {
      value: { type: 'f16', role: 'values' },
      spare: { type: 'u2', role: 'metadata' },
      column: { type: 'u14', role: 'indices' },
    } as const;
    expect(() => finish(records({ fields }).encodeSteps(B, {}))).toThrow('words.spare: found 5, which does not fit u2');
  });
});

describe('errors of a declaration that contradicts its encoder or decoder', () => {
  it.each([
    [
      'an element less than the declared length',
      () => coordinates({ arrays: { values: { length: ({ nnz }) => nnz + 1 } } }),
      'values: encode appended 18 elements, its length is declared as 19',
    ],
    [
      'an element more than the declared length',
      () => coordinates({ arrays: { values: { length: ({ nnz }) => nnz - 1 } } }),
      'values: encode appends more than the declared 17',
    ],
    [
      'an unknown type',
      () => coordinates({ arrays: { values: { type: 'f8' as TypeName } } }),
      "coordinates: found values of type 'f8', expected u1 to u32, i2 to i32, f16, bf16 or f32",
    ],
    [
      'a number that does not fit',
      () => coordinates({ arrays: { columns: { type: 'u5' } } }),
      'columns[5]: found 35, which does not fit u5',
    ],
  ])('encode throws an error for %s', (_, make, message) => expect(() => encode(make())).toThrow(message));

  describe('padding', () => {
    const length = ({ nnz }: { readonly nnz: number }): number => nnz + 2;
    /** The coordinate format with two elements of padding after the values, and this declaration of it. */
    const padded = (padding?: ArrayDeclaration['padding']) =>
      coordinates({
        arrays: { values: { length, ...(padding && { padding }) } },
        *encode(B, { rows_of, columns, values }) {
          for (const row of B) {
            for (let i = 0; i < row.length; i++) rows_of.push(row.index);
            columns.pushAll(row.columns, row.length);
            values.pushAll(row.values, row.length);
            yield;
          }
          values.pad(0, 2);
        },
      });
    const cause = 'two at the end';

    it('encode throws an error for padding without a declaration', () => {
      expect(() => encode(padded())).toThrow(
        'coordinates: encode pads 2 elements of values, expected its declaration to have padding: { says, count }',
      );
    });

    it('encode throws an error for another number of elements than declared', () => {
      expect(() => encode(padded({ says: cause, count: () => 3 }))).toThrow(
        'coordinates: encode pads 2 elements of values, expected 3, as its declaration counts',
      );
    });

    it('the ledger counts declared padding, with its cause', () => {
      const format = padded({ says: cause, count: ({ length: stored, nnz }) => stored - nnz });
      expect(format.storage(encode(format)).entries[2]).toMatchObject({
        note: cause,
        bits: { values: 32 * 18, padding: 64 },
      });
    });
  });

  it('a matrix with more columns than the type can represent is rejected before it is encoded', () => {
    const format = coordinates({ arrays: { columns: { type: 'u8', columns: { by: 'rows_of' } } } });
    const wide = denseMatrix(1, 300, new Float32Array(300));
    const reason = 'columns: found 300 columns, expected at most 256 for 8-bit indices';
    expect(format.admits(wide, {})).toEqual({ ok: false, reason, remedy: 'Choose 32 index bits.' });
    expect(() => encode(format, wide)).toThrow(FormatError);
  });

  it('a cell that decode puts twice or outside the matrix is a violation', () => {
    const format = coordinates();
    const e = encode(format);
    const withColumns = (columns: Uint16Array): readonly string[] =>
      format.validate({ ...e, columns }, 'full').map(({ message }) => message);
    const columns = Uint16Array.from(arraysIn(e).columns);
    expect(withColumns(columns.with(1, 0))).toEqual([
      'rows_of: decode puts row 0, column 0 after row 0, column 0, expected a later cell of 3 × 40',
    ]);
    expect(withColumns(columns.with(1, 40))).toHaveLength(1);
  });

  it.each([-1, 0.5])('a cell that decode puts in column %d is a violation, and decode throws an error', (column) => {
    const format = coordinates({ decode: (_e, _sizes, put) => put(2, column, 1) });
    const e = encode(format);
    const found = `decode puts row 2, column ${column}`;
    expect(format.validate(e, 'full').map(({ message }) => message)).toEqual([expect.stringContaining(found)]);
    expect(() => format.decode(e)).toThrow(found);
  });

  it.each(['rows', 'checksums'])(
    'declareEncoding throws an error for an array named %s, which all encodings have',
    (name) => {
      const arrays = () => ({ [name]: { type: 'u8', role: 'metadata', meaning: 'x' } }) as never;
      expect(() => declareEncoding({ id: 'x', params: {}, arrays, *encode() {}, decode() {} })).toThrow(
        `found an array named '${name}'`,
      );
    },
  );
});
