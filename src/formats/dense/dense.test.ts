import { describe, expect, it } from 'vitest';
import { hugeMatrix, matrixOf } from '../../../test/matrices.ts';
import { toDense } from '../../core/matrix/index.ts';
import { QuantisedMatrix } from '../../core/matrix/quantised-matrix.ts';
import { f16Bits } from '../../core/number/index.ts';
import { dense } from './index.ts';
import { denseStride } from './layout.ts';
import { narrationText } from '../../story/scene.ts';
import { story } from './story/index.ts';

const A = matrixOf([0, 1, 0, -2, 0], [0, 0, 0, 0, 0], [0.5, 0, 0, 4, 70000]);

describe('dense encode', () => {
  it('stores rows one after the other, each padded to a multiple of 16 bytes', () => {
    const e = dense.encode(A, { valueType: 'f16' });
    expect(e.stride).toBe(8);
    expect(Array.from(e.data)).toEqual(
      [0, 1, 0, -2, 0, 0, 0, 0, ...Array<number>(8).fill(0), 0.5, 0, 0, 4, Infinity, 0, 0, 0].map(f16Bits),
    );
    expect(e.scales.length).toBe(0);
    expect(e.nnz).toBe(5);
  });

  it('scales the rows of i8 by their largest magnitude', () => {
    const e = dense.encode(A, { valueType: 'i8' });
    expect(e.stride).toBe(16);
    expect(Array.from(e.data.subarray(0, 5))).toEqual([0, 64, 0, -127, 0]);
    expect(Array.from(e.scales)).toEqual([Math.fround(2 / 127), 1, Math.fround(70000 / 127)]);
    expect(Array.from(toDense(dense.decode(e))).slice(10)).toEqual([0, 0, 0, 0, 70000]);
  });

  it('counts as non-zeros only values that are not 0 after rounding', () => {
    expect(dense.encode(matrixOf([1e-9, -1e-9, 1]), { valueType: 'f16' }).nnz).toBe(1);
    expect(dense.encode(matrixOf([0.001, 1]), { valueType: 'i8' }).nnz).toBe(1);
  });

  it('uses a row stride of whole 16-byte loads', () => {
    expect([0, 1, 8, 9].map((cols) => denseStride(cols, 'f16'))).toEqual([0, 8, 8, 16]);
    expect([1, 16, 17].map((cols) => denseStride(cols, 'i8'))).toEqual([16, 16, 32]);
  });

  it('rejects more cells than fit in one array, with need and limit', () => {
    const m = hugeMatrix(2 ** 17, 2 ** 14, 1);
    const reason = 'data: needs 8.59 GB, one array holds at most 4.29 GB';
    expect(dense.admits(m, { valueType: 'f32' })).toMatchObject({ ok: false, reason });
    expect(() => dense.encode(m, { valueType: 'f32' })).toThrow(reason);
  });
});

describe('dense validate', () => {
  const e = dense.encode(A, { valueType: 'i8' });

  it('requires finite scales above 0', () => {
    for (const bad of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      const scales = e.scales.slice();
      scales[1] = bad;
      expect(dense.validate({ ...e, scales }, 'full')).toEqual([
        { array: 'scales', index: 1, message: `scales[1]: found ${bad}, expected a finite number above 0` },
      ]);
    }
  });

  it('requires zeros past the last column, and as many non-zeros as nnz', () => {
    const data = e.data.slice();
    data[7] = 3;
    data[0] = 1;
    expect(dense.validate({ ...e, data }, 'full').map((violation) => violation.message)).toEqual([
      'data[7], past the last column of row 0: found 3, expected 0',
      'cells that are not 0: found 4, expected nnz = 3',
    ]);
  });
});

it('dense storage counts cells as values, columns that pad rows as padding, and scales as metadata', () => {
  const ledger = dense.storage(dense.encode(A, { valueType: 'i8' }));
  expect(ledger.totalBits).toEqual({ values: 120, indices: 0, metadata: 96, padding: 264 });
  const aligned = dense.encode(matrixOf([1, 2, 3, 4, 5, 6, 7, 8]), { valueType: 'f16' });
  expect(dense.storage(aligned).effectiveDensity).toBe(1);
});

describe('dense in 4 bits', () => {
  const e = dense.encode(matrixOf([4, -2, 1, 0], [0, 0, 0, 0]), { valueType: 'i4' });

  it('encodes the worked example of docs/formats/dense.md as it is printed there', () => {
    expect([e.stride, e.nnz, ...e.scales]).toEqual([32, 3, f16Bits(-0.5), f16Bits(-0)]);
    expect([...e.data.subarray(0, 5)]).toEqual([0x80, 0x8c, 0x86, 0x88, 0x88]);
    expect(Array.from(toDense(dense.decode(e)))).toEqual([4, -2, 1, 0, 0, 0, 0, 0]);
  });

  it('counts the padding of groups, and scales as metadata', () => {
    const { totalBits, totalBytes } = dense.storage(e);
    expect(totalBits).toEqual({ values: 2 * 16, indices: 0, metadata: 2 * 16, padding: 2 * 112 });
    expect(totalBytes).toBe(36);
    const full = dense.storage(dense.encode(matrixOf(Array<number>(64).fill(1)), { valueType: 'i4' }));
    const expected = dense.expectedEffectiveDensity?.(1, { valueType: 'i4' }, { rows: 1, cols: 64 });
    expect(full.effectiveDensity).toBe(1.125);
    expect(expected).toEqual({ best: 1.125, expected: 1.125, worst: 1.125 });
    expect((full.totalBytes * 8) / (64 * 16)).toBe(0.28125);
  });

  it.each([
    ['NaN', 0x7e00, 'NaN'],
    ['infinite', 0xfc00, '-Infinity'],
  ])('rejects cells in Q4_0 with a scale that is %s, in the encoder and in `admits`', (_, bits, found) => {
    const data = new Uint8Array(64).fill(0x99);
    const m = new QuantisedMatrix(2, 64, { kind: 'q4_0', data, scales: Uint16Array.of(0x3c00, 0x3c00, bits, 0x3c00) });
    const reason = `values: found ${found} at row 1, column 0, expected finite values for i4`;
    expect(dense.admits(m, { valueType: 'i4' })).toMatchObject({ ok: false, reason });
    expect(() => dense.encode(m, { valueType: 'i4' })).toThrow(reason);
  });

  it('reports a scale that is not finite, and padding other than 0 past the last column', () => {
    const scales = Uint16Array.from(e.scales);
    scales[1] = 0x7c00;
    const data = Uint8Array.from(e.data);
    data[4] = 0x89;
    expect(dense.validate({ ...e, scales, data }, 'full').map(({ message }) => message)).toEqual([
      'scales[1]: found Infinity, expected a finite number',
      'low half of data[4], past the last column of row 0: found 9, expected 8',
    ]);
  });
});

it('the story of dense in i4 stores two columns that are 16 apart in one byte', () => {
  const texts = (valueType: 'f16' | 'i4'): readonly string[] => {
    const t = story.trace(matrixOf([0, 5, 0, 0, 7, 0, 0, 0, 0, 0]), { valueType });
    return t.steps.map((_, i) => narrationText(story.scene(t, i + 1)));
  };
  expect(texts('i4').slice(0, 3)).toEqual([
    'Row 0, column 1 holds 5: data[2] = 5.25. Besides, scales[0] = −0.88.',
    'Row 0, column 4 holds 7: data[8] = 7.',
    '30 zeros fill data: every cell is stored.',
  ]);
});
