import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  allParams,
  buildMatrix,
  ENOUGH_MATRICES,
  everyCombination,
  LawCounts,
  type MatrixRecipe,
  paramsTitle,
  recipeFor,
  runsFor,
  turnOf,
  uniformRecipe,
} from '../../../test/arbitraries.ts';
import { q4Cells } from '../../../test/ggml-blocks.ts';
import { FormatError } from '../../core/errors.ts';
import {
  type AnyFormat,
  defaultParams,
  FORMAT_GROUPS,
  type EncodedMatrix,
  type NamedArray,
  namedArrays,
} from '../../core/format.ts';
import { denseMatrix, type Matrix, rowBuffer, toDense } from '../../core/matrix/index.ts';
import { i8Of, i8Scale, roundToBf16, roundToF16 } from '../../core/number/index.ts';
import { spmvWithBound } from '../../core/oracle.ts';
import { Random } from '../../core/number/random.ts';
import { BYTE_CLASSES } from '../../core/encoded/ledger.ts';
import { formatById } from '../registry.ts';
import { contractFormats, PERMUTED } from '../../../test/declared/formats.ts';
import { cases } from '../../../test/scheduled.ts';

/** The formats of the registry, and declared formats that only tests have. */
const formats = [...contractFormats, PERMUTED];

/**
 * Laws 1 to 3 and the CPU product, for every registered format with every combination of its parameters. Laws 4 and 5
 * are in contract/story.test.ts, law 6 in contract/kernels.gpu.test.ts.
 *
 * A failure prints its seed and the smallest recipe that fails; pin that recipe by name at the end of this file.
 */

type Params = Readonly<Record<string, unknown>>;

/** The number of random matrices for each combination of parameters; more if a format has few combinations (`runsFor`). */
const RUNS = cases(8, 40);

/**
 * The entries of a matrix after rounding to a value type, without those that round to 0. `q4` contains the rounded cells
 * for the value type i4.
 */
function roundedEntries(
  m: Matrix,
  valueType: unknown,
  q4: readonly number[] = [],
): [row: number, col: number, value: number][] {
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
              : (q4[r * m.cols + buffer.columns[i]] ?? value);
      if (rounded !== 0) entries.push([r, buffer.columns[i], rounded]);
    }
  }
  return entries;
}

/** How often each law has been checked for the format whose tests are running. */
let counts = new LawCounts();

/** Encodes a matrix that the format supports. Otherwise expects `encode` to throw the reason of `admits`, and returns null. */
function encodeOrReject(format: AnyFormat, m: Matrix, params: Params): EncodedMatrix | null {
  const support = format.admits(m, params);
  if (support.ok) return format.encode(m, params);
  let thrown: unknown = null;
  try {
    format.encode(m, params);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(FormatError);
  expect((thrown as FormatError).message).toBe(support.reason);
  return null;
}

/** A matrix with its encoding, which all laws share. */
interface Encoded {
  readonly format: AnyFormat;
  readonly params: Params;
  readonly m: Matrix;
  readonly encoded: EncodedMatrix;
  readonly decoded: Matrix;
}

/** Checks laws 1 to 3 and the product on a matrix that is encoded once. */
function expectLaws(format: AnyFormat, m: Matrix, params: Params, seed: number): void {
  const encoded = encodeOrReject(format, m, params);
  if (!encoded) return;
  const lawCase = { format, params, m, encoded, decoded: format.decode(encoded) };
  decodesToItself(lawCase);
  noticesDamage(lawCase, seed);
  accountsForEveryByte(lawCase);
  multipliesLikeTheOracle(lawCase, seed);
}

/** Law 1: `decode(encode(A))` is A after rounding, bit for bit (a NaN is a NaN), with the same nnz as its entries. */
function decodesToItself({ format, params, m, decoded }: Encoded): void {
  counts.add('decodesToItself', params, m);
  const q4 = params.valueType === 'i4' ? q4Cells(toDense(m), [m.rows, m.cols], format.id, params) : [];
  const expected = roundedEntries(m, params.valueType, q4);
  expect({ rows: decoded.rows, cols: decoded.cols, nnz: decoded.nnz }).toEqual({
    rows: m.rows,
    cols: m.cols,
    nnz: expected.length,
  });
  // `toEqual` is called only if something differs, because it is slower than the encoders.
  const entries = roundedEntries(decoded, 'f32');
  if (!entries.every((entry, i) => entry.every((number, k) => Object.is(number, expected[i][k])))) {
    expect(entries).toEqual(expected);
    expect.unreachable('entries that differ by Object.is, but not by toEqual');
  }
}

/** The elements of an array as unsigned integers with the same bits. */
interface Bits {
  readonly elements: Uint8Array | Uint16Array | Uint32Array;
  /** bits of an element */
  readonly width: number;
  /** exponents of the floats that an element of this width may store, all ones: with a fraction a NaN */
  readonly exponents: readonly number[];
}

function bitsOf(array: NamedArray): Bits {
  const { buffer, byteOffset, length, BYTES_PER_ELEMENT } = array;
  if (BYTES_PER_ELEMENT === 1) return { elements: new Uint8Array(buffer, byteOffset, length), width: 8, exponents: [] };
  return BYTES_PER_ELEMENT === 2
    ? { elements: new Uint16Array(buffer, byteOffset, length), width: 16, exponents: [0x7c00, 0x7f80] }
    : { elements: new Uint32Array(buffer, byteOffset, length), width: 32, exponents: [0x7f800000] };
}

/**
 * Possible changes of an element: the next below and above (for a float in its last bit), another sign, any other bit
 * chosen by `turn`, 0, all ones, the largest without a sign, infinity and NaN. None of them is the element itself.
 */
function changesOf(element: number, { width, exponents }: Bits, turn: number): readonly number[] {
  const modulus = 2 ** width;
  const sign = 2 ** (width - 1);
  const flipped = (bit: number): number => element + (Math.floor(element / 2 ** bit) % 2 === 1 ? -1 : 1) * 2 ** bit;
  const candidates = [
    (element + 1) % modulus,
    (element + modulus - 1) % modulus,
    (element + sign) % modulus,
    flipped(0),
    flipped(turn % width),
    0,
    modulus - 1,
    sign - 1,
    ...exponents.flatMap((exponent) => [exponent, exponent + 1]),
  ];
  return [...new Set(candidates)].filter((candidate) => candidate !== element);
}

/**
 * Law 2: an encoding is valid. `validate` with 'full' finds a single changed element of any array, including values and
 * scales, at any position and with any new value; with 'cheap' it finds a missing element. In each array, `positions`
 * selects the elements that are changed: one at random, every one, or so many at even distances. Returns the names of the
 * arrays in which a rule found a change, not just the checksum.
 */
function noticesDamage(
  { format, params, m, encoded }: Omit<Encoded, 'decoded'>,
  seed: number,
  positions: 'one' | 'every' | number = 'one',
): ReadonlySet<string> {
  counts.add('noticesDamage', params, m);
  const byRule = new Set<string>();
  expect(format.validate(encoded, 'cheap')).toEqual([]);
  expect(format.validate(encoded, 'full')).toEqual([]);
  const random = new Random(seed);
  for (const [name, array] of namedArrays(encoded)) {
    if (array.length === 0) continue;
    const damaged = array.slice();
    const bits = bitsOf(damaged);
    const damagedEncoding = { ...encoded, [name]: damaged };
    const indices = positions === 'one' ? [random.below(damaged.length)] : spread(damaged.length, positions);
    const missed: string[] = [];
    for (const index of indices) {
      const element = bits.elements[index];
      const changes = changesOf(element, bits, index + seed);
      const testedChanges = positions === 'one' ? [changes[random.below(changes.length)]] : turnsOf(changes, index);
      for (const change of testedChanges) {
        bits.elements[index] = change;
        const violations = format.validate(damagedEncoding, 'full');
        if (violations.length === 0) missed.push(`${name}[${index}] changed from ${element} to ${change}`);
        for (const { message } of violations) {
          if (!message.startsWith('checksum of ')) byRule.add(name);
          if (/undefined/.test(message)) missed.push(`${name}[${index}]: ${message}`);
        }
      }
      bits.elements[index] = element;
    }
    expect(missed).toEqual([]);
    const shorter = array.slice(0, -1);
    expect(format.validate({ ...encoded, [name]: shorter }, 'cheap'), `${name} cut short`).not.toEqual([]);
  }
  return byRule;
}

/** The changes with which the element at an index is tested: in `npm test` a quarter of them, by turns. */
function turnsOf(changes: readonly number[], at: number): readonly number[] {
  const turns = cases(4, 1);
  return changes.filter((_, i) => i % turns === at % turns);
}

/** Positions below a length: every one, or `count` at even distances with the first and the last. */
function spread(length: number, count: 'every' | number): readonly number[] {
  const n = count === 'every' ? length : Math.min(length, count);
  return Array.from({ length: n }, (_, i) => (n === 1 ? 0 : Math.round((i * (length - 1)) / (n - 1))));
}

/** Law 3: the ledger lists every array once, its total is their byte length, and every bit is in exactly one class. */
function accountsForEveryByte({ format, params, m, encoded }: Encoded): void {
  counts.add('accountsForEveryByte', params, m);
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

/** The CPU product agrees with the f64 oracle on the decoded matrix, including NaN and infinities in x. */
function multipliesLikeTheOracle({ format, params, m, encoded, decoded }: Encoded, seed: number): void {
  counts.add('multipliesLikeTheOracle', params, m);
  const random = new Random(seed);
  const special = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  const poisoned = random.below(2) === 1;
  const x = Float32Array.from({ length: m.cols }, () =>
    poisoned && random.below(8) === 0 ? special[random.below(4)] : random.normal(),
  );
  const y = new Float32Array(m.rows).fill(7);
  format.multiply(encoded, x, y);
  const expected = spmvWithBound(decoded, x);
  // Applying a scale to the sum instead of every value omits roundings of the decoded values, so the tolerance is larger.
  const slack = params.valueType === 'i8' ? 2 ** -23 : 1e-12;
  for (let r = 0; r < m.rows; r++) {
    const reference = expected.y[r];
    const rounded = Math.fround(reference);
    if (Object.is(y[r], rounded) || y[r] === rounded) continue;
    const bound = 2 ** -23 * Math.abs(reference) + slack * expected.magnitude[r] + 2 ** -149;
    expect(Math.abs(y[r] - reference), `y[${r}]: found ${y[r]}, expected ${reference}`).toBeLessThanOrEqual(bound);
  }
}

/** Matrices that are small, so that every element can be changed, and that formats for activations support. */
const MATRICES_TO_DAMAGE: readonly MatrixRecipe[] = [
  { shape: [4, 35], pattern: 'one of eight', values: 'normal', density: 0, seed: 5, storage: 'cells' },
  { shape: [9, 19], pattern: 'activations', values: 'edges', density: 0.3, seed: 2, storage: 'cells' },
];

/** A matrix with gaps of several hundred columns, for which some formats store special elements. */
const WIDE_TO_DAMAGE = uniformRecipe([3, 1200], 0.004, 4);

/** How many elements of each array of the wide matrix are changed. */
const DAMAGED_OF_WIDE = 24;

/** The matrix that each format encodes to report progress. */
const LARGER = uniformRecipe([1100, 2048], 0.02, 1, { values: 'small integers' });

for (const format of formats) {
  const runs = runsFor(format, RUNS);

  describe(`the contract of ${format.id}`, () => {
    beforeAll(() => {
      counts = new LawCounts();
    });

    it.each(allParams(format).map((params) => [paramsTitle(params), params] as const))(
      'with %s: decode returns the rounded matrix, validate finds damage only where it is, storage accounts for every byte, multiply agrees with the oracle',
      (_, params) => {
        fc.assert(
          fc.property(recipeFor(format, params, 24), fc.nat(), (recipe, seed) => {
            expectLaws(format, buildMatrix(recipe), params, seed);
          }),
          { numRuns: runs },
        );
      },
    );

    it('was tested above by every law on enough matrices with enough non-zeros', () => {
      const totals = counts.totals();
      expect(totals.map(({ law }) => law).toSorted()).toEqual(
        'accountsForEveryByte decodesToItself multipliesLikeTheOracle noticesDamage'.split(' '),
      );
      for (const { law, all, fewest, params } of totals) {
        expect(params, law).toBe(allParams(format).length);
        expect(all, law).toBeGreaterThanOrEqual(ENOUGH_MATRICES);
        expect(fewest, law).toBeGreaterThanOrEqual(runs / 4);
      }
    });

    it('validate finds every changed element, in arrays with a declared rule by this rule', () => {
      const byRule = new Set<string>();
      for (const [i, params] of allParams(format).entries()) {
        const damage = (m: MatrixRecipe, positions: 'every' | number): void => {
          const matrix = buildMatrix(m);
          const encoded = encodeOrReject(format, matrix, params);
          if (!encoded) return;
          for (const name of noticesDamage({ format, params, m: matrix, encoded }, 1, positions)) byRule.add(name);
        };
        for (const m of turnOf(MATRICES_TO_DAMAGE, i, allParams(format).length)) damage(m, 'every');
        damage(WIDE_TO_DAMAGE, DAMAGED_OF_WIDE);
      }
      const declared = Object.entries(format.rules).filter(([, rule]) => rule !== null);
      expect([...byRule].toSorted()).toEqual(declared.map(([name]) => name).toSorted());
    });

    it('declares the rules of exactly the arrays that it stores', () => {
      const stored = namedArrays(format.encode(buildMatrix(MATRICES_TO_DAMAGE[0]), allParams(format)[0]));
      expect(Object.keys(format.rules)).toEqual([...stored.keys()]);
    });

    it('unusable returns a reason for exactly the combinations of parameters that cannot store a non-zero', () => {
      // A single non-zero, and one with many empty columns after it.
      const probes = [denseMatrix(1, 1, Float32Array.of(1)), denseMatrix(1, 600, new Float32Array(600).fill(1, 0, 1))];
      const wrong = everyCombination(format).filter((params) => {
        const supported = probes.some((m) => format.admits(m, params).ok);
        return supported !== ((format.unusable?.(params) ?? null) === null);
      });
      expect(wrong).toEqual([]);
    });

    it('expectedEffectiveDensity returns best ≤ expected ≤ worst', () => {
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
      const steps = format.encodeSteps(buildMatrix(LARGER), defaultParams(format.params));
      let last = 0;
      let yields = 0;
      for (let step = steps.next(); !step.done; step = steps.next()) {
        const { done, total } = step.value;
        // The page shows the progress, which must not decrease when another part begins with another total.
        expect(done / total).toBeGreaterThanOrEqual(last);
        expect(done).toBeLessThanOrEqual(total);
        last = done / total;
        yields++;
      }
      expect(yields).toBeGreaterThanOrEqual(2);
    });
  });
}

/** Matrices that made one of the properties above fail once. Every format is tested with them and all of its parameters. */
const PINNED: readonly { readonly name: string; readonly recipe: MatrixRecipe; readonly seed: number }[] = [
  {
    name: 'a value that rounds to -0 does not turn an infinity in x into NaN',
    recipe: { shape: [1, 6], pattern: 'uniform', values: 'all round to 0', density: 0.9, seed: 0, storage: 'cells' },
    seed: 0,
  },
  {
    name: 'the largest f32 stays finite in i8',
    recipe: { shape: [1, 4], pattern: 'full', values: 'largest', density: 1, seed: 0, storage: 'cells' },
    seed: 0,
  },
];

describe.each(PINNED)('regression: $name', ({ recipe, seed }) => {
  it.each(formats.map((format) => [format.id, format] as const))('%s', (_, format) => {
    for (const params of allParams(format)) expectLaws(format, buildMatrix(recipe), params, seed);
  });
});

/** Shapes around the limit of 16-bit indices. The tests set non-zeros in the corners and on both sides of the limit. */
const LONG_SHAPES = [
  { name: '65536 columns', rows: 2, cols: 65536 },
  { name: '65537 columns', rows: 2, cols: 65537 },
  { name: '70000 rows', rows: 70000, cols: 2 },
];

/** The number of combinations of parameters with which these shapes are tested, at most. */
const MAX_LONG_PARAMS = cases(2, 8);

describe.each(LONG_SHAPES)('$name', ({ rows, cols }) => {
  it.each(formats.map((format) => [format.id, format] as const))('%s', (_, format) => {
    const cells = new Float32Array(rows * cols);
    for (const index of [0, 65534, 65535, 65536, cells.length - 1]) cells[index] = 1 + (index % 3);
    const m = denseMatrix(rows, cols, cells);
    // If there are more combinations, every so many-th is tested; smaller shapes are tested with all of them.
    const every = allParams(format);
    for (const params of every.filter((_params, i) => i % Math.ceil(every.length / MAX_LONG_PARAMS) === 0))
      expectLaws(format, m, params, cols);
  });
});

describe('the registry', () => {
  it('has distinct ids', () => expect(new Set(formats.map((format) => format.id)).size).toBe(formats.length));

  it.each(formats)('$id is listed in a group, with one short summary', ({ shortSummary, group }) => {
    expect(FORMAT_GROUPS).toContain(group);
    expect(shortSummary).toMatch(/^[A-Z].{10,70}\.$/);
  });

  it('has a format in every group of FORMAT_GROUPS, which are distinct', () => {
    expect(new Set(formats.map(({ group }) => group))).toEqual(new Set(FORMAT_GROUPS));
    expect(new Set(FORMAT_GROUPS).size).toBe(FORMAT_GROUPS.length);
  });

  it('formatById returns a format, and rejects an unknown id with the list of ids', () => {
    expect(formatById(formats[0].id)).toBe(formats[0]);
    expect(() => formatById('none')).toThrow(/^format: found 'none', expected one of /);
  });
});
