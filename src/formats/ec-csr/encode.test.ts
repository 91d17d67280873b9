import { describe, expect, it } from 'vitest';
import { defaultParams } from '../../core/format.ts';
import { finish } from '../../core/job.ts';
import { csrMatrix, denseMatrix, type DenseMatrix, toCsr, toDense } from '../../core/matrix/index.ts';
import { spmv } from '../../core/oracle.ts';
import { encoding } from './encoding.ts';
import { type EcCsrEncoded } from './layout.ts';
import { multiply } from './multiply.ts';
import { clipOf, packSteps } from './pack.ts';
import { type EcCsrParams, params } from './params.ts';

/** Parameters with which a whole row of the examples fits in a block. */
const SMALL: EcCsrParams = { ...defaultParams(params), lanes: 2, vectorSize: 2, clipColumns: 64, valueType: 'f32' };

const encode = (m: DenseMatrix, p: EcCsrParams): EcCsrEncoded => finish(encoding.encodeSteps(m, p));

describe('EC-CSR', () => {
  it('splits a row of half a million non-zeros into as many pieces as requested', () => {
    const m = denseMatrix(1, 2 ** 19, new Float32Array(2 ** 19).fill(1));
    const narrow: EcCsrParams = { ...SMALL, vectorSize: 1, clipColumns: 1, remainder: 'short-block' };
    expect(toDense(encoding.decode(encode(m, narrow))).every((value) => value === 1)).toBe(true);
  });

  it('EC-CSR can be cancelled while blocks are packed, after at most half a million values', () => {
    const row = Uint32Array.from({ length: 1024 }, (_, column) => 2 * column);
    const blocks = Array.from({ length: 1024 }, (_, r) => ({ rows: Uint32Array.of(r), columns: row }));
    const steps = [...packSteps({ sets: [{ granularity: 1, blocks }], rounds: [] }, defaultParams(params))];
    expect(steps).toHaveLength(3);
    expect(new Set(steps.map(({ what }) => what))).toEqual(new Set(['packing blocks']));
  });

  it.each([
    [65_536, 16],
    [65_537, 32],
  ])('keeps the bases of %d columns in %d bits, also the bases of the last columns', (cols, bits) => {
    // two equal rows, which form a block, and a row with the last five of their columns
    const columns = [0, 1, 5, 40_000, ...Array.from({ length: 12 }, (_, i) => cols - 12 + i)];
    const indices = Uint32Array.from([...columns, ...columns, ...columns.slice(-5)]);
    const indptr = Uint32Array.of(0, columns.length, 2 * columns.length, indices.length);
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
    const otherWidth = {
      ...e,
      baseIndices: bits === 16 ? Uint32Array.from(e.baseIndices) : Uint16Array.from(e.baseIndices),
    };
    expect(encoding.validate(otherWidth, 'cheap').map(({ message }) => message)).toEqual([
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
    'splits $values values at $longest columns of 1, 2, 4 and 8 rows, with clipColumns $clipColumns',
    ({ clipColumns, values, longest }) => {
      const columns = new Uint32Array(values / 8);
      const sets = [{ granularity: 8, blocks: values === 0 ? [] : [{ rows: new Uint32Array(8), columns }] }];
      const clip = clipOf({ sets, rounds: [] }, { ...defaultParams(params), clipColumns });
      expect([1, 2, 4, 8].map(clip)).toEqual(longest);
    },
  );
});
