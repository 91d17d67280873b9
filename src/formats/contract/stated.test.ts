import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { csrOf } from '../../../test/matrices.ts';
import {
  allParams,
  AWKWARD_SHAPES,
  buildMatrix,
  paramsTitle,
  recipeFor,
  uniformRecipe,
} from '../../../test/arbitraries.ts';
import { cases } from '../../../test/scheduled.ts';
import { shippedMatrices } from '../../../test/shipped.ts';
import { declarationOf } from '../../core/declared/declarations.ts';
import { type AnyFormat, defaultParams, type EncodedMatrix } from '../../core/format.ts';
import { type Matrix, toCsr } from '../../core/matrix/index.ts';
import { numberText, type Stated } from '../../core/text/stated.ts';
import { contractFormats as formats } from '../../../test/declared/formats.ts';

/**
 * Checks the texts with the reason for a format's size: each number in a text is a named fact, and each fact equals what
 * this file computes for its name from the columns of the decoded matrix and the lengths of the encoded arrays. This file
 * shares no code with the code that writes the texts.
 */

/** The data from which oracles (functions that compute an expected fact) count: a decoded matrix and its encoded arrays. */
interface OracleInput {
  /** columns of every row, ascending */
  readonly rows: readonly (readonly number[])[];
  readonly cols: number;
  readonly nnz: number;
  readonly params: Readonly<Record<string, number | string>>;
  readonly arrays: Readonly<Record<string, ArrayLike<number> & { readonly BYTES_PER_ELEMENT: number }>>;
}

type Oracle = (input: OracleInput) => number;

const gapCache = new WeakMap<OracleInput['rows'], readonly number[]>();

/** Distances from one non-zero of a row to the next. Cached, since several facts and parameters use them. */
function gapsOf({ rows }: OracleInput): readonly number[] {
  const gaps =
    gapCache.get(rows) ??
    rows.flatMap((columns) => columns.map((column, i) => column - (i === 0 ? -1 : columns[i - 1])));
  gapCache.set(rows, gaps);
  return gaps;
}

const paddingOf = (input: OracleInput): number => input.arrays.indptr[input.rows.length] - input.nnz;
const longestOf = ({ rows }: OracleInput): number => rows.reduce((longest, { length }) => Math.max(longest, length), 0);
const meanOf = (nnz: number, count: number): number => nnz / Math.max(1, count);
const groupsOf = ({ rows, cols }: OracleInput, width: number): number => rows.length * Math.ceil(cols / width);

/** The number of blocks that contain a non-zero. */
function blocksOf({ rows, params }: OracleInput): number {
  const size = Number(params.blockSize);
  const contained = new Set<number>();
  for (const [r, columns] of rows.entries()) {
    for (const c of columns) contained.add(Math.floor(r / size) * 2 ** 20 + Math.floor(c / size));
  }
  return contained.size;
}

/** By format id, the functions that compute the expected facts, by the names of the facts. */
const ORACLES: Readonly<Record<string, Readonly<Record<string, Oracle>>>> = {
  bitmask: { 'mask bits per non-zero': (s) => (32 * s.arrays.mask.length) / s.nnz },
  bsr: {
    blocks: (s) =>
      Math.ceil(s.rows.length / Number(s.params.blockSize)) * Math.ceil(s.cols / Number(s.params.blockSize)),
    'stored blocks': blocksOf,
    'non-zeros per block': (s) => s.nnz / blocksOf(s),
    'cells of a block': (s) => s.arrays.data.length / s.arrays.indices.length,
  },
  csr: {
    'bytes of a column': (s) => s.arrays.indices.BYTES_PER_ELEMENT,
    'bytes of a value': (s) => (s.params.valueType === 'f32' ? 4 : 2),
  },
  dense: { 'share of zeros': (s) => 1 - s.nnz / (s.rows.length * s.cols) },
  'ec-csr': {
    'delta bits': (s) => Number(s.params.deltaBits),
    // Granularity and number of blocks are the first two of the nine fields of a set.
    'rows of the largest block': ({ arrays: { sets } }) =>
      Array.from({ length: sets.length / 9 }, (_, i) => (sets[9 * i + 1] > 0 ? sets[9 * i] : 0)).reduce(
        (max, rows) => Math.max(max, rows),
        0,
      ),
  },
  ell: { 'slots of a row': longestOf, 'mean row': (s) => meanOf(s.nnz, s.rows.length) },
  hybrid: {
    'slots of a row': (s) => s.arrays.values.length / Math.max(1, s.rows.length),
    rows: (s) => s.rows.length,
    'long rows': (s) => s.rows.filter(({ length }) => length > Number(s.params.rowSlots)).length,
    'rows that the tail has room for': (s) => s.arrays.tail.length / s.cols,
  },
  macko: {
    'delta bits': (s) => Number(s.params.deltaBits),
    'longest skip': (s) => 2 ** Number(s.params.deltaBits) - 1,
    'mean skip': (s) => gapsOf(s).reduce((sum, gap) => sum + gap - 1, 0) / s.nnz,
    padding: paddingOf,
    'padding per non-zero': (s) => paddingOf(s) / s.nnz,
    'non-zeros': (s) => s.nnz,
  },
  slidesparse: {
    'slots of a group': (s) => 2 * (Number(s.params.halfGroup) - 1),
    'columns of a group': (s) => 2 * Number(s.params.halfGroup),
    'non-zeros per group': (s) => meanOf(s.nnz, groupsOf(s, 2 * Number(s.params.halfGroup))),
  },
  twell: {
    'places of a tile row': (s) =>
      Number(s.params.tileWidth) / Number(s.params.compression) - (s.params.layout === 'packed' ? 1 : 0),
    'columns of a tile': (s) => Number(s.params.tileWidth),
    'non-zeros per tile row': (s) => meanOf(s.nnz, groupsOf(s, Number(s.params.tileWidth))),
  },
};

/** Facts of derived reasons, for every format. */
const DERIVED: Readonly<Record<string, Oracle>> = {
  'bits for a non-zero': ({ arrays, nnz }) => (8 * bytesIn(arrays)) / Math.max(1, nnz),
};

const bytesIn = (arrays: OracleInput['arrays']): number =>
  Object.values(arrays).reduce((sum, array) => sum + (ArrayBuffer.isView(array) ? array.byteLength : 0), 0);

function inputOf(m: Matrix, params: object, e: EncodedMatrix): OracleInput {
  const { indptr, indices } = toCsr(m);
  const rows = Array.from({ length: m.rows }, (_, r) => [...indices.subarray(indptr[r], indptr[r + 1])]);
  return {
    rows,
    cols: m.cols,
    nnz: m.nnz,
    params: params as OracleInput['params'],
    arrays: e as unknown as OracleInput['arrays'],
  };
}

/** Checks that every number of a text is one of its facts, and that every fact equals its oracle. */
function expectTrue(
  { text, facts }: Stated,
  oracles: Readonly<Record<string, Oracle>>,
  input: OracleInput,
  title: string,
): void {
  const where = `${title}: ${text}`;
  let remainingText = text;
  const expectNoNumber = (words: string): void => expect(words, where).not.toMatch(/\d|NaN|Infinity|undefined/);
  for (const named of facts) {
    const oracle = (oracles[named.name] ?? DERIVED[named.name]) as Oracle | undefined;
    if (!oracle) throw new Error(`${where}: found the fact '${named.name}', expected one with an oracle`);
    const value = oracle(input);
    expect(named.value, `${where}: ${named.name}`).toBeCloseTo(value, 9);
    const number = numberText({ ...named, value });
    const index = remainingText.indexOf(number);
    expect(index, `${where}: ${named.name}, ${number}`).toBeGreaterThanOrEqual(0);
    expectNoNumber(remainingText.slice(0, index));
    remainingText = remainingText.slice(index + number.length);
  }
  expectNoNumber(remainingText);
}

/** Encodes a matrix and checks the text with the reason for its size. Returns the text. */
function expectTrueReason(format: AnyFormat, m: Matrix, params: object): string {
  const e: EncodedMatrix = format.encode(m, params);
  const output = format.sizeReason?.(e);
  if (!output) throw new Error(`${format.id}: found no reason of its size, expected one`);
  expectTrue(output, ORACLES[format.id] ?? {}, inputOf(m, params, e), `${format.id}, ${paramsTitle(params as never)}`);
  expect(output.text, format.id).toMatch(/^\S.*[^.]$/);
  expect(output.text, 'facts of an encoding are exact').not.toContain('expected');
  return output.text;
}

/** A matrix with random positions, for the oracles of expected values. It has no arrays, since it is not encoded. */
type RandomPositions = Pick<OracleInput, 'rows' | 'cols' | 'nnz' | 'params'>;

const bytesOfColumn = ({ cols, params: { indexBits } }: RandomPositions): number =>
  indexBits === 'auto' ? (cols <= 2 ** 16 ? 2 : 4) : Number(indexBits) / 8;

/**
 * By format id, the functions that compute the facts of one random matrix. A reason before encoding states their means over
 * random matrices.
 */
const EXPECTED: Readonly<Record<string, Readonly<Record<string, (random: RandomPositions) => number>>>> = {
  bitmask: { 'mask bits per non-zero': ({ rows, cols, nnz }) => (rows.length * 32 * Math.ceil(cols / 32)) / nnz },
  bsr: {
    'stored share of blocks': (s) =>
      blocksOf(s as OracleInput) /
      (Math.ceil(s.rows.length / Number(s.params.blockSize)) * Math.ceil(s.cols / Number(s.params.blockSize))),
    'non-zeros per block': (s) => s.nnz / blocksOf(s as OracleInput),
    'cells of a block': (s) => Number(s.params.blockSize) ** 2,
  },
  csr: { 'bytes of a column': bytesOfColumn, 'bytes of a value': (s) => (s.params.valueType === 'f32' ? 4 : 2) },
  dense: { 'share of zeros': (s) => 1 - s.nnz / (s.rows.length * s.cols) },
  'ec-csr': {
    'delta bits': (s) => Number(s.params.deltaBits),
    'rows of the largest block': (s) => Number(s.params.maxGranularity),
  },
  ell: {
    'slots of a row': (s) => longestOf(s as OracleInput),
    columns: (s) => s.cols,
    'mean row': (s) => s.nnz / s.rows.length,
  },
  hybrid: {
    'share of long rows': (s) =>
      s.rows.filter(({ length }) => length > Number(s.params.rowSlots)).length / s.rows.length,
    'slots of a row': (s) => Number(s.params.rowSlots),
    'rows for each row of the tail': (s) => Number(s.params.tailShare),
  },
  macko: {
    'delta bits': (s) => Number(s.params.deltaBits),
    'longest skip': (s) => 2 ** Number(s.params.deltaBits) - 1,
    'mean skip': (s) => gapsOf(s as OracleInput).reduce((sum, gap) => sum + gap - 1, 0) / s.nnz,
    'padding per non-zero': (s) =>
      gapsOf(s as OracleInput).reduce((sum, gap) => sum + Math.ceil(gap / 2 ** Number(s.params.deltaBits)) - 1, 0) /
      s.nnz,
  },
  slidesparse: ORACLES.slidesparse as never,
  twell: ORACLES.twell as never,
};

/** The expected value of the fact 'bits for a non-zero', of reasons that are derived: a random matrix is encoded. */
const derivedExpected =
  (format: AnyFormat) =>
  ({ rows, cols, nnz, params }: RandomPositions): number => {
    const indptr = Array.from({ length: rows.length + 1 }, (_, r) => rows.slice(0, r).flat().length);
    const m = csrOf([rows.length, cols], indptr, rows.flat());
    return (8 * bytesIn(format.encode(m, params) as never)) / nnz;
  };

/** Thirty random matrices with this shape and density. */
function randomMatrices(
  [rows, cols]: readonly [number, number],
  density: number,
): readonly Omit<RandomPositions, 'params'>[] {
  return Array.from({ length: 30 }, (_, seed) => {
    const m = buildMatrix(uniformRecipe([rows, cols], density, seed));
    const { indptr, indices } = toCsr(m);
    return {
      rows: Array.from({ length: rows }, (__, r) => [...indices.subarray(indptr[r], indptr[r + 1])]),
      cols,
      nnz: m.nnz,
    };
  });
}

/** The matrices of the gallery, by id. */
const examples = new Map<string, Matrix>();

beforeAll(async () => {
  for (const [{ id }, matrix] of await shippedMatrices()) examples.set(id, matrix);
});

/**
 * 300 rows of 400 columns with 5 non-zeros, one in each of the first five rows: 609 columns of gaps, for which MACKO
 * stores 36 zeros, one for every 16 columns.
 */
const FIVE = csrOf(
  [300, 400],
  Array.from({ length: 301 }, (_, r) => Math.min(5, r)),
  [8, 80, 121, 199, 196],
  [1, 2, 3, 4, 5],
);

describe.each(formats.map((format) => [format.id, format] as const))(
  'the text with the reason for the size of %s',
  (_, format) => {
    const every = allParams(format);

    it('contains numbers of the encoding only, for random matrices of all patterns', () => {
      for (const params of every) {
        fc.assert(
          fc.property(recipeFor(format, params, 40, 300), (recipe) => {
            const m = buildMatrix({ ...recipe, values: 'small integers' });
            if (format.admits(m, params).ok) expectTrueReason(format, m, params);
          }),
          { numRuns: Math.max(cases(1, 8), Math.ceil(cases(24, 200) / every.length)) },
        );
      }
    });

    it('contains numbers of the encoding only, for awkward shapes and the matrices of the gallery', () => {
      for (const params of every) {
        for (const shape of AWKWARD_SHAPES) {
          const m = buildMatrix(uniformRecipe(shape, 0, 1, { pattern: 'one entry', values: 'small integers' }));
          if (format.admits(m, params).ok) expectTrueReason(format, m, params);
        }
      }
      const params: object = defaultParams(format.params);
      for (const m of [FIVE, ...examples.values()]) {
        if (format.admits(m, params).ok) expectTrueReason(format, m, params);
      }
    });

    it('before encoding, calls a number expected if it depends on the positions of the non-zeros', () => {
      const density = 0.11;
      const shape = { rows: 64, cols: 512 };
      const params: object = defaultParams(format.params);
      // A format without a text before encoding has none about random positions.
      if (!format.expectedReason) return expect(declarationOf(format)).not.toBeNull();
      const message = format.expectedReason(density, params, shape).text;
      const reasons = new Set<string>();
      for (const pattern of ['uniform', 'activations', 'empty last rows'] as const) {
        const m = buildMatrix(uniformRecipe([64, 512], density, 3, { pattern, values: 'small integers' }));
        // A fact that differs between matrices with as many non-zeros per cell depends on where they are.
        if (!format.admits(m, params).ok || format.sizeReason === undefined) continue;
        const found = format.expectedReason?.(m.nnz / (64 * 512), params, shape).text;
        if (found !== expectTrueReason(format, m, params)) reasons.add(pattern);
      }
      // No closed form knows which rows share columns: EC-SpMV has none, and its reason contains 'up to'.
      if (reasons.size > 0) expect(message).toMatch(format.expectedEffectiveDensity ? /expected/ : /up to/);
    });
  },
);

describe('a number that is expected for random positions', () => {
  // Enough non-zeros that each fact has a mean; 8 divides both numbers of rows and columns of the first.
  const RANDOM = (
    [
      [[64, 512], 0.3],
      [[64, 512], 0.02],
      [[96, 1000], 0.06],
    ] as const
  ).map(([shape, density]) => ({ shape, density, random: randomMatrices(shape, density) }));

  it.each(formats.filter(({ expectedReason }) => expectedReason).map((format) => [format.id, format] as const))(
    'in the text of %s is the mean over random matrices',
    (id, format) => {
      let compared = 0;
      for (const { shape, density, random } of RANDOM) {
        const [rows, cols] = shape;
        for (const params of allParams(format)) {
          const output = format.expectedReason?.(density, params, { rows, cols });
          if (!output) continue;
          const where = `${id}, ${rows} × ${cols}, ${density}, ${paramsTitle(params)}: ${output.text}`;
          let remainingText = output.text;
          for (const named of output.facts) {
            const oracle = (EXPECTED[id]?.[named.name] ??
              (named.name in DERIVED ? derivedExpected(format) : undefined)) as
              | ((random: RandomPositions) => number)
              | undefined;
            if (!oracle) throw new Error(`${where}: found the fact '${named.name}', expected one with an oracle`);
            const values = random.map((matrix) => oracle({ ...matrix, params: params as RandomPositions['params'] }));
            const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
            const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
            // The seeds are fixed, so the test is deterministic. The tolerance covers the deviation of a mean over this many matrices.
            const tolerance = 4 * Math.sqrt(variance / values.length) + 1 / (rows * random.length);
            expect(Math.abs(named.value - mean), `${where}, ${named.name}: expected ${mean}`).toBeLessThanOrEqual(
              tolerance,
            );
            const number = numberText(named);
            const index = remainingText.indexOf(number);
            expect(index, `${where}: ${named.name}, ${number}`).toBeGreaterThanOrEqual(0);
            expect(remainingText.slice(0, index).replace(/ 1\/$/, ''), where).not.toMatch(/\d/);
            remainingText = remainingText.slice(index + number.length);
            compared++;
          }
          expect(remainingText, where).not.toMatch(/\d/);
        }
      }
      expect(compared).toBeGreaterThan(2);
    },
  );
});

it('MACKO stores 7.2 zeros per weight for 5 weights in 400 columns', () => {
  const macko = formats.find(({ id }) => id === 'macko');
  expect(macko && expectTrueReason(macko, FIVE, defaultParams(macko.params))).toBe(
    'on average 121 empty columns lie between weights; 4 bits skip at most 15, with 7.2 stored zeros per weight',
  );
});

it('MACKO stores 4.0 and 0.68 zeros per weight of arrow and sliding-attention, as the page Compare shows', () => {
  const macko = formats.find(({ id }) => id === 'macko');
  const output = (id: string): string | undefined => {
    const m = examples.get(id);
    return macko && m && expectTrueReason(macko, m, defaultParams(macko.params));
  };
  expect(output('arrow')).toMatch(/ with 4\.0 stored zeros per weight$/);
  expect(output('sliding-attention')).toMatch(/ with 0\.68 stored zeros per weight$/);
});
