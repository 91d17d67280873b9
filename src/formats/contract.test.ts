import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allParams, buildMatrix, type MatrixRecipe, matrixRecipe, paramsTitle } from '../../test/arbitraries.ts';
import { FormatError } from '../core/errors.ts';
import { type AnyFormat, defaultParams, type EncodedMatrix, type NamedArray, namedArrays } from '../core/format.ts';
import { denseMatrix, type Matrix, rowBuffer } from '../core/matrix/index.ts';
import { i8Of, i8Scale, roundToBf16, roundToF16 } from '../core/number/index.ts';
import { spmvWithBound } from '../core/oracle.ts';
import { Random } from '../core/number/random.ts';
import { BYTE_CLASSES, type StorageLedger } from '../core/encoded/ledger.ts';
import { formatById, formats } from './registry.ts';

/**
 * Laws 1 to 3 and the CPU product, for every registered format with every combination of its parameters. Laws 4 and 5
 * are in contract.story.test.ts, law 6 in contract.gpu.test.ts.
 *
 * A failure prints its seed and the smallest recipe that fails; pin that recipe by name at the end of this file.
 */

type Params = Readonly<Record<string, unknown>>;

/** At least 2000 random matrices over all formats and parameters. */
const COMBINATIONS = formats.reduce((count, format) => count + allParams(format).length, 0);
const RUNS = Math.max(80, Math.ceil(2000 / COMBINATIONS));

/** The entries of a matrix as it is after rounding to a value type: rows, columns and f32 values, zeros dropped. */
function roundedEntries(m: Matrix, valueType: unknown): [row: number, col: number, value: number][] {
  const entries: [number, number, number][] = [];
  const buffer = rowBuffer(m.cols);
  for (let r = 0; r < m.rows; r++) {
    const n = m.readRow(r, buffer);
    const scale = i8Scale(buffer.values, n);
    for (let i = 0; i < n; i++) {
      const value = buffer.values[i];
      const rounded =
        valueType === 'f16'
          ? roundToF16(value)
          : valueType === 'bf16'
            ? roundToBf16(value)
            : valueType === 'i8'
              ? Math.fround(i8Of(value, scale) * scale)
              : value;
      if (rounded !== 0) entries.push([r, buffer.columns[i], rounded]);
    }
  }
  return entries;
}

/** Encodes an admitted matrix; one that is not admitted must be refused with the same sentence, and gives null. */
function encodeOrRefuse(format: AnyFormat, m: Matrix, params: Params): EncodedMatrix | null {
  const admission = format.admits(m, params);
  if (admission.ok) return format.encode(m, params);
  let thrown: unknown = null;
  try {
    format.encode(m, params);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(FormatError);
  expect((thrown as FormatError).message).toBe(admission.reason);
  return null;
}

/** The arrays in which a changed element means another matrix, or none: those that hold no values. */
function indexArrays(ledger: StorageLedger, encoded: EncodedMatrix): [string, NamedArray][] {
  const holdsValues = new Set(
    ledger.entries
      .filter((entry) => entry.bits.values > 0 || /^(f16|bf16|f32|i8)$/.test(entry.dtype))
      .map((e) => e.array),
  );
  return [...namedArrays(encoded)].filter(([name, array]) => !holdsValues.has(name) && array.length > 0);
}

/** Law 1: `decode(encode(A))` is A after rounding, bit for bit (a NaN is a NaN), with the same nnz as its entries. */
function decodesToItself(format: AnyFormat, m: Matrix, params: Params): void {
  const encoded = encodeOrRefuse(format, m, params);
  if (!encoded) return;
  const decoded = format.decode(encoded);
  const expected = roundedEntries(m, params.valueType);
  expect({ rows: decoded.rows, cols: decoded.cols, nnz: decoded.nnz }).toEqual({
    rows: m.rows,
    cols: m.cols,
    nnz: expected.length,
  });
  expect(roundedEntries(decoded, 'f32')).toEqual(expected);
}

/**
 * Law 2: what was encoded is valid; any single changed element of an index array, wherever it lies and whatever it
 * becomes, is caught by 'full', because either an invariant breaks or the checksum of the index arrays does. A missing
 * element is caught by 'cheap'. Values carry no checksum: another value is another matrix.
 */
function noticesDamage(format: AnyFormat, m: Matrix, params: Params, seed: number): void {
  const encoded = encodeOrRefuse(format, m, params);
  if (!encoded) return;
  expect(format.validate(encoded, 'cheap')).toEqual([]);
  expect(format.validate(encoded, 'full')).toEqual([]);
  const random = new Random(seed);
  for (const [name, array] of indexArrays(format.storage(encoded), encoded)) {
    const damaged = array.slice();
    const at = random.below(damaged.length);
    const other = [0, 1, damaged[at] + 1, damaged[at] - 1, random.u32(), 2 ** 32 - 1];
    damaged[at] = other[random.below(other.length)];
    if (damaged[at] === array[at]) damaged[at] ^= 1;
    const found = format.validate({ ...encoded, [name]: damaged }, 'full');
    expect(found, `${name}[${at}] changed from ${array[at]} to ${damaged[at]}`).not.toEqual([]);
    for (const violation of found) expect(violation.message).not.toMatch(/undefined|NaN/);
    const shorter = array.slice(0, -1);
    expect(format.validate({ ...encoded, [name]: shorter }, 'cheap'), `${name} cut short`).not.toEqual([]);
  }
}

/** Law 3: the ledger lists every array once, its total is their byte length, and every bit is in exactly one class. */
function accountsForEveryByte(format: AnyFormat, m: Matrix, params: Params): void {
  const encoded = encodeOrRefuse(format, m, params);
  if (!encoded) return;
  const arrays = new Map([...namedArrays(encoded)].filter(([, array]) => array.length > 0));
  const ledger = format.storage(encoded);
  const listed = ledger.entries.filter((entry) => entry.length > 0).map((entry) => entry.array);
  expect(listed.toSorted()).toEqual([...arrays.keys()].toSorted());
  for (const entry of ledger.entries) {
    expect(entry.bytes).toBe(arrays.get(entry.array)?.byteLength ?? 0);
    const bits = BYTE_CLASSES.map((c) => entry.bits[c]);
    expect(bits.every((n) => Number.isInteger(n) && n >= 0)).toBe(true);
    expect(bits.reduce((a, b) => a + b)).toBe(entry.bytes * 8);
  }
  expect(ledger.totalBytes).toBe([...arrays.values()].reduce((sum, array) => sum + array.byteLength, 0));
  expect(BYTE_CLASSES.reduce((sum, c) => sum + ledger.totalBits[c], 0)).toBe(ledger.totalBytes * 8);
}

/** The CPU product agrees with the f64 oracle on the decoded matrix, NaN and infinities in x included. */
function multipliesLikeTheOracle(format: AnyFormat, m: Matrix, params: Params, seed: number): void {
  const encoded = encodeOrRefuse(format, m, params);
  if (!encoded) return;
  const random = new Random(seed);
  const special = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  const poisoned = random.below(2) === 1;
  const x = Float32Array.from({ length: m.cols }, () =>
    poisoned && random.below(8) === 0 ? special[random.below(4)] : random.normal(),
  );
  const y = new Float32Array(m.rows).fill(7);
  format.multiply(encoded, x, y);
  const expected = spmvWithBound(format.decode(encoded), x);
  // A scale that is applied to the sum, not to every value, saves roundings that the decoded matrix has.
  const slack = params.valueType === 'i8' ? 2 ** -23 : 1e-12;
  for (let r = 0; r < m.rows; r++) {
    const reference = expected.y[r];
    const rounded = Math.fround(reference);
    if (Object.is(y[r], rounded) || y[r] === rounded) continue;
    const bound = 2 ** -23 * Math.abs(reference) + slack * expected.magnitude[r] + 2 ** -149;
    expect(Math.abs(y[r] - reference), `y[${r}]: found ${y[r]}, expected ${reference}`).toBeLessThanOrEqual(bound);
  }
}

for (const format of formats) {
  describe(`${format.id} keeps the contract`, () => {
    for (const params of allParams(format)) {
      describe(paramsTitle(params), () => {
        it('decode gives back the rounded matrix', () => {
          fc.assert(
            fc.property(matrixRecipe(), (recipe) => decodesToItself(format, buildMatrix(recipe), params)),
            { numRuns: RUNS },
          );
        });

        it('validate finds nothing, and finds any damage to an index array', () => {
          fc.assert(
            fc.property(matrixRecipe(), fc.nat(), (recipe, seed) => {
              noticesDamage(format, buildMatrix(recipe), params, seed);
            }),
            { numRuns: RUNS },
          );
        });

        it('storage accounts for every byte', () => {
          fc.assert(
            fc.property(matrixRecipe(), (recipe) => accountsForEveryByte(format, buildMatrix(recipe), params)),
            { numRuns: RUNS },
          );
        });

        it('multiply agrees with the oracle', () => {
          fc.assert(
            fc.property(matrixRecipe(), fc.nat(), (recipe, seed) => {
              multipliesLikeTheOracle(format, buildMatrix(recipe), params, seed);
            }),
            { numRuns: RUNS },
          );
        });
      });
    }

    it('orders best, expected and worst effective density', () => {
      const shape = { rows: 256, cols: 512 };
      for (const params of allParams(format)) {
        for (const density of [0, 0.001, 0.01, 0.1, 0.3, 0.5, 0.9, 1]) {
          const bounds = format.expectedEffectiveDensity?.(density, params, shape);
          if (!bounds) continue;
          const { best, expected, worst } = bounds;
          expect(best, `${paramsTitle(params)} at ${density}`).toBeLessThanOrEqual(expected + 1e-12);
          expect(expected, `${paramsTitle(params)} at ${density}`).toBeLessThanOrEqual(worst + 1e-12);
          expect(Number.isFinite(best + expected + worst)).toBe(true);
        }
      }
    });

    it('has a default for every parameter, among its choices', () => {
      expect(allParams(format)).toContainEqual(defaultParams(format.params));
    });

    it('yields its progress while it encodes a larger matrix', () => {
      const m = buildMatrix({
        shape: [1100, 2048],
        pattern: 'uniform',
        values: 'small integers',
        density: 0.02,
        seed: 1,
        storage: 'csr',
      });
      const steps = format.encodeSteps(m, defaultParams(format.params));
      let last = { done: 0, total: 0 };
      let yields = 0;
      for (let step = steps.next(); !step.done; step = steps.next()) {
        expect(step.value.done).toBeGreaterThanOrEqual(last.done);
        expect(step.value.done).toBeLessThanOrEqual(step.value.total);
        last = step.value;
        yields++;
      }
      expect(yields).toBeGreaterThanOrEqual(2);
    });
  });
}

/** Failures that the properties above have found, by name; every format has to pass them with all its parameters. */
const PINNED: readonly { readonly name: string; readonly recipe: MatrixRecipe; readonly seed: number }[] = [
  {
    name: 'a value that rounds to -0 does not turn an infinity in x into NaN',
    recipe: { shape: [1, 6], pattern: 'uniform', values: 'all round to 0', density: 0.9, seed: 0, storage: 'dense' },
    seed: 0,
  },
  {
    name: 'the largest f32 stays finite in i8',
    recipe: { shape: [1, 4], pattern: 'full', values: 'largest', density: 1, seed: 0, storage: 'dense' },
    seed: 0,
  },
];

describe.each(PINNED)('regression: $name', ({ recipe, seed }) => {
  it.each(formats.map((format) => [format.id, format] as const))('%s', (_, format) => {
    for (const params of allParams(format)) {
      const m = buildMatrix(recipe);
      decodesToItself(format, m, params);
      noticesDamage(format, m, params, seed);
      accountsForEveryByte(format, m, params);
      multipliesLikeTheOracle(format, m, params, seed);
    }
  });
});

/** Shapes beyond 16 bits, with non-zeros in the corners and on both sides of the border. */
const LONG_SHAPES = [
  { name: '65536 columns', rows: 2, cols: 65536 },
  { name: '65537 columns', rows: 2, cols: 65537 },
  { name: '70000 rows', rows: 70000, cols: 2 },
];

/** Combinations of parameters that they are tried with at most. */
const MOST_LONG_PARAMS = 8;

describe.each(LONG_SHAPES)('$name', ({ rows, cols }) => {
  it.each(formats.map((format) => [format.id, format] as const))('%s', (_, format) => {
    const cells = new Float32Array(rows * cols);
    for (const at of [0, 65534, 65535, 65536, cells.length - 1]) cells[at] = 1 + (at % 3);
    const m = denseMatrix(rows, cols, cells);
    // Some of many combinations: the smaller shapes go through all of them.
    const every = allParams(format);
    for (const params of every.filter((_params, i) => i % Math.ceil(every.length / MOST_LONG_PARAMS) === 0)) {
      decodesToItself(format, m, params);
      noticesDamage(format, m, params, cols);
      accountsForEveryByte(format, m, params);
      multipliesLikeTheOracle(format, m, params, rows);
    }
  });
});

describe('the registry', () => {
  it('has every id once', () => {
    expect(new Set(formats.map((format) => format.id)).size).toBe(formats.length);
  });

  it('finds a format by its id and names the known ones for another', () => {
    expect(formatById(formats[0].id)).toBe(formats[0]);
    expect(() => formatById('coo')).toThrow(/^format: found 'coo', expected one of /);
  });
});
