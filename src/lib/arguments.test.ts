import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SparseScopeError } from '../core/errors.ts';
import { namedArrays } from '../core/format.ts';
import { toCsr, toDense } from '../core/matrix/index.ts';
import { generate } from '../generate/generate.ts';
import { GpuContext } from '../gpu/index.ts';
import { csr } from './codecs/csr.ts';
import { macko } from './codecs/macko.ts';
import type { Stored } from './encode.ts';
import { encode } from './on-demand.ts';
import * as files from './files.ts';
import * as formatsEntry from './formats.ts';
import * as index from './index.ts';

// Calls every function of the package with arguments that its types do not allow: each has to throw a SparseScopeError whose
// message names the argument, and what was found and expected. Each hostile value is tried for each argument in turn.

type AnyFunction = (...values: unknown[]) => unknown;
type Members = Readonly<Record<string, unknown>>;

// A matrix with two non-zeros in every eight columns, which every format can store.
const a = generate({ pattern: 'n-of-m', rows: 8, cols: 8, density: 0.25, seed: 1 });
const { rows, cols, indptr, indices, data } = toCsr(a);
const arrays = { rows, cols, indptr, indices, data };
const storedMatrix = encode(a, macko);
const x = Float32Array.from({ length: cols }, (_, i) => i - 3);
const file = {
  name: 'a.mtx',
  bytes: new TextEncoder().encode('%%MatrixMarket matrix coordinate real general\n2 2 0\n'),
};
/** Every call is rejected before it uses the device. */
const device = Object.create(GpuContext.prototype) as GpuContext;
const job = { report: () => {}, cancelled: false };

const HOSTILE = {
  undefined,
  null: null,
  true: true,
  number: 7,
  NaN: Number.NaN,
  negative: -1,
  fraction: 1.5,
  huge: 1e300,
  bigint: 5n,
  text: 'text',
  'number as text': '2',
  symbol: Symbol('s'),
  function: () => 0,
  'no members': {},
  'no elements': [],
  'a list of null': [null],
  'a misspelt member': { ruonds: 3 },
  'an encoding': encode(a, csr).encoded,
  'a stored matrix': storedMatrix,
  'half a format': { id: 'macko', params: {} },
  'CSR arrays': arrays,
  'a matrix': a,
  'a matrix that has more entries than its nnz': { rows, cols, nnz: 3, readRow: a.readRow.bind(a) },
  'a promise': Promise.resolve(a),
  'a DataView': new DataView(new ArrayBuffer(4 * rows * cols)),
  'an ArrayBuffer': new ArrayBuffer(4 * rows * cols),
  holes: Array.from<number>({ length: 1 }).concat(Array<number>(7)),
  texts: Array.from(x, String),
  'like an array': { length: cols, 0: 1 },
  'three numbers': new Float64Array(3),
  'a date': new Date(0),
  'a map': new Map([['rounds', 3]]),
};
type Hostile = keyof typeof HOSTILE;

/** An argument of a call. */
interface Argument {
  /** a valid value */
  readonly valid: unknown;
  /** the values of HOSTILE that are valid, too */
  readonly alsoValid?: readonly Hostile[];
  /** how a message about the argument begins; default: with its name */
  readonly messageStart?: RegExp;
}

type Arguments = Readonly<Record<string, Argument>>;

/** A function with its arguments, in their order. */
interface Case {
  readonly call: AnyFunction;
  readonly parameters: Arguments;
}

const any = (target: unknown): AnyFunction => target as AnyFunction;

/**
 * A case for each member of `validMembers`, an options object that is the argument of `call`: the hostile values replace that
 * member. `alsoValid` lists the hostile values that are valid, by member. Members may be undefined unless they are `required`.
 * Messages name the member with `prefix` before it.
 */
function memberCases(
  call: (options: never) => unknown,
  validMembers: Members,
  alsoValid: Readonly<Record<string, readonly Hostile[]>>,
  { required = false, prefix = '' } = {},
): readonly Case[] {
  return Object.entries(validMembers).map(([name, value]) => ({
    call: (hostileValue) => call({ ...validMembers, [name]: hostileValue } as never),
    parameters: {
      [name]: {
        valid: value,
        alsoValid: [...(alsoValid[name] ?? []), ...(required ? [] : (['undefined'] as const))],
        messageStart: new RegExp(`^${prefix}${name}\\b`),
      },
    },
  }));
}

const matrix: Argument = { valid: a, alsoValid: ['a matrix'] };
const optionalJob: Argument = { valid: job, alsoValid: ['undefined'] };
const size: Argument = { valid: 8, alsoValid: ['number'] };
const params: Argument = {
  valid: {},
  alsoValid: ['undefined', 'no members'],
  messageStart: /^(params|parameters of \S+): /,
};

/** The members of a format or codec that take arguments. */
function formatCases(format: (typeof formatsEntry.formats)[number]): readonly Case[] {
  const members = format as unknown as Readonly<Record<string, AnyFunction>>;
  const encoded: Argument = { valid: encode(a, format).encoded, alsoValid: format.id === 'csr' ? ['an encoding'] : [] };
  const input: Readonly<Record<string, Arguments>> = {
    encode: { matrix, params, job: optionalJob },
    encodeSteps: { matrix, params },
    decode: { encoded },
    multiply: { encoded, x: { valid: x }, y: { valid: new Float32Array(rows) } },
    ...('rules' in format && {
      admits: { matrix, params },
      validate: { encoded, level: { valid: 'full' } },
      storage: { encoded },
    }),
  };
  return Object.entries(input).map(([name, memberArguments]) => ({ call: members[name], parameters: memberArguments }));
}

const DECLARATION = {
  id: 'mine',
  params: {},
  arrays: () => ({ values: { type: 'f32', role: 'values', meaning: 'all' } }),
  *encode() {},
  decode() {},
};
const SPEC = { pattern: 'row-skewed', rows: 4, cols: 4, density: 0.5, seed: 1 };

const CASES: Readonly<Record<string, readonly Case[]>> = {
  fromDense: [{ call: any(index.fromDense), parameters: { rows: size, cols: size, cells: { valid: toDense(a) } } }],
  fromCsr: [
    {
      call: any(index.fromCsr),
      parameters: {
        arrays: { valid: arrays, alsoValid: ['CSR arrays', 'a matrix'], messageStart: /^(arrays|rows|indptr): / },
      },
    },
    ...memberCases(
      index.fromCsr,
      arrays,
      { rows: ['number'], cols: ['number'] },
      { required: true, prefix: '(indices and )?' },
    ),
  ],
  toCsr: [{ call: any(index.toCsr), parameters: { matrix } }],
  toDense: [{ call: any(index.toDense), parameters: { matrix } }],
  generate: [
    {
      call: any(index.generate),
      parameters: { spec: { valid: SPEC, messageStart: /^(spec|pattern): / }, job: optionalJob },
    },
    ...memberCases(index.generate, SPEC, { rows: ['number'], cols: ['number'], seed: ['number'] }, { required: true }),
    ...memberCases(index.generate, { ...SPEC, options: {} }, { options: ['no members'] }).slice(-1),
    ...memberCases(
      (options) => index.generate({ ...SPEC, options }),
      { exponent: 1 },
      { exponent: ['fraction'] },
      { prefix: '(options\\.)?' },
    ),
  ],
  referenceProduct: [{ call: any(index.referenceProduct), parameters: { matrix, x: { valid: x } } }],
  declare: [
    { call: any(index.declare), parameters: { declaration: { valid: DECLARATION } } },
    ...memberCases(
      (declaration) => index.declare(declaration),
      DECLARATION,
      { id: ['text', 'number as text'], params: ['no members'], encode: ['function'], decode: ['function'] },
      { required: true, prefix: 'declaration.' },
    ),
  ],
  encode: [{ call: any(index.encode), parameters: { matrix, format: { valid: macko }, params, job: optionalJob } }],
  openDevice: [
    { call: any(index.openDevice), parameters: { options: { valid: {}, alsoValid: ['undefined', 'no members'] } } },
    ...memberCases(
      index.openDevice,
      { gpu: undefined, fallback: false, without: [], minimum: false },
      { fallback: ['true'], minimum: ['true'], without: ['no elements', 'texts'] },
    ),
  ],
  run: [
    {
      call: any(index.run),
      parameters: {
        device: { valid: device },
        stored: { valid: storedMatrix, alsoValid: ['a stored matrix'] },
        x: { valid: x },
        options: { valid: {}, alsoValid: ['undefined', 'no members'] },
      },
    },
    ...memberCases(
      (options) => index.run(device, storedMatrix, x, options),
      { tokens: 1, transposed: false, job },
      { tokens: ['number'], transposed: ['true'] },
    ),
  ],
  kernelOf: [
    {
      call: any(index.kernelOf),
      parameters: {
        device: { valid: device },
        stored: { valid: storedMatrix, alsoValid: ['a stored matrix'] },
        options: { valid: {}, alsoValid: ['undefined', 'no members'] },
      },
    },
    ...memberCases(
      (options) => index.kernelOf(device, storedMatrix, options),
      { tokens: 1, job },
      { tokens: ['number'] },
    ),
  ],
  bench: [
    {
      call: any(index.bench),
      parameters: {
        device: { valid: device },
        matrix,
        subjects: { valid: ['dense'], alsoValid: ['texts'], messageStart: /^subjects(\[0\])?: / },
        settings: { valid: {}, alsoValid: ['undefined', 'no members'] },
      },
    },
    ...memberCases(
      (settings) => index.bench(device, a, ['dense'], settings),
      {
        operation: 'spmv',
        sizes: {},
        rounds: 3,
        memory: 'cold',
        kernels: 'auto',
        seed: 1,
        source: 'x',
        timeSoftware: true,
        onReport: () => {},
        job,
      },
      {
        sizes: ['no members'],
        rounds: ['number'],
        seed: ['number'],
        source: ['text', 'number as text'],
        timeSoftware: ['true'],
        onReport: ['function'],
      },
    ),
  ],
  readMatrix: [
    {
      call: any(files.readMatrix),
      parameters: {
        files: { valid: file, alsoValid: ['no elements'], messageStart: /^files(\[0\]|\.name)?: / },
        options: { valid: {}, alsoValid: ['undefined', 'no members'] },
        job: optionalJob,
      },
    },
    ...memberCases(
      (options) => files.readMatrix(file, options),
      { tensor: undefined, maxDecompressedBytes: 2 ** 20 },
      { tensor: ['text', 'number as text'], maxDecompressedBytes: ['number', 'fraction', 'huge'] },
    ),
    ...memberCases(files.readMatrix, file, { name: ['text', 'number as text'] }, { required: true, prefix: 'files.' }),
  ],
  listTensors: [
    {
      call: any(files.listTensors),
      parameters: {
        files: { valid: file, alsoValid: ['no elements'], messageStart: /^files(\[0\]|\.name)?: / },
        job: optionalJob,
      },
    },
  ],
  readStored: [
    { call: any(files.readStored), parameters: { file: { valid: file, messageStart: /^file(\.name)?: / } } },
  ],
  writeStored: [
    {
      call: any(files.writeStored),
      parameters: { stored: { valid: storedMatrix, alsoValid: ['a stored matrix'] }, kind: { valid: 'npz' } },
    },
  ],
  writeMatrix: [{ call: any(files.writeMatrix), parameters: { matrix, kind: { valid: 'mtx' } } }],
  formatById: [
    { call: any(formatsEntry.formatById), parameters: { id: { valid: 'csr', messageStart: /^id of a format: / } } },
  ],
  formats: formatsEntry.formats.flatMap(formatCases),
};

/** Exported lists, which the tests skip. */
const CONSTANTS = ['STORED_KINDS', 'MATRIX_KINDS'];

const isErrorClass = (value: unknown): boolean =>
  typeof value === 'function' && (value === SparseScopeError || value.prototype instanceof SparseScopeError);

/** The error that a call throws or rejects with; null if it does neither. */
async function errorOf(call: () => unknown): Promise<unknown> {
  try {
    await call();
    return null;
  } catch (error) {
    return error;
  }
}

/**
 * Calls a function with each hostile value for each argument, while the other arguments are valid. Returns a message for
 * each call whose error does not name the argument in one sentence.
 */
async function problemsOf({ call, parameters }: Case): Promise<readonly string[]> {
  const validArguments = Object.values(parameters).map(({ valid }) => valid);
  const problems: string[] = [];
  for (const [i, [name, argument]] of Object.entries(parameters).entries()) {
    const { alsoValid = [], messageStart = new RegExp(`^${name}(\\.|\\[| |:)`) } = argument;
    for (const [kind, hostile] of Object.entries(HOSTILE)) {
      if (alsoValid.includes(kind as Hostile)) continue;
      const error = await errorOf(() => call(...validArguments.with(i, hostile)));
      const message = error instanceof SparseScopeError ? error.message : `${String(error)} is no SparseScopeError`;
      const isNamed = messageStart.test(message) && /: found .*, expected /.test(message) && !message.includes('\n');
      if (!isNamed) problems.push(`${name}, ${kind}: ${message}`);
    }
  }
  return problems;
}

describe('every function rejects invalid arguments with one sentence', () => {
  const exported: Members = { ...index, ...files, ...formatsEntry };
  const functions = Object.keys(exported).filter((name) => !isErrorClass(exported[name]) && !CONSTANTS.includes(name));

  it.each(functions)('%s', async (name) => {
    expect(CASES, `${name} needs a case here`).toHaveProperty(name);
    for (const testCase of CASES[name]) expect(await problemsOf(testCase)).toEqual([]);
  });

  // oxlint-disable-next-line typescript/no-explicit-any -- codecs of different formats meet here
  const codecs = import.meta.glob<Readonly<Record<string, any>>>('./codecs/*.ts', { eager: true });
  it.each(Object.entries(codecs))('%s', async (_, entry) => {
    for (const codec of Object.values(entry)) {
      for (const testCase of formatCases(codec as (typeof formatsEntry.formats)[number]))
        expect(await problemsOf(testCase)).toEqual([]);
    }
  });

  it('validate of a stored matrix', async () => {
    const testCase = {
      call: any((storedMatrix as Stored).validate),
      parameters: { level: { valid: 'full', alsoValid: ['undefined'] } },
    } as const;
    expect(await problemsOf(testCase)).toEqual([]);
  });
});

describe('arrays of numbers are converted to f32, or rejected', () => {
  const values = [0, 1, 2, 3, 100];
  const typedArrays = [
    Float32Array,
    Float64Array,
    Int8Array,
    Uint8Array,
    Uint8ClampedArray,
    Int16Array,
    Uint16Array,
    Int32Array,
    Uint32Array,
    // Not in every engine.
    ...[(globalThis as { readonly Float16Array?: typeof Float32Array }).Float16Array ?? []].flat(),
  ].map((type) => new type(values));
  const bigIntArrays = [BigInt64Array, BigUint64Array].map((type) => new type(values.map(BigInt)));

  it.each([values, ...typedArrays, ...bigIntArrays].map((numbers) => [numbers.constructor.name, numbers] as const))(
    '%s is converted wherever the package takes an array of numbers',
    (_, numbers) => {
      const cells = Float32Array.from(values);
      const dense = index.fromDense(1, 5, numbers);
      expect([dense.nnz, index.toDense(dense)]).toEqual([4, cells]);
      const result = index.fromCsr({ rows: 1, cols: 101, indptr: [0, 5], indices: numbers, data: numbers });
      expect(toCsr(result)).toMatchObject({ indices: Uint32Array.of(1, 2, 3, 100), data: cells.slice(1) });
      // 1² + 2² + 3² + 100²
      expect(index.referenceProduct(index.fromDense(1, 5, cells), numbers)).toEqual(Float64Array.of(10_014));
      const y = new Float32Array(1);
      macko.multiply(encode(dense, macko).encoded, numbers, y);
      expect(y[0]).toBe(10_014);
    },
  );

  it('numbers with a fraction are rounded to the nearest f32', () => {
    const fraction = fc
      .double({ min: -1e30, max: 1e30, noNaN: true })
      .filter((n) => Math.abs(n) > 1e-30 && n % 1 !== 0);
    fc.assert(
      fc.property(fc.array(fraction), (fractions) => {
        for (const numbers of [fractions, Float64Array.from(fractions)]) {
          expect(Array.from(toDense(index.fromDense(1, fractions.length, numbers)))).toEqual(
            fractions.map(Math.fround),
          );
        }
      }),
    );
  });

  it('NaN and infinities stay; -0 becomes 0, as in any matrix', () => {
    const special = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0];
    const result = index.fromDense(1, 4, special);
    expect([result.nnz, toDense(result)]).toEqual([3, Float32Array.of(...special.slice(0, 3), 0)]);
  });

  const wholeNumber = 'expected a whole number that is exact in f32, as all up to 16777216';
  const index32 = 'expected a whole number from 0 to 4294967295';
  it.each([
    [[1, 2 ** 24 + 1], `cells[1]: found 16777217, ${wholeNumber}`],
    [Float64Array.of(1, -(2 ** 24) - 1), `cells[1]: found -16777217, ${wholeNumber}`],
    [Int32Array.of(2 ** 24 + 1, 0), `cells[0]: found 16777217, ${wholeNumber}`],
    [BigInt64Array.of(1n, 2n ** 53n + 1n), `cells[1]: found 9007199254740993n, ${wholeNumber}`],
    [BigUint64Array.of(1n, 2n ** 64n - 1n), `cells[1]: found 18446744073709551615n, ${wholeNumber}`],
    [[1, 1e39], 'cells[1]: found 1e+39, expected at most 3.4028234663852886e38 in magnitude, the largest f32'],
    [[1, 1e-50], 'cells[1]: found 1e-50, expected 0, or at least 1.4e-45 in magnitude, the smallest f32'],
    [[1, 1n], 'cells[1]: found 1n, expected a number'],
    [[1, '2'], "cells[1]: found '2', expected a number"],
    [[1, null], 'cells[1]: found null, expected a number'],
    [[1, undefined], 'cells[1]: found undefined, expected a number'],
    [[1].concat(Array<number>(1)), 'cells[1]: found a hole, expected a number'],
    [[[1], [2]], 'cells[0]: found an array of 1, expected a number'],
    [[1, 2, 3], 'cells: found 3 numbers, expected 1 × 2 = 2'],
    [new DataView(new ArrayBuffer(8)), 'cells: found a DataView, expected an array of numbers, or a typed array'],
    [{ length: 2, 0: 1, 1: 2 }, 'cells: found an object of 0, 1, length, expected an array of numbers'],
    [Buffer.alloc(8).buffer, 'cells: found an ArrayBuffer, expected an array of numbers'],
  ])('fromDense rejects the cells %o', (numbers, sentence) => {
    expect(() => index.fromDense(1, 2, numbers as never)).toThrow(sentence);
  });

  it.each([
    [{ indices: [-1] }, `indices[0]: found -1, ${index32}`],
    [{ indices: [0.5] }, `indices[0]: found 0.5, ${index32}`],
    [{ indices: Int32Array.of(-1) }, `indices[0]: found -1, ${index32}`],
    [{ indices: BigInt64Array.of(2n ** 32n) }, `indices[0]: found 4294967296n, ${index32}`],
    [{ indptr: [0, Number.NaN] }, `indptr[1]: found NaN, ${index32}`],
    [{ indices: [4] }, 'indices[0] in row 0: found column 4, expected below 4'],
    [{ indices: undefined }, 'indices: found undefined, expected an array of numbers'],
  ])('fromCsr rejects arrays with %o', (part, sentence) => {
    const csr = { rows: 1, cols: 4, indptr: [0, 1], indices: [3], data: [2] };
    expect(index.fromCsr(csr).nnz).toBe(1);
    expect(() => index.fromCsr({ ...csr, ...part } as never)).toThrow(sentence);
  });

  it('fromDense uses a Float32Array without a copy, unless its length may change', () => {
    const numbers = Float32Array.of(1, 2);
    expect(index.fromDense(1, 2, numbers)).toHaveProperty('data', numbers);
    const growing = new Float32Array(new ArrayBuffer(8, { maxByteLength: 16 }));
    const result = index.fromDense(1, 2, growing.fill(3));
    growing.buffer.resize(0);
    expect(toDense(result)).toEqual(Float32Array.of(3, 3));
  });
});

describe('arrays that change after a matrix was made of them are detected', () => {
  it('cells', () => {
    const numbers = new Float32Array(4);
    const dense = index.fromDense(2, 2, numbers);
    numbers[1] = 1;
    const sentence = 'matrix: found 1 non-zeros, expected 0, its nnz; have its arrays changed since it was made?';
    for (const use of [
      index.toCsr,
      index.toDense,
      (m: index.Matrix) => encode(m, macko),
      (m: index.Matrix) => macko.encode(m, {} as never),
    ]) {
      expect(() => use(dense)).toThrow(sentence);
    }
  });

  it('CSR arrays', () => {
    const result = index.fromCsr({ ...arrays, indices: arrays.indices.slice() });
    result.indices[0] = 9;
    expect(() => index.toDense(result)).toThrow('matrix: indices[0] in row 0: found column 9, expected below 8');
  });

  it('cells whose memory was transferred', () => {
    const numbers = new Float32Array(4);
    const dense = index.fromDense(2, 2, numbers);
    structuredClone(numbers.buffer, { transfer: [numbers.buffer] });
    expect(() => encode(dense, macko)).toThrow('matrix: dense data: found 0 values, expected 2 × 2 = 4');
  });
});

describe('decode of a copy of an encoding', () => {
  it.each(formatsEntry.formats)('$id: returns the same matrix, and rejects a copy with a changed element', (format) => {
    const { encoded } = encode(a, format);
    const copy = structuredClone(encoded) as Readonly<Record<string, unknown>>;
    expect(toCsr(format.decode(copy))).toEqual(toCsr(format.decode(encoded)));
    const [name, array] = [...namedArrays(copy as never)].find(([, { length }]) => length > 0) ?? [
      '',
      new Uint8Array(1),
    ];
    array[0] ^= 1;
    expect(() => format.decode(copy)).toThrow(`encoded.${name}: found other elements than were encoded`);
    const { [name]: _, ...incompleteCopy } = copy;
    expect(() => format.decode(incompleteCopy)).toThrow(/^encoded: found arrays .*, expected those of /);
  });
});

it.each([
  [{ ruonds: 3 }, "settings: found 'ruonds', expected 'rounds' (of operation, sizes, rounds"],
  [{ Rounds: 3 }, "settings: found 'Rounds', expected 'rounds' (of "],
  [{ iterations: 3 }, "settings: found 'iterations', expected operation, sizes, rounds, memory, kernels, seed, source"],
  [{ rounds: -1 }, 'rounds: found -1, expected a whole number from 1 to 10000'],
  [{ rounds: 2.5 }, 'rounds: found 2.5, expected a whole number from 1 to 10000'],
  [{ memory: 'hot' }, "memory: found 'hot', expected one of cold, warm"],
  [{ sizes: { tokens: '4' } }, "sizes.tokens: found '4', expected a whole number from 0"],
])('bench rejects the settings %o', async (settings, sentence) => {
  await expect(index.bench(device, a, ['dense'], settings as never)).rejects.toThrow(sentence);
});

it.each([
  [() => encode(a, 'macko' as never), "format: found 'macko', expected a format, which sparsescope/ID exports, or "],
  [
    () => encode(arrays as never, macko),
    'matrix: found an object of rows, cols, indptr, indices, data, expected a matrix, which fromCsr makes of such arrays',
  ],
  [
    () => encode(a, macko, { deltabits: 4 } as never),
    "parameters of macko: found 'deltabits', expected 'deltaBits' (of ",
  ],
  [() => index.generate({ ...SPEC, desity: 0.5 } as never), "spec: found 'desity', expected 'density' (of "],
  [() => index.fromCsr(encode(a, csr).encoded as never), 'arrays: found an object of rows, cols, nnz, '],
  [() => formatsEntry.formatById('nope'), "id of a format: found 'nope', expected one of dense, csr, "],
  [() => macko.multiply(encode(a, macko).encoded, x, x), 'y: found the memory of x, expected a separate array'],
])('a likely mistake is explained: %s', (call, sentence) => {
  expect(call).toThrow(sentence);
});

describe('a matrix that the caller implements', () => {
  /** A 2 × 3 matrix whose second row is full. `readRow` of the first row writes these columns and values, and returns `n`. */
  const customMatrix = (columns: readonly number[], values: readonly number[], n = columns.length, nnz = 3 + n) => ({
    rows: 2,
    cols: 3,
    nnz,
    readRow(row: number, into: { readonly columns: Uint32Array; readonly values: Float32Array }): number {
      into.columns.set(row === 0 ? columns : [0, 1, 2]);
      into.values.set(row === 0 ? values : [1, 2, 3]);
      return row === 0 ? n : 3;
    },
  });

  it('is accepted with rows that are empty, full, or partly filled', () => {
    for (const columns of [[], [0], [2], [0, 2], [0, 1, 2]]) {
      const values = columns.map((column) => column + 0.5);
      const dense = [...toDense(encode(customMatrix(columns, values), csr).decode())];
      const firstRow = [0, 1, 2].map((column) => (columns.includes(column) ? column + 0.5 : 0));
      expect(dense).toEqual([...firstRow, 1, 2, 3]);
    }
  });

  it.each([
    [customMatrix([], [], -1, 2), 'row 0: found -1 entries, expected 0 to 3'],
    [customMatrix([0], [1], 0.5, 4), 'row 0: found 0.5 entries, expected 0 to 3'],
    [customMatrix([0, 1, 2], [1, 1, 1], 4, 6), 'row 0: found 4 entries, expected 0 to 3'],
    [customMatrix([1, 1], [1, 2]), 'row 0: found 2 at column 1 after 1,'],
    [customMatrix([2, 0], [1, 2]), 'row 0: found 2 at column 0 after 2,'],
    [customMatrix([3], [1]), 'row 0: found 1 at column 3 after -1,'],
    [customMatrix([0], [0]), 'row 0: found 0 at column 0 after -1,'],
    [customMatrix([0], [1], 1, 5), 'matrix: found 4 non-zeros, expected 5'],
    [customMatrix([0], [1], 1, 3), 'matrix: found 4 non-zeros, expected 3'],
  ])('is rejected if its rows are out of order, have another length, or contain zeros: %#', (matrix, sentence) => {
    expect(() => encode(matrix, csr)).toThrow(sentence);
  });
});
