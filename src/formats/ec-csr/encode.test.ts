import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultParams } from '../../core/format.ts';
import { finish } from '../../core/job.ts';
import { csrMatrix, denseMatrix, type DenseMatrix, toCsr, toDense } from '../../core/matrix/index.ts';
import { spmv } from '../../core/oracle.ts';
import { Random } from '../../core/number/random.ts';
import { encoding } from './encoding.ts';
import { extractSteps } from './extract.ts';
import { type EcCsrEncoded, setInfos } from './layout.ts';
import { multiply } from './multiply.ts';
import { clipOf, packSteps } from './pack.ts';
import { type EcCsrParams, params } from './params.ts';
import { cases } from '../../../test/scheduled.ts';

/** Blocks are long enough for whole rows of the examples. */
const SMALL: EcCsrParams = { ...defaultParams(params), lanes: 2, vectorSize: 2, clipColumns: 64, valueType: 'f32' };

function encode(m: DenseMatrix, p: EcCsrParams): EcCsrEncoded {
  return finish(encoding.encodeSteps(m, p));
}

/** Rows that share column groups, so that there is something to extract. */
function planted(rows: number, cols: number, seed: number, groups = 2): DenseMatrix {
  const random = new Random(seed);
  const cells = new Float32Array(rows * cols);
  const patterns = Array.from({ length: groups }, () => Array.from({ length: cols }, () => random.uniform() < 0.5));
  for (let r = 0; r < rows; r++) {
    const pattern = patterns[random.below(groups)];
    for (let c = 0; c < cols; c++) {
      if (random.uniform() < 0.1 ? random.uniform() < 0.2 : pattern[c]) cells[r * cols + c] = 1 + random.below(100);
    }
  }
  return denseMatrix(rows, cols, cells);
}

const anyParams = fc.record({
  lanes: fc.constantFrom<EcCsrParams['lanes']>(2, 4, 8),
  vectorSize: fc.constantFrom<EcCsrParams['vectorSize']>(1, 2, 4),
  deltaBits: fc.constantFrom<EcCsrParams['deltaBits']>(4, 8, 16),
  maxGranularity: fc.constantFrom<EcCsrParams['maxGranularity']>(1, 2, 4, 8),
  maxRounds: fc.constantFrom(0, 1, 2),
  clipColumns: fc.constantFrom(0, 1, 8),
  witnesses: fc.constantFrom<EcCsrParams['witnesses']>('two', 'none'),
  remainder: fc.constantFrom<EcCsrParams['remainder']>('same-block', 'short-block'),
  order: fc.constantFrom<EcCsrParams['order']>('longest-first', 'as-found'),
  valueType: fc.constant<'f32'>('f32'),
});

/** A row of nine non-zeros, each the number of its column. */
function nineColumns(): DenseMatrix {
  const cells = new Float32Array(40);
  for (const c of [1, 2, 4, 7, 11, 16, 22, 29, 37]) cells[c] = c;
  return denseMatrix(1, 40, cells);
}

/** Rows, columns and seed of a planted matrix, and parameters. */
const anyCase = [fc.integer({ min: 0, max: 12 }), fc.integer({ min: 1, max: 80 }), fc.nat(), anyParams] as const;

describe('EC-CSR', () => {
  it('cuts a row of half a million non-zeros into as many pieces as requested', () => {
    const m = denseMatrix(1, 2 ** 19, new Float32Array(2 ** 19).fill(1));
    const cut: EcCsrParams = { ...SMALL, vectorSize: 1, clipColumns: 1, remainder: 'short-block' };
    expect(toDense(encoding.decode(encode(m, cut))).every((value) => value === 1)).toBe(true);
  });

  it('can be cancelled while blocks are packed, after at most half a million values', () => {
    const row = Uint32Array.from({ length: 1024 }, (_, column) => 2 * column);
    const blocks = Array.from({ length: 1024 }, (_, r) => ({ rows: Uint32Array.of(r), columns: row }));
    const steps = [...packSteps({ sets: [{ granularity: 1, blocks }], rounds: [] }, defaultParams(params))];
    expect(steps).toHaveLength(3);
    expect(new Set(steps.map(({ what }) => what))).toEqual(new Set(['packing blocks']));
  });

  it('holds every non-zero in exactly one block, whatever the parameters', () => {
    fc.assert(
      fc.property(...anyCase, (rows, cols, seed, p) => {
        const m = planted(rows, cols, seed);
        const e = encode(m, p);
        expect(toDense(encoding.decode(e))).toEqual(m.data);
        expect(encoding.validate(e, 'full')).toEqual([]);
        expect(setInfos(e).reduce((sum, set) => sum + set.nnz, 0)).toBe(m.nnz);
        expect(e.sizes[p.remainder]).toBe(encoding.storage(e).totalBytes);
        const stored = e.values.length;
        expect(stored).toBe(m.nnz + e.padding.gapValues + e.padding.tailValues);
        const x = Float32Array.from({ length: cols }, (_, c) => c - 3);
        const y = new Float32Array(rows);
        multiply(e, x, y);
        expect(Array.from(y)).toEqual(Array.from(spmv(m, x), Math.fround));
      }),
      { numRuns: cases(120, 400) },
    );
  });

  it('extracts a block from two rows that share 9 columns, and leaves the ninth', () => {
    const cells = new Float32Array(2 * 32);
    for (const c of [2, 3, 5, 8, 9, 12, 15, 20, 21]) cells[c] = cells[32 + c] = c;
    const { sets } = finish(extractSteps(denseMatrix(2, 32, cells), SMALL));
    expect(
      sets.map(({ granularity, blocks }) => [
        granularity,
        blocks.map((b) => [Array.from(b.rows), Array.from(b.columns)]),
      ]),
    ).toEqual([
      [
        1,
        [
          [[0], [21]],
          [[1], [21]],
        ],
      ],
      [
        2,
        [
          [
            [0, 1],
            [2, 3, 5, 8, 9, 12, 15, 20],
          ],
        ],
      ],
    ]);
  });

  it('keeps a row in one block: segments of two, then the rest, lane after lane', () => {
    const e = encode(nineColumns(), SMALL);
    // Lanes of five columns, the last of which repeats its last column as padding.
    expect(Array.from(e.blockPtr)).toEqual([0, 10]);
    expect(Array.from(e.baseIndices)).toEqual([1, 16]);
    expect(Array.from(e.values)).toEqual([1, 2, 16, 22, 4, 7, 29, 37, 11, 0]);
    const bytes = new Uint8Array(e.deltaIndices.buffer, 0, 10);
    expect(Array.from(bytes)).toEqual([0, 1, 0, 6, 2, 3, 7, 8, 4, 0]);
    expect(e.padding).toEqual({ gapColumns: 0, gapValues: 0, tailColumns: 1, tailValues: 1 });
  });

  it('cuts a row into a long block of whole vectors and a short one, each in its set', () => {
    const e = encode(nineColumns(), { ...SMALL, remainder: 'short-block' });
    expect(setInfos(e).map((set) => [set.granularity, set.blocks, set.columns, set.nnz])).toEqual([
      [1, 1, 8, 8],
      [1, 1, 2, 1],
    ]);
    expect(Array.from(e.baseIndices)).toEqual([1, 11, 37, 37]);
    expect(Array.from(e.values)).toEqual([1, 2, 11, 16, 4, 7, 22, 29, 37, 0]);
    expect(e.padding).toEqual({ gapColumns: 0, gapValues: 0, tailColumns: 1, tailValues: 1 });
  });

  it.each([
    [31, [[32]], [[], [32]]],
    [32, [[32]], [[], [32]]],
    [33, [[64]], [[], [64]]],
    // Padding fills lanes up to four columns: without it they are not a multiple of 128, so there is a short block all
    // the same.
    [127, [[128]], [[], [128]]],
    [128, [[128]], [[128], []]],
    [129, [[160]], [[128], [32]]],
    [160, [[160]], [[128], [32]]],
  ])('holds a row of %d columns in blocks of %j, or long and short ones of %j', (cols, same, [long, short]) => {
    const m = denseMatrix(1, cols, new Float32Array(cols).fill(1));
    const p = { ...defaultParams(params), maxGranularity: 1 } as const;
    const lengths = (e: EcCsrEncoded): number[][] =>
      setInfos(e).map(({ blocks, blockPtrAt }) =>
        Array.from({ length: blocks }, (_, b) => e.blockPtr[blockPtrAt + b + 1] - e.blockPtr[blockPtrAt + b]),
      );
    const whole = encode(m, p);
    const cut = encode(m, { ...p, remainder: 'short-block' });
    expect(lengths(whole)).toEqual(same);
    expect(lengths(cut)).toEqual([long, short].filter((blocks) => blocks.length > 0));
    expect(cut.padding).toEqual(whole.padding);
    expect(toDense(encoding.decode(cut))).toEqual(toDense(encoding.decode(whole)));
  });

  it('represents the same matrix in either order, with the same bytes', () => {
    fc.assert(
      fc.property(...anyCase, (rows, cols, seed, p) => {
        const m = planted(rows, cols, seed);
        const sorted = encode(m, { ...p, order: 'longest-first' });
        const found = encode(m, { ...p, order: 'as-found' });
        expect(toCsr(encoding.decode(found))).toEqual(toCsr(encoding.decode(sorted)));
        expect(found.sizes).toEqual(sorted.sizes);
      }),
    );
  });

  it('represents the same matrix with either remainder, and knows the bytes of the other', () => {
    fc.assert(
      fc.property(...anyCase, (rows, cols, seed, p) => {
        const m = planted(rows, cols, seed);
        const same = encode(m, { ...p, remainder: 'same-block' });
        const short = encode(m, { ...p, remainder: 'short-block' });
        expect(toCsr(encoding.decode(short))).toEqual(toCsr(encoding.decode(same)));
        expect(short.sizes).toEqual(same.sizes);
        expect(short.sizes['short-block']).toBeGreaterThanOrEqual(same.sizes['same-block']);
        expect(short.padding).toEqual(same.padding);
        // Of every granularity one set of whole vectors, then one of shorter blocks.
        const multiple = p.lanes * p.vectorSize;
        const found = setInfos(short).map(({ granularity, blocks, blockPtrAt }) => {
          const lengths = Array.from(
            { length: blocks },
            (_, b) => short.blockPtr[blockPtrAt + b + 1] - short.blockPtr[blockPtrAt + b],
          );
          return {
            granularity,
            isShort: lengths.every((n) => n <= multiple),
            isLong: lengths.every((n) => n % multiple === 0),
          };
        });
        found.forEach(({ granularity, isShort, isLong }, s) => {
          expect(isShort || isLong).toBe(true);
          const before = found[s - 1];
          if (before?.granularity !== granularity) return expect(granularity).toBeLessThan(before?.granularity ?? 9);
          expect([before.isLong, isShort]).toEqual([true, true]);
        });
        expect(new Set(found.map(({ granularity }) => granularity)).size).toBeGreaterThanOrEqual(found.length / 2);
      }),
      { numRuns: cases(80, 200) },
    );
  });

  it('begins every block where a vector can begin, with fewer lanes than columns in a vector', () => {
    const cells = Float32Array.from({ length: 3 * 7 }, (_, i) => (i < 7 ? 1 : i % 2));
    const e = encode(denseMatrix(3, 7, cells), { ...SMALL, lanes: 2, vectorSize: 4 });
    expect(Array.from(e.blockPtr).every((at) => at % 4 === 0)).toBe(true);
    expect(toDense(encoding.decode(e))).toEqual(cells);
  });

  it('bridges gaps of a residual row with zeros', () => {
    const cells = new Float32Array(70);
    cells[0] = 1;
    cells[15] = 2;
    cells[31] = 3;
    const e = encode(denseMatrix(1, 70, cells), { ...SMALL, deltaBits: 4, lanes: 2, vectorSize: 2 });
    expect(e.padding).toEqual({ gapColumns: 1, gapValues: 1, tailColumns: 0, tailValues: 0 });
  });

  it.each([4, 8, 16] as const)('follows gaps up to what %d bits reach, and bridges the first beyond', (deltaBits) => {
    const reach = 2 ** deltaBits - 1;
    for (const [gap, bridges] of [
      [reach, 0],
      [reach + 1, 1],
      [2 * reach, 1],
      [2 * reach + 1, 2],
    ]) {
      const cells = new Float32Array(3 + gap);
      for (const c of [0, 1, 1 + gap, 2 + gap]) cells[c] = c + 1;
      const m = denseMatrix(1, cells.length, cells);
      const e = encode(m, { ...SMALL, deltaBits });
      expect(e.padding.gapColumns).toBe(bridges);
      expect(toDense(encoding.decode(e))).toEqual(cells);
      expect(encoding.validate(e, 'full')).toEqual([]);
    }
  });

  it.each([
    [65_536, 16],
    [65_537, 32],
  ])('keeps the bases of %d columns in %d bits, those of the last columns too', (cols, bits) => {
    const at = [0, 1, 5, 40_000, ...Array.from({ length: 12 }, (_, i) => cols - 12 + i)];
    const indices = Uint32Array.from([...at, ...at, ...at.slice(-5)]);
    const indptr = Uint32Array.of(0, at.length, 2 * at.length, indices.length);
    const data = Float32Array.from(indices, (c) => c + 1);
    const m = csrMatrix({ rows: 3, cols, indptr, indices, data });
    const e = finish(encoding.encodeSteps(m, SMALL));
    expect(e.baseIndices.BYTES_PER_ELEMENT * 8).toBe(bits);
    expect(Math.max(...e.baseIndices)).toBeGreaterThan(cols - 12);
    expect(encoding.validate(e, 'full')).toEqual([]);
    expect(toCsr(encoding.decode(e)).indices).toEqual(indices);
    expect(toCsr(encoding.decode(e)).data).toEqual(data);
    const entry = encoding.storage(e).entries.find(({ array }) => array === 'baseIndices');
    expect(entry).toMatchObject({ dtype: `u${bits}`, bytes: (e.baseIndices.length * bits) / 8 });
    const x = Float32Array.from({ length: cols }, (_, c) => (c % 5) - 2);
    const y = new Float32Array(3);
    multiply(e, x, y);
    expect(Array.from(y)).toEqual(Array.from(spmv(m, x), Math.fround));
    const other = {
      ...e,
      baseIndices: bits === 16 ? Uint32Array.from(e.baseIndices) : Uint16Array.from(e.baseIndices),
    };
    expect(encoding.validate(other, 'cheap').map(({ message }) => message)).toEqual([
      `bits of a base: found ${48 - bits}, expected enough for ${cols} columns = ${bits}`,
    ]);
  });

  it.each([
    { clipColumns: 0, values: 20 * 2 ** 20, longest: [5120, 2560, 1280, 640] },
    { clipColumns: 0, values: 2 ** 20, longest: [2048, 1024, 512, 256] },
    { clipColumns: 0, values: 0, longest: [2048, 1024, 512, 256] },
    { clipColumns: 700, values: 20 * 2 ** 20, longest: [640, 640, 640, 640] },
    { clipColumns: 1, values: 20 * 2 ** 20, longest: [128, 128, 128, 128] },
  ])(
    'cuts $values values at $longest columns of 1, 2, 4 and 8 rows, with clipColumns $clipColumns',
    ({ clipColumns, values, longest }) => {
      const columns = new Uint32Array(values / 8);
      const sets = [{ granularity: 8, blocks: values === 0 ? [] : [{ rows: new Uint32Array(8), columns }] }];
      const clip = clipOf({ sets, rounds: [] }, { ...defaultParams(params), clipColumns });
      expect([1, 2, 4, 8].map(clip)).toEqual(longest);
    },
  );

  it('makes blocks up to granularity 8 of identical rows and full rows', () => {
    const m = denseMatrix(8, 16, new Float32Array(128).fill(1));
    const e = encode(m, SMALL);
    expect(setInfos(e).map((s) => [s.granularity, s.blocks, s.nnz])).toEqual([[8, 1, 128]]);
    expect(Array.from(e.rowIndices).toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it('accounts for every byte', () => {
    const e = encode(planted(9, 50, 3), SMALL);
    const { totalBytes, totalBits } = encoding.storage(e);
    expect(totalBits.values + totalBits.indices + totalBits.metadata + totalBits.padding).toBe(totalBytes * 8);
    expect(totalBits.values).toBe(e.nnz * 32);
  });
});
